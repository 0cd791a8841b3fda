//! Rows in columns, CSV or TSV: a header with the columns' names, and cells, trimmed, that may be quoted, with `""` for a quote.
//!
//! Where the certificate names tests, they are asked about the cells of their columns, the label is whether the cell of the target is the
//! class, and any other column may be there. Otherwise the columns are the inputs, in the certificate's order, and their cells `0`, `1` or
//! a word for them; the target is the column of the output's name (the last one, if several have it), and those of other outputs
//! are passed over. A column of weights is read as decimals.

use super::cell::{boolean, millionths, split};
use super::names;
use crate::Refusal;
use crate::rows::{Rows, set};
use crate::table::{Table, Test};
use crate::training::{Part, Training, Weight};
use macchiato_check::text::quoted;
use macchiato_check::{Certificate, Fault, Rejection, reject};
use std::collections::HashSet;

/// The weight of one row.
const UNIT: u64 = 1_000_000;

/// The most rows that one line stands for: what the learner repeats at most.
const MOST_REPEATED: u64 = 1 << 16;

/// Which columns say what.
struct Header<'a> {
    columns: usize,
    target: usize,
    /// The text that is label 1; without one the cell's truth is the label.
    class: Option<&'a str>,
    /// For each input its column and its test; without one the cell's truth is the input.
    inputs: Vec<(usize, Option<&'a Test>)>,
    weights: Option<(usize, &'a Weight)>,
}

/// Counts the rows in.
pub(super) fn read<'a>(
    rows: &mut Rows,
    mut lines: impl Iterator<Item = (usize, &'a str)>,
    separator: char,
    certificate: &Certificate,
    training: &Training,
    part: &Part,
) -> Result<(), Refusal> {
    let mut cells = Vec::new();
    let (number, header) = lines.next().unwrap_or((1, ""));
    split(number, header, separator, &mut cells).map_err(Refusal::Rows)?;
    let names: Vec<&str> = cells.iter().map(|(_, name)| name.trim()).collect();
    let header = match &training.table {
        Some(table) => Header::tested(&names, table, part, training.weight.as_ref())?,
        None => Header::plain(&names, certificate, part, training.weight.as_ref())?,
    };
    let mut cells = Vec::new();
    let mut point = vec![0u64; rows.words()];
    for (number, line) in lines {
        split(number, line, separator, &mut cells).map_err(Refusal::Rows)?;
        let fault = |column: usize, why: String| Refusal::Rows(Fault { line: number, column, why });
        if cells.len() != header.columns {
            let why = format!("{} cells where the header has {}", cells.len(), header.columns);
            return Err(fault(line.len() + 1, why));
        }
        let ask = |at: usize, what: &str, answer: &dyn Fn(&str) -> Option<bool>| {
            let (column, cell) = &cells[at];
            answer(cell.trim()).ok_or_else(|| fault(*column, format!("{} {what}", quoted(cell))))
        };
        let bit = "is neither 0, 1 nor a word for them";
        point.fill(0);
        for (input, &(at, test)) in header.inputs.iter().enumerate() {
            let value = match test {
                Some(test) => ask(at, "is nothing that its column's test can be asked about", &|cell| {
                    test.passes(cell, boolean)
                })?,
                None => ask(at, bit, &boolean)?,
            };
            set(&mut point, input, value);
        }
        let label = match header.class {
            Some(class) => cells[header.target].1.trim() == class,
            None => ask(header.target, bit, &boolean)?,
        };
        let counted = match header.weights {
            None => rows.add(&point, label, 1),
            Some((at, weight)) => {
                let (column, cell) = &cells[at];
                let votes = millionths(cell.trim());
                let votes = votes.ok_or_else(|| fault(*column, format!("{} is no weight", quoted(cell))))?;
                add(rows, &point, label, weight, votes).map_err(|why| fault(1, why.to_owned()))?
            }
        };
        if !counted {
            return Err(fault(1, "the weights up to here add up to too much".to_owned()));
        }
    }
    Ok(())
}

/// Counts a row in by its weight in millionths; whether all votes together can be counted.
fn add(
    rows: &mut Rows,
    point: &[u64],
    label: bool,
    weight: &Weight,
    votes: u64,
) -> Result<bool, &'static str> {
    if votes == 0 {
        return Ok(true);
    }
    if !weight.repeats {
        return Ok(rows.add(point, label, votes));
    }
    // The learner repeats rows only while they stay few.
    let times = votes / UNIT;
    if !votes.is_multiple_of(UNIT) || times > MOST_REPEATED {
        return Err("this weight is no small number of rows");
    }
    Ok((0..times).all(|_| rows.add(point, label, 1)))
}

impl<'a> Header<'a> {
    /// Columns are found by name, and each is asked what its tests say.
    fn tested(
        names: &[&str],
        table: &'a Table,
        part: &'a Part,
        weight: Option<&'a Weight>,
    ) -> Result<Self, Rejection> {
        let find = |wanted: &str| {
            let mut found = (0..names.len()).filter(|&at| names[at] == wanted);
            match (found.next(), found.next()) {
                (Some(at), None) => Ok(at),
                _ => reject("rows", format!("not exactly one column is {wanted:?}")),
            }
        };
        let target = find(&table.target)?;
        let input = |(column, test): &'a (String, Test)| Ok((find(column)?, Some(test)));
        let inputs = table.tests.iter().map(input).collect::<Result<Vec<_>, Rejection>>()?;
        let weights = weight.map(|weight| Ok((find(&weight.column)?, weight))).transpose()?;
        let tested = |wanted: usize| inputs.iter().any(|&(at, _)| at == wanted);
        if tested(target) || weights.is_some_and(|(at, _)| at == target || tested(at)) {
            return reject("rows", "classes and weights are no columns to test");
        }
        Ok(Self { columns: names.len(), target, class: part.class.as_deref(), inputs, weights })
    }

    /// Every column but those of labels and weights is an input.
    fn plain(
        names: &[&str],
        certificate: &Certificate,
        part: &Part,
        weight: Option<&'a Weight>,
    ) -> Result<Self, Rejection> {
        let column = |wanted: &str| names.iter().rposition(|name| *name == wanted);
        let name = certificate.outputs.get(part.output).map_or("", |output| &output.name);
        let Some(target) = column(name) else {
            return reject("rows", format!("no column is the target {name:?}"));
        };
        let weights = match weight.map(|weight| (column(&weight.column), weight)) {
            None => None,
            Some((Some(at), weight)) if at != target => Some((at, weight)),
            Some((_, weight)) => {
                return reject("rows", format!("no column of weights is {:?}", weight.column));
            }
        };
        let passed: HashSet<usize> =
            certificate.outputs.iter().filter_map(|output| column(&output.name)).collect();
        let is_input = |at: &usize| !passed.contains(at) && weights.is_none_or(|(weights, _)| weights != *at);
        let inputs: Vec<(usize, Option<&Test>)> =
            (0..names.len()).filter(is_input).map(|at| (at, None)).collect();
        names::check(inputs.iter().map(|&(at, _)| names[at]), &certificate.inputs)?;
        Ok(Self { columns: names.len(), target, class: None, inputs, weights })
    }
}
