//! Why nothing was drawn.

use crate::frame::MAX_INPUTS;
use crate::rows::RowsError;

/// A target or a sample that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No inputs, or more than rows can have.
    #[error("{inputs} inputs: a target has from 1 to {MAX_INPUTS}")]
    Inputs {
        /// Inputs asked for.
        inputs: usize,
    },
    /// A support that is empty or larger than the inputs or the limit allow.
    #[error("a support of {support} inputs: it needs from 1 to {most} of the {inputs}")]
    Support {
        /// Inputs to depend on.
        support: usize,
        /// All inputs.
        inputs: usize,
        /// The largest support possible here.
        most: usize,
    },
    /// No blocks, or more than there are inputs or memory for.
    #[error(
        "{blocks} blocks of {support} inputs: from 1 to {most} fit into {inputs} inputs; \
         change the blocks, the support or the inputs"
    )]
    Blocks {
        /// Blocks asked for.
        blocks: usize,
        /// Inputs of each.
        support: usize,
        /// All inputs.
        inputs: usize,
        /// The most that fit.
        most: usize,
    },
    /// An adder or a comparator of impossible width.
    #[error("numbers of {bits} bits: from 1 to {most} fit")]
    Bits {
        /// Bits of each number.
        bits: usize,
        /// The most that fit.
        most: usize,
    },
    /// An output that the adder does not have.
    #[error("output {output}: the adder has outputs 1 to {outputs}, the last of which is the carry")]
    Output {
        /// The output asked for, counted from 1.
        output: usize,
        /// Outputs of the adder.
        outputs: usize,
    },
    /// A multiplexer of impossible width.
    #[error("{address} address bits: from 1 to {most} fit")]
    Address {
        /// Address bits asked for.
        address: usize,
        /// The most that fit.
        most: usize,
    },
    /// A DNF without terms, or with too many.
    #[error("{terms} terms: a DNF has from 1 to {most}")]
    Terms {
        /// Terms asked for.
        terms: usize,
        /// The most that fit.
        most: usize,
    },
    /// Terms that are empty or wider than there are inputs.
    #[error("terms of width {width}: from 1 to the {inputs} inputs fit")]
    Width {
        /// Literals of a term.
        width: usize,
        /// All inputs.
        inputs: usize,
    },
    /// No rows, or more distinct rows than there are.
    #[error("{rows} rows without replacement: {inputs} inputs have from 1 to {most}")]
    Rows {
        /// Rows asked for.
        rows: usize,
        /// Inputs of the target.
        inputs: usize,
        /// Rows that there are, or that can be numbered.
        most: u64,
    },
    /// A whole cube that is too large to be written down.
    #[error("all rows of {inputs} inputs: at most {most} inputs fit; give a number of test rows")]
    Cube {
        /// Inputs of the target.
        inputs: usize,
        /// The most for which all rows are listed.
        most: usize,
    },
    /// A rate of label noise that is no probability up to one half.
    #[error("noise {noise}: the rate of flipped labels goes from 0 to 0.5")]
    Noise {
        /// The rate asked for.
        noise: f64,
    },
    /// Rows that do not fit in memory.
    #[error("{rows} rows of {inputs} inputs do not fit in memory")]
    Memory {
        /// Rows asked for.
        rows: usize,
        /// Inputs of the target.
        inputs: usize,
    },
    /// What was drawn makes no rows.
    #[error(transparent)]
    Unfit(#[from] RowsError),
}
