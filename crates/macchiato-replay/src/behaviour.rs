//! What a network does, whatever its weights: for files that were changed after they were certified, by fine-tuning say.
//!
//! The certificate then names the circuit and the neurons of each gate, but not this file. Asked is whether the network still
//! gives the circuit's value, exactly, on every point of the cube, as float32 computes it, in whichever order it adds
//! (`float32.rs`): a file that is right in exact arithmetic and wrong where it runs is not right. With few
//! inputs every point is evaluated. With many, `behaviour/modules.rs` goes from gate to gate: it follows all values that the
//! gate's own inputs can take, and needs no more than that the gate's answers are right for each. Where neither decides, some
//! points are tried for a difference, and without one the answer is `undecided`. Networks that round to the right
//! decision at 1/2 without being equal are common, so that is reported too, where it holds in every order of summation.

mod modules;

use crate::Refusal;
use crate::float32::Range;
use crate::sparse::Sparse;
use macchiato_check::{Certificate, Circuit, layers};
use std::fmt;

/// The answer of [`crate::check_behaviour`].
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum Behaviour {
    /// The network gives the circuit's value on every point of the cube, in float32 and every order of summation.
    Equal {
        /// How that was found.
        how: &'static str,
    },
    /// It does not.
    Differs {
        /// A point where it does not.
        point: Vec<bool>,
        /// The number and name of the output that is meant, where there are several.
        which: Option<(usize, String)>,
        /// The network's output there lies between these two, in whichever order float32 adds.
        output: (f64, f64),
        /// The circuit's value there.
        circuit: u64,
        /// Whether `output > 1/2` is the circuit's value on every point nevertheless, in every order; `None` if that is not known.
        same_decisions: Option<bool>,
    },
    /// Neither was found.
    Undecided {
        /// Why not.
        why: String,
    },
    /// The files are not a certificate and a network with its layers.
    Refused(Refusal),
}

impl Behaviour {
    /// 0 for equal, 1 for a difference, 3 for undecided; what the verdict says for files that were refused.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Equal { .. } => 0,
            Self::Differs { .. } => 1,
            Self::Undecided { .. } => 3,
            Self::Refused(refusal) => refusal.exit_code(),
        }
    }

    /// What the program prints, with the certificate's name.
    #[must_use]
    pub fn report(&self, certificate: &str) -> String {
        match self {
            Self::Refused(refusal) => refusal.report(certificate, "rows"),
            answer => answer.to_string(),
        }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal { how } => {
                writeln!(
                    f,
                    "accepted\n  behaviour  equal to the circuit on the cube, in float32 and every order: {how}"
                )
            }
            Self::Differs { point, which, output: (low, high), circuit, same_decisions } => {
                let point: String = point.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
                let value = if low.to_bits() == high.to_bits() {
                    format!("{low}")
                } else {
                    format!("{low} to {high}")
                };
                write!(f, "rejected: input {point}: ")?;
                if let Some((number, name)) = which {
                    write!(f, "output {number} {name:?}: ")?;
                }
                writeln!(f, "the network gives {value}, the circuit {circuit}")?;
                match same_decisions {
                    Some(true) => writeln!(f, "  decisions  the same on every input, rounded at 1/2"),
                    Some(false) => writeln!(f, "  decisions  not the same on every input, rounded at 1/2"),
                    None => writeln!(f, "  decisions  undecided"),
                }
            }
            Self::Undecided { why } => writeln!(f, "undecided: {why}"),
            Self::Refused(refusal) => writeln!(f, "{refusal}"),
        }
    }
}

/// The most inputs for which every point is evaluated, and the most products that may take.
const ALL_POINTS: usize = 20;
const ALL_PRODUCTS: usize = 1 << 33;
/// Points tried for a difference where neither way decides.
const PROBES: usize = 1 << 10;

/// Decides whether the network equals the certificate's circuit; neither digest nor weights need be the certified ones.
pub(crate) fn decide(certificate: &[u8], network: &[u8]) -> Result<Behaviour, Refusal> {
    let certificate = Certificate::read(certificate)?;
    let circuit = Circuit::of(&certificate)?;
    let network = layers::read(network, &certificate)?;
    let network = Sparse::new(&network, &certificate)?;
    let inputs = certificate.inputs.len();
    let names: Vec<&str> = certificate.outputs.iter().map(|output| output.name.as_str()).collect();
    let products: usize =
        network.layers.iter().flat_map(|layer| &layer.neurons).map(|n| n.weights.len() + 1).sum();
    if inputs <= ALL_POINTS && products <= ALL_PRODUCTS >> inputs {
        let points = (0..1usize << inputs).map(|x| (0..inputs).map(|i| x >> i & 1 == 1).collect());
        return Ok(Trial::run(&circuit, &names, &network, points, true));
    }
    match modules::decide(&network, &certificate) {
        Ok(()) => {
            Ok(Behaviour::Equal { how: "gate by gate, over all values that each gate's inputs can take" })
        }
        Err(why) => match Trial::run(&circuit, &names, &network, probes(inputs), false) {
            Behaviour::Undecided { .. } => Ok(Behaviour::Undecided { why }),
            found => Ok(found),
        },
    }
}

/// All zeros, all ones, and points of a generator that always gives the same.
fn probes(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 63 == 1
    };
    let drawn = (0..PROBES).map(move |_| (0..inputs).map(|_| random()).collect());
    [vec![false; inputs], vec![true; inputs]].into_iter().chain(drawn)
}

/// What has been seen on the points so far.
struct Trial {
    difference: Option<(Vec<bool>, usize, Range, u64)>,
    /// An output at some point could be the circuit's value or not.
    open: bool,
    decisions_differ: bool,
    decisions_open: bool,
}

impl Trial {
    /// Evaluates the points; `all` says that they are the whole cube.
    fn run(
        circuit: &Circuit,
        names: &[&str],
        network: &Sparse,
        points: impl Iterator<Item = Vec<bool>>,
        all: bool,
    ) -> Behaviour {
        let mut trial = Self { difference: None, open: false, decisions_differ: false, decisions_open: !all };
        for point in points {
            let values = circuit.at(|input| point.get(input).copied().unwrap_or_default());
            for (o, (value, output)) in values.into_iter().zip(network.at(&point)).enumerate() {
                // Below 2^24.
                let wanted = value as f64;
                trial.open |= !output.is_exactly(wanted) && output.contains(wanted);
                // Rounded at the halves around it, of which an answer of 0 or 1 has only the one between.
                let right =
                    (value == 0 || output.low > wanted - 0.5) && (value == 1 || output.high <= wanted + 0.5);
                let wrong =
                    (value > 0 && output.high <= wanted - 0.5) || (value != 1 && output.low > wanted + 0.5);
                trial.decisions_differ |= wrong;
                trial.decisions_open |= !right && !wrong;
                if trial.difference.is_none() && !output.contains(wanted) {
                    trial.difference = Some((point.clone(), o, output, value));
                }
            }
        }
        let named = |o: usize| match names {
            [_] => None,
            names => names.get(o).map(|name| (o, (*name).to_owned())),
        };
        match trial.difference {
            Some((point, o, output, circuit)) => Behaviour::Differs {
                point,
                which: named(o),
                output: (output.low, output.high),
                circuit,
                same_decisions: match (trial.decisions_differ, trial.decisions_open) {
                    (true, _) => Some(false),
                    (false, false) => Some(true),
                    (false, true) => None,
                },
            },
            None if all && !trial.open => Behaviour::Equal { how: "every point was evaluated" },
            None => Behaviour::Undecided {
                why: "float32 may round some sums, depending on the order in which they are taken".to_owned(),
            },
        }
    }
}
