//! `--input`: one row, written on the command line.

use anyhow::{Context, bail};
use macchiato::explain::Point;
use macchiato::frame::{Frame, Kind, MISSING, NO_LEVEL, Values};
use macchiato::model::{ClassCircuit, Model};

use crate::data::quoted;

/// The point that `text` says, as the model sees it.
pub(super) fn point(text: &str, model: &Model) -> anyhow::Result<Point> {
    let binarizer = model.binarizer();
    let names: Vec<&str> = binarizer.columns().iter().map(|column| column.name.as_str()).collect();
    let given = given(text, &names)?;
    let mut read = vec![false; names.len()];
    for bit in model.circuits().iter().flat_map(ClassCircuit::support) {
        read[binarizer.bits()[bit].column] = true;
    }
    let missing: Vec<&str> =
        (0..names.len()).filter(|&at| read[at] && given[at].is_none()).map(|at| names[at]).collect();
    if let Some(first) = missing.first() {
        let gap = format!("{first}=");
        let gap = if model.is_plain() { String::new() } else { format!("; if there is none, write {gap:?}") };
        bail!("--input: no value for {}, which the model reads{gap}", quoted(&missing));
    }
    let mut columns = Vec::new();
    for (column, value) in binarizer.columns().iter().zip(given) {
        let value = value.filter(|value| !value.is_empty() && !MISSING.contains(&value.as_str()));
        columns.push(match (column.kind, value) {
            // What is not read may be anything.
            (Kind::Boolean, None) if model.is_plain() => {
                Values::Boolean { bits: vec![0].into(), missing: None }
            }
            (Kind::Boolean, None) => Values::Boolean { bits: vec![0].into(), missing: Some(vec![1].into()) },
            (Kind::Boolean, Some(value)) => {
                Values::Boolean { bits: vec![truth(&column.name, &value)?.into()].into(), missing: None }
            }
            (Kind::Number, None) => Values::Number(vec![f64::NAN].into()),
            (Kind::Number, Some(value)) => match value.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => Values::Number(vec![number].into()),
                _ => bail!("--input: {:?} is {value:?}, and that column holds numbers", column.name),
            },
            (Kind::Category, None) => {
                Values::Category { codes: vec![NO_LEVEL].into(), levels: vec![].into() }
            }
            (Kind::Category, Some(value)) => {
                Values::Category { codes: vec![0].into(), levels: vec![value].into() }
            }
        });
    }
    let names = binarizer.columns().iter().map(|column| column.name.clone()).collect();
    let frame = Frame { source: "--input".to_owned(), names, columns, rows: 1, weights: None };
    Point::of_row(model, &frame, 0).context("--input")
}

/// The value of each name. A comma that no `name=` follows belongs to the value before it.
fn given(text: &str, names: &[&str]) -> anyhow::Result<Vec<Option<String>>> {
    let mut given: Vec<Option<String>> = vec![None; names.len()];
    let mut last = None;
    for part in text.split(',') {
        // The longest, in case a name has a `=` itself.
        let named =
            |at: &usize| part.trim_start().strip_prefix(names[*at]).is_some_and(|rest| rest.starts_with('='));
        let at = (0..names.len()).filter(named).max_by_key(|&at| names[at].len());
        match (at, last) {
            (Some(at), _) => {
                if given[at].is_some() {
                    bail!("--input: {:?} has two values: leave one out", names[at]);
                }
                given[at] = part.trim_start().get(names[at].len() + 1..).map(str::to_owned);
                last = Some(at);
            }
            (None, Some(last)) if !part.contains('=') => {
                if let Some(value) = &mut given[last] {
                    value.push(',');
                    value.push_str(part);
                }
            }
            _ => bail!(
                "--input: {part:?} is no `name=value` of {}: the names are {}",
                if names.len() == 1 { "this one input" } else { "these inputs" },
                quoted(names)
            ),
        }
    }
    Ok(given)
}

fn truth(name: &str, value: &str) -> anyhow::Result<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "0" | "false" | "no" | "f" | "n" => Ok(false),
        "1" | "true" | "yes" | "t" | "y" => Ok(true),
        _ => bail!("--input: {name:?} is {value:?}: use 0 or 1"),
    }
}
