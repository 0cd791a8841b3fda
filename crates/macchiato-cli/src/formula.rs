//! A circuit as a person reads it: stages, one line for each product term, the inputs by their names.

use std::fmt::Write;

use macchiato::circuit::Circuit;
use macchiato::model::Model;
use macchiato::stage::{Signed, Stage};

use crate::evidence;
use crate::paint::Paint;
use crate::summary::count;

/// Terms wider than this do not push the row counts of the others to the right.
const WIDEST: usize = 64;

/// The longest formula that is written on one line.
const LINE: usize = 96;

/// How operators are spelled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Symbols {
    and: &'static str,
    or: &'static str,
    not: &'static str,
    xor: &'static str,
    to: &'static str,
}

impl Symbols {
    pub(crate) const UNICODE: Self = Self { and: " ∧ ", or: "∨", not: "¬", xor: "⊕", to: "→" };
    pub(crate) const ASCII: Self = Self { and: " & ", or: "|", not: "!", xor: "^", to: "->" };

    /// One product term; without literals it is 1 everywhere.
    pub(crate) fn term(self, circuit: &Circuit, literals: &[Signed]) -> String {
        let literal = |&(input, positive): &Signed| {
            format!("{}{}", if positive { "" } else { self.not }, circuit.inputs[input])
        };
        match literals {
            [] => "1".to_owned(),
            _ => literals.iter().map(literal).collect::<Vec<_>>().join(self.and),
        }
    }

    /// A stage on one line; without terms it is 0 everywhere.
    pub(crate) fn stage(self, circuit: &Circuit, stage: &Stage) -> String {
        let terms: Vec<Vec<Signed>> = stage.terms().collect();
        let alone = terms.len() == 1;
        let bracketed = |term: &Vec<Signed>| match self.term(circuit, term) {
            text if alone || term.len() < 2 => text,
            text => format!("({text})"),
        };
        match terms.as_slice() {
            [] => "0".to_owned(),
            _ => terms.iter().map(bracketed).collect::<Vec<_>>().join(&format!(" {} ", self.or)),
        }
    }

    /// What the target is made of: the whole formula if it fits on a line, the stages by number otherwise.
    fn equation(self, circuit: &Circuit, paint: Paint) -> String {
        let target = paint.bold(&circuit.target);
        // A stage without terms adds nothing.
        let stages: Vec<(usize, &Stage)> =
            circuit.stages.iter().enumerate().filter(|(_, stage)| !stage.cover.is_empty()).collect();
        if stages.is_empty() {
            return format!("{target} = 0, whatever the inputs are");
        }
        let alone = stages.len() == 1;
        let bracketed = |stage: &Stage| match self.stage(circuit, stage) {
            text if alone || stage.cover.literals() < 2 => text,
            text => format!("({text})"),
        };
        let xor = format!(" {} ", self.xor);
        // Only a circuit of few terms is spelled out to see whether it fits.
        let whole = (circuit.terms() <= LINE / 4).then(|| {
            let stages: Vec<String> = stages.iter().map(|(_, stage)| bracketed(stage)).collect();
            stages.join(&xor)
        });
        let by_number = || {
            let names: Vec<String> = stages.iter().map(|(t, _)| format!("stage {}", t + 1)).collect();
            match names.as_slice() {
                [first, second, .., last] if names.len() > 8 => [first, second, "...", last].join(&xor),
                names => names.join(&xor),
            }
        };
        let room = LINE.saturating_sub(circuit.target.chars().count());
        let right = whole.filter(|whole| whole.chars().count() <= room).unwrap_or_else(by_number);
        let legend = format!("{} is exclusive or: 1 where an odd number of the stages hold", self.xor);
        let legend = if alone { String::new() } else { format!("\n{}", paint.dim(&legend)) };
        format!("{target} = {right}{legend}")
    }

    /// The circuit; `rows` says on how many rows each term holds.
    pub(crate) fn circuit(self, model: &Model, rows: &[Vec<usize>], paint: Paint) -> String {
        let circuit = model.circuit();
        let mut text = format!("{}\n", self.equation(circuit, paint));
        let terms: Vec<Vec<String>> = circuit
            .stages
            .iter()
            .map(|stage| stage.terms().map(|term| self.term(circuit, &term)).collect())
            .collect();
        let width =
            terms.iter().flatten().map(|term| term.chars().count()).filter(|&width| width <= WIDEST).max();
        let mut t = 0;
        while t < terms.len() {
            let run = terms[t..].iter().take_while(|terms| terms.is_empty()).count();
            if run > 0 {
                text.push_str(&self.idle(model, t, run, paint));
                t += run;
                continue;
            }
            let terms = &terms[t];
            let _ = writeln!(text, "\n{}", self.heading(model, t, paint));
            for (p, term) in terms.iter().enumerate() {
                let or = if p == 0 { " " } else { self.or };
                let pad = width.unwrap_or(0).saturating_sub(term.chars().count());
                let held = count(rows[t][p], "row");
                let _ = writeln!(text, "  {or} {term}{:pad$}   {}", "", paint.dim(&held));
            }
            t += 1;
        }
        text
    }

    /// `run` stages without terms, from `t` on, as one.
    fn idle(self, model: &Model, t: usize, run: usize, paint: Paint) -> String {
        let label = match run {
            1 => format!("stage {}", t + 1),
            _ => format!("stages {} to {}", t + 1, t + run),
        };
        let trace = &model.trace().stages;
        let (before, after) = (trace[t].errors_before, trace[t + run - 1].errors_after);
        let errors = format!("errors {before} {} {after}", self.to);
        format!("\n{}   {errors}\n    0, whatever the inputs are\n", paint.bold(&label))
    }

    /// A stage's number and what it did.
    pub(crate) fn heading(self, model: &Model, t: usize, paint: Paint) -> String {
        let trace = &model.trace().stages[t];
        let label = paint.bold(&format!("stage {}", t + 1));
        let errors = format!("errors {} {} {}", trace.errors_before, self.to, trace.errors_after);
        let of = if trace.rows == model.trace().data.rows {
            String::new()
        } else {
            format!(" of its {}", count(trace.rows, "row"))
        };
        let shape = evidence::shape(trace).map(|shape| format!("   {}", paint.dim(&shape)));
        format!("{label}   {errors}{of}{}", shape.unwrap_or_default())
    }
}
