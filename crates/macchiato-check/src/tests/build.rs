//! Circuits, and a compiler, writers and a random generator for them: written for these tests alone.

mod onnx;
mod random;
mod safetensors;

use crate::sha256::{hex, sha256};
use std::fmt::Write;

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

#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub(super) rows: Vec<Vec<f32>>,
    pub(super) biases: Vec<f32>,
    pub(super) relu: bool,
}

/// A network and the records of its certificate that come after `network`; both can be tampered with before writing.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) onnx: bool,
    pub(super) layers: Vec<Layer>,
    pub(super) lines: Vec<String>,
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
    let mut c = Compiler { inputs: circuit.inputs, layers: Vec::new(), gates: Vec::new() };
    if circuit.stages.is_empty() {
        c.neuron(1, &[], 0.0);
        c.gates.push("zero : 1.0".to_owned());
        return finish(circuit, form, &c);
    }
    let used =
        |literal: (usize, bool)| circuit.stages.iter().any(|(_, t)| t.iter().any(|t| t.contains(&literal)));
    let mut literals = vec![[None; 2]; circuit.inputs];
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
    for (t, (_, terms)) in circuit.stages.iter().enumerate() {
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
    let mut l = if form.deep { 5 } else { 4 };
    let mut number = 0;
    match form.xor {
        Xor::Flat => drop(c.xor(l, None, &current, 1)),
        Xor::Triangle | Xor::From(_) => {
            let mut height = match form.xor {
                Xor::From(height) => height,
                _ => current.len().next_power_of_two().max(2) / 2,
            };
            while height > 0 {
                number += 1;
                current = vec![c.xor(l, Some(height), &current, number)];
                l += 2;
                height = if height == 1 { 0 } else { height.div_ceil(2) };
            }
        }
        Xor::Tree(arity) => loop {
            let mut next = Vec::new();
            for group in current.chunks(arity) {
                number += 1;
                next.push(c.xor(l, None, group, number));
            }
            l += 2;
            current = next;
            if current.len() == 1 {
                break;
            }
        },
    }
    finish(circuit, form, &c)
}

fn finish(circuit: &Circuit, form: Form, c: &Compiler) -> Compiled {
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
    let mut lines = vec![format!("inputs {}", circuit.inputs)];
    lines.extend((0..circuit.inputs).map(|i| format!("input {i} \"x{}\"", i + 1)));
    lines.push("target \"y\"".to_owned());
    lines.push(format!("layers {}", layers.len()));
    for (l, layer) in layers.iter().enumerate() {
        lines.push(format!(
            "layer {} {} {}",
            l + 1,
            layer.rows.len(),
            if layer.relu { "relu" } else { "linear" }
        ));
    }
    lines.push(format!("stages {}", circuit.stages.len()));
    for (t, (chosen, terms)) in circuit.stages.iter().enumerate() {
        let chosen: Vec<String> = chosen.iter().map(ToString::to_string).collect();
        lines.push(format!("stage {} inputs {}", t + 1, chosen.join(" ")));
        for term in terms {
            let mut line = format!("term {}", t + 1);
            for (input, negated) in term {
                write!(line, " {}{input}", if *negated { '-' } else { '+' }).expect("a string takes all");
            }
            lines.push(line);
        }
    }
    lines.extend(c.gates.iter().cloned());
    let mut compiled = Compiled { onnx: form.onnx, layers, lines };
    compiled.lines.push(format!("sum {}", compiled.partial_sum()));
    compiled.lines.push("end".to_owned());
    compiled
}

impl Compiled {
    /// The largest partial sum, from the dense weights.
    pub(super) fn partial_sum(&self) -> u64 {
        let mut values = vec![1.0f64; self.layers[0].rows[0].len()];
        let mut largest = 0.0f64;
        for layer in &self.layers {
            let mut next = Vec::new();
            for (row, &bias) in layer.rows.iter().zip(&layer.biases) {
                let parts = || row.iter().zip(&values).map(|(&w, v)| (f64::from(w), v));
                largest = largest.max(f64::from(bias).abs() + parts().map(|(w, v)| w.abs() * v).sum::<f64>());
                next.push((f64::from(bias) + parts().map(|(w, v)| w.max(0.0) * v).sum::<f64>()).max(0.0));
            }
            values = next;
        }
        format!("{largest}").parse().expect("a whole number")
    }

    /// The network's float32 output, adding from the left or from the right.
    pub(super) fn at(&self, x: &[bool], backwards: bool) -> f32 {
        let mut values: Vec<f32> = x.iter().map(|&bit| f32::from(u8::from(bit))).collect();
        for layer in &self.layers {
            let one = |(row, &bias): (&Vec<f32>, &f32)| {
                let mut parts: Vec<f32> = row.iter().zip(&values).map(|(w, v)| w * v).collect();
                if backwards {
                    parts.reverse();
                }
                let sum = parts.iter().fold(bias, |sum, part| sum + part);
                if layer.relu && sum < 0.0 { 0.0 } else { sum }
            };
            values = layer.rows.iter().zip(&layer.biases).map(one).collect();
        }
        values[0]
    }

    pub(super) fn network(&self) -> Vec<u8> {
        if self.onnx {
            onnx(self.layers.first().map_or(0, |l| l.rows[0].len()), &self.layers)
        } else {
            safetensors(&self.layers)
        }
    }

    /// The certificate, with the digest of this network.
    pub(super) fn certificate(&self, network: &[u8]) -> String {
        let format = if self.onnx { "onnx" } else { "safetensors" };
        let (digest, length) = (hex(&sha256(network)), network.len());
        let head = format!("macchiato-certificate 1\nnetwork {format} sha256 {digest} bytes {length}\n");
        head + &self.lines.join("\n") + "\n"
    }

    /// Replaces the only line that begins with `from`.
    #[track_caller]
    pub(super) fn line(&mut self, from: &str, to: &str) {
        let at: Vec<usize> = (0..self.lines.len()).filter(|&l| self.lines[l].starts_with(from)).collect();
        assert_eq!(at.len(), 1, "{from}");
        self.lines[at[0]] = to.to_owned();
    }

    /// Removes the only line that begins with `from`.
    #[track_caller]
    pub(super) fn drop(&mut self, from: &str) -> String {
        let at = self.lines.iter().position(|line| line.starts_with(from)).expect(from);
        self.lines.remove(at)
    }
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Every point of the cube.
pub(super) fn cube(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << inputs).map(move |x| (0..inputs).map(|i| x >> i & 1 == 1).collect())
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
