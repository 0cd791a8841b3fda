//! A truth table of up to 16 inputs, each cell ON, OFF or don't-care, as two bit tables.
//!
//! Cell x is the point whose input i is bit i of x. The learner's projected tables are built here, and the primes
//! engine works on these words directly.

use crate::cube::Literal;
use crate::outcome::MinimizeError;

/// A partial truth table: the paper's `g: {0,1}^q -> {0, 1, DC}`.
///
/// ```
/// use macchiato_minimize::Table;
///
/// let and = Table::from_fn(2, |x| Some(x == 3))?;
/// assert_eq!(and.cell(3), Some(true));
/// # Ok::<(), macchiato_minimize::MinimizeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    inputs: usize,
    on: Vec<u64>,
    off: Vec<u64>,
}

impl Table {
    /// The most inputs a table may have.
    pub const MAX_INPUTS: usize = 16;

    /// A table with every cell don't-care.
    ///
    /// # Errors
    /// More than [`Table::MAX_INPUTS`] inputs.
    pub fn new(inputs: usize) -> Result<Self, MinimizeError> {
        if inputs > Self::MAX_INPUTS {
            return Err(MinimizeError::TooManyInputs { inputs, max: Self::MAX_INPUTS });
        }
        let words = (1usize << inputs).div_ceil(64);
        Ok(Self { inputs, on: vec![0; words], off: vec![0; words] })
    }

    /// A table from a function of the cell: `Some(true)` ON, `Some(false)` OFF, `None` don't-care.
    ///
    /// # Errors
    /// More than [`Table::MAX_INPUTS`] inputs.
    pub fn from_fn(
        inputs: usize,
        mut cell: impl FnMut(usize) -> Option<bool>,
    ) -> Result<Self, MinimizeError> {
        let mut table = Self::new(inputs)?;
        for x in 0..1usize << inputs {
            table.set(x, cell(x));
        }
        Ok(table)
    }

    /// Sets cell `x`.
    ///
    /// # Panics
    /// If there is no cell `x`.
    pub fn set(&mut self, x: usize, value: Option<bool>) {
        assert!(x < self.cells(), "cell {x} of {}", self.cells());
        let (word, bit) = (x / 64, 1u64 << (x % 64));
        self.on[word] &= !bit;
        self.off[word] &= !bit;
        match value {
            Some(true) => self.on[word] |= bit,
            Some(false) => self.off[word] |= bit,
            None => {}
        }
    }

    /// The value of cell `x`.
    ///
    /// # Panics
    /// If there is no cell `x`.
    #[must_use]
    pub fn cell(&self, x: usize) -> Option<bool> {
        assert!(x < self.cells(), "cell {x} of {}", self.cells());
        let (word, bit) = (x / 64, x % 64);
        if self.on[word] >> bit & 1 == 1 {
            Some(true)
        } else if self.off[word] >> bit & 1 == 1 {
            Some(false)
        } else {
            None
        }
    }

    /// Number of inputs.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of cells, 2^inputs.
    #[must_use]
    pub const fn cells(&self) -> usize {
        1 << self.inputs
    }

    /// The ON cells as a bit table.
    #[must_use]
    pub fn on(&self) -> &[u64] {
        &self.on
    }

    /// The OFF cells as a bit table.
    #[must_use]
    pub fn off(&self) -> &[u64] {
        &self.off
    }

    /// The cell `x` as literals, one for each input.
    pub(crate) fn minterm(&self, x: usize) -> Vec<Literal> {
        (0..self.inputs)
            .map(|i| if x >> i & 1 == 1 { Literal::Positive } else { Literal::Negative })
            .collect()
    }
}
