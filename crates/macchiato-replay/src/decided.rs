//! The answer about a record `decides`, as a value and in words.

use crate::Refusal;
use std::fmt;

/// The answer of [`crate::check_decides`].
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum Decided {
    /// On every point of the cube each output is above 1/2 exactly where its circuit holds, in float32 and every order of summation.
    Holds {
        /// How that was found.
        how: &'static str,
        /// Number of inputs.
        inputs: usize,
        /// Gates of the circuit.
        gates: usize,
        /// Names of the outputs.
        outputs: Vec<String>,
        /// What outputs are at most where their circuits do not hold; none where they always do.
        not_above: Option<f64>,
        /// What outputs are at least where their circuits hold; none where they never do.
        above: Option<f64>,
    },
    /// It is not so.
    Differs {
        /// A point where it is not.
        point: Vec<bool>,
        /// The number and name of the output.
        which: (usize, String),
        /// The network's output there lies between these two, in whichever order float32 adds.
        output: (f64, f64),
        /// The circuit's value there.
        circuit: u64,
    },
    /// Neither was found.
    Undecided {
        /// Why not.
        why: String,
    },
    /// The files are not a record and its network.
    Refused(Refusal),
}

impl Decided {
    /// 0 where it holds, 1 where it does not, 3 for undecided; what the verdict says for files that were refused.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Holds { .. } => 0,
            Self::Differs { .. } => 1,
            Self::Undecided { .. } => 3,
            Self::Refused(refusal) => refusal.exit_code(),
        }
    }

    /// What the program prints, with the record's name.
    #[must_use]
    pub fn report(&self, record: &str) -> String {
        match self {
            Self::Refused(refusal) => refusal.report(record, "rows"),
            answer => answer.to_string(),
        }
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds { how, inputs, gates, outputs, not_above, above } => {
                writeln!(f, "accepted")?;
                writeln!(
                    f,
                    "  decides    an output is above 1/2 exactly where its circuit holds, on the cube, in float32 and every order: {how}"
                )?;
                let names: Vec<String> = outputs.iter().map(|name| format!("{name:?}")).collect();
                writeln!(f, "  circuit    {inputs} inputs, {gates} gates, outputs {}", names.join(", "))?;
                let no = not_above.map(|high| format!("at most {high:.6} where it does not hold"));
                let yes = above.map(|low| format!("at least {low:.6} where it holds"));
                let margin: Vec<String> = [no, yes].into_iter().flatten().collect();
                writeln!(f, "  outputs    {}", margin.join(", "))
            }
            Self::Differs { point, which: (number, name), output: (low, high), circuit } => {
                let point: String = point.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
                writeln!(
                    f,
                    "rejected: input {point}: output {number} {name:?}: the network gives {low} to {high}, the circuit {circuit}"
                )
            }
            Self::Undecided { why } => writeln!(f, "undecided: {why}"),
            Self::Refused(refusal) => writeln!(f, "{refusal}"),
        }
    }
}
