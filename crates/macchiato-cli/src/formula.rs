//! A circuit as a person reads it: stages, one line for each product term, or gates, one line for each that has a name; the inputs by
//! their names or as tests of columns.

use std::cmp::Reverse;
use std::fmt::Write;

use macchiato::model::{ClassCircuit, Model};
use macchiato::rows::Rows;
use macchiato::stage::Signed;
use macchiato::words::{Said, Symbols, Words};

use crate::evidence;
use crate::paint::Paint;
use crate::summary::{count, percent};

/// Terms wider than this do not push the row counts of the others to the right.
const WIDEST: usize = 64;

/// The longest formula that is written on one line.
const LINE: usize = 96;

/// A circuit, and how it is to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Formula<'a> {
    model: &'a Model,
    pub(crate) class: &'a ClassCircuit,
    words: Words<'a>,
    symbols: Symbols,
}

/// On how many rows the gates of a circuit hold.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// For each gate, as the model's coverage has them.
    pub(crate) rows: Vec<usize>,
    /// Where the rows have classes: those of them that are of the circuit's class, and the share of such among all rows.
    pub(crate) hits: Option<(Vec<usize>, f64)>,
}

impl Held {
    /// The training rows, as the model remembers them.
    pub(crate) fn of_training(class: &ClassCircuit) -> Self {
        Self { rows: class.coverage().to_vec(), hits: None }
    }

    /// These rows, whose labels say which are of the class.
    pub(crate) fn of_rows(class: &ClassCircuit, rows: &Rows) -> Self {
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let learned = class.learned();
        let hits = learned.coverage_among(&columns, rows.len(), rows.labels());
        let all = rows.labels().iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let share = all as f64 / rows.len().max(1) as f64;
        Self { rows: learned.coverage(&columns, rows.len()), hits: Some((hits, share)) }
    }

    /// The terms of a stage: its number, the rows on which it holds, and those of them that are of the class; what explains most comes first.
    fn terms(&self, class: &ClassCircuit, stage: usize) -> Vec<(usize, usize, Option<usize>)> {
        let rows = class.of_terms(&self.rows, stage);
        let hits = self.hits.as_ref().map(|(hits, _)| class.of_terms(hits, stage));
        let mut terms: Vec<_> =
            rows.iter().enumerate().map(|(p, &rows)| (p, rows, hits.map(|hits| hits[p]))).collect();
        terms.sort_by_key(|&(p, rows, hits)| (Reverse(rows), Reverse(hits), p));
        terms
    }

    /// `59 rows`, and where it is known how many of them are of the class, and how many times that is the share of all: `94.9 %, lift 1.8`.
    fn words(&self, rows: usize, hits: Option<usize>) -> String {
        let mut text = count(rows, "row");
        if let (Some(hits), Some((_, share))) = (hits, &self.hits)
            && rows > 0
        {
            let precision = hits as f64 / rows as f64;
            let _ = write!(text, ", {}", percent(precision));
            if *share > 0.0 {
                let _ = write!(text, ", lift {:.2}", precision / share);
            }
        }
        text
    }
}

impl<'a> Formula<'a> {
    /// A circuit of a model, in the words of its table.
    pub(crate) fn new(model: &'a Model, class: &'a ClassCircuit, symbols: Symbols) -> Self {
        Self { model, class, words: model.words(), symbols }
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
            text.push_str(&self.model.equation(class, &said, &target));
        } else {
            let is = if matches!(self.words, Words::Names(_)) { " = " } else { " if " };
            // A stage without terms adds nothing, and one that always holds is a negation.
            let always = |t: &usize| stages[*t].terms().any(|term| term.is_empty());
            let negated = (0..stages.len()).filter(always).count() % 2 == 1;
            let with_terms = (0..stages.len()).filter(|t| !stages[*t].cover.is_empty() && !always(t));
            let names: Vec<String> = with_terms.map(|t| format!("stage {}", t + 1)).collect();
            let names = match names.as_slice() {
                [first, second, .., last] if names.len() > 8 => [first, second, "...", last].join(&xor),
                names => names.join(&xor),
            };
            let _ = match self.model.opposite() {
                Some(other) if negated => write!(text, "{}{is}{names}", paint.bold(&other)),
                _ if negated => write!(text, "{target}{is}{}({names})", self.symbols.not),
                _ => write!(text, "{target}{is}{names}"),
            };
        }
        if text.contains(&xor) {
            let what = if stages.is_empty() { "its parts" } else { "the stages" };
            let legend =
                format!("{} is exclusive or: 1 where an odd number of {what} hold", self.symbols.xor);
            let _ = write!(text, "\n{}", paint.dim(&legend));
        }
        text
    }

    /// The circuit, and on how many rows each of its terms holds.
    pub(crate) fn circuit(&self, held: &Held, paint: Paint) -> String {
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
            let terms = &terms[t];
            let _ = writeln!(text, "\n{}", self.heading(t, paint));
            for (at, (p, rows, hits)) in held.terms(self.class, t).into_iter().enumerate() {
                let term = &terms[p];
                let or = if at == 0 { " " } else { self.symbols.or };
                let pad = width.unwrap_or(0).saturating_sub(term.chars().count());
                let _ = writeln!(text, "  {or} {term}{:pad$}   {}", "", paint.dim(&held.words(rows, hits)));
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
        let trace = self.class.trace();
        let (before, after) = (trace.errors_before(t), trace.stages[t + run - 1].errors_after);
        let errors = format!("errors {before} {} {after}", self.arrow());
        format!("\n{}   {errors}\n    0, whatever the inputs are\n", paint.bold(&label))
    }

    /// A stage's number and what it did.
    pub(crate) fn heading(&self, t: usize, paint: Paint) -> String {
        let trace = &self.class.trace().stages[t];
        let label = paint.bold(&format!("stage {}", t + 1));
        let before = self.class.trace().errors_before(t);
        let errors = format!("errors {before} {} {}", self.arrow(), trace.errors_after);
        let of = if trace.rows == self.class.trace().data.rows {
            String::new()
        } else {
            format!(" of its {}", count(trace.rows, "row"))
        };
        let shape = evidence::shape(trace).map(|shape| format!("   {}", paint.dim(&shape)));
        format!("{label}   {errors}{of}{}", shape.unwrap_or_default())
    }
}
