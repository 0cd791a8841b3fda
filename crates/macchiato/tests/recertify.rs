//! Networks whose weights were changed: what is planted is reported, and nothing else; what is issued holds by brute force.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule, Source};
use macchiato::network::{CompileOptions, Compiled, Network, TunedLayer, compile, to_onnx, to_tuned_onnx};
use macchiato::recertify::{Recertified, recertify};
use macchiato::replay::check_decides;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn around_zero(&mut self, most: f32) -> f32 {
        most * (self.below(2001) as f32 / 1000.0 - 1.0)
    }

    /// Different inputs, each with a sign.
    fn literals(&mut self, inputs: usize, number: usize) -> Vec<Literal> {
        let mut left: Vec<usize> = (0..inputs).collect();
        let mut draw = |random: &mut Self| {
            let input = left.swap_remove(random.below(left.len()));
            Literal::input(input).signed(random.below(2) == 0)
        };
        (0..number.min(inputs)).map(|_| draw(self)).collect()
    }

    /// Stages of terms over up to 8 inputs, and an XOR.
    fn staged(&mut self) -> Circuit {
        let inputs = 4 + self.below(5);
        let (mut gates, mut ends) = (Vec::new(), Vec::new());
        for _ in 0..=self.below(3) {
            let mut terms = Vec::new();
            for _ in 0..2 + self.below(3) {
                let length = 2 + self.below(3);
                gates.push(Gate::new(Rule::And, self.literals(inputs, length)));
                terms.push(Literal::gate(gates.len() - 1));
            }
            gates.push(Gate::new(Rule::Or, terms));
            ends.push(Literal::gate(gates.len() - 1));
        }
        gates.push(Gate::new(Rule::Xor, ends));
        of(inputs, gates)
    }

    /// Counts of literals, and an OR of them.
    fn counts(&mut self) -> Circuit {
        let inputs = 5 + self.below(4);
        let mut gates = Vec::new();
        for _ in 0..2 + self.below(2) {
            let literals = self.literals(inputs, 5);
            gates.push(Gate::new(Rule::AtLeast(2 + self.below(3) as u64), literals));
        }
        let ends = (0..gates.len()).map(Literal::gate).collect();
        gates.push(Gate::new(Rule::Xor, ends));
        of(inputs, gates)
    }
}

fn of(inputs: usize, gates: Vec<Gate>) -> Circuit {
    let names = (0..inputs).map(|i| format!("age > {i}")).collect();
    let outputs = vec![Output::new("y", Literal::gate(gates.len() - 1))];
    Circuit::new(names, gates, outputs).expect("a circuit")
}

fn cube(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << inputs).map(move |x| (0..inputs).map(|i| x >> i & 1 == 1).collect())
}

fn dense(network: &Network) -> Vec<TunedLayer> {
    let mut before = network.inputs;
    let mut layers = Vec::new();
    for layer in &network.layers {
        let mut weights = vec![0.0; before * layer.width()];
        for (n, row) in layer.weights.iter().enumerate() {
            for &(from, weight) in row {
                weights[n * before + from as usize] = weight as f32;
            }
        }
        layers.push(TunedLayer { weights, biases: layer.biases.iter().map(|&bias| bias as f32).collect() });
        before = layer.width();
    }
    layers
}

/// A compiled circuit with its certificate, and weights to change.
struct Subject {
    compiled: Compiled,
    certificate: String,
    layers: Vec<TunedLayer>,
}

impl Subject {
    fn new(circuit: &Circuit) -> Self {
        let compiled = compile(circuit, &CompileOptions::default()).expect("a network");
        let file = to_onnx(&compiled.network);
        let certificate =
            certify(circuit, &compiled, NetworkFormat::Onnx, &file, None).expect("a certificate");
        let layers = dense(&compiled.network);
        Self { compiled, certificate, layers }
    }

    fn shake(&mut self, random: &mut Random, most: f32) {
        for layer in &mut self.layers {
            for number in layer.weights.iter_mut().chain(&mut layer.biases).filter(|number| **number != 0.0) {
                *number += random.around_zero(most);
            }
        }
    }

    /// The layer, from 0, and the neurons of a gate of the circuit.
    fn neurons(&self, gate: usize) -> (usize, Vec<usize>) {
        let placed =
            self.compiled.gates.iter().find(|placed| placed.gate == Some(gate)).expect("its neurons");
        (placed.layer - 1, placed.bank.neurons.iter().map(|neuron| neuron.at).collect())
    }

    /// A gate stops reading a literal, and counts on without it; `all` says that it asks for all.
    fn drop_literal(&mut self, gate: usize, literal: Literal, all: bool) {
        let (layer, neurons) = self.neurons(gate);
        let read: Vec<usize> = match literal.source {
            Source::Input(input) => vec![input],
            Source::Gate(read) => self.neurons(read).1,
        };
        let width = self.layers[layer].weights.len() / self.layers[layer].biases.len();
        for n in neurons {
            for &from in &read {
                self.layers[layer].weights[n * width + from] = 0.0;
            }
            // A negated literal has a constant as well.
            let constant = if literal.positive { 0.0 } else { -1.0 };
            self.layers[layer].biases[n] += if all { 1.0 + constant } else { constant };
        }
    }

    fn file(&self) -> Vec<u8> {
        to_tuned_onnx(&self.compiled.network, &self.layers).expect("the same shapes")
    }

    /// The network's output in float32, adding in some order.
    fn at(&self, point: &[bool], random: &mut Random) -> f32 {
        let mut values: Vec<f32> = point.iter().map(|&bit| f32::from(u8::from(bit))).collect();
        for layer in &self.layers {
            let width = values.len();
            let mut order: Vec<usize> = (0..width).collect();
            order.rotate_left(random.below(width));
            if random.below(2) == 0 {
                order.reverse();
            }
            let value = |(row, bias): (&[f32], &f32)| {
                (order.iter().fold(0.0f32, |sum, &i| sum + row[i] * values[i]) + bias).max(0.0)
            };
            values = layer.weights.chunks(width).zip(&layer.biases).map(value).collect();
        }
        values[0]
    }

    /// Asks, and compares everything that is issued with brute force.
    fn ask(&self, wanted: &Circuit, random: &mut Random) -> Recertified {
        let file = self.file();
        let now = recertify(self.certificate.as_bytes(), &file).expect("an answer");
        assert!(now.no_gates.is_empty(), "{:?}", now.no_gates);
        let record = now.record.clone().unwrap_or_else(|why| panic!("{why}"));
        let checked = check_decides(record.as_bytes(), &file);
        assert_eq!(checked.exit_code(), 0, "{checked}");
        assert!(!checked.to_string().contains("equal"));
        let snapped = compile(&now.circuit, &CompileOptions::default()).expect("a network");
        let exact = to_onnx(&snapped.network);
        certify(&now.circuit, &snapped, NetworkFormat::Onnx, &exact, None).expect("a certificate");
        for point in cube(wanted.inputs().len()) {
            let value = wanted.at(&point)[0];
            assert_eq!(now.circuit.at(&point)[0], value);
            let output = self.at(&point, random);
            assert_eq!(output > 0.5, value == 1);
            assert!(f64::from((output - value as f32).abs()) <= now.largest_difference + 1e-6);
            let bits: Vec<i32> = point.iter().map(|&bit| i32::from(bit)).collect();
            assert_eq!(snapped.network.at(&bits), i32::from(value == 1));
        }
        now
    }
}

fn name(literal: Literal) -> String {
    match literal {
        Literal { source: Source::Input(input), positive: true, .. } => format!("`age > {input}`"),
        Literal { source: Source::Input(input), .. } => format!("`NOT age > {input}`"),
        Literal { source: Source::Gate(gate), .. } => format!("gate {gate}"),
    }
}

#[test]
fn training_that_changes_no_function_gives_the_old_circuit() {
    let mut random = Random(1);
    for case in 0..200 {
        let circuit = if case % 2 == 0 { random.staged() } else { random.counts() };
        let mut subject = Subject::new(&circuit);
        subject.shake(&mut random, 0.004);
        let now = subject.ask(&circuit, &mut random);
        assert_eq!(now.changes, []);
        assert_eq!((&now.circuit, now.circuit.gates()), (&now.before, circuit.gates()));
    }
}

#[test]
fn one_threshold() {
    let mut random = Random(2);
    for _ in 0..200 {
        let circuit = random.counts();
        let gate = random.below(circuit.gates().len() - 1);
        let Rule::AtLeast(old) = circuit.gates()[gate].rule else { panic!("a count") };
        let new = [1, 2, 3, 4].into_iter().filter(|new| *new != old).nth(random.below(3)).expect("another");
        let mut subject = Subject::new(&circuit);
        let (layer, neurons) = subject.neurons(gate);
        for n in neurons {
            subject.layers[layer].biases[n] += old as f32 - new as f32;
        }
        subject.shake(&mut random, 0.003);
        let mut gates = circuit.gates().to_vec();
        gates[gate].rule = Rule::AtLeast(new);
        let now = subject.ask(&of(circuit.inputs().len(), gates), &mut random);
        let said =
            format!("stage {} holds now where at least {new} of 5 hold, not at least {old} of 5", gate + 1);
        let changes: Vec<String> = now.changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, [said]);
    }
}

/// The stage and the term, from 1, of a gate that is a term.
fn place(circuit: &Circuit, gate: usize) -> (usize, usize) {
    let or = |(_, gate): &(usize, &Gate)| gate.rule == Rule::Or;
    let stages: Vec<(usize, &Gate)> = circuit.gates().iter().enumerate().filter(or).collect();
    let stage = stages.iter().position(|(g, _)| *g > gate).expect("its stage");
    let term =
        stages[stage].1.literals.iter().position(|term| *term == Literal::gate(gate)).expect("its term");
    (stage + 1, term + 1)
}

#[test]
fn one_literal() {
    let mut random = Random(3);
    for _ in 0..200 {
        let circuit = random.staged();
        let terms: Vec<usize> =
            (0..circuit.gates().len()).filter(|&g| circuit.gates()[g].rule == Rule::And).collect();
        let gate = terms[random.below(terms.len())];
        let mut gates = circuit.gates().to_vec();
        let at = random.below(gates[gate].literals.len());
        let literal = gates[gate].literals.remove(at);
        let mut subject = Subject::new(&circuit);
        subject.drop_literal(gate, literal, true);
        subject.shake(&mut random, 0.004);
        let now = subject.ask(&of(circuit.inputs().len(), gates), &mut random);
        let (stage, term) = place(&circuit, gate);
        // A circuit of one stage is an XOR of one.
        let said = format!("term {term} of stage {stage} lost {}", name(literal));
        let changes: Vec<String> = now.changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, [said]);
    }
}

#[test]
fn one_whole_term() {
    let mut random = Random(4);
    let mut done = 0;
    while done < 200 {
        let circuit = random.staged();
        let stages: Vec<usize> =
            (0..circuit.gates().len()).filter(|&g| circuit.gates()[g].rule == Rule::Or).collect();
        let gate = stages[random.below(stages.len())];
        let mut gates = circuit.gates().to_vec();
        let at = random.below(gates[gate].literals.len());
        let term = gates[gate].literals.remove(at);
        let wanted = of(circuit.inputs().len(), gates);
        let stage = |circuit: &Circuit| circuit.with_output(Literal::gate(gate));
        let same = |point: &Vec<bool>| stage(&circuit).at(point) == stage(&wanted).at(point);
        // A term that the others imply is nothing that a stage could lose.
        if cube(circuit.inputs().len()).all(|point| same(&point)) {
            continue;
        }
        let mut subject = Subject::new(&circuit);
        subject.drop_literal(gate, term, false);
        subject.shake(&mut random, 0.004);
        let now = subject.ask(&wanted, &mut random);
        let number = stages.iter().position(|stage| *stage == gate).expect("its number") + 1;
        let said = format!("stage {number} lost term {} of stage {number}", at + 1);
        let changes: Vec<String> = now.changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, [said]);
        done += 1;
    }
}

/// 20 inputs and 2,000 gates within seconds: the limit here is generous for slow machines, and a hundred times less than 2^20 evaluations.
#[test]
fn a_large_network() {
    let mut random = Random(5);
    let (mut gates, mut stages) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        let mut terms = Vec::new();
        for _ in 0..249 {
            gates.push(Gate::new(Rule::And, random.literals(20, 6)));
            terms.push(Literal::gate(gates.len() - 1));
        }
        gates.push(Gate::new(Rule::Or, terms));
        stages.push(Literal::gate(gates.len() - 1));
    }
    gates.push(Gate::new(Rule::Xor, stages));
    let circuit = of(20, gates);
    let mut subject = Subject::new(&circuit);
    subject.drop_literal(7, circuit.gates()[7].literals[0], true);
    subject.shake(&mut random, 0.000_001);
    let started = std::time::Instant::now();
    let now = recertify(subject.certificate.as_bytes(), &subject.file()).expect("an answer");
    assert_eq!(now.changes.len(), 1, "{:?}", now.changes);
    assert!(now.record.is_ok(), "{:?}", now.record);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    eprintln!("2,001 gates certified again in {:?}", started.elapsed());
}
