//! A circuit as a file that other tools read: logic synthesis, provers, compilers, browsers, papers.
//!
//! One file for each format under `export/`; `docs/exports.md` shows an example of each. Every format says exactly
//! what the circuit says; `tests/exports` has tools that this project did not write read them back. Names are escaped as
//! each format wants, so that distinct names stay distinct; the same circuit gives the same bytes.

mod aig;
mod formula;
pub(crate) mod names;
mod statements;

mod aiger;
mod blif;
mod c;
mod dot;
mod json;
mod latex;
mod pla;
mod python;
mod rust;
mod smtlib;
mod svg;
mod verilog;

use crate::staged::Staged;
use formula::Formula;
use macchiato_minimize::MinimizeError;
use std::fmt;
use std::io::{self, Write};

/// What a circuit can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExportFormat {
    /// Berkeley PLA: one two-level cover of the whole circuit.
    Pla,
    /// Berkeley Logic Interchange Format: a node for each stage, then the XORs.
    Blif,
    /// The AND-inverter graph as text (`.aag`).
    AigerAscii,
    /// The AND-inverter graph in bytes (`.aig`).
    AigerBinary,
    /// Verilog-2001, as synthesizable assignments.
    Verilog,
    /// SMT-LIB 2: a definition over Boolean constants.
    Smtlib,
    /// C99: a function of one row and one of 64 rows at a time.
    C,
    /// Rust: a function of one row and one of 64 rows at a time.
    Rust,
    /// Python 3: a function of one row, and one of a row by name.
    Python,
    /// Graphviz: the gates as a graph.
    Dot,
    /// A drawing of the gates.
    Svg,
    /// The formula for a paper.
    Latex,
    /// The circuit as data.
    Json,
}

impl ExportFormat {
    /// Every format.
    pub const ALL: [Self; 13] = [
        Self::Pla,
        Self::Blif,
        Self::AigerAscii,
        Self::AigerBinary,
        Self::Verilog,
        Self::Smtlib,
        Self::C,
        Self::Rust,
        Self::Python,
        Self::Dot,
        Self::Svg,
        Self::Latex,
        Self::Json,
    ];

    /// The name that the command uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pla => "pla",
            Self::Blif => "blif",
            Self::AigerAscii => "aiger-ascii",
            Self::AigerBinary => "aiger",
            Self::Verilog => "verilog",
            Self::Smtlib => "smtlib",
            Self::C => "c",
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Dot => "dot",
            Self::Svg => "svg",
            Self::Latex => "latex",
            Self::Json => "json",
        }
    }

    /// The usual end of a file's name, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::AigerAscii => "aag",
            Self::AigerBinary => "aig",
            Self::Verilog => "v",
            Self::Smtlib => "smt2",
            Self::Rust => "rs",
            Self::Python => "py",
            Self::Latex => "tex",
            Self::Pla | Self::Blif | Self::C | Self::Dot | Self::Svg | Self::Json => self.name(),
        }
    }

    /// The format of that [name](Self::name) or [extension](Self::extension).
    ///
    /// ```
    /// use macchiato::export::ExportFormat;
    ///
    /// assert_eq!(ExportFormat::from_name("aiger"), Some(ExportFormat::AigerBinary));
    /// assert_eq!(ExportFormat::from_name("aag"), Some(ExportFormat::AigerAscii));
    /// assert_eq!(ExportFormat::from_name("vhdl"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name || format.extension() == name)
    }
}

/// The size of what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportReport {
    /// Inputs of the circuit.
    pub inputs: usize,
    /// Sums of products that were combined by XOR; 1 for a PLA file.
    pub stages: usize,
    /// Product terms, without those that are never 1 or that repeat another of their stage.
    pub terms: usize,
    /// Literals of those terms.
    pub literals: usize,
    /// Gates of the AND-inverter graph, where that is what was written.
    pub and_gates: Option<usize>,
    /// The most gates between an input and the output of the AND-inverter graph.
    pub depth: Option<usize>,
    /// Bytes written.
    pub bytes: usize,
}

impl fmt::Display for ExportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, stages, terms, literals, bytes, .. } = self;
        match (self.and_gates, self.depth) {
            (Some(gates), Some(depth)) => {
                write!(f, "{inputs} inputs, {gates} AND gates, depth {depth}, {bytes} bytes")
            }
            _ => write!(
                f,
                "{inputs} inputs, {stages} stages, {terms} terms, {literals} literals, {bytes} bytes"
            ),
        }
    }
}

/// Why a circuit could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A circuit without inputs.
    #[error("a circuit without inputs cannot be exported")]
    NoInputs,
    /// A name that two inputs, or an input and the target, have.
    #[error("the name {name:?} occurs twice among the inputs and the target")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// A stage whose inputs are not those of its cover, or not inputs of the circuit.
    #[error("stage {stage} reads inputs that the circuit does not have")]
    BrokenStage {
        /// The stage, from 1.
        stage: usize,
    },
    /// A two-level cover of too many inputs.
    #[error(
        "the circuit reads {found} inputs and a PLA file is flattened through a table of at most {limit}: \
         export blif or aiger instead"
    )]
    TooWide {
        /// Inputs that the circuit reads.
        found: usize,
        /// The most that can be flattened.
        limit: usize,
    },
    /// The minimizer could not flatten the circuit.
    #[error("the two-level cover: {0}")]
    Minimize(#[from] MinimizeError),
    /// What the writer reports.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes `circuit` in `format`.
///
/// ```
/// use macchiato::staged::Staged;
/// use macchiato::export::{ExportFormat, write};
///
/// let zero = Staged { inputs: vec!["a".into()], target: "y".into(), stages: vec![] };
/// let mut file = Vec::new();
/// let report = write(&zero, ExportFormat::AigerAscii, &mut file)?;
/// assert_eq!(report.and_gates, Some(0));
/// assert_eq!(file, b"aag 1 1 0 1 0\n2\n0\ni0 a\no0 y\nc\nmacchiato\n");
/// # Ok::<(), macchiato::export::ExportError>(())
/// ```
///
/// # Errors
/// A circuit that is not well formed, a PLA file of a circuit that reads too many inputs, or what `writer` reports.
pub fn write(
    circuit: &Staged,
    format: ExportFormat,
    writer: &mut dyn Write,
) -> Result<ExportReport, ExportError> {
    let formula = Formula::new(circuit)?;
    let mut report = formula.report();
    let file = match format {
        ExportFormat::Pla => pla::file(&formula, &mut report)?,
        ExportFormat::Blif => blif::file(&formula).into_bytes(),
        ExportFormat::AigerAscii => aiger::ascii(&formula, &mut report).into_bytes(),
        ExportFormat::AigerBinary => aiger::binary(&formula, &mut report),
        ExportFormat::Verilog => verilog::file(&formula).into_bytes(),
        ExportFormat::Smtlib => smtlib::file(&formula).into_bytes(),
        ExportFormat::C => c::file(&formula).into_bytes(),
        ExportFormat::Rust => rust::file(&formula).into_bytes(),
        ExportFormat::Python => python::file(&formula).into_bytes(),
        ExportFormat::Dot => dot::file(&formula).into_bytes(),
        ExportFormat::Svg => svg::file(&formula).into_bytes(),
        ExportFormat::Latex => latex::file(&formula).into_bytes(),
        ExportFormat::Json => json::file(&formula).into_bytes(),
    };
    writer.write_all(&file)?;
    report.bytes = file.len();
    Ok(report)
}

#[cfg(test)]
mod tests;
