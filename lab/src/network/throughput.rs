//! Predictions a second: the bit-parallel circuit, the same rule evaluated as stages, and onnxruntime on the file that was compiled
//! from it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use macchiato::bits;
use macchiato::fit::{PaperParams, fit_paper};
use macchiato::generate::{Target, sample};
use macchiato::minimize::Budget;
use macchiato::network::{CompileOptions, compile, to_onnx};
use serde::{Deserialize, Serialize};

use super::stages;
use crate::bar::{Bar, median, rounded};

const INPUTS: usize = 20;
const POINTS: usize = 1 << 18;
const REPETITIONS: usize = 7;
/// Circuit and stages take less than a millisecond: this often, in turn.
const TURNS: usize = 201;
const TIMES_FASTER: f64 = 100.0;
/// Gates of any kind are evaluated as fast as the paper's stages alone.
const TIMES_STAGES: f64 = 1.0;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) inputs: usize,
    pub(crate) points: usize,
    pub(crate) stages: usize,
    pub(crate) terms: usize,
    pub(crate) widths: Vec<usize>,
    pub(crate) circuit_seconds: f64,
    pub(crate) times_stages: f64,
    pub(crate) onnxruntime_seconds: f64,
    pub(crate) times_faster: f64,
}

#[derive(Deserialize)]
struct Answer {
    seconds: Vec<f64>,
    positive: usize,
}

pub(crate) fn run(python: &Path) -> Result<Section> {
    let target = Target::junta(INPUTS, 8, 0)?;
    let rows = sample(&target, POINTS, 0)?;
    let params = PaperParams::default().check(&rows)?;
    let fit = fit_paper(&rows, &params, &Budget::unlimited())?;
    let circuit = &fit.circuit;
    let network = compile(circuit, &CompileOptions::default())?.network;
    let folder = tempfile::tempdir()?;
    let (file, points) = (folder.path().join("net.onnx"), folder.path().join("points"));
    std::fs::write(&file, to_onnx(&network))?;
    std::fs::write(&points, packed(rows.columns()))?;
    let columns = crate::accuracy::columns(&rows);
    let (mut ours, mut staged, mut positive) = (Vec::new(), Vec::new(), 0);
    for _ in 0..TURNS {
        let begun = Instant::now();
        let answers = circuit.evaluate(&columns, bits::words(POINTS)).swap_remove(0);
        ours.push(begun.elapsed().as_secs_f64());
        let begun = Instant::now();
        let same = stages::evaluate(&fit.stages, &columns, bits::words(POINTS));
        staged.push(begun.elapsed().as_secs_f64());
        ensure!(same == answers, "circuit and stages differ");
        positive = bits::count(&answers);
    }
    let output = Command::new(python)
        .args([Path::new("lab/peers/onnx_speed.py"), &file, &points])
        .args([INPUTS.to_string(), REPETITIONS.to_string()])
        .output()
        .with_context(|| python.display().to_string())?;
    ensure!(output.status.success(), "onnxruntime: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Answer = serde_json::from_slice(&output.stdout)?;
    ensure!(
        answer.positive == positive,
        "onnxruntime answers 1 on {} points, we on {positive}",
        answer.positive
    );
    let (circuit_seconds, onnxruntime_seconds) = (median(ours), median(answer.seconds));
    let (times_faster, times_stages) =
        (onnxruntime_seconds / circuit_seconds, circuit_seconds / median(staged));
    Ok(Section {
        bars: vec![
            Bar::at_least("circuit over onnxruntime, predictions a second", TIMES_FASTER, times_faster),
            Bar::at_most("time of the circuit over that of its stages", TIMES_STAGES, times_stages),
        ],
        inputs: INPUTS,
        points: POINTS,
        stages: fit.stages.len(),
        terms: fit.terms(),
        widths: network.widths(),
        circuit_seconds: rounded(circuit_seconds),
        times_stages: rounded(times_stages),
        onnxruntime_seconds: rounded(onnxruntime_seconds),
        times_faster: rounded(times_faster),
    })
}

/// One row of bytes a point.
fn packed(columns: &[Vec<u64>]) -> Vec<u8> {
    let bytes = INPUTS.div_ceil(8);
    let mut packed = vec![0u8; POINTS * bytes];
    for (i, column) in columns.iter().enumerate() {
        for row in bits::ones(column) {
            packed[row * bytes + i / 8] |= 1 << (i % 8);
        }
    }
    packed
}
