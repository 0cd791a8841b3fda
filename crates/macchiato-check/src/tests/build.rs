//! Circuits and a compiler for them, written for these tests alone: it shares no code with the checker.

mod compiled;
mod onnx;
mod random;
mod safetensors;

use std::collections::HashMap;

pub(crate) use compiled::{Compiled, Layer, Placed};
pub(crate) use onnx::{Graph, Message, graph, model, opset, tensor, trans_b, value_info};
pub(crate) use random::Random;
pub(crate) use safetensors::{safetensors_file, safetensors_parts};

/// An input or a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum From {
    X(usize),
    G(usize),
}

/// A literal with its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) from: From,
    pub(crate) positive: bool,
    pub(crate) weight: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    And,
    Or,
    Xor,
    Least(i64),
    /// Counts for which it holds, as the certificate writes them and one by one.
    Counts(&'static str, &'static [i64]),
    Sum,
}

#[derive(Debug, Clone)]
pub(crate) struct Circuit {
    pub(crate) inputs: usize,
    pub(crate) gates: Vec<(Op, Vec<Read>)>,
    pub(crate) outputs: Vec<Read>,
}

/// `x(0)`, `!x(1)`: literals of one point.
pub(crate) const fn x(input: usize) -> Read {
    Read { from: From::X(input), positive: true, weight: 1 }
}

pub(crate) const fn g(gate: usize) -> Read {
    Read { from: From::G(gate), positive: true, weight: 1 }
}

impl std::ops::Not for Read {
    type Output = Self;

    fn not(self) -> Self {
        Self { positive: !self.positive, ..self }
    }
}

/// Points for a literal: `3 * x(0)`.
impl std::ops::Mul<Read> for i64 {
    type Output = Read;

    fn mul(self, read: Read) -> Read {
        Read { weight: self, ..read }
    }
}

impl Op {
    pub(crate) fn value(&self, count: i64, whole: i64) -> i64 {
        i64::from(match self {
            Self::And => count == whole,
            Self::Or => count > 0,
            Self::Xor => count % 2 == 1,
            Self::Least(least) => count >= *least,
            Self::Counts(_, counts) => counts.contains(&count),
            Self::Sum => return count,
        })
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::And => "and".to_owned(),
            Self::Or => "or".to_owned(),
            Self::Xor => "xor".to_owned(),
            Self::Least(least) => format!("least {least}"),
            Self::Counts(text, _) => format!("counts {text}"),
            Self::Sum => "sum".to_owned(),
        }
    }
}

impl Circuit {
    pub(crate) fn at(&self, point: &[bool]) -> Vec<i64> {
        let mut values: Vec<i64> = Vec::new();
        let value = |values: &[i64], read: &Read| {
            let value = match read.from {
                From::X(input) => i64::from(point[input]),
                From::G(gate) => values[gate],
            };
            read.weight * if read.positive { value } else { 1 - value }
        };
        for (op, reads) in &self.gates {
            let count = reads.iter().map(|read| value(&values, read)).sum();
            values.push(op.value(count, reads.iter().map(|read| read.weight).sum()));
        }
        self.outputs.iter().map(|read| value(&values, read)).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Xor {
    Flat,
    Triangle,
    /// XORs of at most this many signals, in a tree.
    Tree(usize),
}

/// The options of the compiler.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "five independent options")]
pub(crate) struct Form {
    /// The paper's first layer, of each input and its negation.
    pub(crate) literals: bool,
    /// One neuron for an AND.
    pub(crate) narrow: bool,
    /// OR by NOR and NOT.
    pub(crate) deep: bool,
    pub(crate) xor: Xor,
    pub(crate) linear: bool,
    pub(crate) onnx: bool,
}

pub(crate) const PAPER: Form =
    Form { literals: true, narrow: false, deep: false, xor: Xor::Flat, linear: false, onnx: true };

/// All combinations of the options.
pub(crate) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    for bits in 0..32 {
        for xor in [Xor::Flat, Xor::Triangle, Xor::Tree(2), Xor::Tree(3)] {
            let on = |bit: u32| bits >> bit & 1 == 1;
            forms.push(Form { literals: on(0), narrow: on(1), deep: on(2), xor, linear: on(3), onnx: on(4) });
        }
    }
    forms
}

/// A gate's neurons before they have a place: slope, offset, coefficient.
type Bank = Vec<[i64; 3]>;

struct Compiler {
    gates: Vec<Placed>,
    most: Vec<i64>,
    widths: Vec<usize>,
    relays: HashMap<(From, usize), From>,
}

/// The base and the neurons of a function of a count, one for each change of its step.
fn bank(most: i64, value: impl Fn(i64) -> i64) -> (i64, Bank) {
    let (mut step, mut neurons) = (0, Vec::new());
    for count in 0..most {
        let next = value(count + 1) - value(count);
        if next != step {
            neurons.push([1, -count, next - step]);
            step = next;
        }
    }
    if neurons.is_empty() {
        // A neuron all the same, so that no layer is empty.
        return (0, vec![[0, value(0), 1]]);
    }
    (value(0), neurons)
}

impl Compiler {
    fn layer(&self, from: From) -> usize {
        match from {
            From::X(_) => 0,
            From::G(gate) => self.gates[gate].layer,
        }
    }

    fn whole(&self, reads: &[Read]) -> i64 {
        let most = |read: &Read| match read.from {
            From::X(_) => read.weight,
            From::G(gate) => read.weight * self.most[gate],
        };
        reads.iter().map(most).sum()
    }

    /// A relay of the signal in this layer.
    fn carry(&mut self, mut from: From, layer: usize) -> From {
        while self.layer(from) < layer {
            let key = (from, self.layer(from) + 1);
            if let Some(&relay) = self.relays.get(&key) {
                from = relay;
                continue;
            }
            let fold = matches!(from, From::G(gate) if self.gates[gate].rule == "fold");
            let read = Read { from, positive: true, weight: 1 };
            from = self.place(if fold { "fold" } else { "relay" }, vec![read], (0, vec![[1, 0, 1]]));
            self.relays.insert(key, from);
        }
        from
    }

    /// Puts a gate into the first layer behind what it reads.
    fn place(&mut self, rule: &str, mut reads: Vec<Read>, (base, bank): (i64, Bank)) -> From {
        let before = reads.iter().map(|read| self.layer(read.from)).max().unwrap_or(0);
        for read in &mut reads {
            read.from = self.carry(read.from, before);
        }
        let (whole, layer) = (self.whole(&reads), before + 1);
        self.widths.resize(self.widths.len().max(layer), 0);
        let mut neurons = Vec::new();
        for [slope, offset, coefficient] in bank {
            neurons.push([self.widths[layer - 1] as i64, slope, offset, coefficient]);
            self.widths[layer - 1] += 1;
        }
        let gate = Placed { rule: rule.to_owned(), reads, layer, base, neurons };
        let values = (0..=whole).map(|count| gate.value(count, true));
        self.most.push(match rule {
            "relay" | "sum" => whole,
            "fold" => values.max().unwrap_or(1).max(1),
            _ => 1,
        });
        self.gates.push(gate);
        From::G(self.gates.len() - 1)
    }

    fn gate(&mut self, op: &Op, mut reads: Vec<Read>, form: Form) -> From {
        let signal = |from| Read { from, positive: true, weight: 1 };
        let whole = self.whole(&reads);
        match op {
            Op::And if !form.narrow => {
                return self.place("and", reads, (0, vec![[1, 1 - whole, 1], [1, -whole, -1]]));
            }
            Op::And if whole > 0 => return self.place("and", reads, (0, vec![[1, 1 - whole, 1]])),
            Op::Or if form.deep => {
                let nor = self.place("nor", reads, (0, vec![[-1, 1, 1]]));
                return self.place("or", vec![!signal(nor)], (0, vec![[1, 0, 1]]));
            }
            Op::Or => return self.place("or", reads, (0, vec![[1, 0, 1], [1, -1, -1]])),
            Op::Xor => match form.xor {
                Xor::Flat => {}
                Xor::Triangle => {
                    let mut height = (whole as usize).next_power_of_two() as i64 / 2;
                    while height > 1 {
                        let fold = self.place("fold", reads, (0, vec![[1, 0, 1], [1, -height, -2]]));
                        reads = vec![signal(fold)];
                        height /= 2;
                    }
                }
                Xor::Tree(arity) => {
                    while reads.len() > arity {
                        let mut next = Vec::new();
                        for group in reads.chunks(arity) {
                            let odd = bank(group.len() as i64, |count| count % 2);
                            next.push(signal(self.place("fold", group.to_vec(), odd)));
                        }
                        reads = next;
                    }
                }
            },
            _ => {}
        }
        let whole = self.whole(&reads);
        self.place(&op.name(), reads, bank(whole, |count| op.value(count, whole)))
    }
}

pub(crate) fn compile(circuit: &Circuit, form: Form) -> Compiled {
    let mut c = Compiler { gates: Vec::new(), most: Vec::new(), widths: Vec::new(), relays: HashMap::new() };
    let mut literals = HashMap::new();
    if form.literals {
        for literal in (0..circuit.inputs).flat_map(|input| [x(input), !x(input)]) {
            let gate = c.place("relay", vec![literal], (0, vec![[1, 0, 1]]));
            literals.insert((literal.from, literal.positive), gate);
        }
    }
    let mut ends: Vec<From> = Vec::new();
    let find = |ends: &[From], read: &Read| match read.from {
        From::G(gate) => Read { from: ends[gate], ..*read },
        From::X(_) => match literals.get(&(read.from, read.positive)) {
            Some(&from) => Read { from, positive: true, ..*read },
            None => *read,
        },
    };
    for (op, reads) in &circuit.gates {
        let reads = reads.iter().map(|read| find(&ends, read)).collect();
        let end = c.gate(op, reads, form);
        ends.push(end);
    }
    let last = c.widths.len();
    let mut outputs = Vec::new();
    for (o, read) in circuit.outputs.iter().enumerate() {
        let read = find(&ends, read);
        let read = Read { from: c.carry(read.from, last), ..read };
        let From::G(gate) = c.place("relay", vec![read], (0, vec![[1, 0, 1]])) else { continue };
        outputs.push((format!("y{}", o + 1), gate, c.most[gate]));
    }
    let relu = |l: usize| !(form.linear && l == last);
    let activations = (0..c.widths.len()).map(relu).collect::<Vec<bool>>();
    let mut compiled = Compiled {
        onnx: form.onnx,
        inputs: circuit.inputs,
        widths: c.widths,
        activations,
        layers: Vec::new(),
        gates: c.gates,
        outputs,
        edits: Vec::new(),
    };
    compiled.derive();
    compiled
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Every point of the cube.
pub(crate) fn cube(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << inputs).map(move |x| (0..inputs).map(|i| x >> i & 1 == 1).collect())
}

/// Two stages over three inputs, three terms: the subject of most forgeries.
pub(crate) fn small() -> Circuit {
    let gates = vec![
        (Op::And, vec![x(0), !x(1)]),
        (Op::And, vec![x(1)]),
        (Op::And, vec![x(1), !x(2)]),
        (Op::Or, vec![g(0), g(1)]),
        (Op::Or, vec![g(2)]),
        (Op::Xor, vec![g(3), g(4)]),
    ];
    Circuit { inputs: 3, gates, outputs: vec![g(5)] }
}

/// Outputs of different depths that share gates: a term, its negation, counts and points over gates, a sum, an input, 1.
pub(crate) fn shared() -> Circuit {
    let gates = vec![
        (Op::And, vec![x(0), !x(1)]),
        (Op::Least(3), vec![2 * x(0), !x(1), 2 * g(0)]),
        (Op::Counts("0-0,2-2", &[0, 2]), vec![g(0), !g(1), x(2)]),
        (Op::Sum, vec![3 * x(0), 2 * !g(2), g(1)]),
        (Op::Xor, vec![x(0), !x(1), g(1), g(2), x(2)]),
        (Op::And, vec![]),
    ];
    Circuit { inputs: 3, gates, outputs: vec![g(0), !g(2), g(3), g(4), !x(1), g(5)] }
}
