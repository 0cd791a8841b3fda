//! Every way in which a PLA file can be bad: where, what, and what to do about it, in one line.

use std::{fmt, io};

use super::{MAX_INPUTS, MAX_LINE, MAX_OUTPUTS};

/// A place in a file; line and column count from 1, columns are bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// The byte of that line.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Why a PLA file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaError {
    /// The file itself cannot be read.
    #[error("{place}: cannot be read: {reason}")]
    Io {
        /// How far reading came.
        place: Place,
        /// What the system says.
        reason: io::Error,
    },
    /// A line past [`MAX_LINE`].
    #[error("{place}: this line is longer than {MAX_LINE} bytes: is it a PLA file?")]
    LineTooLong {
        /// Where it begins.
        place: Place,
    },
    /// A keyword that the format does not know.
    #[error("{place}: unknown keyword `{keyword}`: remove the line, or put `#` before it")]
    UnknownKeyword {
        /// Where it stands.
        place: Place,
        /// The keyword, with its dot.
        keyword: String,
    },
    /// A keyword of multi-valued or otherwise extended PLA files.
    #[error("{place}: `{keyword}` is not supported: only binary inputs and outputs in positive phase are")]
    Unsupported {
        /// Where it stands.
        place: Place,
        /// The keyword, with its dot.
        keyword: String,
    },
    /// `.i`, `.o` or `.p` without a number.
    #[error("{place}: `{keyword}` needs a whole number{}", instead_of(.found))]
    BadNumber {
        /// Where the number should be.
        place: Place,
        /// The keyword, with its dot.
        keyword: &'static str,
        /// What stands there; empty where the line ends.
        found: String,
    },
    /// More inputs or outputs than [`MAX_INPUTS`] or [`MAX_OUTPUTS`].
    #[error(
        "{place}: `{keyword}` is too large: at most {MAX_INPUTS} inputs and {MAX_OUTPUTS} outputs are read"
    )]
    TooLarge {
        /// Where the number is.
        place: Place,
        /// `.i` or `.o`.
        keyword: &'static str,
    },
    /// `.o 0`.
    #[error("{place}: `.o` needs at least one output")]
    NoOutputs {
        /// Where the number is.
        place: Place,
    },
    /// `.i`, `.o` or `.type` for the second time, with another value.
    #[error("{place}: `{keyword}` was {first} before and cannot change to {second}")]
    Redeclared {
        /// Where the second value is.
        place: Place,
        /// The keyword, with its dot.
        keyword: &'static str,
        /// The first value.
        first: String,
        /// The second value.
        second: String,
    },
    /// A type other than the four.
    #[error("{place}: unknown type `{found}`: `f`, `fd`, `fr` and `fdr` are known")]
    UnknownType {
        /// Where it stands.
        place: Place,
        /// What stands there.
        found: String,
    },
    /// `.type` after rows that were read as another type.
    #[error("{place}: `.type` must come before the first row")]
    TypeAfterRows {
        /// Where the type is.
        place: Place,
    },
    /// A row, names or the end before the size is known.
    #[error("{place}: the numbers of inputs and outputs must be known by here: `{keyword}` is missing")]
    SizeMissing {
        /// Where the size is needed.
        place: Place,
        /// `.i` or `.o`.
        keyword: &'static str,
    },
    /// A character of the input part that is none of `0`, `1`, `-`, `2`.
    #[error("{place}: `{found}` is no input value: write `0`, `1`, or `-` for a free input")]
    BadInput {
        /// Where it stands.
        place: Place,
        /// The character, escaped where it is not printable.
        found: String,
    },
    /// A character of the output part that is none of `0`, `1`, `2`, `3`, `4`, `-`, `~`.
    #[error("{place}: `{found}` is no output value: write `0`, `1`, `-`, or `~`")]
    BadOutput {
        /// Where it stands.
        place: Place,
        /// The character, escaped where it is not printable.
        found: String,
    },
    /// A row that ends too early.
    #[error(
        "{place}: this row has only {found} of its {expected} values: complete it, or correct `.i` or `.o`"
    )]
    RowTooShort {
        /// Where the row begins.
        place: Place,
        /// Values seen.
        found: usize,
        /// Inputs and outputs together.
        expected: usize,
    },
    /// A row with more characters than inputs and outputs.
    #[error(
        "{place}: the row of line {line} goes on after its {expected} values: shorten it, or correct `.i` or `.o`"
    )]
    RowTooLong {
        /// The first character too many.
        place: Place,
        /// Where the row begins.
        line: usize,
        /// Inputs and outputs together.
        expected: usize,
    },
    /// `.ilb` or `.ob` with another number of names than there are inputs or outputs.
    #[error("{place}: `{keyword}` has {found} names where there are {expected} to be named")]
    WrongNames {
        /// Where the keyword is.
        place: Place,
        /// `.ilb` or `.ob`.
        keyword: &'static str,
        /// Names seen.
        found: usize,
        /// Inputs or outputs.
        expected: usize,
    },
    /// A name that is not text.
    #[error("{place}: this name is not UTF-8 text: rename it")]
    NameNotText {
        /// Where it stands.
        place: Place,
    },
    /// A point that is ON and OFF for one output.
    #[error("{place}: {}", contradiction(*.on_line, *.off_line, *.output))]
    Contradiction {
        /// The later of the two rows.
        place: Place,
        /// The line of the ON row.
        on_line: usize,
        /// The line of the OFF row.
        off_line: usize,
        /// The output, from 0.
        output: usize,
    },
}

fn instead_of(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!(", not `{found}`") }
}

fn contradiction(on_line: usize, off_line: usize, output: usize) -> String {
    let (here, there) = if on_line > off_line { ("ON", "OFF") } else { ("OFF", "ON") };
    format!(
        "output {} is {here} here and {there} on line {} for the same inputs: remove one of the two",
        output + 1,
        on_line.min(off_line)
    )
}
