//! `macchiato predict`: a model and rows in, their labels out.

mod classes;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bits;
use macchiato::table::{Compression, Format, Table, WriteError, write_to};
use serde::Serialize;

use crate::clash;
use crate::data::{self, Data, DataOptions};
use crate::learned::Learned;
use crate::output::{Output, json_line};
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato predict light.json evenings.csv                     one label a line, 0 or 1
  macchiato predict light.json evenings.csv --out labelled.csv  the rows and a column more
  macchiato predict light.json - --format csv < evenings.csv    from standard input
  macchiato predict adult.json people.csv --probabilities       with a classifier, also these

Columns are found by their names, in any order; arrays (.npy, .npz) have none and are read in
order. The data need no target; if they have it, it is not looked at.";

/// Predict the label of every row with a model
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The rows: .csv, .tsv, .pla, .npy, .npz or .parquet; `-` is standard input
    data: PathBuf,
    #[command(flatten)]
    options: DataOptions,
    /// Write the rows with the predictions as last column, in the format of the file's ending; `-` is CSV on stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of that column [default: the target's name and `_predicted`]
    #[arg(long, value_name = "NAME", requires = "out")]
    column: Option<String>,
    /// With a classifier, also the probability of each class, as a column for each
    #[arg(long)]
    probabilities: bool,
    /// Pass over columns that are no inputs of the model
    #[arg(long)]
    ignore_extra: bool,
    /// Print one JSON object: rows, target, positive, and labels unless they go to --out
    #[arg(long)]
    json: bool,
    /// No progress on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    rows: usize,
    target: &'a str,
    positive: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<u8>>,
}

/// Reads, predicts, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    data::one_stdin(&arguments.model, &arguments.data)?;
    let inputs = [Some(arguments.model.as_path()), Some(&arguments.data)];
    clash::refuse(&inputs, &[("--out", arguments.out.as_deref())])?;
    let out = destination(arguments)?;
    let model = match Learned::read(&arguments.model)? {
        Learned::Model(_) if arguments.probabilities => {
            bail!("--probabilities: only classifiers have them, and this is a model of 0 and 1: leave it out")
        }
        Learned::Model(model) => model,
        Learned::Classifier(classifier) => return classes::run(arguments, &classifier, out),
    };
    let target = model.target();
    let data = arguments.options.read(&arguments.data, arguments.quiet)?;
    let inputs = data.inputs(&model, target, arguments.ignore_extra)?;
    let rows = data.table.rows;
    let answers = model.predict(&inputs, rows);
    let labels = || (0..rows).map(|row| u8::from(bits::get(&answers, row)));
    if arguments.json {
        let labels = arguments.out.is_none().then(|| labels().collect());
        let summary = Summary { rows, target, positive: bits::count(&answers), labels };
        let text = json_line(&summary)?;
        if let Some(out) = out {
            out.write(arguments, data, target, answers)?;
        }
        return say(&text);
    }
    match out {
        Some(out) => out.write(arguments, data, target, answers),
        None => Output::Stdout.write(&labels().flat_map(|label| [b'0' + label, b'\n']).collect::<Vec<u8>>()),
    }
}

/// A checked place for the table, and its format.
struct TableOutput {
    output: Output,
    format: Format,
    compression: Compression,
}

fn destination(arguments: &Arguments) -> anyhow::Result<Option<TableOutput>> {
    let Some(path) = &arguments.out else { return Ok(None) };
    let stdout = path == Path::new("-");
    if stdout && arguments.json {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    let (format, compression) =
        if stdout { (Format::Csv, Compression::None) } else { Format::from_path(path)? };
    if matches!(format, Format::Npz | Format::Parquet) {
        return Err(WriteError::Format { format }).with_context(|| path.display().to_string());
    }
    Ok(Some(TableOutput { output: Output::prepare(path)?, format, compression }))
}

impl TableOutput {
    fn write(self, arguments: &Arguments, data: Data, target: &str, answers: Vec<u64>) -> anyhow::Result<()> {
        let Table { source, mut names, mut columns, rows, weights } = data.table;
        let column = arguments.column.clone().unwrap_or_else(|| format!("{target}_predicted"));
        if names.contains(&column) {
            bail!("{source}: there is a column {column:?} already: choose another name with --column");
        }
        names.push(column.clone());
        columns.push(answers);
        let table = Table { source, names, columns, rows, weights };
        let named = || arguments.out.as_ref().map_or_else(String::new, |path| path.display().to_string());
        let mut bytes = Vec::new();
        write_to(&mut bytes, &table, self.format, self.compression, &column).with_context(named)?;
        self.output.deliver(&bytes)
    }
}
