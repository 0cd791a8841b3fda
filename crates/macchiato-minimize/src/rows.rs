//! Labelled rows of any width: what is known of a function when only some of its points are.
//!
//! A row is a minterm or a cube, ON or OFF; whatever no row says is don't-care. Rows lie end to end, one bit for each
//! input of a row (padded to words); a second plane for the free inputs exists only once some row is a cube. Repeated
//! rows are harmless; a row that is ON and OFF is found when the rows are minimized.

use crate::bits::transpose;
use crate::cover::Cover;
use crate::cube::Literal;
use crate::outcome::MinimizeError;

/// ON and OFF rows over `inputs` inputs: the paper's training set.
///
/// ```
/// use macchiato_minimize::{Literal, Options, Rows, minimize_rows};
///
/// let mut rows = Rows::new(3);
/// rows.push(&[Literal::Positive, Literal::Positive, Literal::Free], true);
/// rows.push_bits(&[0b101], true);
/// rows.push_bits(&[0b000], false);
/// let answer = minimize_rows(&rows, &Options::default())?;
/// assert_eq!((answer.cover.terms(), answer.cover.literals()), (1, 1));
/// # Ok::<(), macchiato_minimize::MinimizeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    inputs: usize,
    len: usize,
    /// Row-major values; the bit of a free input is 0.
    values: Vec<u64>,
    /// Row-major free inputs; empty while every row is a minterm.
    free: Vec<u64>,
    labels: Vec<u64>,
}

impl Rows {
    /// No rows yet, over `inputs` inputs.
    #[must_use]
    pub const fn new(inputs: usize) -> Self {
        Self { inputs, len: 0, values: Vec::new(), free: Vec::new(), labels: Vec::new() }
    }

    /// Minterm rows from bit columns: bit r % 64 of word r / 64 of `columns[i]` is input i of row r, and of `labels`
    /// its label.
    ///
    /// # Errors
    /// A column, or the labels, with fewer words than `rows` rows need.
    pub fn from_columns(columns: &[&[u64]], labels: &[u64], rows: usize) -> Result<Self, MinimizeError> {
        let words = rows.div_ceil(64);
        let too_short = |what, found| MinimizeError::Length { what, found, expected: words };
        if labels.len() < words {
            return Err(too_short("words of the labels", labels.len()));
        }
        if let Some(column) = columns.iter().find(|column| column.len() < words) {
            return Err(too_short("words of a column", column.len()));
        }
        let stride = columns.len().div_ceil(64);
        let mut values = vec![0; rows * stride];
        let mut square = [0; 64];
        for block in 0..words {
            for (part, inputs) in columns.chunks(64).enumerate() {
                square.fill(0);
                for (word, column) in square.iter_mut().zip(inputs) {
                    *word = column[block];
                }
                transpose(&mut square);
                let here = 64.min(rows - 64 * block);
                for (r, &word) in square[..here].iter().enumerate() {
                    values[(64 * block + r) * stride + part] = word;
                }
            }
        }
        Ok(Self {
            inputs: columns.len(),
            len: rows,
            values,
            free: Vec::new(),
            labels: labels[..words].to_vec(),
        })
    }

    /// The cubes of two covers of one output: rows 0.. are those of `on`, then come those of `off`.
    pub(crate) fn from_covers(on: &Cover, off: &Cover) -> Self {
        debug_assert_eq!(on.shape().inputs(), off.shape().inputs());
        let shape = on.shape();
        let mut rows = Self::new(shape.inputs());
        let mut literals = vec![Literal::Free; shape.inputs()];
        for (cover, label) in [(on, true), (off, false)] {
            for cube in cover.cubes() {
                for (i, literal) in literals.iter_mut().enumerate() {
                    *literal = shape.literal(cube, i);
                }
                rows.push(&literals, label);
            }
        }
        rows
    }

    /// Adds a row: a minterm, or a cube where some inputs are [`Literal::Free`].
    ///
    /// # Panics
    /// If there is not one literal for each input: a mistake in the calling program.
    pub fn push(&mut self, literals: &[Literal], label: bool) {
        assert_eq!(literals.len(), self.inputs, "one literal for each input");
        let start = self.values.len();
        let end = start + self.stride();
        self.values.resize(end, 0);
        if literals.contains(&Literal::Free) || !self.free.is_empty() {
            self.free.resize(end, 0);
        }
        for (i, literal) in literals.iter().enumerate() {
            let bit = 1 << (i % 64);
            match literal {
                Literal::Positive => self.values[start + i / 64] |= bit,
                Literal::Free => self.free[start + i / 64] |= bit,
                Literal::Negative => {}
            }
        }
        self.push_label(label);
    }

    /// Adds the minterm whose input i is bit i % 64 of word i / 64; bits past the last input are ignored.
    ///
    /// # Panics
    /// If there are fewer words than the inputs need: a mistake in the calling program.
    pub fn push_bits(&mut self, values: &[u64], label: bool) {
        let stride = self.stride();
        assert!(values.len() >= stride, "{} words for {} inputs", values.len(), self.inputs);
        self.values.extend_from_slice(&values[..stride]);
        if !self.inputs.is_multiple_of(64)
            && let Some(last) = self.values.last_mut()
        {
            *last &= (1 << (self.inputs % 64)) - 1;
        }
        if !self.free.is_empty() {
            self.free.resize(self.values.len(), 0);
        }
        self.push_label(label);
    }

    fn push_label(&mut self, label: bool) {
        let (word, bit) = (self.len / 64, self.len % 64);
        if bit == 0 {
            self.labels.push(0);
        }
        self.labels[word] |= u64::from(label) << bit;
        self.len += 1;
    }

    /// Number of inputs.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of rows, repeated ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether row `row` is ON.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn label(&self, row: usize) -> bool {
        assert!(row < self.len, "row {row} of {}", self.len);
        self.labels[row / 64] >> (row % 64) & 1 == 1
    }

    /// What row `row` says of input `input`.
    ///
    /// # Panics
    /// If there is no such row or input.
    #[must_use]
    pub fn literal(&self, row: usize, input: usize) -> Literal {
        assert!(row < self.len && input < self.inputs, "row {row}, input {input}");
        let (word, bit) = (input / 64, input % 64);
        if self.free(row).is_some_and(|free| free[word] >> bit & 1 == 1) {
            Literal::Free
        } else if self.values(row)[word] >> bit & 1 == 1 {
            Literal::Positive
        } else {
            Literal::Negative
        }
    }

    /// Words of one row.
    pub(crate) const fn stride(&self) -> usize {
        self.inputs.div_ceil(64)
    }

    /// The values of a row, 0 where it is free and past the last input.
    pub(crate) fn values(&self, row: usize) -> &[u64] {
        &self.values[row * self.stride()..(row + 1) * self.stride()]
    }

    /// The free inputs of a row; `None` while every row is a minterm.
    pub(crate) fn free(&self, row: usize) -> Option<&[u64]> {
        (!self.free.is_empty()).then(|| &self.free[row * self.stride()..(row + 1) * self.stride()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_and_pushed_bits_agree(
            inputs in 0usize..140,
            seeds in prop::collection::vec(any::<u64>(), 0..150),
        ) {
            let bit = |r: usize, i: usize| seeds[r].rotate_left(i as u32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63;
            let words = seeds.len().div_ceil(64);
            let mut columns = vec![vec![0u64; words]; inputs];
            let mut labels = vec![0u64; words];
            let mut pushed = Rows::new(inputs);
            for r in 0..seeds.len() {
                let mut row = vec![0u64; inputs.div_ceil(64)];
                for i in 0..inputs {
                    columns[i][r / 64] |= bit(r, i) << (r % 64);
                    row[i / 64] |= bit(r, i) << (i % 64);
                }
                labels[r / 64] |= (seeds[r] & 1) << (r % 64);
                pushed.push_bits(&row, seeds[r] & 1 == 1);
            }
            let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(Rows::from_columns(&columns, &labels, seeds.len()).unwrap(), pushed);
        }
    }

    #[test]
    fn the_free_plane_appears_with_the_first_cube() {
        let mut rows = Rows::new(2);
        rows.push_bits(&[0b1110], true);
        assert!(rows.free(0).is_none());
        rows.push(&[Literal::Free, Literal::Positive], false);
        rows.push_bits(&[1], true);
        assert_eq!(rows.free(0), Some(&[0][..]));
        assert_eq!(rows.literal(0, 1), Literal::Positive);
        assert_eq!(rows.literal(1, 0), Literal::Free);
        assert_eq!(rows.literal(2, 1), Literal::Negative);
        assert!(rows.label(2) && !rows.label(1));
    }

    #[test]
    fn short_columns_are_errors() {
        let column = [0u64; 1];
        let found = Rows::from_columns(&[&column], &column, 65).unwrap_err();
        assert_eq!(found, MinimizeError::Length { what: "words of the labels", found: 1, expected: 2 });
    }
}
