//! A network and its certificate, both open to forgery: computed here, and written.

use super::{From, Read, graph, model, safetensors_file, safetensors_parts};
use crate::sha256::sha256;
use std::fmt::Write;

#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) rows: Vec<Vec<f32>>,
    pub(crate) biases: Vec<f32>,
    pub(crate) relu: bool,
}

/// A gate of the certificate. Its neurons are place, slope, offset and coefficient.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) rule: String,
    pub(crate) reads: Vec<Read>,
    pub(crate) layer: usize,
    pub(crate) base: i64,
    pub(crate) neurons: Vec<[i64; 4]>,
}

/// A network and what its certificate says; both can be tampered with before writing.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub(crate) onnx: bool,
    pub(crate) inputs: usize,
    /// Of the certificate.
    pub(crate) widths: Vec<usize>,
    pub(crate) activations: Vec<bool>,
    /// Of the file.
    pub(crate) layers: Vec<Layer>,
    pub(crate) gates: Vec<Placed>,
    /// Name, gate, most.
    pub(crate) outputs: Vec<(String, usize, i64)>,
    /// Replacements in the text of the certificate, in this order.
    pub(crate) edits: Vec<(String, String)>,
}

impl Placed {
    pub(crate) fn value(&self, count: i64, relu: bool) -> i64 {
        let response = |slope: i64, offset: i64| {
            let value = slope * count + offset;
            if relu { value.max(0) } else { value }
        };
        self.base + self.neurons.iter().map(|&[_, s, o, c]| c * response(s, o)).sum::<i64>()
    }

    fn text(&self) -> String {
        let mut text = self.rule.clone();
        for read in &self.reads {
            let sign = if read.positive { '+' } else { '-' };
            let points = if read.weight == 1 { String::new() } else { format!("{}*", read.weight) };
            let (kind, number) = match read.from {
                From::X(input) => ('x', input),
                From::G(gate) => ('g', gate),
            };
            write!(text, " {points}{sign}{kind}{number}").expect("a string takes all");
        }
        write!(text, " : {} {}", self.layer, self.base).expect("a string takes all");
        for [at, slope, offset, coefficient] in &self.neurons {
            write!(text, " | {at} {slope} {offset} {coefficient}").expect("a string takes all");
        }
        text
    }
}

impl Compiled {
    /// The weights of the file from the gates: also of gates that lie, as far as there is such a neuron.
    pub(crate) fn derive(&mut self) {
        let mut before = self.inputs;
        self.layers.clear();
        for (&width, &relu) in self.widths.iter().zip(&self.activations) {
            self.layers.push(Layer { rows: vec![vec![0.0; before]; width], biases: vec![0.0; width], relu });
            before = width;
        }
        for gate in &self.gates {
            let (mut weights, mut constant) = (vec![0i64; 0], 0);
            for read in &gate.reads {
                let times = if read.positive { read.weight } else { -read.weight };
                constant += read.weight - times.max(0);
                let mut add = |at: usize, weight: i64| {
                    if at < 1 << 16 {
                        weights.resize(weights.len().max(at + 1), 0);
                        weights[at] += weight;
                    }
                };
                match read.from {
                    From::X(input) => add(input, times),
                    From::G(of) => {
                        let Some(of) = self.gates.get(of) else { continue };
                        constant += times * of.base;
                        of.neurons.iter().for_each(|&[at, _, _, c]| add(at as usize, times * c));
                    }
                }
            }
            for &[at, slope, offset, _] in &gate.neurons {
                let Some(layer) = gate.layer.checked_sub(1).and_then(|l| self.layers.get_mut(l)) else {
                    continue;
                };
                let Some(row) = layer.rows.get_mut(at as usize) else { continue };
                row.fill(0.0);
                row.iter_mut().zip(&weights).for_each(|(to, weight)| *to = (slope * weight) as f32);
                layer.biases[at as usize] = (slope * constant + offset) as f32;
            }
        }
    }

    /// All outputs of the file in float32, adding from the left or from the right.
    pub(crate) fn at(&self, x: &[bool], backwards: bool) -> Vec<f32> {
        let mut values: Vec<f32> = x.iter().map(|&bit| f32::from(u8::from(bit))).collect();
        for layer in &self.layers {
            let one = |(row, &bias): (&Vec<f32>, &f32)| {
                let mut parts: Vec<f32> = row.iter().zip(&values).map(|(w, v)| w * v).collect();
                if backwards {
                    parts.reverse();
                }
                let sum = parts.iter().fold(bias, |sum, part| sum + part);
                if layer.relu && sum <= 0.0 { 0.0 } else { sum + 0.0 }
            };
            values = layer.rows.iter().zip(&layer.biases).map(one).collect();
        }
        values
    }

    /// What the gates mean at a point, one by one and without what the checker does to relays and helpers. `None` where the
    /// words mean nothing: a rule that is none, or a signal that is not there.
    pub(crate) fn meaning(&self, x: &[bool]) -> Option<Vec<i64>> {
        let mut values: Vec<i64> = Vec::new();
        for gate in &self.gates {
            let (mut count, mut whole) = (0, 0);
            for read in &gate.reads {
                let value = match read.from {
                    From::X(input) => i64::from(*x.get(input)?),
                    From::G(gate) => *values.get(gate)?,
                };
                count += read.weight * if read.positive { value } else { 1 - value };
                whole += read.weight;
            }
            let (rule, argument) = gate.rule.split_once(' ').unwrap_or((&gate.rule, ""));
            let within = |range: &str| {
                let (from, to) = range.split_once('-')?;
                Some((from.parse::<i64>().ok()?..=to.parse().ok()?).contains(&count))
            };
            values.push(match rule {
                "relay" | "sum" => count,
                "nor" => i64::from(count == 0),
                "fold" | "xor" => count % 2,
                "and" => i64::from(count == whole),
                "or" => i64::from(count > 0),
                "least" => i64::from(count >= argument.parse::<i64>().ok()?),
                "counts" => i64::from(argument.split(',').any(|range| within(range) == Some(true))),
                _ => return None,
            });
        }
        self.outputs.iter().map(|&(_, gate, _)| values.get(gate).copied()).collect()
    }

    pub(crate) fn network(&self) -> Vec<u8> {
        if self.onnx {
            let inputs = self.layers.first().map_or(0, |layer| layer.rows[0].len());
            return model(&graph(inputs, &self.layers).message()).0;
        }
        let (entries, data) = safetensors_parts(&self.layers);
        safetensors_file(&format!("{{{}}}", entries.join(",")), &data)
    }

    /// The certificate, with the digest of this network.
    #[track_caller]
    pub(crate) fn certificate(&self, network: &[u8]) -> String {
        let format = if self.onnx { "onnx" } else { "safetensors" };
        let (digest, length) = (sha256(network), network.len());
        let mut lines = vec!["macchiato-certificate 1".to_owned()];
        lines.push(format!("network {format} sha256 {digest} bytes {length}"));
        lines.push(format!("inputs {}", self.inputs));
        lines.extend((0..self.inputs).map(|i| format!("input {i} \"x{}\"", i + 1)));
        lines.push(format!("layers {}", self.widths.len()));
        for (l, (width, relu)) in self.widths.iter().zip(&self.activations).enumerate() {
            lines.push(format!("layer {} {width} {}", l + 1, if *relu { "relu" } else { "linear" }));
        }
        lines.push(format!("gates {}", self.gates.len()));
        lines.extend(self.gates.iter().enumerate().map(|(g, gate)| format!("gate {g} {}", gate.text())));
        lines.push(format!("outputs {}", self.outputs.len()));
        for (o, (name, gate, most)) in self.outputs.iter().enumerate() {
            lines.push(format!("output {o} {name:?} gate {gate} most {most}"));
        }
        let mut text = lines.join("\n") + "\nend\n";
        for (from, to) in &self.edits {
            assert!(text.contains(from), "{from:?} in\n{text}");
            text = text.replacen(from, to, 1);
        }
        text
    }

    /// Replaces the first place in the certificate that reads `from`.
    pub(crate) fn edit(&mut self, from: &str, to: &str) {
        self.edits.push((from.to_owned(), to.to_owned()));
    }

    /// Appends a gate and gives its number; layers grow as needed, the file does not change.
    pub(crate) fn push(
        &mut self,
        rule: &str,
        reads: &[Read],
        layer: usize,
        base: i64,
        bank: &[[i64; 3]],
    ) -> usize {
        while self.widths.len() < layer {
            self.widths.push(0);
            self.activations.push(true);
        }
        let mut neurons = Vec::new();
        for &[slope, offset, coefficient] in bank {
            neurons.push([self.widths[layer - 1] as i64, slope, offset, coefficient]);
            self.widths[layer - 1] += 1;
        }
        self.gates.push(Placed { rule: rule.to_owned(), reads: reads.to_vec(), layer, base, neurons });
        self.gates.len() - 1
    }

    /// An empty certificate, to be filled by [`Compiled::push`] and [`Compiled::output`].
    pub(crate) fn new(inputs: usize) -> Self {
        Self {
            onnx: true,
            inputs,
            widths: Vec::new(),
            activations: Vec::new(),
            layers: Vec::new(),
            gates: Vec::new(),
            outputs: Vec::new(),
            edits: Vec::new(),
        }
    }

    pub(crate) fn output(&mut self, gate: usize, most: i64) {
        self.outputs.push((format!("y{}", self.outputs.len() + 1), gate, most));
    }
}
