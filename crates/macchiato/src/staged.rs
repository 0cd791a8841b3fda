//! The paper's circuit as gates: the XOR of its stages, `H_M`.
//!
//! Takes stages as the learners build them, gives a [`Circuit`]: terms are ANDs, stages ORs, and the output their XOR. Each gate's role says
//! which stage and term it is. There are two ways to write it: term for term, from which the stages can be read again, and
//! with the normalization of the paper's Section 4.2, which is what is compiled.

use crate::circuit::{Circuit, Gate, Literal, Output, Role, Rule, Source};
use crate::stage::{Signed, Stage};
use macchiato_minimize::{Cover, Literal as Sign, Shape};

/// An XOR of sums of products over named inputs.
///
/// ```
/// use macchiato::staged::Staged;
///
/// let empty = Staged { inputs: vec!["a".into()], target: "y".into(), stages: vec![] };
/// assert_eq!(empty.gates().at(&[true]), [0], "without stages the answer is 0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Name of what is predicted.
    pub target: String,
    /// The stages, in the order in which they were learned.
    pub stages: Vec<Stage>,
}

impl Staged {
    /// The answer at one point, one value for each input.
    #[must_use]
    pub fn at(&self, x: &[bool]) -> bool {
        self.stages.iter().fold(false, |value, stage| value ^ stage.at(x))
    }

    /// The gates of the paper's circuit: a constant stage is written as Section 4.2 normalizes it, in literals of one of its inputs; a
    /// term that another one contains is left out. Without stages it is an OR of nothing, 0.
    #[must_use]
    pub fn gates(&self) -> Circuit {
        self.circuit(Stage::normal_terms)
    }

    /// The gates term for term: a constant is an OR of nothing, or has an AND of nothing.
    #[must_use]
    pub fn plain(&self) -> Circuit {
        self.circuit(|stage| stage.terms().collect())
    }

    fn circuit(&self, terms: impl Fn(&Stage) -> Vec<Vec<Signed>>) -> Circuit {
        let (mut gates, mut ends) = (Vec::new(), Vec::with_capacity(self.stages.len()));
        for (at, stage) in self.stages.iter().enumerate() {
            let number = at + 1;
            let first = gates.len();
            for (term, literals) in terms(stage).into_iter().enumerate() {
                let literal = |&(input, positive): &Signed| Literal::input(input).signed(positive);
                let role = Role::Term { stage: number, term: term + 1 };
                gates.push(Gate::new(Rule::And, literals.iter().map(literal).collect()).role(role));
            }
            let terms = (first..gates.len()).map(Literal::gate).collect();
            gates.push(Gate::new(Rule::Or, terms).role(Role::Stage(number)));
            ends.push(Literal::gate(gates.len() - 1));
        }
        let rule = if ends.is_empty() { Rule::Or } else { Rule::Xor };
        gates.push(Gate::new(rule, ends).role(Role::Output(0)));
        let outputs = vec![Output::new(&self.target, Literal::gate(gates.len() - 1))];
        Circuit::made(self.inputs.clone(), gates, outputs)
    }

    /// The stages that [`Staged::plain`] wrote as this circuit, given the inputs of each; or the number of the first gate that is none of
    /// such a circuit.
    ///
    /// # Errors
    /// Gates of another shape.
    pub fn read(circuit: &Circuit, inputs: Vec<Vec<usize>>) -> Result<Self, usize> {
        let target = circuit.outputs().first().map_or(String::new(), |output| output.name.clone());
        let mut staged = Self { inputs: circuit.inputs().to_vec(), target, stages: Vec::new() };
        let covers = inputs.iter().map(|inputs| Cover::new(Shape::new(inputs.len(), 1)));
        let mut covers: Vec<Cover> = covers.collect();
        for (g, gate) in circuit.gates().iter().enumerate() {
            let Role::Term { stage, .. } = gate.role else { continue };
            let at = stage.wrapping_sub(1);
            let (Some(cover), Some(inputs)) = (covers.get_mut(at), inputs.get(at)) else { return Err(g) };
            let mut signs = vec![Sign::Free; inputs.len()];
            for literal in &gate.literals {
                let Source::Input(input) = literal.source else { return Err(g) };
                let Ok(place) = inputs.binary_search(&input) else { return Err(g) };
                signs[place] = if literal.positive { Sign::Positive } else { Sign::Negative };
            }
            cover.push(&signs, &[true]);
        }
        let stages = inputs.into_iter().zip(covers).map(|(inputs, cover)| Stage { inputs, cover });
        staged.stages.extend(stages);
        let own = staged.plain();
        let differs = |&g: &usize| own.gates().get(g) != circuit.gates().get(g);
        match (0..own.gates().len().max(circuit.gates().len())).find(differs) {
            Some(g) => Err(g),
            None if own.outputs() != circuit.outputs() => Err(circuit.gates().len()),
            None => Ok(staged),
        }
    }
}
