//! Which exact gate realizations a compilation uses: the paper's own, or those of Appendix F.3.
//!
//! Each has a name, which the command and the Python package share: it parses to the gate and is what the gate shows.

use std::fmt;
use std::str::FromStr;

/// How a product term becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AndGate {
    /// Two neurons, one layer: Proposition `prop:relu-gate-modules`.
    #[default]
    Two,
    /// One neuron, one layer: Lemma `lem:and-width-one-appendix`.
    Narrow,
}

/// How a stage's OR becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrGate {
    /// Two neurons, one layer: Proposition `prop:relu-gate-modules`.
    #[default]
    Two,
    /// One neuron in each of two layers: Lemma `lem:or-depth-two-width-one-appendix`.
    Deep,
}

/// How the XOR of the stages becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum XorGate {
    /// M neurons, then one: Proposition `prop:relu-gate-modules`.
    #[default]
    Flat,
    /// Two neurons, then one, for each halving of M: Proposition `prop:telgarsky-xor-realization`.
    Triangle,
    /// At most d rounds of small flat XORs: Proposition `prop:depth-parameterized-xor`.
    Depth(usize),
}

/// How to compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Product terms.
    pub and: AndGate,
    /// Stages.
    pub or: OrGate,
    /// Their XOR.
    pub xor: XorGate,
    /// The paper's first layer of 2B neurons, an input and its negation each; without it gates read the inputs themselves.
    pub literals: bool,
    /// Leave out the last ReLU, which changes nothing on the cube.
    pub linear_output: bool,
}

impl CompileOptions {
    /// The network as the paper has it, with its layer of literals.
    #[must_use]
    pub fn paper() -> Self {
        Self { literals: true, ..Self::default() }
    }
}

/// A name that no gate has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no gate {found:?}: give {names}")]
pub struct GateError {
    /// The name.
    pub found: String,
    /// Those that there are.
    pub names: &'static str,
}

impl FromStr for AndGate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        match text {
            "two" => Ok(Self::Two),
            "narrow" => Ok(Self::Narrow),
            _ => Err(GateError { found: text.to_owned(), names: "two or narrow" }),
        }
    }
}

impl FromStr for OrGate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        match text {
            "two" => Ok(Self::Two),
            "deep" => Ok(Self::Deep),
            _ => Err(GateError { found: text.to_owned(), names: "two or deep" }),
        }
    }
}

impl FromStr for XorGate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        match (text, text.strip_prefix("depth=").map(str::parse)) {
            ("flat", _) => Ok(Self::Flat),
            ("triangle", _) => Ok(Self::Triangle),
            (_, Some(Ok(depth))) if depth > 0 => Ok(Self::Depth(depth)),
            _ => {
                let names = "flat, triangle, or depth=D with D from 1 on";
                Err(GateError { found: text.to_owned(), names })
            }
        }
    }
}

impl fmt::Display for AndGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Two => "two",
            Self::Narrow => "narrow",
        })
    }
}

impl fmt::Display for OrGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Two => "two",
            Self::Deep => "deep",
        })
    }
}

impl fmt::Display for XorGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => f.write_str("flat"),
            Self::Triangle => f.write_str("triangle"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for gate in [AndGate::Two, AndGate::Narrow] {
            assert_eq!(gate.to_string().parse(), Ok(gate));
        }
        for gate in [OrGate::Two, OrGate::Deep] {
            assert_eq!(gate.to_string().parse(), Ok(gate));
        }
        for gate in [XorGate::Flat, XorGate::Triangle, XorGate::Depth(3)] {
            assert_eq!(gate.to_string().parse(), Ok(gate));
        }
        for name in ["", "Flat", "depth", "depth=", "depth=0", "depth=-1"] {
            assert!(name.parse::<XorGate>().is_err(), "{name}");
        }
    }
}
