//! The three outcomes, and what is said with each.
//!
//! A claim that holds is *accepted*; a claim that is readable and false is *rejected*, with the place and the reason; text
//! that breaks the format is *unreadable*, with line and column. Inside the crate a [`Rejection`] or a [`Fault`] travels up
//! by `?` and becomes a verdict at the top.

use std::fmt;

/// What the checker has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// Everything that was asked holds.
    Accepted(Box<Summary>),
    /// Something that the certificate says, or that the format of the network file demands, is not so.
    Rejected {
        /// Which part: a gate, a neuron, a byte of the network file, a stage.
        where_: String,
        /// What is wrong there.
        why: String,
    },
    /// Text that does not follow its format. Lines and columns count from 1; columns are bytes.
    Unreadable {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What is wrong there.
        why: String,
    },
}

/// What was established.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Inputs, the paper's B: the claim is about all `2^B` points.
    pub inputs: usize,
    /// Gates of the circuit.
    pub gates: usize,
    /// The name of each output, and its largest value.
    pub outputs: Vec<(String, u64)>,
    /// Widths of the layers.
    pub widths: Vec<usize>,
    /// Weights and biases, each of which belongs to a gate.
    pub weights: u64,
    /// The largest partial sum.
    pub sum: u64,
    /// SHA-256 of the network file.
    pub digest: String,
    /// SHA-256 of the certificate itself, to compare with what was signed or published.
    pub certificate: String,
    /// Lines about training, of which nothing was checked.
    pub training: usize,
}

/// A claim that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Which part.
    pub place: String,
    /// What is wrong there.
    pub why: String,
}

/// A place where a text breaks its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// What is wrong there.
    pub why: String,
}

/// A rejection, ready for `?`.
///
/// # Errors
/// Always.
pub fn reject<T>(place: impl Into<String>, why: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection { place: place.into(), why: why.into() })
}

impl From<Fault> for Verdict {
    fn from(fault: Fault) -> Self {
        Self::Unreadable { line: fault.line, column: fault.column, why: fault.why }
    }
}

impl From<Rejection> for Verdict {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected { where_: rejection.place, why: rejection.why }
    }
}

impl Verdict {
    /// Whether everything that was asked holds.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    /// 0 for accepted, 1 for rejected, 2 for unreadable.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Accepted(_) => 0,
            Self::Rejected { .. } => 1,
            Self::Unreadable { .. } => 2,
        }
    }

    /// The verdict as the program prints it, with the certificate's name.
    #[must_use]
    pub fn report(&self, certificate: &str) -> String {
        match self {
            Self::Accepted(summary) => format!("accepted\n{summary}"),
            Self::Rejected { where_, why } => format!("rejected: {where_}: {why}\n"),
            Self::Unreadable { line, column, why } => {
                format!("unreadable: {certificate}: line {line}, column {column}: {why}\n")
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report("certificate").trim_end())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, gates, weights, sum, digest, certificate, training, .. } = self;
        let plural =
            |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let (of_gates, of_inputs) = (plural(*gates, "gate"), plural(*inputs, "input"));
        writeln!(f, "  network      sha256 {digest}")?;
        writeln!(f, "  certificate  sha256 {certificate}")?;
        writeln!(f, "  circuit      {of_gates} over {of_inputs}")?;
        for (o, (name, most)) in self.outputs.iter().enumerate() {
            let values = if *most == 1 { "0 or 1".to_owned() } else { format!("from 0 to {most}") };
            writeln!(f, "  {:<13}{name:?}: {values}", format!("output {o}"))?;
        }
        let widths: Vec<String> = self.widths.iter().map(ToString::to_string).collect();
        let training = match training {
            0 => "the certificate says nothing about it".to_owned(),
            lines => format!("claimed in {}, which macchiato-replay checks", plural(*lines, "line")),
        };
        write!(
            f,
            "  exact        on all 2^{inputs} inputs; each of {weights} weights and biases belongs to a gate
  layers       {}
  float32      exact in every order: the largest partial sum is {sum}; not in TF32 or bfloat16
  names        the certificate's word: places of inputs and outputs are proven, names are not
  training     {training}
",
            widths.join(" "),
        )
    }
}
