//! Circuits, and a compiler, writers and a random generator for them: written for these tests alone.

mod compiled;
mod onnx;
mod random;
mod safetensors;

use std::fmt::Write;

pub(super) use compiled::{Compiled, Layer};
pub(super) use onnx::{Graph, Message, graph, model, onnx, opset, tensor, trans_b, value_info};
pub(super) use random::Random;
pub(super) use safetensors::{safetensors, safetensors_file, safetensors_parts};

/// Literals of a term: input, negated.
pub(super) type Term = Vec<(usize, bool)>;

#[derive(Debug, Clone)]
pub(super) struct Circuit {
    pub(super) inputs: usize,
    /// `J_t` and the terms.
    pub(super) stages: Vec<(Vec<usize>, Vec<Term>)>,
}

impl Circuit {
    pub(super) fn at(&self, x: &[bool]) -> bool {
        let term = |term: &Term| term.iter().all(|&(input, negated)| x[input] != negated);
        self.stages.iter().fold(false, |value, (_, terms)| value ^ terms.iter().any(term))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Xor {
    Flat,
    Triangle,
    /// Folds from this height down to 1.
    From(usize),
    /// Flat XORs of at most this many inputs, in a tree.
    Tree(usize),
}

#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "five independent options")]
pub(super) struct Form {
    pub(super) narrow: bool,
    pub(super) deep: bool,
    pub(super) xor: Xor,
    pub(super) linear: bool,
    pub(super) prune: bool,
    pub(super) onnx: bool,
}

pub(super) const PAPER: Form =
    Form { narrow: false, deep: false, xor: Xor::Flat, linear: false, prune: false, onnx: true };

/// All combinations of the options.
pub(super) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    for bits in 0..32 {
        for xor in [Xor::Flat, Xor::Triangle, Xor::Tree(2), Xor::Tree(3)] {
            let on = |bit: u32| bits >> bit & 1 == 1;
            forms.push(Form { narrow: on(0), deep: on(1), xor, linear: on(2), prune: on(3), onnx: on(4) });
        }
    }
    forms
}

/// Neurons of one layer with coefficients.
type Signal = Vec<(usize, f32)>;

struct Compiler {
    inputs: usize,
    /// For each neuron of each layer, what it reads, and its bias.
    layers: Vec<Vec<(Signal, f32)>>,
    gates: Vec<String>,
}

impl Compiler {
    /// A neuron in layer `l` (from 1) with sparse weights.
    fn neuron(&mut self, l: usize, weights: &[(usize, f32)], bias: f32) -> usize {
        while self.layers.len() < l {
            self.layers.push(Vec::new());
        }
        self.layers[l - 1].push((weights.to_vec(), bias));
        self.layers[l - 1].len() - 1
    }

    fn xor(
        &mut self,
        l: usize,
        fold: Option<usize>,
        reads: &[(String, Signal)],
        number: usize,
    ) -> (String, Signal) {
        let sum: Vec<(usize, f32)> = reads.iter().flat_map(|(_, signal)| signal.clone()).collect();
        let biases: Vec<usize> = match fold {
            None => (0..reads.len()).collect(),
            Some(height) => vec![0, height],
        };
        let hidden: Vec<usize> = biases.iter().map(|&bias| self.neuron(l, &sum, -(bias as f32))).collect();
        let weights: Vec<(usize, f32)> = hidden
            .iter()
            .enumerate()
            .map(|(k, &h)| {
                (
                    h,
                    if k == 0 {
                        1.0
                    } else if k % 2 == 1 {
                        -2.0
                    } else {
                        2.0
                    },
                )
            })
            .collect();
        let output = self.neuron(l + 1, &weights, 0.0);
        let names: Vec<&str> = reads.iter().map(|(name, _)| name.as_str()).collect();
        let neurons: Vec<String> = hidden.iter().map(|h| format!("{l}.{h}")).collect();
        let kind = fold.map_or("flat".to_owned(), |height| format!("fold {height}"));
        let (names, neurons) = (names.join(" "), neurons.join(" "));
        self.gates.push(format!("xor {number} {kind} {names} : {neurons} > {}.{output}", l + 1));
        (format!("v{number}"), vec![(output, 1.0)])
    }
}

pub(super) fn compile(circuit: &Circuit, form: Form) -> Compiled {
    compile_several(std::slice::from_ref(circuit), form)
}

/// Circuits over the same inputs, an output for each.
pub(super) fn compile_several(circuits: &[Circuit], form: Form) -> Compiled {
    let inputs = circuits[0].inputs;
    let mut c = Compiler { inputs, layers: Vec::new(), gates: Vec::new() };
    let stages: Vec<(Vec<usize>, Vec<Term>)> = circuits.iter().flat_map(|c| c.stages.clone()).collect();
    if stages.is_empty() {
        zeros(&mut c, circuits, 1);
        return finish(circuits, form, &c);
    }
    let used = |literal: (usize, bool)| stages.iter().any(|(_, t)| t.iter().any(|t| t.contains(&literal)));
    let mut literals = vec![[None; 2]; inputs];
    for (i, slots) in literals.iter_mut().enumerate() {
        for negated in [false, true] {
            if !form.prune || used((i, negated)) {
                let (sign, bias) = if negated { (-1.0, 1.0) } else { (1.0, 0.0) };
                let n = c.neuron(1, &[(i, sign)], bias);
                c.gates.push(format!("literal {}{i} : 1.{n}", if negated { '-' } else { '+' }));
                slots[usize::from(negated)] = Some(n);
            }
        }
    }
    let mut ands: Vec<Vec<Signal>> = Vec::new();
    for (t, (_, terms)) in stages.iter().enumerate() {
        let mut signals = Vec::new();
        for (q, term) in terms.iter().enumerate() {
            let sum: Vec<(usize, f32)> =
                term.iter().map(|&(i, n)| (literals[i][usize::from(n)].expect("made"), 1.0)).collect();
            let r = term.len() as f32;
            let a = c.neuron(2, &sum, 1.0 - r);
            if form.narrow {
                c.gates.push(format!("and {}.{} narrow : 2.{a}", t + 1, q + 1));
                signals.push(vec![(a, 1.0)]);
            } else {
                let b = c.neuron(2, &sum, -r);
                c.gates.push(format!("and {}.{} two : 2.{a} 2.{b}", t + 1, q + 1));
                signals.push(vec![(a, 1.0), (b, -1.0)]);
            }
        }
        ands.push(signals);
    }
    let mut current: Vec<(String, Signal)> = Vec::new();
    for (t, signals) in ands.iter().enumerate() {
        let sum: Vec<(usize, f32)> = signals.concat();
        let minus: Vec<(usize, f32)> = sum.iter().map(|&(n, w)| (n, -w)).collect();
        let signal = if form.deep {
            let a = c.neuron(3, &minus, 1.0);
            let b = c.neuron(4, &[(a, -1.0)], 1.0);
            c.gates.push(format!("or {} deep : 3.{a} 4.{b}", t + 1));
            vec![(b, 1.0)]
        } else {
            let (a, b) = (c.neuron(3, &sum, 0.0), c.neuron(3, &sum, -1.0));
            c.gates.push(format!("or {} two : 3.{a} 3.{b}", t + 1));
            vec![(a, 1.0), (b, -1.0)]
        };
        current.push((format!("s{}", t + 1), signal));
    }
    let first = if form.deep { 5 } else { 4 };
    let most = circuits.iter().map(|circuit| circuit.stages.len()).max().expect("a circuit");
    let mut number = 0;
    let mut current = current.into_iter();
    for (o, circuit) in circuits.iter().enumerate() {
        let own: Vec<(String, Signal)> = current.by_ref().take(circuit.stages.len()).collect();
        if own.is_empty() {
            // Outputs end in their order, so that this is neuron o; the other outputs may not be there yet.
            let last = first + xor_layers(form.xor, most) - 1;
            assert_eq!(c.neuron(last, &[], 0.0), o);
        } else {
            xors(&mut c, form.xor, (first, most), own, &mut number);
        }
    }
    zeros(&mut c, circuits, 0);
    finish(circuits, form, &c)
}

fn heights(xor: Xor, most: usize) -> Vec<usize> {
    let mut heights = match xor {
        Xor::From(height) => vec![height],
        _ => vec![most.next_power_of_two().max(2) / 2],
    };
    while let Some(&height) = heights.last().filter(|&&height| height > 1) {
        heights.push(height.div_ceil(2));
    }
    heights
}

fn xor_layers(xor: Xor, most: usize) -> usize {
    match xor {
        Xor::Flat => 2,
        Xor::Triangle | Xor::From(_) => 2 * heights(xor, most).len(),
        Xor::Tree(arity) => {
            let rounds = (1..64).find(|&rounds| arity.pow(rounds) >= most).expect("a power");
            2 * rounds as usize
        }
    }
}

/// The XOR of one output's stages, in as many layers as `most` stages need.
fn xors(
    c: &mut Compiler,
    xor: Xor,
    (mut l, most): (usize, usize),
    mut current: Vec<(String, Signal)>,
    number: &mut usize,
) {
    let end = l + xor_layers(xor, most);
    let mut heights = heights(xor, most).into_iter();
    while l < end {
        let (arity, fold) = match xor {
            Xor::Flat => (current.len(), None),
            Xor::Triangle | Xor::From(_) => (current.len(), heights.next()),
            Xor::Tree(arity) => (arity, None),
        };
        let mut next = Vec::new();
        for group in current.chunks(arity) {
            *number += 1;
            next.push(c.xor(l, fold, group, *number));
        }
        current = next;
        l += 2;
    }
}

/// The records of the outputs without stages; with a layer, also their neurons, the only ones there are.
fn zeros(c: &mut Compiler, circuits: &[Circuit], layer: usize) {
    for (o, _) in circuits.iter().enumerate().filter(|(_, circuit)| circuit.stages.is_empty()) {
        if layer > 0 {
            c.neuron(layer, &[], 0.0);
        }
        let last = c.layers.len();
        let of = if circuits.len() > 1 { format!(" {o}") } else { String::new() };
        c.gates.push(format!("zero{of} : {last}.{o}"));
    }
}

fn finish(circuits: &[Circuit], form: Form, c: &Compiler) -> Compiled {
    let mut layers: Vec<Layer> = Vec::new();
    let mut before = c.inputs;
    for layer in &c.layers {
        let dense = |weights: &Vec<(usize, f32)>| {
            let mut row = vec![0.0; before];
            for &(at, weight) in weights {
                row[at] = weight;
            }
            row
        };
        let rows: Vec<Vec<f32>> = layer.iter().map(|(weights, _)| dense(weights)).collect();
        let biases = layer.iter().map(|&(_, bias)| bias).collect();
        before = rows.len();
        layers.push(Layer { rows, biases, relu: true });
    }
    layers.last_mut().expect("a layer").relu = !form.linear;
    let several = circuits.len() > 1;
    let mut lines = vec![format!("inputs {}", c.inputs)];
    lines.extend((0..c.inputs).map(|i| format!("input {i} \"x{}\"", i + 1)));
    if several {
        lines.push(format!("outputs {}", circuits.len()));
        lines.extend((0..circuits.len()).map(|o| format!("output {o} \"y{}\"", o + 1)));
    } else {
        lines.push("target \"y\"".to_owned());
    }
    lines.push(format!("layers {}", layers.len()));
    for (l, layer) in layers.iter().enumerate() {
        lines.push(format!(
            "layer {} {} {}",
            l + 1,
            layer.rows.len(),
            if layer.relu { "relu" } else { "linear" }
        ));
    }
    let of = |(o, circuit): (usize, &Circuit)| circuit.stages.iter().map(move |_| o).collect::<Vec<usize>>();
    let outputs: Vec<usize> = circuits.iter().enumerate().flat_map(of).collect();
    lines.push(format!("stages {}", outputs.len()));
    let stages = circuits.iter().flat_map(|circuit| &circuit.stages);
    for (t, ((chosen, terms), o)) in stages.zip(outputs).enumerate() {
        let chosen: Vec<String> = chosen.iter().map(ToString::to_string).collect();
        let of = if several { format!(" output {o}") } else { String::new() };
        lines.push(format!("stage {}{of} inputs {}", t + 1, chosen.join(" ")));
        for term in terms {
            let mut line = format!("term {}", t + 1);
            for (input, negated) in term {
                write!(line, " {}{input}", if *negated { '-' } else { '+' }).expect("a string takes all");
            }
            lines.push(line);
        }
    }
    lines.extend(c.gates.iter().cloned());
    let mut compiled = Compiled { version: if several { 2 } else { 1 }, onnx: form.onnx, layers, lines };
    compiled.lines.push(format!("sum {}", compiled.partial_sum()));
    compiled.lines.push("end".to_owned());
    compiled
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Every point of the cube.
pub(super) fn cube(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << inputs).map(move |x| (0..inputs).map(|i| x >> i & 1 == 1).collect())
}

/// The small circuit, one without stages, and one of a single stage: three outputs of different depths.
pub(super) fn three() -> Vec<Circuit> {
    let none = Circuit { inputs: 3, stages: Vec::new() };
    let one = Circuit { inputs: 3, stages: vec![(vec![0, 2], vec![vec![(0, false)], vec![(2, true)]])] };
    vec![small(), none, one]
}

/// Two stages over three inputs, three terms: the subject of most forgeries.
pub(super) fn small() -> Circuit {
    Circuit {
        inputs: 3,
        stages: vec![
            (vec![0, 1], vec![vec![(0, false), (1, true)], vec![(1, false)]]),
            (vec![1, 2], vec![vec![(1, false), (2, true)]]),
        ],
    }
}
