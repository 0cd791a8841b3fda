//! The certificate as a value: what `docs/certificate.md` says, read and nothing more.
//!
//! Records come in one order, lists are as long as the lines that hold them, and nothing is reserved by a number that the
//! text claims. What is read here is *form*: every number is in its range and every operand names an input or an
//! earlier gate. Whether any of it is true is for `gates` to see. Lines that begin with `training` are other programs' claims, which this
//! crate hands on unread.

use crate::text::{EXACT, Line, Lines, decimal, quoted, signed};
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
        let (mut seen, mut linear) = (HashSet::new(), false);
        let inputs = list(&mut lines, "input", (0, 65_535), |line, _| read_name(line, &mut seen))?;
        let layers = list(&mut lines, "layer", (1, 10_000), |line, _| read_layer(line, &mut linear))?;
        let (b, l) = (inputs.len(), layers.len());
        let gates = list(&mut lines, "gate", (0, 10_000_000), |line, g| read_gate(line, g, b, l))?;
        seen.clear();
        let g = gates.len();
        let outputs = list(&mut lines, "output", (0, 65_535), |line, _| read_output(line, &mut seen, g))?;
        let mut training = Vec::new();
        while lines.peek() == "training" {
            let line = lines.line()?;
            training.push((line.number, line.text.to_owned()));
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

/// `KEYWORDs N`, and then N lines `KEYWORD NUMBER ...`, numbered from `first`, of which `read` takes the rest.
fn list<'a, T>(
    lines: &mut Lines<'a>,
    keyword: &str,
    (first, most): (usize, usize),
    mut read: impl FnMut(&mut Line<'a>, usize) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut line = record(lines, &format!("{keyword}s"))?;
    let number = line.count(&format!("the number of {keyword}s"), 1, most)?;
    line.end()?;
    let (mut all, what) = (Vec::new(), format!("the {keyword}'s number"));
    for at in first..first + number {
        let mut line = record(lines, keyword)?;
        line.count(&what, at, at)?;
        all.push(read(&mut line, at)?);
        line.end()?;
    }
    Ok(all)
}

fn read_network(lines: &mut Lines<'_>) -> Result<(Format, FileClaim), Fault> {
    let mut line = record(lines, "network")?;
    let format = line.parse("`onnx` or `safetensors`", |word| match word {
        "onnx" => Some(Format::Onnx),
        "safetensors" => Some(Format::Safetensors),
        _ => None,
    })?;
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
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let sha256 = line.parse("a digest of 64 hexadecimal digits in lower case", |word| {
            Some(word.to_owned()).filter(|word| word.len() == 64 && word.bytes().all(digit))
        })?;
        line.keyword("bytes")?;
        Ok(Self { sha256, bytes: line.number("the file's length", 0, u64::MAX)? })
    }
}

/// A name that is not among those `seen`.
fn read_name(line: &mut Line<'_>, seen: &mut HashSet<String>) -> Result<String, Fault> {
    let name = line.name("the name")?;
    if seen.insert(name.clone()) {
        return Ok(name);
    }
    line.wrong(format!("a second one is named {}", quoted(&name)))
}

/// `WIDTH relu`, or `WIDTH linear` for the last one.
fn read_layer(line: &mut Line<'_>, linear: &mut bool) -> Result<LayerClaim, Fault> {
    if *linear {
        return line.wrong("only the last layer may be linear");
    }
    let width = line.count("the layer's width", 1, usize::MAX)?;
    *linear = line.parse("`relu` or `linear`", |word| match word {
        "relu" => Some(false),
        "linear" => Some(true),
        _ => None,
    })?;
    Ok(LayerClaim { width, relu: !*linear })
}

/// `RULE LITERALS : LAYER BASE`, and for each neuron `| PLACE SLOPE OFFSET COEFFICIENT`.
fn read_gate(line: &mut Line<'_>, g: usize, inputs: usize, layers: usize) -> Result<Gate, Fault> {
    let kind = read_kind(line)?;
    let operands = read_operands(line, inputs, g)?;
    let layer = line.count("the layer", 1, layers)?;
    let base = line.parse("the constant of a read-out, whole and below 2^24", signed)?;
    let mut neurons = Vec::new();
    while line.more() {
        line.keyword("|")?;
        let at = line.count("the neuron's place", 0, usize::MAX)?;
        let slope = line.parse("a slope, whole and below 2^24", signed)?;
        let offset = line.parse("an offset, whole and below 2^24", signed)?;
        let coefficient = line.parse("a coefficient, whole and below 2^24", signed)?;
        neurons.push(Neuron { at, slope, offset, coefficient });
    }
    Ok(Gate { line: line.number, kind, operands, layer, base, neurons })
}

fn read_kind(line: &mut Line<'_>) -> Result<Kind, Fault> {
    Ok(Kind::Rule(match line.word("the gate's rule")? {
        "relay" => return Ok(Kind::Relay),
        "nor" => return Ok(Kind::Nor),
        "fold" => return Ok(Kind::Fold),
        "and" => Rule::And,
        "or" => Rule::Or,
        "xor" => Rule::Xor,
        "sum" => Rule::Sum,
        "least" => Rule::Least(line.number("the least count", 0, EXACT)?),
        "counts" => Rule::Counts(line.parse("counts in ascending order, like 1-2,4-4", ranges)?),
        other => return line.wrong(format!("{} is no rule", quoted(other))),
    }))
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
    let what = format!("`:`, or a literal of {inputs} inputs and {gates} earlier gates, of 1 to 1000 points");
    let known = |operand: &Operand| match operand.source {
        Source::Input(input) => input < inputs,
        Source::Gate(gate) => gate < gates,
    };
    let mut operands = Vec::new();
    let read = |word: &str| if word == ":" { Some(None) } else { operand(word).filter(known).map(Some) };
    while let Some(operand) = line.parse(&what, read)? {
        operands.push(operand);
    }
    Ok(operands)
}

/// `+x3`, `-g7`, `5*+x3`.
fn operand(word: &str) -> Option<Operand> {
    // One point has one spelling.
    let (weight, literal) = match word.split_once('*') {
        Some((weight, literal)) => (decimal(weight).filter(|weight| (2..=1000).contains(weight))?, literal),
        None => (1, word),
    };
    let (sign, source) = literal.split_at_checked(1).filter(|(sign, _)| ["+", "-"].contains(sign))?;
    let (kind, number) = source.split_at_checked(1)?;
    let number = usize::try_from(decimal(number)?).ok()?;
    let source = match kind {
        "x" => Source::Input(number),
        "g" => Source::Gate(number),
        _ => return None,
    };
    Some(Operand { source, positive: sign == "+", weight })
}

/// `NAME gate GATE most MOST`.
fn read_output(line: &mut Line<'_>, seen: &mut HashSet<String>, gates: usize) -> Result<OutputClaim, Fault> {
    let name = read_name(line, seen)?;
    line.keyword("gate")?;
    let gate = line.count("the output's gate", 0, gates - 1)?;
    line.keyword("most")?;
    Ok(OutputClaim { name, gate, most: line.number("its largest value", 0, EXACT)? })
}
