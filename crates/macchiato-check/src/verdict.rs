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
        /// Which of the two texts.
        document: Document,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What is wrong there.
        why: String,
    },
}

/// The texts that the checker reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The certificate.
    Certificate,
    /// The training rows.
    Rows,
}

/// What was established.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Inputs, the paper's B: the claim is about all `2^B` points.
    pub inputs: usize,
    /// What each output neuron computes.
    pub outputs: Vec<OutputSummary>,
    /// Widths of the layers.
    pub widths: Vec<usize>,
    /// Weights and biases compared.
    pub weights: u64,
    /// The largest partial sum.
    pub sum: u64,
    /// SHA-256 of the network file.
    pub digest: String,
    /// SHA-256 of the certificate itself, to compare with what was signed or published.
    pub certificate: String,
    /// What the certificate says of its training, and whether that was replayed.
    pub training: TrainingSummary,
}

/// The circuit that an output neuron computes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputSummary {
    /// Name of what it predicts.
    pub name: String,
    /// Stages, the paper's M.
    pub stages: usize,
    /// Product terms, the paper's P.
    pub terms: usize,
}

/// What is known of the training.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TrainingSummary {
    /// The certificate says nothing about it.
    #[default]
    Absent,
    /// It does, but no rows were given: nothing of it was checked.
    Unchecked,
    /// Replayed on the rows, every stage saw and did what the certificate says.
    Replayed {
        /// Rows.
        rows: u64,
        /// Rows that the circuit gets wrong.
        errors: u64,
        /// Why there is no further stage.
        stop: &'static str,
    },
}

/// A claim that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) place: String,
    pub(crate) why: String,
}

/// A place where a text breaks its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) why: String,
}

/// A rejection, ready for `?`.
pub(crate) fn reject<T>(place: impl Into<String>, why: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection { place: place.into(), why: why.into() })
}

impl Fault {
    /// The verdict about the text that has the fault.
    pub(crate) fn of(self, document: Document) -> Verdict {
        Verdict::Unreadable { document, line: self.line, column: self.column, why: self.why }
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

    /// The verdict as the program prints it, with the names of the two texts.
    #[must_use]
    pub fn report(&self, certificate: &str, rows: &str) -> String {
        match self {
            Self::Accepted(summary) => format!("accepted\n{summary}"),
            Self::Rejected { where_, why } => format!("rejected: {where_}: {why}\n"),
            Self::Unreadable { document, line, column, why } => {
                let name = match document {
                    Document::Certificate => certificate,
                    Document::Rows => rows,
                };
                format!("unreadable: {name}: line {line}, column {column}: {why}\n")
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report("certificate", "rows").trim_end())
    }
}

impl fmt::Display for OutputSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, stages, terms } = self;
        write!(f, "{name:?}: the XOR of {stages} stages with {terms} terms")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, outputs, widths, weights, sum, digest, certificate, training } = self;
        let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
        writeln!(f, "  network      sha256 {digest}")?;
        writeln!(f, "  certificate  sha256 {certificate}")?;
        if let [output] = outputs.as_slice() {
            writeln!(f, "  circuit      {output} over {inputs} inputs")?;
        } else {
            writeln!(
                f,
                "  circuits     {} over the same {inputs} inputs, one for each output",
                outputs.len()
            )?;
            for (o, output) in outputs.iter().enumerate() {
                writeln!(f, "  {:<13}{output}", format!("output {o}"))?;
            }
        }
        writeln!(
            f,
            "  exact        on all 2^{inputs} inputs; each of {weights} weights and biases belongs to a gate"
        )?;
        writeln!(f, "  layers       {}", widths.join(" "))?;
        writeln!(
            f,
            "  float32      exact in every order: the largest partial sum is {sum}; not in TF32 or bfloat16"
        )?;
        writeln!(
            f,
            "  names        the certificate's word: places of inputs and outputs are proven, names are not"
        )?;
        match training {
            TrainingSummary::Absent => writeln!(f, "  training     the certificate says nothing about it"),
            TrainingSummary::Unchecked => writeln!(f, "  training     not checked: no rows were given"),
            TrainingSummary::Replayed { rows, errors, stop } => {
                writeln!(f, "  training     replayed on {rows} rows, {errors} in error; {stop}")
            }
        }
    }
}
