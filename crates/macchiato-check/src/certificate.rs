//! The certificate as a value: what `docs/certificate.md` says, read and nothing more.
//!
//! Records come in one order, lists are as long as the lines that hold them, and nothing is reserved by a number that the
//! text claims. What is read here is *form*: every number is in its range and every operand names an input or an
//! earlier gate. Whether any of it is true is for `gates` to see. Lines that begin with `training` are other programs' claims, which this
//! crate hands on unread.

use crate::text::{EXACT, Line, Lines, decimal, quoted};
use crate::verdict::Fault;
use std::collections::HashSet;

/// What a certificate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// How the network file is written.
    pub format: Format,
    /// The network file that is meant.
    pub network: FileClaim,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// The layers, first to last.
    pub layers: Vec<LayerClaim>,
    /// The gates, each after what it reads.
    pub gates: Vec<Gate>,
    /// What each neuron of the last layer gives.
    pub outputs: Vec<OutputClaim>,
    /// Lines about training, with their numbers.
    pub training: Vec<(usize, String)>,
}

/// How a network file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// ONNX.
    Onnx,
    /// safetensors.
    Safetensors,
}

/// A file, by its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileClaim {
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// A layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerClaim {
    /// Neurons.
    pub width: usize,
    /// Whether a `ReLU` follows the weights.
    pub relu: bool,
}

/// A gate and its neurons, all in one layer: what it reads, what it answers, how its answer is read out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// The line that says so.
    pub line: usize,
    /// What it answers.
    pub kind: Kind,
    /// The literals that it counts.
    pub operands: Vec<Operand>,
    /// The layer of its neurons, from 1.
    pub layer: usize,
    /// The constant of its read-out.
    pub base: i64,
    /// Its neurons.
    pub neurons: Vec<Neuron>,
}

/// What a gate answers to its count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A gate of the circuit.
    Rule(Rule),
    /// The same as its one operand, a layer further on.
    Relay,
    /// Helper: whether nothing holds. A deep OR is the negation of one.
    Nor,
    /// Helper: a number as odd as the count. An XOR may be made of several.
    Fold,
}

/// The rule of a gate: for which counts it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// All hold.
    And,
    /// Some hold.
    Or,
    /// An odd number holds.
    Xor,
    /// The count is at least this.
    Least(u64),
    /// The count lies in one of these ranges, which ascend and do not touch.
    Counts(Vec<(u64, u64)>),
    /// The gate's value is the count itself.
    Sum,
}

/// A literal of a gate: an input or an earlier gate, maybe negated, with the points that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// What it reads.
    pub source: Source,
    /// Whether it counts where the source is 1.
    pub positive: bool,
    /// Points, from 1 to 1,000.
    pub weight: u64,
}

/// An input or a gate, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// An input.
    Input(usize),
    /// A gate.
    Gate(usize),
}

/// A neuron of a gate: it gets `slope * count + offset`, and the read-out has it `coefficient` times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neuron {
    /// Its place in the layer, from 0.
    pub at: usize,
    /// Slope.
    pub slope: i64,
    /// Offset.
    pub offset: i64,
    /// Coefficient in the read-out.
    pub coefficient: i64,
}

/// An output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputClaim {
    /// What it is called.
    pub name: String,
    /// The gate that it is.
    pub gate: usize,
    /// Its largest value: 1 for an answer, more for a sum.
    pub most: u64,
}

impl Certificate {
    /// Reads a text.
    ///
    /// # Errors
    /// The first place where it breaks the format.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut lines = Lines::new(bytes)?;
        let mut line = record(&mut lines, "macchiato-certificate")?;
        line.number("the version", 1, 1)?;
        line.end()?;
        let (format, network) = read_network(&mut lines)?;
        let inputs = read_names(&mut lines)?;
        let layers = read_layers(&mut lines)?;
        let gates = read_gates(&mut lines, inputs.len(), layers.len())?;
        let outputs = read_outputs(&mut lines, gates.len())?;
        let mut training = Vec::new();
        while lines.peek() == "training" {
            let line = lines.line()?;
            training.push((line.number, line.text().to_owned()));
        }
        record(&mut lines, "end")?.end()?;
        lines.done()?;
        Ok(Self { format, network, inputs, layers, gates, outputs, training })
    }
}

/// The next line, which must begin with `keyword`.
fn record<'a>(lines: &mut Lines<'a>, keyword: &str) -> Result<Line<'a>, Fault> {
    let mut line = lines.line()?;
    line.keyword(keyword)?;
    Ok(line)
}

/// A record `KEYWORD N` that says how many records follow.
fn number_of(lines: &mut Lines<'_>, keyword: &str, least: usize, most: usize) -> Result<usize, Fault> {
    let mut line = record(lines, keyword)?;
    let number = line.count(&format!("the number of {keyword}"), least, most)?;
    line.end()?;
    Ok(number)
}

fn read_network(lines: &mut Lines<'_>) -> Result<(Format, FileClaim), Fault> {
    let mut line = record(lines, "network")?;
    let format = match line.word("the network's format")? {
        "onnx" => Format::Onnx,
        "safetensors" => Format::Safetensors,
        other => return line.wrong(format!("{} is neither `onnx` nor `safetensors`", quoted(other))),
    };
    let claim = FileClaim::read(&mut line)?;
    line.end()?;
    Ok((format, claim))
}

impl FileClaim {
    /// `sha256 HEX bytes N`.
    ///
    /// # Errors
    /// Anything else.
    pub fn read(line: &mut Line<'_>) -> Result<Self, Fault> {
        line.keyword("sha256")?;
        let sha256 = line.word("the digest")?;
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if sha256.len() != 64 || !sha256.bytes().all(digit) {
            return line.wrong("a SHA-256 digest is 64 hexadecimal digits in lower case");
        }
        line.keyword("bytes")?;
        Ok(Self { sha256: sha256.to_owned(), bytes: line.number("the file's length", 0, u64::MAX)? })
    }
}

fn read_names(lines: &mut Lines<'_>) -> Result<Vec<String>, Fault> {
    let number = number_of(lines, "inputs", 1, 65_535)?;
    let mut names = Names::default();
    for i in 0..number {
        let mut line = record(lines, "input")?;
        line.count("the input's number", i, i)?;
        names.read(&mut line)?;
        line.end()?;
    }
    Ok(names.all)
}

/// Names, no two of them the same.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    seen: HashSet<String>,
}

impl Names {
    fn read(&mut self, line: &mut Line<'_>) -> Result<(), Fault> {
        let name = line.name("the name")?;
        if !self.seen.insert(name.clone()) {
            return line.wrong(format!("a second one is named {}", quoted(&name)));
        }
        self.all.push(name);
        Ok(())
    }
}

fn read_layers(lines: &mut Lines<'_>) -> Result<Vec<LayerClaim>, Fault> {
    let number = number_of(lines, "layers", 1, 10_000)?;
    let mut layers = Vec::new();
    for l in 1..=number {
        let mut line = record(lines, "layer")?;
        line.count("the layer's number", l, l)?;
        let width = line.count("the layer's width", 1, usize::MAX)?;
        let relu = match line.word("the layer's activation")? {
            "relu" => true,
            "linear" if l == number => false,
            "linear" => return line.wrong("only the last layer may be linear"),
            other => return line.wrong(format!("{} is no activation", quoted(other))),
        };
        line.end()?;
        layers.push(LayerClaim { width, relu });
    }
    Ok(layers)
}

fn read_gates(lines: &mut Lines<'_>, inputs: usize, layers: usize) -> Result<Vec<Gate>, Fault> {
    let number = number_of(lines, "gates", 1, 10_000_000)?;
    let mut gates = Vec::new();
    for g in 0..number {
        let mut line = record(lines, "gate")?;
        line.count("the gate's number", g, g)?;
        let kind = read_kind(&mut line)?;
        let operands = read_operands(&mut line, inputs, g)?;
        let layer = line.count("the layer", 1, layers)?;
        let base = line.signed("the constant of the read-out")?;
        let mut neurons = Vec::new();
        while line.more() {
            line.keyword("|")?;
            let at = line.count("the neuron's place", 0, usize::MAX)?;
            let (slope, offset) = (line.signed("the slope")?, line.signed("the offset")?);
            neurons.push(Neuron { at, slope, offset, coefficient: line.signed("the coefficient")? });
        }
        gates.push(Gate { line: line.number, kind, operands, layer, base, neurons });
        line.end()?;
    }
    Ok(gates)
}

fn read_kind(line: &mut Line<'_>) -> Result<Kind, Fault> {
    let rule = match line.word("the gate's rule")? {
        "relay" => return Ok(Kind::Relay),
        "nor" => return Ok(Kind::Nor),
        "fold" => return Ok(Kind::Fold),
        "and" => Rule::And,
        "or" => Rule::Or,
        "xor" => Rule::Xor,
        "sum" => Rule::Sum,
        "least" => Rule::Least(line.number("the least count", 0, EXACT)?),
        "counts" => {
            let word = line.word("the counts")?;
            match ranges(word) {
                Some(ranges) => Rule::Counts(ranges),
                None => return line.wrong(format!("{} are no counts in ascending order", quoted(word))),
            }
        }
        other => return line.wrong(format!("{} is no rule", quoted(other))),
    };
    Ok(Kind::Rule(rule))
}

/// `2-2,4-7`: ranges that ascend and leave a gap between them.
fn ranges(word: &str) -> Option<Vec<(u64, u64)>> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for range in word.split(',') {
        let (from, to) = range.split_once('-')?;
        let (from, to) = (decimal(from)?, decimal(to).filter(|&to| to <= EXACT)?);
        if from > to || ranges.last().is_some_and(|&(_, last)| from <= last + 1) {
            return None;
        }
        ranges.push((from, to));
    }
    Some(ranges)
}

/// Literals up to a colon, each of an input or an earlier gate.
fn read_operands(line: &mut Line<'_>, inputs: usize, gates: usize) -> Result<Vec<Operand>, Fault> {
    let mut operands = Vec::new();
    loop {
        let word = line.word("a literal, or `:`")?;
        if word == ":" {
            return Ok(operands);
        }
        match operand(word) {
            Some(operand) if !(1..=1000).contains(&operand.weight) => {
                return line.wrong(format!("{} points, not from 1 to 1000", operand.weight));
            }
            Some(Operand { source: Source::Input(input), .. }) if input >= inputs => {
                return line.wrong(format!("input {input} of {inputs} (they count from 0)"));
            }
            Some(Operand { source: Source::Gate(gate), .. }) if gate >= gates => {
                return line.wrong(format!("gate {gate} is not an earlier one"));
            }
            Some(operand) => operands.push(operand),
            None => return line.wrong(format!("{} is no literal", quoted(word))),
        }
    }
}

/// `+x3`, `-g7`, `5*+x3`.
fn operand(word: &str) -> Option<Operand> {
    let (weight, literal) = match word.split_once('*') {
        // One point has one spelling.
        Some((weight, literal)) => (decimal(weight).filter(|&weight| weight != 1)?, literal),
        None => (1, word),
    };
    let (positive, source) = match literal.strip_prefix('+') {
        Some(source) => (true, source),
        None => (false, literal.strip_prefix('-')?),
    };
    let number = |digits| decimal(digits).and_then(|number| usize::try_from(number).ok());
    let source = match source.strip_prefix('x') {
        Some(input) => Source::Input(number(input)?),
        None => Source::Gate(number(source.strip_prefix('g')?)?),
    };
    Some(Operand { source, positive, weight })
}

fn read_outputs(lines: &mut Lines<'_>, gates: usize) -> Result<Vec<OutputClaim>, Fault> {
    let number = number_of(lines, "outputs", 1, 65_535)?;
    let mut names = Names::default();
    let mut claims = Vec::new();
    for o in 0..number {
        let mut line = record(lines, "output")?;
        line.count("the output's number", o, o)?;
        names.read(&mut line)?;
        line.keyword("gate")?;
        let gate = line.count("the output's gate", 0, gates - 1)?;
        line.keyword("most")?;
        claims.push((gate, line.number("its largest value", 0, EXACT)?));
        line.end()?;
    }
    let named = names.all.into_iter().zip(claims);
    Ok(named.map(|(name, (gate, most))| OutputClaim { name, gate, most }).collect())
}
