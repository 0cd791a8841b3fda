//! What is said about a result: a few lines for a person, or one JSON object for a program.

use std::fmt::Write;
use std::time::Duration;

use macchiato::minimize::pla::Pla;
use macchiato::minimize::{Factored, Minimized};
use macchiato::model::Model;
pub(crate) use macchiato::words::{count, percent};
use serde::Serialize;

/// `8 inputs` of 0 and 1, or `3 columns, seen as 12 tests`.
pub(crate) fn what_it_reads(model: &Model) -> String {
    let binarizer = model.binarizer();
    if model.is_plain() {
        return count(binarizer.columns().len(), "input");
    }
    let tests = count(binarizer.bits().len(), "test");
    format!("{}, seen as {tests}", count(binarizer.columns().len(), "column"))
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    inputs: usize,
    outputs: usize,
    terms: usize,
    literals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    factored: Option<FactoredSize>,
    lower_bound: usize,
    proven_optimal: bool,
    engine: &'static str,
    seconds: f64,
    interrupted: bool,
    notes: Vec<String>,
}

/// The field `factored`.
#[derive(Debug, Serialize)]
struct FactoredSize {
    literals: usize,
    gates: usize,
    levels: usize,
}

impl Summary {
    pub(crate) fn new(answer: &Minimized, factored: Option<&Factored>, elapsed: Duration) -> Self {
        let shape = answer.cover.shape();
        Self {
            inputs: shape.inputs(),
            outputs: shape.outputs(),
            terms: answer.cover.terms(),
            literals: answer.cover.literals(),
            factored: factored.map(|factored| FactoredSize {
                literals: factored.literals(),
                gates: factored.gates().len(),
                levels: factored.levels(),
            }),
            lower_bound: answer.lower_bound,
            proven_optimal: answer.proven_optimal(),
            engine: answer.engine.name(),
            seconds: elapsed.as_secs_f64(),
            interrupted: answer.interrupted,
            notes: answer.notes.iter().map(ToString::to_string).collect(),
        }
    }

    /// The lines for a person.
    pub(crate) fn lines(&self, pla: &Pla) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{label:<12} {value}");
        };
        line("file", pla.file().to_owned());
        line("size", format!("{}, {}", count(self.inputs, "input"), count(self.outputs, "output")));
        line("terms", format!("{} -> {}, {}", pla.on().terms(), self.terms, self.bound()));
        line("literals", format!("{} -> {}", pla.on().literals(), self.literals));
        if let Some(FactoredSize { literals, gates, levels }) = &self.factored {
            let (literals, gates) = (count(*literals, "literal"), count(*gates, "gate"));
            line("factored", format!("{literals}, {gates}, {}", count(*levels, "level")));
        }
        line("engine", format!("{}, {:.3} s", self.engine, self.seconds));
        if self.interrupted {
            line("interrupted", "valid, but more time might find a smaller cover".to_owned());
        }
        for note in &self.notes {
            line("note", note.clone());
        }
        text
    }

    fn bound(&self) -> String {
        if self.proven_optimal {
            return "proven minimum".to_owned();
        }
        let gap = self.terms.saturating_sub(self.lower_bound);
        let percent = 100.0 * gap as f64 / self.terms.max(1) as f64;
        format!("lower bound {} (gap {gap}, {percent:.1} %)", self.lower_bound)
    }
}
