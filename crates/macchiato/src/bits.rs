//! Bit columns: one bit a row, 64 rows a word. Padding bits after the last row are 0.

pub use macchiato_minimize::bits::transpose;

/// Words that hold `rows` bits.
#[must_use]
pub const fn words(rows: usize) -> usize {
    rows.div_ceil(64)
}

/// Whether bit `row` is set.
#[must_use]
pub fn get(column: &[u64], row: usize) -> bool {
    column[row / 64] >> (row % 64) & 1 == 1
}

/// Sets bit `row`.
pub fn set(column: &mut [u64], row: usize) {
    column[row / 64] |= 1 << (row % 64);
}

/// Number of set bits.
#[must_use]
pub fn count(column: &[u64]) -> usize {
    column.iter().map(|word| word.count_ones() as usize).sum()
}

/// Positions of the set bits, in increasing order.
pub fn ones(column: &[u64]) -> impl Iterator<Item = usize> + use<'_> {
    column.iter().enumerate().flat_map(|(w, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                64 * w + bit
            })
        })
    })
}

/// The bits of some rows, in the order given.
#[must_use]
pub fn pick(column: &[u64], rows: &[usize]) -> Vec<u64> {
    let mut picked = vec![0u64; words(rows.len())];
    for (to, &from) in rows.iter().enumerate() {
        picked[to / 64] |= (column[from / 64] >> (from % 64) & 1) << (to % 64);
    }
    picked
}

/// The word mask of the valid bits of the last word.
#[must_use]
pub const fn last_mask(rows: usize) -> u64 {
    if rows.is_multiple_of(64) { u64::MAX } else { (1 << (rows % 64)) - 1 }
}

/// Clears the bits past the last row.
pub fn trim(column: &mut [u64], rows: usize) {
    if let Some(last) = column.last_mut() {
        *last &= last_mask(rows);
    }
}

/// A bit column that grows row by row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    words: Vec<u64>,
    rows: usize,
}

impl Column {
    /// Appends one bit.
    pub fn push(&mut self, bit: bool) {
        if self.rows.is_multiple_of(64) {
            self.words.push(0);
        }
        if bit {
            set(&mut self.words, self.rows);
        }
        self.rows += 1;
    }

    /// Number of bits.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no bit.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The words, padding bits 0.
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }
}

/// The bytes of 64 rows: bit c of byte r is bit r of word c.
#[must_use]
pub fn row_bytes(columns: &[u64; 8]) -> [u8; 64] {
    let mut bytes = [0u8; 64];
    for (eight, out) in bytes.chunks_exact_mut(8).enumerate() {
        let block = columns
            .iter()
            .enumerate()
            .fold(0u64, |block, (c, column)| block | (column >> (8 * eight) & 0xff) << (8 * c));
        out.copy_from_slice(&transpose8(block).to_le_bytes());
    }
    bytes
}

/// Transposes an 8 by 8 bit matrix, one byte a row.
const fn transpose8(x: u64) -> u64 {
    let t = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    let x = x ^ t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    let x = x ^ t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ (t << 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_bytes_transpose() {
        let columns: [u64; 8] =
            std::array::from_fn(|c| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(c as u64 + 3).rotate_left(7));
        for (row, byte) in row_bytes(&columns).into_iter().enumerate() {
            for (c, column) in columns.iter().enumerate() {
                assert_eq!(byte >> c & 1 == 1, column >> row & 1 == 1);
            }
        }
    }

    #[test]
    fn a_column_grows_bit_by_bit() {
        let mut column = Column::default();
        for row in 0..130 {
            column.push(row % 3 == 0);
        }
        let words = column.into_words();
        assert_eq!((words.len(), count(&words)), (3, 44));
        assert!(ones(&words).all(|row| row % 3 == 0));
    }
}
