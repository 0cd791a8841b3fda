//! Which assignments of values to signals some point of the cube has: by the values of all signals on all points, a bit for each.
//!
//! For at most [`MOST_INPUTS`] inputs. With more, every assignment counts as reached, which may leave a question open but never gives a
//! wrong answer.

use macchiato_check::certificate::Source;
use std::sync::Arc;

/// One bit for each point of the cube; input i of point p is bit i of p.
pub(crate) type Column = Vec<u64>;

const MOST_INPUTS: usize = 20;
/// The most bits of all columns together.
const MOST_BITS: usize = 1 << 32;

/// The values of the signals so far, as columns; shared where a signal is another one's relay.
pub(crate) struct Reach {
    inputs: Vec<Arc<Column>>,
    gates: Vec<Arc<Column>>,
}

impl Reach {
    /// The columns of the inputs, if those of so many gates besides are few enough.
    pub(crate) fn new(inputs: usize, gates: usize) -> Option<Self> {
        if inputs > MOST_INPUTS || (inputs + gates) > MOST_BITS >> inputs.max(6) {
            return None;
        }
        let words = 1usize << inputs.saturating_sub(6);
        let last = if inputs < 6 { (1u64 << (1u64 << inputs)) - 1 } else { u64::MAX };
        let column = |input: usize| {
            let word = |w: usize| match input {
                0..6 => [
                    0xaaaa_aaaa_aaaa_aaaa,
                    0xcccc_cccc_cccc_cccc,
                    0xf0f0_f0f0_f0f0_f0f0,
                    0xff00_ff00_ff00_ff00,
                    0xffff_0000_ffff_0000,
                    0xffff_ffff_0000_0000u64,
                ]
                .get(input)
                .map_or(0, |mask| mask & last),
                _ if w >> (input - 6) & 1 == 1 => u64::MAX,
                _ => 0,
            };
            Arc::new((0..words).map(word).collect::<Column>())
        };
        Some(Self { inputs: (0..inputs).map(column).collect(), gates: Vec::new() })
    }

    /// Number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// All points.
    pub(crate) fn everywhere(&self) -> Column {
        let inputs = self.inputs.len();
        let last = if inputs < 6 { (1u64 << (1u64 << inputs)) - 1 } else { u64::MAX };
        vec![last; 1usize << inputs.saturating_sub(6)]
    }

    /// The next gate's values.
    pub(crate) fn push(&mut self, column: Arc<Column>) {
        self.gates.push(column);
    }

    pub(crate) fn column(&self, source: Source) -> Option<&Arc<Column>> {
        match source {
            Source::Input(input) => self.inputs.get(input),
            Source::Gate(gate) => self.gates.get(gate),
        }
    }

    /// Those of the points at which a signal is 1, or 0; none where there is no such point.
    pub(crate) fn where_it_is(&self, points: &Column, source: Source, one: bool) -> Option<Column> {
        let Some(column) = self.column(source) else { return Some(points.clone()) };
        let flip = if one { 0 } else { u64::MAX };
        let narrowed: Column = points.iter().zip(column.iter()).map(|(p, c)| p & (c ^ flip)).collect();
        narrowed.iter().any(|&word| word != 0).then_some(narrowed)
    }

    /// Shows which count of these literals, each with its points, goes with which points of the cube: a word's number, a mask, the count.
    /// Nothing is shown where a literal has no column.
    pub(crate) fn counts(&self, literals: &[(Source, bool, u64)], mut show: impl FnMut(usize, u64, u64)) {
        let whole: u64 = literals.iter().map(|(_, _, points)| points).sum();
        let places = (u64::BITS - whole.leading_zeros()) as usize;
        let columns: Option<Vec<_>> = literals.iter().map(|(source, ..)| self.column(*source)).collect();
        let Some(columns) = columns else { return };
        for (w, all) in self.everywhere().into_iter().enumerate() {
            // The counts of the word's points in binary, one word for each digit.
            let mut digits = vec![0u64; places];
            for ((_, positive, points), column) in literals.iter().zip(&columns) {
                let bit = column.get(w).copied().unwrap_or(0) ^ if *positive { 0 } else { u64::MAX };
                let mut carry = 0u64;
                for (place, digit) in digits.iter_mut().enumerate() {
                    let added = if points >> place & 1 == 1 { bit } else { 0 };
                    let sum = *digit ^ added ^ carry;
                    carry = (*digit & added) | (carry & (*digit ^ added));
                    *digit = sum;
                }
            }
            let mut left = all;
            while left != 0 {
                // All points of the word that have the count of the first one left.
                let (first, mut same, mut count) = (left.trailing_zeros(), left, 0u64);
                for (place, digit) in digits.iter().enumerate() {
                    let one = digit >> first & 1 == 1;
                    count |= u64::from(one) << place;
                    same &= if one { *digit } else { !digit };
                }
                show(w, same, count);
                left &= !same;
            }
        }
    }

    /// The points at which the count of these literals is one that `holds`.
    pub(crate) fn counting(&self, literals: &[(Source, bool, u64)], holds: impl Fn(u64) -> bool) -> Column {
        let mut found = vec![0u64; 1usize << self.inputs.len().saturating_sub(6)];
        self.counts(literals, |w, same, count| {
            if let (true, Some(word)) = (holds(count), found.get_mut(w)) {
                *word |= same;
            }
        });
        found
    }
}

/// The first point of a column, with its inputs.
pub(crate) fn first(column: &Column, inputs: usize) -> Option<Vec<bool>> {
    let (w, word) = column.iter().enumerate().find(|(_, word)| **word != 0)?;
    let point = 64 * w + word.trailing_zeros() as usize;
    Some((0..inputs).map(|i| point >> i & 1 == 1).collect())
}
