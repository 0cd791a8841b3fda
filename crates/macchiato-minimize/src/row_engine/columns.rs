//! Bit columns over one side's rows (ON or OFF), and the kernels that read them.
//!
//! A literal of input i is the code 2i + value. A row *passes* a literal when a term with it can still hold the row:
//! an ON row must lie inside the term, an OFF row is kept out only by a literal that none of its points admits. For
//! minterms the two are the same and one plane says it; cubes need two, `one` (passes `x_i = 1`) and `not_zero` (does
//! not pass `x_i = 0`). A kernel is one pass over words: AND with a column, flipped for a negative literal.

use super::sparse::Sparse;
use crate::bits::transpose;
use crate::rows::Rows;

/// A literal: twice the input, plus 1 where it is positive.
pub(super) type Code = u32;

/// One side's distinct rows, row-major and as columns.
#[derive(Debug)]
pub(super) struct Side {
    rows: usize,
    inputs: usize,
    stride: usize,
    one: Vec<u64>,
    /// Empty while it equals `one`.
    not_zero: Vec<u64>,
    columns: Columns,
}

/// Bit columns of some rows: `words` words for each input.
#[derive(Debug, Default)]
pub(super) struct Columns {
    words: usize,
    one: Vec<u64>,
    not_zero: Vec<u64>,
}

impl Side {
    /// The rows `order` of `rows`; `inside` for ON rows (a free input passes no literal), else a free input passes both.
    pub(super) fn new(rows: &Rows, order: &[u32], inside: bool) -> Self {
        let stride = rows.stride();
        let mut low = Vec::with_capacity(order.len() * stride);
        let mut high = Vec::new();
        for &row in order {
            low.extend_from_slice(rows.values(row as usize));
            if let Some(free) = rows.free(row as usize) {
                high.extend(rows.values(row as usize).iter().zip(free).map(|(value, free)| value | free));
            }
        }
        let (one, not_zero) = if high.is_empty() || high == low {
            (low, Vec::new())
        } else if inside {
            (low, high)
        } else {
            (high, low)
        };
        let mut side = Self {
            rows: order.len(),
            inputs: rows.inputs(),
            stride,
            one,
            not_zero,
            columns: Columns::default(),
        };
        let mut columns = Columns::default();
        side.gather(0..side.rows, side.rows, &mut columns);
        side.columns = columns;
        side
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Words of a bit set over the rows.
    pub(super) const fn words(&self) -> usize {
        self.columns.words
    }

    pub(super) const fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The set of all rows.
    pub(super) fn all(&self) -> Vec<u64> {
        all_rows(self.rows)
    }

    /// The literals that row `row` passes: those of its cube, on the ON side.
    pub(super) fn literals(&self, row: usize) -> impl Iterator<Item = Code> + use<'_> {
        let at = row * self.stride;
        (0..self.inputs).filter_map(move |i| {
            let bit = |plane: &[u64]| plane[at + i / 64] >> (i % 64) & 1 == 1;
            if bit(&self.one) {
                Some(2 * i as Code + 1)
            } else {
                let high = if self.not_zero.is_empty() { false } else { bit(&self.not_zero) };
                (!high).then_some(2 * i as Code)
            }
        })
    }

    /// Columns of `count` rows alone, so that later passes are short.
    pub(super) fn gather(&self, rows: impl Iterator<Item = usize>, count: usize, into: &mut Columns) {
        into.words = count.div_ceil(64);
        into.one.clear();
        into.one.resize(into.words * self.inputs, 0);
        into.not_zero.clear();
        if !self.not_zero.is_empty() {
            into.not_zero.resize(into.words * self.inputs, 0);
        }
        let mut square = [0; 64];
        let mut block = [0usize; 64];
        let mut rows = rows.take(count);
        for word in 0..into.words {
            let mut filled = 0;
            for (slot, row) in block.iter_mut().zip(&mut rows) {
                *slot = row;
                filled += 1;
            }
            for (plane, target) in [(&self.one, &mut into.one), (&self.not_zero, &mut into.not_zero)] {
                if plane.is_empty() {
                    continue;
                }
                for part in 0..self.stride {
                    square[filled..].fill(0);
                    for (slot, &row) in square.iter_mut().zip(&block[..filled]) {
                        *slot = plane[row * self.stride + part];
                    }
                    transpose(&mut square);
                    for (i, &bits) in (64 * part..self.inputs).zip(&square) {
                        target[i * into.words + word] = bits;
                    }
                }
            }
        }
    }

    /// The rows that pass every literal of `term`.
    pub(super) fn passing(&self, term: &[Code]) -> Vec<u64> {
        let mut set = self.all();
        for &literal in term {
            self.columns.keep(&mut set, literal);
        }
        set
    }

    /// The first row that passes every literal of `term`: word by word, so that most words need few columns.
    pub(super) fn first_passing(&self, term: &[Code]) -> Option<usize> {
        (0..self.words()).find_map(|word| {
            let mut bits = u64::MAX >> (64 * (word + 1)).saturating_sub(self.rows);
            for &literal in term {
                if bits == 0 {
                    return None;
                }
                bits &= self.columns.word(literal, word);
            }
            (bits != 0).then(|| 64 * word + bits.trailing_zeros() as usize)
        })
    }
}

impl Columns {
    pub(super) const fn words(&self) -> usize {
        self.words
    }

    /// The column that passes `literal`, and what to XOR it with.
    fn column(&self, literal: Code) -> (&[u64], u64) {
        let start = (literal / 2) as usize * self.words;
        let negative = literal.is_multiple_of(2);
        let plane = if negative && !self.not_zero.is_empty() { &self.not_zero } else { &self.one };
        (&plane[start..start + self.words], if negative { u64::MAX } else { 0 })
    }

    fn word(&self, literal: Code, word: usize) -> u64 {
        let (column, flip) = self.column(literal);
        column[word] ^ flip
    }

    /// How many rows of `set`, given by its first words, pass `literal`.
    pub(super) fn count(&self, set: &[u64], literal: Code) -> usize {
        let (column, flip) = self.column(literal);
        set.iter().zip(column).map(|(set, column)| (set & (column ^ flip)).count_ones() as usize).sum()
    }

    /// Takes from `set` the rows that do not pass `literal`.
    pub(super) fn keep(&self, set: &mut [u64], literal: Code) {
        let (column, flip) = self.column(literal);
        for (set, column) in set.iter_mut().zip(column) {
            *set &= column ^ flip;
        }
    }

    /// Whether every row of `set` passes `literal`.
    pub(super) fn all_pass(&self, set: &[u64], literal: Code) -> bool {
        let (column, flip) = self.column(literal);
        set.iter().zip(column).all(|(set, column)| set & !(column ^ flip) == 0)
    }

    /// How many rows of `set` pass `literal`.
    pub(super) fn count_sparse(&self, set: &Sparse, literal: Code) -> usize {
        let (column, flip) = self.column(literal);
        set.iter().map(|&(at, bits)| (bits & (column[at as usize] ^ flip)).count_ones() as usize).sum()
    }

    /// Whether `literal` stops every row of `set`.
    pub(super) fn stops_all(&self, set: &Sparse, literal: Code) -> bool {
        let (column, flip) = self.column(literal);
        set.iter().all(|&(at, bits)| bits & (column[at as usize] ^ flip) == 0)
    }

    /// Whether `literal` stops no row of `set`.
    pub(super) fn passes_all(&self, set: &Sparse, literal: Code) -> bool {
        let (column, flip) = self.column(literal);
        set.iter().all(|&(at, bits)| bits & !(column[at as usize] ^ flip) == 0)
    }

    /// The rows of `set` that `literal` stops.
    pub(super) fn stopped(&self, set: &Sparse, literal: Code) -> Sparse {
        let (column, flip) = self.column(literal);
        set.iter().map(|&(at, bits)| (at, bits & !(column[at as usize] ^ flip))).collect()
    }

    /// Counts, for each row, the literals that it does not pass, saturating at two: `once` at least one, `twice` more.
    pub(super) fn tally(&self, literal: Code, once: &mut [u64], twice: &mut [u64]) {
        let (column, flip) = self.column(literal);
        for ((once, twice), column) in once.iter_mut().zip(twice).zip(column) {
            let stopped = !(column ^ flip);
            *twice |= *once & stopped;
            *once |= stopped;
        }
    }
}

/// The bit set of rows 0..rows.
pub(super) fn all_rows(rows: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; rows.div_ceil(64)];
    if !rows.is_multiple_of(64)
        && let Some(last) = set.last_mut()
    {
        *last = (1 << (rows % 64)) - 1;
    }
    set
}

/// Number of rows in a set.
pub(super) fn size(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}
