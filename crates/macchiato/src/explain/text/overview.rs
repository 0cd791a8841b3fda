//! A model as a whole: its stages, what each corrected, and how much each input matters.

use std::fmt::Write;

use super::Wording;
use super::numbers::{number, percent_of, points, wrapped};
use crate::explain::{
    CircuitExplanation, Errors, FeatureInfluence, Matters, ModelExplanation, StageExplanation,
};
use crate::words::{count, one_line, percent};

pub(super) struct Lines<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) wording: &'a Wording<'a>,
}

impl Lines<'_> {
    pub(super) fn of(&self, explanation: &ModelExplanation) -> String {
        let mut text = String::new();
        if explanation.circuits.is_empty() {
            let _ = writeln!(
                text,
                "{} has one class, whatever the columns are",
                self.wording.bold(&explanation.target)
            );
        }
        for (at, circuit) in explanation.circuits.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            self.circuit(&mut text, circuit, explanation.rows);
        }
        text
    }

    fn circuit(&self, text: &mut String, circuit: &CircuitExplanation, rows: Option<usize>) {
        let target = self.wording.bold(&circuit.target);
        // The target of a classifier's circuit is an equation itself.
        let (is, holds) = if self.wording.table { ("if", "holds") } else { ("=", "is 1") };
        let long = circuit.formula.chars().count() > 96 && !circuit.stages.is_empty();
        let formula = if long { "the XOR of its stages" } else { &circuit.formula };
        let _ = writeln!(
            text,
            "{target} {is} {formula}\n{holds} on {}{}",
            points(&circuit.ones),
            self.rows(circuit.rows, rows)
        );
        for stage in &circuit.stages {
            self.stage(text, stage, rows);
        }
        self.influences(text, circuit, rows);
    }

    /// `, and on 7 of the 14 rows of data.csv`.
    fn rows(&self, number: Option<usize>, rows: Option<usize>) -> String {
        match (number, rows, self.source) {
            (Some(number), Some(rows), Some(source)) => {
                format!(", and on {number} of the {} of {source}", count(rows, "row"))
            }
            _ => String::new(),
        }
    }

    fn stage(&self, text: &mut String, stage: &StageExplanation, rows: Option<usize>) {
        let label = self.wording.bold(&format!("stage {}", stage.stage));
        let _ = writeln!(text, "\n{label}   {}", stage.formula);
        let _ = writeln!(text, "    fires on {}{}", points(&stage.coverage), self.rows(stage.rows, rows));
        if let Some(Errors { before, after, of, training }) = stage.errors {
            let arrow = self.wording.arrow();
            let kind = if training { "training row" } else { "row" };
            let _ = writeln!(text, "    errors {before} {arrow} {after} of {}", count(of, kind));
        }
        if !stage.features.is_empty() {
            let _ = writeln!(text, "    reads {}", wrapped(&stage.features, 10));
        }
    }

    fn influences(&self, text: &mut String, circuit: &CircuitExplanation, rows: Option<usize>) {
        let what = self.wording.feature();
        let (none, some): (Vec<_>, Vec<_>) =
            circuit.features.iter().partition(|feature| feature.matters == Matters::No);
        if let Some(first) = some.first() {
            let on = if rows.is_some() { ", and of the rows," } else { "" };
            let _ = writeln!(
                text,
                "\n{}   share of the {} points{on} whose answer changes with this {what} alone",
                self.wording.bold("influence"),
                number(&first.points.of)
            );
        }
        let width = some.iter().map(|feature| feature.feature.chars().count()).max().unwrap_or(0).min(40);
        for influence in some {
            let _ = writeln!(
                text,
                "    {:<width$}   {}",
                one_line(influence.feature.as_str()),
                share(influence, rows)
            );
        }
        if !none.is_empty() {
            let names: Vec<String> = none.iter().map(|feature| feature.feature.clone()).collect();
            let label = self.wording.bold("without");
            let never = if names.len() == 1 { "never changes" } else { "never change" };
            let _ =
                writeln!(text, "\n{label}   {}\n          {never} the answer: proven", wrapped(&names, 10));
        }
    }
}

fn share(influence: &FeatureInfluence, rows: Option<usize>) -> String {
    let cube = if let (Some(share), Some(exact)) = (influence.points.share(), influence.points.exact()) {
        format!("{:>8}", percent_of(share, exact))
    } else {
        let (low, high) = influence.points.share_bounds();
        let matters = if influence.matters == Matters::Unknown { "; it may not matter at all" } else { "" };
        format!("{} to {}: not counted, too large{matters}", percent(low), percent(high))
    };
    match (influence.rows, rows) {
        (Some(number), Some(rows)) if rows > 0 => {
            format!("{cube}   {:>8}", percent(number as f64 / rows as f64))
        }
        _ => cube,
    }
}
