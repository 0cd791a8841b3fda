//! The checker on a circuit of a thousand inputs and ten thousand terms, and on a chain of 500 gates.

use std::time::Instant;

use anyhow::{Result, ensure};
use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::{Verdict, check};
use macchiato::circuit::{Circuit, Gate, Literal as Wire, Output, Role, Rule};
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::network::{CompileOptions, compile, to_onnx};
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::bar::{Bar, rounded};

const INPUTS: usize = 1000;
const STAGES: usize = 20;
const TERMS: usize = 500;
const SECONDS: f64 = 2.0;
/// Gates of a chain over a few inputs.
const DEPTH: usize = 500;
const CHAIN_INPUTS: usize = 40;
const CHAIN_SECONDS: f64 = 1.0;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) inputs: usize,
    pub(crate) terms: usize,
    pub(crate) bytes: usize,
    pub(crate) seconds: f64,
    pub(crate) depth: usize,
    pub(crate) chain_seconds: f64,
}

pub(crate) fn run() -> Result<Section> {
    let circuit = circuit().gates();
    let (seconds, bytes) = checked(&circuit, &CompileOptions::paper())?;
    let (chain_seconds, _) = checked(&chain()?, &CompileOptions::default())?;
    let is_term = |gate: &&Gate| matches!(gate.role, Role::Term { .. });
    let terms = circuit.gates().iter().filter(is_term).count();
    Ok(Section {
        bars: vec![
            Bar::at_most("seconds to check 1000 inputs and 10000 terms", SECONDS, seconds),
            Bar::at_most("seconds to check a chain of 500 gates", CHAIN_SECONDS, chain_seconds),
        ],
        inputs: INPUTS,
        terms,
        bytes,
        seconds: rounded(seconds),
        depth: DEPTH,
        chain_seconds: rounded(chain_seconds),
    })
}

/// How long the check takes, and how many bytes the files have.
fn checked(circuit: &Circuit, options: &CompileOptions) -> Result<(f64, usize)> {
    let compiled = compile(circuit, options)?;
    let network = to_onnx(&compiled.network);
    let text = certify(circuit, &compiled, NetworkFormat::Onnx, &network, None)?;
    let begun = Instant::now();
    let verdict = check(text.as_bytes(), &network);
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(matches!(verdict, Verdict::Accepted(_)), "{verdict}");
    Ok((seconds, network.len() + text.len()))
}

/// Each gate reads the one before it and an input, which is relayed to it.
fn chain() -> Result<Circuit> {
    let mut gates: Vec<Gate> = Vec::new();
    for at in 0..DEPTH {
        let (first, second) = (Wire::input(at % CHAIN_INPUTS), !Wire::input((at + 7) % CHAIN_INPUTS));
        let literals = [first, second].into_iter().chain(at.checked_sub(1).map(Wire::gate)).collect();
        gates.push(Gate::new(Rule::AtLeast(2), literals));
    }
    let names = (0..CHAIN_INPUTS).map(|i| format!("x{i}")).collect();
    Ok(Circuit::new(names, gates, vec![Output::new("last", Wire::gate(DEPTH - 1))])?)
}

/// Random terms of at most eight literals.
fn circuit() -> Staged {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let stages = (0..STAGES)
        .map(|_| {
            let mut cover = Cover::new(Shape::new(INPUTS, 1));
            for _ in 0..TERMS {
                let mut literals = vec![Literal::Free; INPUTS];
                for _ in 0..8 {
                    literals[rng.random_range(0..INPUTS)] =
                        if rng.random() { Literal::Positive } else { Literal::Negative };
                }
                cover.push(&literals, &[true]);
            }
            Stage { inputs: (0..INPUTS).collect(), cover }
        })
        .collect();
    Staged { inputs: (1..=INPUTS).map(|i| format!("x{i}")).collect(), target: "y".into(), stages }
}
