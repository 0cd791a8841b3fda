//! A circuit as a person reads it: stages, one line for each product term, or gates, one line for each that has a name; the inputs by
//! their names or as tests of columns.

use std::fmt::Write;

use macchiato::model::{ClassCircuit, Model};
use macchiato::stage::Signed;
use macchiato::words::{Said, Symbols, Words};

use crate::evidence;
use crate::paint::Paint;
use crate::summary::count;

/// Terms wider than this do not push the row counts of the others to the right.
const WIDEST: usize = 64;

/// The longest formula that is written on one line.
const LINE: usize = 96;

/// A circuit, and how it is to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Formula<'a> {
    pub(crate) class: &'a ClassCircuit,
    words: Words<'a>,
    symbols: Symbols,
}

impl<'a> Formula<'a> {
    /// A circuit of a model, in the words of its table.
    pub(crate) fn new(model: &'a Model, class: &'a ClassCircuit, symbols: Symbols) -> Self {
        Self { class, words: model.words(), symbols }
    }

    /// One product term.
    pub(crate) fn term(&self, literals: &[Signed]) -> String {
        self.words.term(literals, self.symbols)
    }

    /// A stage on one line.
    pub(crate) fn stage(&self, t: usize) -> String {
        self.words.stage(&self.class.stages()[t], self.symbols)
    }

    fn arrow(&self) -> &'static str {
        if self.symbols == Symbols::ASCII { "->" } else { "→" }
    }

    /// The circuit in words.
    pub(crate) fn said(&self) -> Said {
        self.words.circuit(self.class.circuit(), self.symbols)
    }

    /// What the target is made of: the whole formula if it fits on a line, the stages by number otherwise.
    fn equation(&self, paint: Paint) -> String {
        let (class, xor) = (self.class, format!(" {} ", self.symbols.xor));
        let (target, stages) = (paint.bold(class.target()), class.stages());
        let room = LINE.saturating_sub(class.target().chars().count());
        let mut text = String::new();
        // Only a circuit of few literals is spelled out to see whether it fits.
        let whole = (stages.is_empty() || class.circuit().literals() <= LINE).then(|| self.said());
        let count = |said: &Said| said.gates.is_empty() && said.is_count();
        let whole = whole.filter(|said| {
            stages.is_empty() || count(said) || said.gates.is_empty() && said.formula.chars().count() <= room
        });
        if let Some(said) = whole {
            for (name, gate) in &said.gates {
                let _ = writeln!(text, "{} = {gate}", paint.bold(name));
            }
            text.push_str(&said.equation(&target));
        } else {
            let is = if matches!(self.words, Words::Names(_)) { " = " } else { " if " };
            // A stage without terms adds nothing.
            let with_terms = (0..stages.len()).filter(|&t| !stages[t].cover.is_empty());
            let names: Vec<String> = with_terms.map(|t| format!("stage {}", t + 1)).collect();
            let names = match names.as_slice() {
                [first, second, .., last] if names.len() > 8 => [first, second, "...", last].join(&xor),
                names => names.join(&xor),
            };
            let _ = write!(text, "{target}{is}{names}");
        }
        if text.contains(&xor) {
            let what = if stages.is_empty() { "its parts" } else { "the stages" };
            let legend =
                format!("{} is exclusive or: 1 where an odd number of {what} hold", self.symbols.xor);
            let _ = write!(text, "\n{}", paint.dim(&legend));
        }
        text
    }

    /// The circuit; `rows` says on how many rows each gate holds, as the model's coverage does.
    pub(crate) fn circuit(&self, rows: &[usize], paint: Paint) -> String {
        let mut text = format!("{}\n", self.equation(paint));
        let stages = self.class.stages();
        let terms: Vec<Vec<String>> =
            stages.iter().map(|stage| stage.terms().map(|term| self.term(&term)).collect()).collect();
        let width =
            terms.iter().flatten().map(|term| term.chars().count()).filter(|&width| width <= WIDEST).max();
        let mut t = 0;
        while t < terms.len() {
            let run = terms[t..].iter().take_while(|terms| terms.is_empty()).count();
            if run > 0 {
                text.push_str(&self.idle(t, run, paint));
                t += run;
                continue;
            }
            let (terms, held) = (&terms[t], self.class.of_terms(rows, t));
            let _ = writeln!(text, "\n{}", self.heading(t, paint));
            for (p, term) in terms.iter().enumerate() {
                let or = if p == 0 { " " } else { self.symbols.or };
                let pad = width.unwrap_or(0).saturating_sub(term.chars().count());
                let held = count(held[p], "row");
                let _ = writeln!(text, "  {or} {term}{:pad$}   {}", "", paint.dim(&held));
            }
            t += 1;
        }
        text
    }

    /// `run` stages without terms, from `t` on, as one.
    fn idle(&self, t: usize, run: usize, paint: Paint) -> String {
        let label = match run {
            1 => format!("stage {}", t + 1),
            _ => format!("stages {} to {}", t + 1, t + run),
        };
        let trace = &self.class.trace().stages;
        let (before, after) = (trace[t].errors_before, trace[t + run - 1].errors_after);
        let errors = format!("errors {before} {} {after}", self.arrow());
        format!("\n{}   {errors}\n    0, whatever the inputs are\n", paint.bold(&label))
    }

    /// A stage's number and what it did.
    pub(crate) fn heading(&self, t: usize, paint: Paint) -> String {
        let trace = &self.class.trace().stages[t];
        let label = paint.bold(&format!("stage {}", t + 1));
        let errors = format!("errors {} {} {}", trace.errors_before, self.arrow(), trace.errors_after);
        let of = if trace.rows == self.class.trace().data.rows {
            String::new()
        } else {
            format!(" of its {}", count(trace.rows, "row"))
        };
        let shape = evidence::shape(trace).map(|shape| format!("   {}", paint.dim(&shape)));
        format!("{label}   {errors}{of}{}", shape.unwrap_or_default())
    }
}
