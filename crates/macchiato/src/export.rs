//! A circuit as a file that other tools read: logic synthesis, provers, compilers, browsers, papers.
//!
//! One file for each format under `export/`; `docs/exports.md` shows an example of each. Every format says exactly
//! what the circuit says; `tests/exports` has tools that this project did not write read them back. Names are escaped as
//! each format wants, so that distinct names stay distinct; the same circuit gives the same bytes.

mod adders;
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
pub mod sql;
mod svg;
mod verilog;
pub mod vnnlib;

use crate::circuit::Circuit;
use formula::Formula;
use macchiato_minimize::MinimizeError;
use std::fmt;
use std::io::{self, Write};

/// What a circuit can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExportFormat {
    /// Berkeley PLA: one two-level cover of all outputs.
    Pla,
    /// Berkeley Logic Interchange Format: a node for each gate, adders for counts.
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
    /// Outputs of the circuit.
    pub outputs: usize,
    /// Gates that were written, without those that no output needs; product terms of a PLA file.
    pub gates: usize,
    /// Literals of those.
    pub literals: usize,
    /// Gates of the AND-inverter graph, where that is what was written.
    pub and_gates: Option<usize>,
    /// The most gates between an input and an output of the AND-inverter graph.
    pub depth: Option<usize>,
    /// Bytes written.
    pub bytes: usize,
}

impl fmt::Display for ExportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, gates, literals, bytes, .. } = self;
        match (self.and_gates, self.depth) {
            (Some(gates), Some(depth)) => {
                write!(f, "{inputs} inputs, {gates} AND gates, depth {depth}, {bytes} bytes")
            }
            _ => write!(f, "{inputs} inputs, {gates} gates, {literals} literals, {bytes} bytes"),
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
    /// A circuit without outputs.
    #[error("a circuit without outputs cannot be exported")]
    NoOutputs,
    /// A name that two inputs, two outputs, or an input and an output have.
    #[error("the name {name:?} occurs twice among the inputs and the outputs: rename one of them")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// An output of many inputs that is no OR of ANDs of them.
    #[error(
        "gate {gate} ({rule}) is no sum of products, and its output reads {found} inputs, where a PLA file is flattened \
         through a table of at most {limit}: export blif or aiger instead"
    )]
    NotTwoLevel {
        /// The gate, from 0.
        gate: usize,
        /// What it does.
        rule: String,
        /// Inputs that the output reads.
        found: usize,
        /// The most that can be flattened.
        limit: usize,
    },
    /// A number in a format of bits.
    #[error(
        "output {output:?} is a sum (gate {gate}), and a PLA file holds 0 and 1 only: export blif or aiger instead"
    )]
    SumOutput {
        /// The gate, from 0.
        gate: usize,
        /// The output's name.
        output: String,
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
/// use macchiato::circuit::{Circuit, Literal, Output};
/// use macchiato::export::{ExportFormat, write};
///
/// let not = Output::new("y", !Literal::input(0));
/// let circuit = Circuit::new(vec!["a".into()], vec![], vec![not])?;
/// let mut file = Vec::new();
/// let report = write(&circuit, ExportFormat::AigerAscii, &mut file)?;
/// assert_eq!(report.and_gates, Some(0));
/// assert_eq!(file, b"aag 1 1 0 1 0\n2\n3\ni0 a\no0 y\nc\nmacchiato\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names that occur twice, a PLA file of what is no sum of products, or what `writer` reports.
pub fn write(
    circuit: &Circuit,
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
        ExportFormat::Json => json::file(&formula).map_err(io::Error::from)?.into_bytes(),
    };
    writer.write_all(&file)?;
    report.bytes = file.len();
    Ok(report)
}

#[cfg(test)]
mod tests;
