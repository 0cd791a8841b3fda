//! The targets that can be named on the command line.

use clap::Subcommand;
use macchiato::generate::{GenerateError, Target};

use super::Options;

/// One subcommand for each kind of target.
#[derive(Debug, Subcommand)]
pub(super) enum Kind {
    /// A random function of some of the inputs
    Junta {
        /// All inputs, x1, x2, ...
        #[arg(long, value_name = "B")]
        inputs: usize,
        /// Inputs that the function reads
        #[arg(long, value_name = "S")]
        support: usize,
        #[command(flatten)]
        options: Options,
    },
    /// The XOR of random functions that share no inputs
    Juntas {
        /// All inputs, x1, x2, ...
        #[arg(long, value_name = "B")]
        inputs: usize,
        /// Number of functions
        #[arg(long, value_name = "N")]
        blocks: usize,
        /// Inputs that each function reads
        #[arg(long, value_name = "S")]
        support: usize,
        #[command(flatten)]
        options: Options,
    },
    /// The parity of some of the inputs
    Parity {
        /// All inputs, x1, x2, ...
        #[arg(long, value_name = "B")]
        inputs: usize,
        /// Inputs that the parity is of
        #[arg(long, value_name = "S")]
        support: usize,
        #[command(flatten)]
        options: Options,
    },
    /// One output of the sum of two numbers, a1, a2, ... and b1, b2, ..., lowest bits first
    Adder {
        /// Bits of each number
        #[arg(long, value_name = "N")]
        bits: usize,
        /// The output, from 1, the lowest bit of the sum, to N + 1, its carry [default: the carry]
        #[arg(long, value_name = "I")]
        output: Option<usize>,
        #[command(flatten)]
        options: Options,
    },
    /// Whether the number a1, a2, ... is less than b1, b2, ..., lowest bits first
    Comparator {
        /// Bits of each number
        #[arg(long, value_name = "N")]
        bits: usize,
        #[command(flatten)]
        options: Options,
    },
    /// The one of the inputs d0, d1, ... that the number a1, a2, ... points at
    Multiplexer {
        /// Bits of the number
        #[arg(long, value_name = "N")]
        address: usize,
        #[command(flatten)]
        options: Options,
    },
    /// A random OR of ANDs
    Dnf {
        /// All inputs, x1, x2, ...
        #[arg(long, value_name = "B")]
        inputs: usize,
        /// Number of ANDs
        #[arg(long, value_name = "M")]
        terms: usize,
        /// Literals of each
        #[arg(long, value_name = "W")]
        width: usize,
        #[command(flatten)]
        options: Options,
    },
}

impl Kind {
    /// The target, and what is to be drawn from it.
    pub(super) fn target(&self) -> Result<(Target, &Options), GenerateError> {
        Ok(match self {
            Self::Junta { inputs, support, options } => {
                (Target::junta(*inputs, *support, options.seed)?, options)
            }
            Self::Juntas { inputs, blocks, support, options } => {
                (Target::juntas(*inputs, *blocks, *support, options.seed)?, options)
            }
            Self::Parity { inputs, support, options } => {
                (Target::parity(*inputs, *support, options.seed)?, options)
            }
            Self::Adder { bits, output: None, options } => (Target::adder(*bits)?, options),
            Self::Adder { bits, output: Some(output), options } => {
                (Target::adder_output(*bits, *output)?, options)
            }
            Self::Comparator { bits, options } => (Target::comparator(*bits)?, options),
            Self::Multiplexer { address, options } => (Target::multiplexer(*address)?, options),
            Self::Dnf { inputs, terms, width, options } => {
                (Target::dnf(*inputs, *terms, *width, options.seed)?, options)
            }
        })
    }
}
