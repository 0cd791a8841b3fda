//! Named Boolean columns, as files hold them: the step before [`crate::rows::Rows`].

/// The most columns a table may have besides its target: inputs are numbered by 16 bits.
pub const MAX_INPUTS: usize = 65_535;

/// A table of Boolean columns with names, in file order, and optional row weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Where it came from, for messages.
    pub source: String,
    /// Column names; `x1`, `x2`, ... and `y` where the file has none.
    pub names: Vec<String>,
    /// One bit column for each name ([`crate::bits`]).
    pub columns: Vec<Vec<u64>>,
    /// Number of rows.
    pub rows: usize,
    /// Weight of each row in millionths, where given.
    pub weights: Option<Vec<u64>>,
}
