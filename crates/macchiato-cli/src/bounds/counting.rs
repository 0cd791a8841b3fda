//! `macchiato bounds count`: how many rules there are.

use std::f64::consts::LN_10;
use std::fmt::Write;

use clap::Args;
use macchiato::bounds::counting::{InfluentialCount, JuntaCount, influential_juntas, juntas};
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds count --inputs 40 --junta 5
  macchiato bounds count --inputs 40 --junta 5 --influence 0.25
  macchiato bounds count --inputs 10000 --junta 20 --json

The number is exact; its logarithm is what the other bounds pay for not knowing the rule.";

/// Count the rules that need at most so many of the inputs
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Inputs there are
    #[arg(long, value_name = "B")]
    inputs: u64,
    /// Inputs that a rule needs at most
    #[arg(long, value_name = "S")]
    junta: u64,
    /// Also bound the number of rules whose every input has at least this influence
    #[arg(long, value_name = "RHO")]
    influence: Option<f64>,
    /// Print one JSON object, with numbers of up to 1000 digits in full
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`; counts are texts, as they are longer than a number of JSON may be.
#[derive(Debug, Serialize)]
struct Answer {
    inputs: u64,
    junta: u64,
    count: Option<String>,
    ln_count: f64,
    ln_lemma_sum: f64,
    ln_lemma_closed: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    influential: Option<Influential>,
}

#[derive(Debug, Serialize)]
struct Influential {
    influence: f64,
    lower: Option<String>,
    upper: Option<String>,
    ln_lower: f64,
    ln_upper: f64,
}

/// Most digits that are printed.
const DIGITS: f64 = 1000.0;

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { inputs, junta, influence, json } = *arguments;
    let JuntaCount { exact, ln, ln_lemma_sum, ln_lemma_closed, .. } = juntas(inputs, junta)?;
    let influential = influence.map(|influence| {
        let InfluentialCount { lower, upper, ln_lower, ln_upper, .. } =
            influential_juntas(inputs, junta, influence)?;
        Ok::<_, anyhow::Error>(Influential {
            influence,
            lower: digits(ln_lower, lower),
            upper: digits(ln_upper, upper),
            ln_lower,
            ln_upper,
        })
    });
    let answer = Answer {
        inputs,
        junta,
        count: digits(ln, exact),
        ln_count: ln,
        ln_lemma_sum,
        ln_lemma_closed,
        influential: influential.transpose()?,
    };
    super::answer(json, &answer, || answer.words())
}

/// The digits, unless writing them takes longer than anybody reads them.
fn digits(ln: f64, exact: Option<impl ToString>) -> Option<String> {
    exact.filter(|_| ln < DIGITS * LN_10).map(|count| count.to_string())
}

impl Answer {
    fn words(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "rules that need at most {} of {} inputs: {}",
            self.junta,
            self.inputs,
            shown(self.count.as_ref(), self.ln_count)
        );
        let _ = writeln!(text, "their logarithm: {:.3}", self.ln_count);
        let _ = writeln!(
            text,
            "  bounds of lem:junta-cardinality: {:.3} by the sum over sets, {:.3} in closed form",
            self.ln_lemma_sum, self.ln_lemma_closed
        );
        if let Some(influential) = &self.influential {
            let _ = writeln!(
                text,
                "whose every input has influence at least {}: {} to {}",
                influential.influence,
                shown(influential.lower.as_ref(), influential.ln_lower),
                shown(influential.upper.as_ref(), influential.ln_upper)
            );
            let _ = writeln!(
                text,
                "  their logarithm: {:.3} to {:.3} (prop:influential-junta-count)",
                influential.ln_lower, influential.ln_upper
            );
        }
        text
    }
}

/// The number itself if it is short, else its size.
fn shown(exact: Option<&String>, ln: f64) -> String {
    match exact {
        Some(digits) if digits.len() <= 30 => digits.clone(),
        _ => {
            let digits = ln / LN_10;
            format!("about {:.2}e{}", 10f64.powf(digits.fract()), digits.floor())
        }
    }
}
