//! `Circuit`: gates of one kind, as deep as needed. A gate answers by the weighted count of its literals.
//!
//! Gates come in topological order; a literal is an input or an earlier gate, positive or negated, with whole points from 1 to 1,000.
//! The count of a gate is the sum of the points of its literals that hold, and its [`Rule`] says for which counts it holds: AND, OR, XOR,
//! "at least 3 of 7", "exactly 2 of 6" and scorecards are all this. Outputs share gates. What people call a gate (its
//! [`Role`]) is kept with it and changes nothing.
//!
//! A circuit is valid by construction: [`Circuit::new`] refuses what has no meaning.

mod error;
mod evaluate;
mod factored;
mod gate;
mod simplify;

pub use error::{CircuitError, Place};
pub use gate::{Gate, Literal, Role, Rule, Source};

/// Gates over named inputs.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
///
/// let conditions = (0..3).map(Literal::input).collect();
/// let gate = Gate::new(Rule::AtLeast(2), conditions);
/// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
/// let circuit = Circuit::new(names, vec![gate], vec![Output::new("most", Literal::gate(0))])?;
/// assert_eq!(circuit.at(&[true, false, true]), [1]);
/// # Ok::<(), macchiato::circuit::CircuitError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    inputs: Vec<String>,
    gates: Vec<Gate>,
    outputs: Vec<Output>,
}

/// An output: a name, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// What it is called.
    pub name: String,
    /// The input or gate, maybe negated.
    pub literal: Literal,
}

/// float32 holds every whole number below this, so no count reaches it.
const COUNTS: u64 = 1 << 24;

impl Circuit {
    /// A circuit.
    ///
    /// # Errors
    /// Literals of what is not there before, points out of range, counts past 2^24, sums that something reads.
    pub fn new(inputs: Vec<String>, gates: Vec<Gate>, outputs: Vec<Output>) -> Result<Self, CircuitError> {
        let circuit = Self { inputs, gates, outputs };
        for (g, gate) in circuit.gates.iter().enumerate() {
            let place = Place::Gate(g);
            for literal in &gate.literals {
                circuit.check_literal(*literal, place, g)?;
                if !(1..=Literal::MOST).contains(&literal.weight)
                    || gate.rule == Rule::Xor && literal.weight != 1
                {
                    return Err(CircuitError::Weight { place, weight: literal.weight });
                }
                if let Some(sum) = circuit.sum(*literal) {
                    return Err(CircuitError::ReadsSum { place, sum });
                }
            }
            if gate.most() >= COUNTS {
                return Err(CircuitError::TooMany { place, most: gate.most() });
            }
            if let Rule::Counts(ranges) = &gate.rule
                && !(ranges.iter().all(|(from, to)| from <= to)
                    && ranges.windows(2).all(|two| two[0].1.saturating_add(1) < two[1].0))
            {
                return Err(CircuitError::Ranges { place });
            }
        }
        for (o, output) in circuit.outputs.iter().enumerate() {
            let place = Place::Output(o);
            circuit.check_literal(output.literal, place, circuit.gates.len())?;
            if let (Some(sum), false) = (circuit.sum(output.literal), output.literal.positive) {
                return Err(CircuitError::ReadsSum { place, sum });
            }
        }
        Ok(circuit)
    }

    /// The gates as they are: for circuits that are in order by construction.
    pub(crate) const fn made(inputs: Vec<String>, gates: Vec<Gate>, outputs: Vec<Output>) -> Self {
        Self { inputs, gates, outputs }
    }

    /// Circuits over the same inputs side by side, with the outputs of all. Stages and outputs are numbered through.
    ///
    /// # Errors
    /// No circuit, or circuits over other inputs than the first one's.
    pub fn beside(circuits: &[&Self]) -> Result<Self, CircuitError> {
        let first = circuits.first().ok_or(CircuitError::Nothing)?;
        let mut all = Self { inputs: first.inputs.clone(), gates: Vec::new(), outputs: Vec::new() };
        let mut stages = 0;
        for (c, circuit) in circuits.iter().enumerate() {
            if circuit.inputs != first.inputs {
                let target = circuit.outputs.first().map_or(String::new(), |output| output.name.clone());
                return Err(CircuitError::OtherInputs { circuit: c, target });
            }
            let (gates, outputs, before) = (all.gates.len(), all.outputs.len(), stages);
            let moved = |literal: &Literal| match literal.source {
                Source::Gate(gate) => Literal { source: Source::Gate(gates + gate), ..*literal },
                Source::Input(_) => *literal,
            };
            for gate in &circuit.gates {
                let role = match gate.role.clone() {
                    Role::Stage(stage) => {
                        stages = stages.max(before + stage);
                        Role::Stage(before + stage)
                    }
                    Role::Term { stage, term } => Role::Term { stage: before + stage, term },
                    Role::Output(output) => Role::Output(outputs + output),
                    role => role,
                };
                let literals = gate.literals.iter().map(moved).collect();
                all.gates.push(Gate { rule: gate.rule.clone(), literals, role });
            }
            all.outputs.extend(circuit.outputs.iter().map(|o| Output::new(&o.name, moved(&o.literal))));
        }
        Ok(all)
    }

    fn check_literal(&self, literal: Literal, place: Place, gates: usize) -> Result<(), CircuitError> {
        let there = match literal.source {
            Source::Input(input) => input < self.inputs.len(),
            Source::Gate(gate) => gate < gates,
        };
        if there { Ok(()) } else { Err(CircuitError::NotBefore { place, source_name: literal.source }) }
    }

    fn sum(&self, literal: Literal) -> Option<usize> {
        match literal.source {
            Source::Gate(gate) if self.gates[gate].rule == Rule::Sum => Some(gate),
            _ => None,
        }
    }

    /// Names of the inputs.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The gates, each after what it reads.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The outputs.
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The outputs at one point, one value for each input: 0 or 1, or a sum.
    #[must_use]
    pub fn at(&self, x: &[bool]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(self.gates.len());
        let value = |values: &[u64], literal: Literal| {
            let value = match literal.source {
                Source::Input(input) => u64::from(x[input]),
                Source::Gate(gate) => values[gate],
            };
            if literal.positive { value } else { 1 - value }
        };
        for gate in &self.gates {
            let count = gate
                .literals
                .iter()
                .map(|&literal| u64::from(literal.weight) * value(&values, literal))
                .sum();
            values.push(gate.rule.value(count, gate.most()));
        }
        self.outputs.iter().map(|output| value(&values, output.literal)).collect()
    }

    /// The same gates with this as the only output.
    ///
    /// # Panics
    /// If there is no such input or gate.
    #[must_use]
    pub fn with_output(&self, literal: Literal) -> Self {
        assert!(
            self.check_literal(literal, Place::Output(0), self.gates.len()).is_ok(),
            "an output of nothing"
        );
        let name = self.outputs.first().map_or("", |output| &output.name);
        let outputs = vec![Output::new(name, literal)];
        Self { inputs: self.inputs.clone(), gates: self.gates.clone(), outputs }
    }

    /// The gate that an output is, maybe negated; none where it is an input.
    #[must_use]
    pub fn top(&self, output: usize) -> Option<&Gate> {
        match self.outputs.get(output)?.literal.source {
            Source::Gate(gate) => self.gates.get(gate),
            Source::Input(_) => None,
        }
    }

    /// How many gates there are in front of each gate at most, itself included: 1 where it reads inputs alone.
    #[must_use]
    pub fn levels(&self) -> Vec<usize> {
        let mut levels: Vec<usize> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let level = |literal: &Literal| match literal.source {
                Source::Gate(gate) => levels[gate],
                Source::Input(_) => 0,
            };
            levels.push(1 + gate.literals.iter().map(level).max().unwrap_or(0));
        }
        levels
    }

    /// How many literals of gates and outputs read each gate.
    #[must_use]
    pub fn readers(&self) -> Vec<usize> {
        let mut readers = vec![0; self.gates.len()];
        let outputs = self.outputs.iter().map(|output| &output.literal);
        for literal in self.gates.iter().flat_map(|gate| &gate.literals).chain(outputs) {
            if let Source::Gate(gate) = literal.source {
                readers[gate] += 1;
            }
        }
        readers
    }

    /// The largest value of an output: 1, or what a sum goes up to.
    #[must_use]
    pub fn most(&self, output: usize) -> u64 {
        self.sum(self.outputs[output].literal).map_or(1, |gate| self.gates[gate].most())
    }

    /// The inputs that some gate or output reads, in increasing order.
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        let literals = self
            .gates
            .iter()
            .flat_map(|gate| &gate.literals)
            .chain(self.outputs.iter().map(|output| &output.literal));
        let read = |literal: &Literal| match literal.source {
            Source::Input(input) => Some(input),
            Source::Gate(_) => None,
        };
        let mut read: Vec<usize> = literals.filter_map(read).collect();
        read.sort_unstable();
        read.dedup();
        read
    }
}

impl Output {
    /// An output of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, literal: Literal) -> Self {
        Self { name: name.into(), literal }
    }
}

#[cfg(test)]
pub(crate) mod tests;
