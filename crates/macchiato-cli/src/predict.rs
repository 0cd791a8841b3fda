//! `macchiato predict`: a model and rows in, the class of every row out, and on request the probability of each.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bits;
use macchiato::frame::{Compression, Format, Frame, Values, WriteError, write_to};
use macchiato::model::Model;
use serde::Serialize;

use crate::clash;
use crate::data::{self, ModelDataOptions};
use crate::output::{Output, json_line};

const AFTER_HELP: &str = "\
Examples:
  macchiato predict light.json evenings.csv                     one class a line, here 0 or 1
  macchiato predict light.json evenings.csv --out labelled.csv  the rows and a column more
  macchiato predict light.json - --format csv < evenings.csv    from standard input
  macchiato predict adult.json people.csv --probabilities       also the probability of each class

Columns are found by their names, in any order; arrays (.npy, .npz) have none and are read in
order. The data need no target; if they have it, it is not looked at.";

/// Predict the class of every row with a model
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The rows: .csv, .tsv, .pla, .npy, .npz or .parquet; `-` is standard input
    data: PathBuf,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Write the rows with the predictions as last column, in the format of the file's ending; `-` is CSV on stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of that column [default: the target's name and `_predicted`]
    #[arg(long, value_name = "NAME", requires = "out")]
    column: Option<String>,
    /// Also the probability of each class, as a column for each
    #[arg(long)]
    probabilities: bool,
    /// Print one JSON object: rows, target, classes, their counts, and labels unless they go to --out
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    rows: usize,
    target: &'a str,
    classes: &'a [String],
    /// Rows of each class.
    counts: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<Vec<&'a [f64]>>,
}

/// Reads, predicts, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    data::one_stdin(&arguments.model, &arguments.data)?;
    let inputs = [Some(arguments.model.as_path()), Some(&arguments.data)];
    clash::refuse(&inputs, &[("--out", arguments.out.as_deref())])?;
    let out = destination(arguments)?;
    let model = data::read_model(&arguments.model)?;
    let (target, classes) = (model.target(), model.classes());
    let frame = arguments.options.read(&arguments.data, &model, target)?;
    let source = frame.source.clone();
    let answers = model.predict(&frame).with_context(|| source.clone())?;
    let probabilities = if arguments.probabilities {
        Some(model.predict_proba(&frame).with_context(|| source.clone())?)
    } else {
        None
    };
    let mut said = Vec::new();
    if arguments.json {
        let listed = out.is_none();
        let mut counts = vec![0; classes.len()];
        for &answer in &answers {
            counts[answer as usize] += 1;
        }
        let each = |all: &'_ Vec<f64>| -> Vec<Vec<f64>> {
            all.chunks_exact(classes.len()).map(<[f64]>::to_vec).collect()
        };
        let rows = probabilities.as_ref().filter(|_| listed).map(each);
        let summary = Summary {
            rows: frame.rows,
            target,
            classes,
            counts,
            labels: listed.then(|| answers.iter().map(|&answer| classes[answer as usize].as_str()).collect()),
            probabilities: rows.as_ref().map(|rows| rows.iter().map(Vec::as_slice).collect()),
        };
        said = json_line(&summary)?.into_bytes();
    }
    let (rows, column) = (frame.rows, arguments.column.clone());
    let column = column.unwrap_or_else(|| format!("{target}_predicted"));
    match out {
        Some(out) => {
            let more = columns(&model, &column, &answers, probabilities.as_deref());
            out.write(arguments, frame, more)?;
        }
        None if arguments.json => {}
        None if probabilities.is_some() => {
            let more = columns(&model, &column, &answers, probabilities.as_deref());
            let (names, columns) = more.into_iter().unzip();
            let alone = Frame { source, names, columns, rows, weights: None };
            write_to(&mut said, &alone, Format::Csv, Compression::None, None)?;
        }
        None => {
            for &answer in &answers {
                said.extend_from_slice(classes[answer as usize].as_bytes());
                said.push(b'\n');
            }
        }
    }
    if said.is_empty() { Ok(()) } else { Output::Stdout.write(&said) }
}

/// The answers as one column, and the probabilities as one for each class.
fn columns(
    model: &Model,
    column: &str,
    answers: &[u32],
    probabilities: Option<&[f64]>,
) -> Vec<(String, Values<'static>)> {
    let classes = model.classes();
    let values = if model.is_plain() {
        let mut made = bits::Column::default();
        for &answer in answers {
            made.push(answer == 1);
        }
        Values::Boolean { bits: made.into_words().into(), missing: None }
    } else {
        Values::Category { codes: answers.to_vec().into(), levels: classes.to_vec().into() }
    };
    let mut columns = vec![(column.to_owned(), values)];
    for (class, name) in classes.iter().enumerate().filter(|_| probabilities.is_some()) {
        let all = probabilities.iter().flat_map(|all| all.iter().skip(class).step_by(classes.len()));
        columns.push((format!("{column}_{name}"), Values::Number(all.copied().collect())));
    }
    columns
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
    fn write(
        self,
        arguments: &Arguments,
        mut frame: Frame,
        more: Vec<(String, Values<'static>)>,
    ) -> anyhow::Result<()> {
        let last = more.last().map(|(name, _)| name.clone());
        for (name, values) in more {
            if frame.names.contains(&name) {
                bail!(
                    "{}: there is a column {name:?} already: choose another name with --column",
                    frame.source
                );
            }
            frame.names.push(name);
            frame.columns.push(values);
        }
        // A target that is 0 and 1 was read as it is spelled, and goes to a file of bits as bits.
        if !matches!(self.format, Format::Csv | Format::Tsv) {
            for values in &mut frame.columns {
                *values = values.as_bits(frame.rows).unwrap_or_else(|| values.clone());
            }
        }
        let named = || arguments.out.as_ref().map_or_else(String::new, |path| path.display().to_string());
        let mut bytes = Vec::new();
        write_to(&mut bytes, &frame, self.format, self.compression, last.as_deref()).with_context(named)?;
        self.output.deliver(&bytes)
    }
}
