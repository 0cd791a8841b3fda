//! What a circuit says of rows: where its stages fire, and where another value of a feature changes the answer.

use rand::Rng;

use super::{Data, Errors};
use crate::bits;
use crate::explain::space::Space;
use crate::explain::subject::Part;
use crate::random::Stream;
use crate::stage::Stage;

/// The answers of a circuit's stages on rows, padding bits 0.
pub(super) struct Answers<'a> {
    space: &'a Space,
    part: &'a Part<'a>,
    data: &'a Data<'a>,
    pub(super) stages: Vec<Vec<u64>>,
    circuit: Vec<u64>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(space: &'a Space, part: &'a Part<'a>, data: &'a Data<'a>) -> Self {
        let stages = part.stages.iter().map(|stage| on(stage, data.columns, data.rows)).collect();
        let circuit = all(part, data.columns, data.rows);
        Self { space, part, data, stages, circuit }
    }

    /// Rows on which the circuit is 1.
    pub(super) fn ones(&self) -> usize {
        bits::count(&self.circuit)
    }

    /// The answers after some stages.
    fn after(&self, stages: usize) -> Vec<u64> {
        let mut answers = vec![0u64; bits::words(self.data.rows)];
        for stage in &self.stages[..stages] {
            answers.iter_mut().zip(stage).for_each(|(answer, flip)| *answer ^= flip);
        }
        answers
    }

    /// Rows in error before and after a stage.
    pub(super) fn errors(&self, stage: usize, labels: &[u64]) -> Errors {
        let rows = self.data.rows;
        let wrong = |answers: Vec<u64>| {
            let mut wrong: Vec<u64> =
                answers.iter().zip(labels).map(|(answer, label)| answer ^ label).collect();
            bits::trim(&mut wrong, rows);
            bits::count(&wrong)
        };
        // Without a rule, the more frequent answer is given.
        let positive = wrong(vec![0; labels.len()]);
        let before = if stage == 0 { positive.min(rows - positive) } else { wrong(self.after(stage)) };
        Errors { before, after: wrong(self.after(stage + 1)), of: rows, training: false }
    }

    /// How many rows' answers another value of a feature changes, when nothing else does.
    pub(super) fn sensitive(&self, feature: usize) -> usize {
        bits::count(&self.changed(feature))
    }

    /// The rows whose answer another value of a feature changes, when nothing else does.
    pub(super) fn changed(&self, feature: usize) -> Vec<u64> {
        let rows = self.data.rows;
        let words = bits::words(rows);
        let reads = |input: usize| self.space.read(0, input).filter(|read| read.feature == feature);
        let mut changed = vec![0u64; words];
        let (zeros, ones) = (vec![0u64; words], vec![u64::MAX; words]);
        for value in 0..self.space.features[feature].values {
            let mut columns = self.data.columns.to_vec();
            for (input, column) in columns.iter_mut().enumerate() {
                if let Some(read) = reads(input) {
                    *column = if read.passes[value] { &ones } else { &zeros };
                }
            }
            let now = all(self.part, &columns, rows);
            let differs = now.iter().zip(&self.circuit).map(|(now, before)| now ^ before);
            changed.iter_mut().zip(differs).for_each(|(changed, differs)| *changed |= differs);
        }
        changed
    }
}

/// Where a stage fires.
fn on(stage: &Stage, columns: &[&[u64]], rows: usize) -> Vec<u64> {
    let mut values = stage.evaluate(columns, bits::words(rows));
    bits::trim(&mut values, rows);
    values
}

/// Where the circuit is 1.
fn all(part: &Part<'_>, columns: &[&[u64]], rows: usize) -> Vec<u64> {
    let mut values = part.circuit.evaluate(columns, bits::words(rows)).swap_remove(0);
    bits::trim(&mut values, rows);
    values
}

/// Points that are tried for a feature that changes the answer.
pub(super) const DRAWN: usize = 1024;

/// Bit columns of points of the space, drawn at random; empty for inputs that are not read.
pub(super) fn drawn(space: &Space, inputs: usize) -> Vec<Vec<u64>> {
    let mut rng = Stream::Explaining.of(0);
    let mut value = |values: usize| (0..DRAWN).map(|_| rng.next_u32() as usize % values).collect();
    let values: Vec<Vec<usize>> = space.features.iter().map(|feature| value(feature.values)).collect();
    let column = |input: usize| {
        let Some(read) = space.read(0, input) else { return Vec::new() };
        let mut column = vec![0u64; bits::words(DRAWN)];
        for (row, &value) in values[read.feature].iter().enumerate() {
            if read.passes[value] {
                bits::set(&mut column, row);
            }
        }
        column
    };
    (0..inputs).map(column).collect()
}
