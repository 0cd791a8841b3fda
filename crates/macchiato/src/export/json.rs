//! The circuit as data: inputs, gates in order, outputs, each as model files have it. All gates are there, as they are, with their roles.

use super::formula::Formula;
use crate::model::gates::{GateFile, LiteralFile};
use crate::model::layout;
use serde::Serialize;

#[derive(Serialize)]
struct OutputFile<'a> {
    name: &'a str,
    #[serde(flatten)]
    literal: LiteralFile,
}

pub(super) fn file(formula: &Formula<'_>) -> Result<String, serde_json::Error> {
    let inputs = formula.inputs;
    let gates = formula.circuit.gates().iter().map(|gate| GateFile::new(gate, inputs, None));
    let outputs = formula.outputs.iter().map(|output| OutputFile {
        name: &output.name,
        literal: LiteralFile::new(output.literal.times(1), inputs),
    });
    Ok(format!(
        "{{\n  \"format\": \"macchiato-circuit\",\n  \"version\": 2,\n  \"inputs\": {},\n  \"gates\": {},\n  \"outputs\": {}\n}}\n",
        list(inputs)?,
        list(gates)?,
        list(outputs)?
    ))
}

/// A list with a line for each item.
fn list<T: Serialize>(items: impl IntoIterator<Item = T>) -> Result<String, serde_json::Error> {
    let line = |item: T| serde_json::to_string(&item).map(|compact| layout::line(&compact));
    let lines = items.into_iter().map(line).collect::<Result<Vec<String>, _>>()?;
    Ok(if lines.is_empty() { "[]".to_owned() } else { format!("[\n    {}\n  ]", lines.join(",\n    ")) })
}
