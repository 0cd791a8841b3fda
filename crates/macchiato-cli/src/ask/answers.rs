//! The sheet of rows to label, and the same sheet when it comes back.

use std::path::Path;

use anyhow::{Context, bail};
use macchiato::bits;
use macchiato::bounds::active::Session;
use macchiato::frame::{self, FrameOptions, Kind, Values};

use super::name;
use crate::data::quoted;

/// The column of the labels.
const LABEL: &str = "y";

/// The rows to label as CSV, the last column empty.
pub(super) fn sheet(points: &[Vec<bool>], inputs: usize) -> String {
    let names: Vec<String> = (0..inputs).map(name).collect();
    let mut text = names.join(",") + "," + LABEL + "\n";
    for x in points {
        for &bit in x {
            text.push_str(if bit { "1," } else { "0," });
        }
        text.push('\n');
    }
    text
}

/// Takes the labels of a sheet: columns by name, in any order; rows without a label are passed over. They may take
/// `limit` bytes of memory.
pub(super) fn take(path: &Path, limit: u64, session: &mut Session) -> anyhow::Result<()> {
    let inputs = session.question().inputs;
    let wanted: Vec<String> = (0..inputs).map(name).chain([LABEL.to_owned()]).collect();
    let types = wanted.iter().map(|name| (name.clone(), Kind::Boolean)).collect();
    let mut options = FrameOptions::default();
    (options.types, options.max_bytes) = (types, Some(limit));
    let frame = frame::read(path, &options)?;
    let source = &frame.source;
    let mut columns = Vec::new();
    for name in &wanted {
        match frame.names.iter().position(|column| column == name).map(|at| &frame.columns[at]) {
            Some(values @ Values::Boolean { bits, .. }) => columns.push((values, bits)),
            _ => bail!("{source}: no column {name:?}: give the inputs x1 to x{inputs} and the labels in y"),
        }
    }
    let extra: Vec<&str> =
        frame.names.iter().filter(|name| !wanted.contains(name)).map(String::as_str).collect();
    if !extra.is_empty() {
        bail!("{source}: unknown: {}: give the inputs x1 to x{inputs} and the labels in y", quoted(&extra));
    }
    let (labels, answers) = (&columns[inputs].0, &columns[inputs].1);
    let mut taken = 0;
    for row in (0..frame.rows).filter(|&row| !labels.is_missing(row)) {
        if let Some(input) = (0..inputs).find(|&input| columns[input].0.is_missing(row)) {
            bail!("{source}: row {} has a label and no value in column {:?}", row + 1, wanted[input]);
        }
        let x: Vec<bool> = columns[..inputs].iter().map(|(_, bits)| bits::get(bits, row)).collect();
        session.answer(&x, bits::get(answers, row)).with_context(|| format!("{source}: row {}", row + 1))?;
        taken += 1;
    }
    if taken == 0 {
        bail!("{source}: no labels: fill in the column {LABEL:?} of the rows that are known");
    }
    Ok(())
}
