//! Multi-level logic from a cover: shared divisors are extracted, what is left of each output is factored.
//!
//! Terms become ANDs of ANDs and ORs. Products and sums are taken apart as polynomials are (*algebraic* division: x and
//! its negation count as unrelated), which keeps the work small and every step reversible. First divisors of two terms, or of
//! two literals, that occur in several places become gates of their own, the one that saves the most literals first (fast
//! extraction: Rajski and Vasudevamurthy, 1992); then every sum that is left is divided by its kernels (Brayton and `McMullen`,
//! 1982). The gates are multiplied out again and compared with the cover before they are returned.

mod divisor;
mod extract;
mod flatten;
mod gates;
mod kernel;
mod sum;

use crate::budget::Budget;
use crate::cover::Cover;
use crate::espresso;
use crate::function::Function;
use crate::outcome::MinimizeError;

/// What a gate does with its wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// All of them; without wires constant 1.
    And,
    /// Some of them; without wires constant 0.
    Or,
}

/// An input or an earlier gate, by its number from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An input of the cover.
    Input(usize),
    /// A gate.
    Gate(usize),
}

/// Where a value comes from, and whether it is negated on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire {
    /// The input or gate.
    pub origin: Origin,
    /// Whether the wire holds where its origin is 1.
    pub positive: bool,
}

/// An AND or an OR.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate {
    /// AND or OR.
    pub operation: Operation,
    /// What it reads, in order, each once.
    pub wires: Vec<Wire>,
}

/// Gates in the order in which they can be evaluated, and the wire of each output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factored {
    inputs: usize,
    gates: Vec<Gate>,
    outputs: Vec<Wire>,
    literals: usize,
}

impl Factored {
    /// Number of inputs.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// The gates; each reads inputs and gates before it.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// What each output is.
    #[must_use]
    pub fn outputs(&self) -> &[Wire] {
        &self.outputs
    }

    /// Literals of the factored forms: how often an input or a gate that is read more than once is read. A gate that is read once
    /// is a part of the form that reads it.
    #[must_use]
    pub const fn literals(&self) -> usize {
        self.literals
    }

    /// The most gates between an input and an output.
    #[must_use]
    pub fn levels(&self) -> usize {
        let mut levels: Vec<usize> = Vec::with_capacity(self.gates.len());
        let level = |levels: &[usize], wire: &Wire| match wire.origin {
            Origin::Input(_) => 0,
            Origin::Gate(gate) => levels[gate],
        };
        for gate in &self.gates {
            let deepest = gate.wires.iter().map(|wire| level(&levels, wire)).max();
            levels.push(deepest.unwrap_or(0) + 1);
        }
        self.outputs.iter().map(|wire| level(&levels, wire)).max().unwrap_or(0)
    }

    /// The value of every output at the point `x`.
    ///
    /// # Panics
    /// If `x` does not hold one value for each input.
    #[must_use]
    pub fn evaluate(&self, x: &[bool]) -> Vec<bool> {
        assert_eq!(x.len(), self.inputs);
        let mut values = Vec::with_capacity(self.gates.len());
        let value = |values: &[bool], wire: &Wire| {
            wire.positive
                == match wire.origin {
                    Origin::Input(input) => x[input],
                    Origin::Gate(gate) => values[gate],
                }
        };
        for gate in &self.gates {
            let mut wires = gate.wires.iter();
            values.push(match gate.operation {
                Operation::And => wires.all(|wire| value(&values, wire)),
                Operation::Or => wires.any(|wire| value(&values, wire)),
            });
        }
        self.outputs.iter().map(|wire| value(&values, wire)).collect()
    }
}

/// The factored form of a cover: ANDs and ORs of several levels that compute the same outputs, with the fewest literals that
/// greedy extraction finds. Once `budget` is spent no further divisors are looked for.
///
/// ```
/// use macchiato_minimize::{Budget, factor, pla};
///
/// // a c | a d | b c | b d is (a | b) & (c | d).
/// let text = ".i 4\n.o 1\n1-1- 1\n1--1 1\n-11- 1\n-1-1 1\n.e\n";
/// let cover = pla::read(text.as_bytes(), "example.pla")?;
/// let factored = factor(cover.on(), &Budget::unlimited())?;
/// assert_eq!((cover.on().literals(), factored.literals()), (8, 4));
/// assert_eq!(factored.evaluate(&[true, false, false, true]), [true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MinimizeError::UnverifiedFactors`]: a defect of this crate.
pub fn factor(cover: &Cover, budget: &Budget) -> Result<Factored, MinimizeError> {
    let network = extract::extract(cover, budget);
    let factored = gates::gates(cover.shape(), &network);
    let flat = flatten::flatten(&factored, cover.shape()).ok_or(MinimizeError::UnverifiedFactors)?;
    let none = Cover::new(cover.shape());
    let function = Function::on_dont_care(cover.clone(), none)?;
    if !espresso::agrees(&function, &flat) {
        return Err(MinimizeError::UnverifiedFactors);
    }
    Ok(factored)
}

#[cfg(test)]
mod tests;
