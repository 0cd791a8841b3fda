//! The gate records: which neurons realize which gate.
//!
//! One record for each gate, in the order literal, and, or, xor, zero. Read here: their form, and that they speak of inputs, stages
//! and terms that exist. That each gate is there once, reads what it must and owns its neurons alone is shown in
//! `crate::gates`.

use super::{Literal, Stage, read_literal};
use crate::certificate::EXACT;
use crate::text::{Line, Lines, decimal, quoted};
use crate::verdict::Fault;
use std::fmt;

/// Neuron `index` (from 0) of layer `layer` (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neuron {
    pub(crate) layer: usize,
    pub(crate) index: usize,
}

/// A gate, and the line that says so.
#[derive(Debug)]
pub(crate) struct GateRecord {
    pub(crate) line: usize,
    pub(crate) gate: Gate,
}

/// Stages, terms and XORs count from 0 here and from 1 in the text.
#[derive(Debug)]
pub(crate) enum Gate {
    Literal {
        literal: Literal,
        neuron: Neuron,
    },
    /// `second` is there in the form `two`, not in the form `narrow`.
    And {
        stage: usize,
        term: usize,
        first: Neuron,
        second: Option<Neuron>,
    },
    Or {
        stage: usize,
        deep: bool,
        first: Neuron,
        second: Neuron,
    },
    /// `fold` is the height of the triangle; without it the XOR is flat.
    Xor {
        number: usize,
        fold: Option<usize>,
        reads: Vec<Source>,
        hidden: Vec<Neuron>,
        output: Neuron,
    },
    /// An output without stages.
    Zero {
        output: usize,
        neuron: Neuron,
    },
}

/// What an XOR reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Stage(usize),
    Xor(usize),
}

impl fmt::Display for Neuron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.layer, self.index)
    }
}

/// The gate's name and its line, for messages.
impl fmt::Display for GateRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.gate {
            Gate::Literal { literal, .. } => {
                write!(f, "literal {}{}", if literal.negated { '-' } else { '+' }, literal.input)?;
            }
            Gate::And { stage, term, .. } => write!(f, "and {}.{}", stage + 1, term + 1)?,
            Gate::Or { stage, .. } => write!(f, "or {}", stage + 1)?,
            Gate::Xor { number, .. } => write!(f, "xor {}", number + 1)?,
            Gate::Zero { .. } => write!(f, "zero")?,
        }
        write!(f, " (line {})", self.line)
    }
}

/// Reads gate records up to the record `sum`.
pub(super) fn read(
    lines: &mut Lines<'_>,
    (inputs, outputs): (usize, usize),
    stages: &[Stage],
) -> Result<Vec<GateRecord>, Fault> {
    const ORDER: [&str; 5] = ["literal", "and", "or", "xor", "zero"];
    let mut gates = Vec::new();
    let (mut reached, mut xors) = (0, 0);
    while lines.peek() != "sum" {
        let mut line = lines.next()?;
        let kind = line.word("a gate")?;
        let Some(rank) = ORDER.iter().position(|&known| known == kind) else {
            return line.wrong(format!("{} where a gate or `sum` must be", quoted(kind)));
        };
        if rank < reached {
            return line.wrong("gates come in the order literal, and, or, xor, zero");
        }
        reached = rank;
        let gate = match kind {
            "literal" => read_literal_gate(&mut line, inputs)?,
            "and" => read_and(&mut line, stages)?,
            "or" => read_or(&mut line, stages.len())?,
            "xor" => {
                xors += 1;
                read_xor(&mut line, stages.len(), xors)?
            }
            _ => read_zero(&mut line, outputs, stages)?,
        };
        gates.push(GateRecord { line: line.number, gate });
        line.end()?;
    }
    Ok(gates)
}

fn read_literal_gate(line: &mut Line<'_>, inputs: usize) -> Result<Gate, Fault> {
    let literal = read_literal(line)?;
    if literal.input >= inputs {
        return line.wrong(format!("input {} of {inputs} (they count from 0)", literal.input));
    }
    line.keyword(":")?;
    Ok(Gate::Literal { literal, neuron: read_neuron(line)? })
}

fn read_and(line: &mut Line<'_>, stages: &[Stage]) -> Result<Gate, Fault> {
    let word = line.word("the term, as T.Q")?;
    let Some((stage, term)) = dotted(word) else { return line.wrong(format!("{} is no term", quoted(word))) };
    let exists = |stage: usize, term: usize| {
        let (stage, term) = (stage.checked_sub(1)?, term.checked_sub(1)?);
        stages.get(stage)?.terms.get(term).map(|_| (stage, term))
    };
    let Some((stage, term)) = exists(stage, term) else {
        return line.wrong(format!("there is no term {word}"));
    };
    let form = line.word("`two` or `narrow`")?;
    if !matches!(form, "two" | "narrow") {
        return line.wrong(format!("{} is neither `two` nor `narrow`", quoted(form)));
    }
    line.keyword(":")?;
    let first = read_neuron(line)?;
    let second = if form == "two" { Some(read_neuron(line)?) } else { None };
    Ok(Gate::And { stage, term, first, second })
}

fn read_or(line: &mut Line<'_>, stages: usize) -> Result<Gate, Fault> {
    let stage = line.count("the stage", 1, stages)? - 1;
    let deep = match line.word("`two` or `deep`")? {
        "two" => false,
        "deep" => true,
        other => return line.wrong(format!("{} is neither `two` nor `deep`", quoted(other))),
    };
    line.keyword(":")?;
    Ok(Gate::Or { stage, deep, first: read_neuron(line)?, second: read_neuron(line)? })
}

fn read_xor(line: &mut Line<'_>, stages: usize, number: usize) -> Result<Gate, Fault> {
    line.count("the XOR's number", number, number)?;
    let fold = match line.word("`flat` or `fold`")? {
        "flat" => None,
        "fold" => Some(line.count("the fold's height", 1, EXACT as usize - 1)?),
        other => return line.wrong(format!("{} is neither `flat` nor `fold`", quoted(other))),
    };
    let mut reads = Vec::new();
    loop {
        let word = line.word("an input of the XOR, or `:`")?;
        if word == ":" && !reads.is_empty() {
            break;
        }
        let numbered = |digits: &str, most: usize| {
            let number = usize::try_from(decimal(digits)?).ok()?;
            if number <= most { number.checked_sub(1) } else { None }
        };
        let source = match (word.strip_prefix('s'), word.strip_prefix('v')) {
            (Some(digits), _) => numbered(digits, stages).map(Source::Stage),
            (_, Some(digits)) => numbered(digits, number - 1).map(Source::Xor),
            _ => None,
        };
        match source {
            Some(source) => reads.push(source),
            None => return line.wrong(format!("{} is neither a stage nor an earlier XOR", quoted(word))),
        }
    }
    let mut hidden = vec![read_neuron(line)?];
    loop {
        let word = line.word("a neuron, or `>`")?;
        if word == ">" {
            break;
        }
        hidden.push(neuron(line, word)?);
    }
    Ok(Gate::Xor { number: number - 1, fold, reads, hidden, output: read_neuron(line)? })
}

fn read_zero(line: &mut Line<'_>, outputs: usize, stages: &[Stage]) -> Result<Gate, Fault> {
    let output = if outputs > 1 { line.count("the output", 0, outputs - 1)? } else { 0 };
    if stages.binary_search_by_key(&output, |stage| stage.output).is_ok() {
        return line.wrong("`zero` is for a circuit without stages");
    }
    line.keyword(":")?;
    Ok(Gate::Zero { output, neuron: read_neuron(line)? })
}

fn read_neuron(line: &mut Line<'_>) -> Result<Neuron, Fault> {
    let word = line.word("a neuron, as L.N")?;
    neuron(line, word)
}

fn neuron(line: &Line<'_>, word: &str) -> Result<Neuron, Fault> {
    match dotted(word) {
        Some((layer, index)) => Ok(Neuron { layer, index }),
        None => line.wrong(format!("{} is no neuron", quoted(word))),
    }
}

/// Two numbers with a point between them.
fn dotted(word: &str) -> Option<(usize, usize)> {
    let (a, b) = word.split_once('.')?;
    Some((usize::try_from(decimal(a)?).ok()?, usize::try_from(decimal(b)?).ok()?))
}
