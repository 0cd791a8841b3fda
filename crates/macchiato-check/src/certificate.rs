//! The certificate as typed records: exactly what `docs/certificate.md` says, in its order.
//!
//! This file holds the types and the frame of the text: the files, the inputs, the layers, the stages. The gates are read in
//! `certificate/gates.rs`, the training records in `certificate/training.rs`. What is checked here is form: the order of the
//! records, the range of each number, that lists ascend. Whether the claims *hold* is for the modules below. Reading takes
//! time and memory linear in the text: every list is as long as the lines and fields that hold it.

mod gates;
mod training;

use crate::text::{Line, Lines, decimal, quoted};
use crate::verdict::Fault;
use std::collections::HashSet;

pub(crate) use gates::{Gate, GateRecord, Neuron, Source};
pub(crate) use training::{Claim, Fraction, Method, RowsFormat, Rule, TAU_UNITS, Training};

/// Every partial sum of the network must stay below this: float32 holds all integers up to it.
pub(crate) const EXACT: u64 = 1 << 24;

/// A certificate that is well formed. Nothing is yet known about its truth.
#[derive(Debug)]
pub(crate) struct Certificate {
    pub(crate) format: NetworkFormat,
    pub(crate) network: FileClaim,
    pub(crate) inputs: Vec<String>,
    /// The name of what each output predicts: one in version 1, several in version 2.
    pub(crate) outputs: Vec<String>,
    pub(crate) layers: Vec<LayerClaim>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) gates: Vec<GateRecord>,
    pub(crate) sum: u64,
    pub(crate) training: Option<Training>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetworkFormat {
    Onnx,
    Safetensors,
}

/// Which file a claim is about.
#[derive(Debug)]
pub(crate) struct FileClaim {
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

#[derive(Debug)]
pub(crate) struct LayerClaim {
    pub(crate) width: usize,
    pub(crate) relu: bool,
}

/// `(J_t, G_t)`: an OR of ANDs over some inputs.
#[derive(Debug)]
pub(crate) struct Stage {
    /// The output whose circuit it belongs to; along the stages it never decreases.
    pub(crate) output: usize,
    pub(crate) inputs: Vec<usize>,
    pub(crate) terms: Vec<Vec<Literal>>,
}

/// An input, or its negation. Ordered by the input, the positive one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Literal {
    pub(crate) input: usize,
    pub(crate) negated: bool,
}

impl Stage {
    /// `F_t` at a point.
    pub(crate) fn at(&self, x: impl Fn(usize) -> bool) -> bool {
        self.terms.iter().any(|term| term.iter().all(|literal| x(literal.input) != literal.negated))
    }
}

impl Certificate {
    /// Reads the text.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut lines = Lines::new(bytes)?;
        let mut line = record(&mut lines, "macchiato-certificate")?;
        let several = match line.word("the version")? {
            "1" => false,
            "2" => true,
            other => return line.wrong(format!("{} is no version that is known here", quoted(other))),
        };
        line.end()?;
        let (format, network) = read_network(&mut lines)?;
        let inputs = read_names(&mut lines, "input", 1)?;
        // From here on the number of outputs tells the versions apart.
        let outputs =
            if several { read_names(&mut lines, "output", 2)? } else { vec![read_target(&mut lines)?] };
        let layers = read_layers(&mut lines, outputs.len())?;
        let stages = read_stages(&mut lines, inputs.len(), outputs.len())?;
        let gates = gates::read(&mut lines, (inputs.len(), outputs.len()), &stages)?;
        let mut line = record(&mut lines, "sum")?;
        let sum = line.number("the largest partial sum", 0, EXACT - 1)?;
        line.end()?;
        let training = match lines.peek() {
            "end" => None,
            // No method learns several circuits at once, so there is nothing to replay.
            _ if several => None,
            _ => Some(training::read(&mut lines, inputs.len(), stages.len())?),
        };
        record(&mut lines, "end")?.end()?;
        lines.done()?;
        Ok(Self { format, network, inputs, outputs, layers, stages, gates, sum, training })
    }

    /// `H_M` of each output at a point.
    pub(crate) fn circuits(&self, x: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut values = vec![false; self.outputs.len()];
        for stage in &self.stages {
            if let Some(value) = values.get_mut(stage.output) {
                *value ^= stage.at(&x);
            }
        }
        values
    }

    /// What the training rows call the only output.
    pub(crate) fn target(&self) -> &str {
        self.outputs.first().map_or("", String::as_str)
    }
}

/// The next line, which must begin with `keyword`.
fn record<'a>(lines: &mut Lines<'a>, keyword: &str) -> Result<Line<'a>, Fault> {
    let mut line = lines.next()?;
    line.keyword(keyword)?;
    Ok(line)
}

fn read_network(lines: &mut Lines<'_>) -> Result<(NetworkFormat, FileClaim), Fault> {
    let mut line = record(lines, "network")?;
    let format = match line.word("the network's format")? {
        "onnx" => NetworkFormat::Onnx,
        "safetensors" => NetworkFormat::Safetensors,
        other => return line.wrong(format!("{} is neither `onnx` nor `safetensors`", quoted(other))),
    };
    let claim = file_claim(&mut line)?;
    line.end()?;
    Ok((format, claim))
}

/// `sha256 HEX bytes N`.
fn file_claim(line: &mut Line<'_>) -> Result<FileClaim, Fault> {
    line.keyword("sha256")?;
    let sha256 = line.word("the digest")?;
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if sha256.len() != 64 || !sha256.bytes().all(digit) {
        return line.wrong("a SHA-256 digest is 64 hexadecimal digits in lower case");
    }
    line.keyword("bytes")?;
    Ok(FileClaim { sha256: sha256.to_owned(), bytes: line.number("the file's length", 0, u64::MAX)? })
}

/// `target NAME`.
fn read_target(lines: &mut Lines<'_>) -> Result<String, Fault> {
    let mut line = record(lines, "target")?;
    let name = line.name("the target's name")?;
    line.end()?;
    Ok(name)
}

/// The record `KINDs N` and N records `KIND I NAME`, no two names the same.
fn read_names(lines: &mut Lines<'_>, kind: &str, least: usize) -> Result<Vec<String>, Fault> {
    let mut line = record(lines, &format!("{kind}s"))?;
    let number = line.count(&format!("the number of {kind}s"), least, 65_535)?;
    line.end()?;
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    for i in 0..number {
        let mut line = record(lines, kind)?;
        line.count(&format!("the {kind}'s number"), i, i)?;
        let name = line.name(&format!("the {kind}'s name"))?;
        if !seen.insert(name.clone()) {
            return line.wrong(format!("a second {kind} is named {}", quoted(&name)));
        }
        line.end()?;
        names.push(name);
    }
    Ok(names)
}

fn read_layers(lines: &mut Lines<'_>, outputs: usize) -> Result<Vec<LayerClaim>, Fault> {
    let mut line = record(lines, "layers")?;
    let number = line.count("the number of layers", 1, 1000)?;
    line.end()?;
    let mut layers = Vec::new();
    for l in 1..=number {
        let mut line = record(lines, "layer")?;
        line.count("the layer's number", l, l)?;
        let width = line.count("the layer's width", 1, usize::MAX)?;
        if l == number && width != outputs {
            return line.wrong(format!("the last layer has width {width}, not {outputs}"));
        }
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

fn read_stages(lines: &mut Lines<'_>, inputs: usize, outputs: usize) -> Result<Vec<Stage>, Fault> {
    let mut line = record(lines, "stages")?;
    let number = line.count("the number of stages", 0, 100_000)?;
    line.end()?;
    let mut stages = Vec::new();
    let mut output = 0;
    for t in 1..=number {
        let mut line = record(lines, "stage")?;
        line.count("the stage's number", t, t)?;
        if outputs > 1 {
            line.keyword("output")?;
            output = line.count("the stage's output", output, outputs - 1)?;
        }
        line.keyword("inputs")?;
        let mut chosen: Vec<usize> = vec![line.count("the stage's first input", 0, inputs - 1)?];
        while line.more() {
            let least = chosen.last().map_or(0, |last| last + 1);
            chosen.push(line.count("the stage's next input", least, inputs - 1)?);
        }
        line.end()?;
        let mut stage = Stage { output, inputs: chosen, terms: Vec::new() };
        let mut seen = HashSet::new();
        while stage.terms.is_empty() || lines.peek() == "term" {
            let mut line = record(lines, "term")?;
            line.count("the term's stage", t, t)?;
            let term = read_term(&mut line, &stage.inputs)?;
            if !seen.insert(term.clone()) {
                return line.wrong(format!("stage {t} has this term already"));
            }
            line.end()?;
            stage.terms.push(term);
        }
        stages.push(stage);
    }
    Ok(stages)
}

/// Literals in ascending order, each of an input of the stage.
fn read_term(line: &mut Line<'_>, stage: &[usize]) -> Result<Vec<Literal>, Fault> {
    let mut term: Vec<Literal> = Vec::new();
    let mut allowed = stage.iter();
    let mut current = allowed.next();
    while term.is_empty() || line.more() {
        let literal = read_literal(line)?;
        if term.last().is_some_and(|last| *last >= literal) {
            return line.wrong("literals must ascend, `+` before `-`");
        }
        // Both lists ascend, so one walk along the stage's inputs finds them all.
        while current.is_some_and(|&input| input < literal.input) {
            current = allowed.next();
        }
        if current != Some(&literal.input) {
            return line.wrong(format!("input {} is none of the stage's inputs", literal.input));
        }
        term.push(literal);
    }
    Ok(term)
}

/// `+I` or `-I`.
fn read_literal(line: &mut Line<'_>) -> Result<Literal, Fault> {
    let word = line.word("a literal")?;
    let (negated, digits) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
        (Some(digits), _) => (false, digits),
        (_, Some(digits)) => (true, digits),
        _ => return line.wrong(format!("{} is no literal", quoted(word))),
    };
    match decimal(digits).and_then(|input| usize::try_from(input).ok()) {
        Some(input) => Ok(Literal { input, negated }),
        None => line.wrong(format!("{} is no literal", quoted(word))),
    }
}
