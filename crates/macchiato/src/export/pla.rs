//! Berkeley PLA: one two-level cover, with a column for each output.
//!
//! An output that reads few inputs is flattened through its table over them and minimized; the minimizer verifies its cover against the
//! table. One that reads more is written as it is where it is an OR of ANDs of inputs, and refused where it is not.

use super::formula::Formula;
use super::{ExportError, ExportReport, names};
use crate::circuit::{self, Rule, Source};
use crate::words;
use macchiato_minimize::{Cover, Literal, Options, Shape, Table, minimize_table, pla};
use std::collections::HashMap;

/// A literal for each input.
pub(super) type Cube = Vec<Literal>;

pub(super) fn file(formula: &Formula<'_>, report: &mut ExportReport) -> Result<Vec<u8>, ExportError> {
    let (inputs, outputs) = (formula.inputs.len(), formula.outputs.len());
    let mut rows: Vec<(Cube, Vec<bool>)> = Vec::new();
    let mut known: HashMap<Cube, usize> = HashMap::new();
    for o in 0..outputs {
        for cube in cubes(formula, o)? {
            let row = *known.entry(cube.clone()).or_insert(rows.len());
            if row == rows.len() {
                rows.push((cube, vec![false; outputs]));
            }
            rows[row].1[o] = true;
        }
    }
    let mut cover = Cover::new(Shape::new(inputs, outputs));
    for (cube, asserts) in &rows {
        cover.push(cube, asserts);
    }
    (report.gates, report.literals) = (cover.terms(), cover.literals());
    if cover.is_empty() {
        // ABC takes a file without rows for one without inputs; this row asserts nothing.
        cover.push(&vec![Literal::Free; inputs], &vec![false; outputs]);
    }
    let words: Vec<String> = formula.inputs.iter().map(|name| names::word(name)).collect();
    let targets: Vec<String> = formula.outputs.iter().map(|output| names::word(&output.name)).collect();
    let mut out = Vec::new();
    pla::write(&mut out, &cover, Some(&words), Some(&targets))?;
    Ok(out)
}

/// The products of one output.
pub(super) fn cubes(formula: &Formula<'_>, output: usize) -> Result<Vec<Cube>, ExportError> {
    if let Some(gate) = formula.sum(output) {
        return Err(ExportError::SumOutput { gate, output: formula.outputs[output].name.clone() });
    }
    let (support, inputs) = (support(formula, output), formula.inputs.len());
    if support.len() > Table::MAX_INPUTS {
        let products = products(formula, formula.outputs[output].literal).map_err(|gate| {
            let rule = words::rule(&formula.gates[gate]);
            ExportError::NotTwoLevel { gate, rule, found: support.len(), limit: Table::MAX_INPUTS }
        })?;
        return Ok(products.iter().filter_map(|product| cube(product, inputs)).collect());
    }
    let narrow = minimize_table(&table(formula, output, &support)?, &Options::default())?.cover;
    let widen = |term: usize| {
        let mut literals = vec![Literal::Free; inputs];
        for (p, &input) in support.iter().enumerate() {
            literals[input] = narrow.literal(term, p);
        }
        literals
    };
    Ok((0..narrow.terms()).map(widen).collect())
}

/// The inputs that an output reads, in increasing order.
fn support(formula: &Formula<'_>, output: usize) -> Vec<usize> {
    let (mut gates, mut inputs) = (vec![false; formula.gates.len()], vec![false; formula.inputs.len()]);
    let mut read = |source: Source, gates: &mut Vec<bool>| match source {
        Source::Input(input) => inputs[input] = true,
        Source::Gate(gate) => gates[gate] = true,
    };
    read(formula.outputs[output].literal.source, &mut gates);
    for g in (0..formula.gates.len()).rev().collect::<Vec<_>>() {
        if gates[g] {
            formula.gates[g].literals.iter().for_each(|literal| read(literal.source, &mut gates));
        }
    }
    (0..inputs.len()).filter(|&input| inputs[input]).collect()
}

/// Products of inputs, or the gate that is none.
fn products(formula: &Formula<'_>, literal: circuit::Literal) -> Result<Vec<Vec<circuit::Literal>>, usize> {
    let literal = resolve(formula, literal);
    match literal.source {
        Source::Gate(g) if literal.positive && formula.gates[g].rule == Rule::Or => {
            formula.gates[g].literals.iter().map(|&term| product(formula, resolve(formula, term))).collect()
        }
        _ => Ok(vec![product(formula, literal)?]),
    }
}

/// The inputs of an AND, or an input itself.
fn product(formula: &Formula<'_>, literal: circuit::Literal) -> Result<Vec<circuit::Literal>, usize> {
    let Source::Gate(g) = literal.source else { return Ok(vec![literal]) };
    if !literal.positive || formula.gates[g].rule != Rule::And {
        return Err(g);
    }
    let input = |&part: &circuit::Literal| match resolve(formula, part) {
        part @ circuit::Literal { source: Source::Input(_), .. } => Ok(part),
        _ => Err(g),
    };
    formula.gates[g].literals.iter().map(input).collect()
}

/// A gate of one literal, be it an AND, OR or XOR, is that literal.
fn resolve(formula: &Formula<'_>, mut literal: circuit::Literal) -> circuit::Literal {
    while let Source::Gate(g) = literal.source {
        match (&formula.gates[g].rule, formula.gates[g].literals.as_slice()) {
            (Rule::And | Rule::Or | Rule::Xor, &[one]) => literal = one.signed(literal.positive),
            _ => break,
        }
    }
    literal
}

/// The row of a product, unless it asks an input to be 0 and 1.
fn cube(product: &[circuit::Literal], inputs: usize) -> Option<Cube> {
    let mut cube = vec![Literal::Free; inputs];
    for literal in product {
        // What `products` gives reads inputs only.
        let Source::Input(input) = literal.source else { continue };
        let sign = if literal.positive { Literal::Positive } else { Literal::Negative };
        if cube[input] != Literal::Free && cube[input] != sign {
            return None;
        }
        cube[input] = sign;
    }
    Some(cube)
}

/// An output at every point of the inputs that it reads.
fn table(formula: &Formula<'_>, output: usize, support: &[usize]) -> Result<Table, ExportError> {
    let words = (1usize << support.len()).div_ceil(64);
    let mut columns = vec![Vec::new(); formula.inputs.len()];
    for (p, &input) in support.iter().enumerate() {
        columns[input] = (0..words).map(|w| word_of_input(p, w)).collect();
    }
    // Other outputs, and literals that the formula dropped, may read an input outside the support.
    for column in columns.iter_mut().filter(|column| column.is_empty()) {
        column.resize(words, 0);
    }
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let values = &formula.circuit.evaluate(&columns, words)[output];
    Ok(Table::from_fn(support.len(), |x| Some(values[x / 64] >> (x % 64) & 1 == 1))?)
}

/// Word `w` of the column in which row x holds bit `p` of x.
fn word_of_input(p: usize, w: usize) -> u64 {
    match p {
        0..6 => (0..64).filter(|x| x >> p & 1 == 1).fold(0, |word, x| word | 1u64 << x),
        _ if w >> (p - 6) & 1 == 1 => u64::MAX,
        _ => 0,
    }
}
