//! Shorter circuits that compute the same.
//!
//! One pass from the inputs on gives every gate its shortest form: constants go, literals that repeat or contradict each other are put
//! together, a gate of one literal is that literal, an equal gate is shared, and points have no common factor (`form`). Then a gate
//! whose answer depends on nothing but how many literals hold becomes that count, where this is shorter (`symmetric`). Gates that
//! nothing reads are left out. The function on the cube stays the same for every output; roles stay with the gates that are kept.

mod form;
mod symmetric;

use super::{Circuit, Gate, Literal, Output, Rule, Source};
use form::{Form, Now, through};
use std::collections::HashMap;

impl Circuit {
    /// The same function in fewer gates and literals.
    ///
    /// ```
    /// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
    ///
    /// // a and b, or a and c, or b and c.
    /// let and = |i, j| Gate::new(Rule::And, vec![Literal::input(i), Literal::input(j)]);
    /// let or = Gate::new(Rule::Or, (0..3).map(Literal::gate).collect());
    /// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    /// let gates = vec![and(0, 1), and(0, 2), and(1, 2), or];
    /// let circuit = Circuit::new(names, gates, vec![Output::new("y", Literal::gate(3))])?;
    /// let majority = Gate::new(Rule::AtLeast(2), (0..3).map(Literal::input).collect());
    /// assert_eq!(circuit.simplified().gates(), [majority]);
    /// # Ok::<(), macchiato::circuit::CircuitError>(())
    /// ```
    #[must_use]
    pub fn simplified(&self) -> Self {
        symmetric::counted(self.shortened()).shortened()
    }

    /// Number of literals of all gates: what a person reads.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.gates.iter().map(|gate| gate.literals.len()).sum()
    }

    /// The same function without constants, repetitions and gates of one literal: no gate becomes another kind of gate that people
    /// would not recognize.
    #[must_use]
    pub fn shortened(&self) -> Self {
        let mut gates: Vec<Gate> = Vec::new();
        let mut known: HashMap<(Rule, Vec<Literal>), usize> = HashMap::new();
        let mut now: Vec<Now> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let mut positive = true;
            let form = match Form::new(gate, &now).finish(&mut positive) {
                Ok(constant) => {
                    now.push(Now::Constant(constant == positive));
                    continue;
                }
                Err(form) => form,
            };
            if let (Rule::And | Rule::Or | Rule::Xor, &[literal]) = (&form.rule, form.literals.as_slice()) {
                now.push(Now::Literal(literal.source, literal.positive == positive));
                continue;
            }
            let mut key = (form.rule.clone(), form.literals.clone());
            key.1.sort_unstable();
            let at = *known.entry(key).or_insert_with(|| {
                gates.push(form.role(gate.role.clone()));
                gates.len() - 1
            });
            now.push(Now::Literal(Source::Gate(at), positive));
        }
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for output in &self.outputs {
            let literal = match through(output.literal, &now) {
                Now::Literal(source, positive) => Literal { source, positive, weight: 1 },
                Now::Constant(value) => {
                    let rule = if value { Rule::And } else { Rule::Or };
                    gates.push(Gate::new(rule, Vec::new()));
                    Literal::gate(gates.len() - 1)
                }
            };
            outputs.push(Output::new(&output.name, literal));
        }
        Self { inputs: self.inputs.clone(), gates, outputs }.pruned()
    }

    /// Without the gates that no output needs.
    pub(super) fn pruned(mut self) -> Self {
        let mut needed = vec![false; self.gates.len()];
        let mut need = |literal: &Literal| {
            if let Source::Gate(gate) = literal.source {
                needed[gate] = true;
            }
        };
        self.outputs.iter().for_each(|output| need(&output.literal));
        for at in (0..self.gates.len()).rev() {
            if needed[at] {
                for literal in &self.gates[at].literals {
                    if let Source::Gate(gate) = literal.source {
                        needed[gate] = true;
                    }
                }
            }
        }
        let mut place = Vec::with_capacity(needed.len());
        let mut next = 0;
        for &needed in &needed {
            place.push(next);
            next += usize::from(needed);
        }
        let mut keep = needed.iter();
        self.gates.retain(|_| *keep.next().unwrap_or(&false));
        let move_to = |literal: &mut Literal| {
            if let Source::Gate(gate) = &mut literal.source {
                *gate = place[*gate];
            }
        };
        self.gates.iter_mut().flat_map(|gate| &mut gate.literals).for_each(move_to);
        self.outputs.iter_mut().for_each(|output| move_to(&mut output.literal));
        self
    }
}
