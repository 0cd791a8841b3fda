//! Which kinds of gate a circuit may have: the reader's choice.

use crate::circuit::{Circuit, Rule};

/// Connectives that are allowed. AND, OR and negation always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gates {
    /// Exclusive or.
    pub xor: bool,
    /// "At least 3 of", "exactly 2 of", points.
    pub count: bool,
}

impl Default for Gates {
    /// All of them.
    fn default() -> Self {
        Self::ALL
    }
}

/// Connectives that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} are no gates: give and,or, with xor and count where they are allowed, such as and,or,xor")]
pub struct GatesError {
    /// What was given.
    pub text: String,
}

impl Gates {
    /// AND, OR, XOR and counts.
    pub const ALL: Self = Self { xor: true, count: true };

    /// The paper's connectives: AND, OR and XOR.
    pub const PAPER: Self = Self { xor: true, count: false };

    /// Whether a circuit has no other gates.
    #[must_use]
    pub fn allow(self, circuit: &Circuit) -> bool {
        circuit.gates().iter().all(|gate| match gate.rule {
            Rule::And | Rule::Or => true,
            Rule::Xor => self.xor,
            _ => self.count,
        })
    }

    /// The shortest form of a circuit that these gates have.
    pub(super) fn shortest(self, circuit: &Circuit) -> Circuit {
        if self.count { circuit.simplified() } else { circuit.shortened() }
    }
}

impl std::fmt::Display for Gates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = [(self.xor, ",xor"), (self.count, ",count")];
        write!(f, "and,or{}", more.iter().filter(|gate| gate.0).map(|gate| gate.1).collect::<String>())
    }
}

impl std::str::FromStr for Gates {
    type Err = GatesError;

    /// `and,or`, `and,or,xor`, `and,or,count` or `and,or,xor,count`, in any order.
    fn from_str(text: &str) -> Result<Self, GatesError> {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        let has = |name: &str| names.contains(&name);
        let known = names.iter().all(|name| ["and", "or", "xor", "count"].contains(name));
        if known && has("and") && has("or") {
            Ok(Self { xor: has("xor"), count: has("count") })
        } else {
            Err(GatesError { text: text.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_read_as_they_are_written() {
        for gates in
            [Gates::ALL, Gates::PAPER, Gates { xor: false, count: true }, Gates { xor: false, count: false }]
        {
            assert_eq!(gates.to_string().parse(), Ok(gates));
        }
        assert_eq!("xor, or,and".parse(), Ok(Gates::PAPER));
        for text in ["", "and", "and,or,nand", "xor"] {
            assert!(text.parse::<Gates>().is_err(), "{text}");
        }
    }
}
