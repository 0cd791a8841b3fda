//! Gates that a factored cover has, as a circuit: the way from the minimizer to every export.

use super::{Circuit, Gate, Literal, Output, Rule};
use macchiato_minimize::Factored;
use macchiato_minimize::factored::{Operation, Origin, Wire};

impl Circuit {
    /// The circuit of a factored form. Inputs and outputs that are given no name are `x0`, `x1`, ... and `y0`, `y1`, ...
    ///
    /// ```
    /// use macchiato::circuit::Circuit;
    /// use macchiato::minimize::{Budget, factor, pla};
    ///
    /// let text = ".i 4\n.o 1\n1-1- 1\n1--1 1\n-11- 1\n-1-1 1\n.e\n";
    /// let cover = pla::read(text.as_bytes(), "example.pla")?;
    /// let factored = factor(cover.on(), &Budget::unlimited())?;
    /// let circuit = Circuit::from_factored(&factored, &[], &["y".to_owned()]);
    /// assert_eq!(circuit.at(&[true, false, false, true]), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_factored(factored: &Factored, inputs: &[String], outputs: &[String]) -> Self {
        let gates = factored.gates().iter().map(|gate| {
            let rule = match gate.operation {
                Operation::And => Rule::And,
                Operation::Or => Rule::Or,
            };
            Gate::new(rule, gate.wires.iter().map(literal).collect())
        });
        let name = |given: &[String], at: usize, letter: char| {
            given.get(at).cloned().unwrap_or_else(|| format!("{letter}{at}"))
        };
        let wires = factored.outputs().iter().enumerate();
        let outputs = wires.map(|(at, wire)| Output::new(name(outputs, at, 'y'), literal(wire)));
        let inputs = (0..factored.inputs()).map(|at| name(inputs, at, 'x'));
        Self::made(inputs.collect(), gates.collect(), outputs.collect())
    }
}

fn literal(wire: &Wire) -> Literal {
    let literal = match wire.origin {
        Origin::Input(input) => Literal::input(input),
        Origin::Gate(gate) => Literal::gate(gate),
    };
    literal.signed(wire.positive)
}
