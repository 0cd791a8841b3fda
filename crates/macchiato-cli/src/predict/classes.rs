//! `macchiato predict` with a classifier: the class of every row, and on request the probability of each.

use anyhow::{Context, bail};
use macchiato::classifier::Classifier;
use macchiato::frame::{self, Values};
use macchiato::table::{Format, WriteError};
use serde::Serialize;

use super::{Arguments, TableOutput};
use crate::output::{Output, json_line};

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
pub(super) fn run(
    arguments: &Arguments,
    classifier: &Classifier,
    out: Option<TableOutput>,
) -> anyhow::Result<()> {
    if let Some(TableOutput { format, .. }) = &out
        && !matches!(format, Format::Csv | Format::Tsv)
    {
        let path = || arguments.out.as_ref().map_or_else(String::new, |path| path.display().to_string());
        return Err(WriteError::Typed { format: *format }).with_context(path);
    }
    let (target, classes) = (classifier.target(), classifier.classes());
    let extra = (target, arguments.ignore_extra);
    let mut frame = arguments.options.read_for(&arguments.data, arguments.quiet, classifier, extra)?;
    let source = frame.source.clone();
    let answers = classifier.predict(&frame).with_context(|| source.clone())?;
    let probabilities = if arguments.probabilities {
        Some(classifier.predict_proba(&frame).with_context(|| source.clone())?)
    } else {
        None
    };
    let json = arguments.json.then(|| {
        let mut counts = vec![0; classes.len()];
        for &answer in &answers {
            counts[answer as usize] += 1;
        }
        let each = |probabilities: &'_ Vec<f64>| -> Vec<Vec<f64>> {
            probabilities.chunks_exact(classes.len()).map(<[f64]>::to_vec).collect()
        };
        (counts, probabilities.as_ref().map(each))
    });
    let mut said = Vec::new();
    if let Some((counts, probabilities)) = &json {
        let listed = out.is_none();
        let summary = Summary {
            rows: frame.rows,
            target,
            classes,
            counts: counts.clone(),
            labels: listed.then(|| answers.iter().map(|&answer| classes[answer as usize].as_str()).collect()),
            probabilities: probabilities
                .as_ref()
                .filter(|_| listed)
                .map(|rows| rows.iter().map(Vec::as_slice).collect()),
        };
        said = json_line(&summary)?.into_bytes();
    }
    // The answers as one column more, and the probabilities as one for each class.
    let column = arguments.column.clone().unwrap_or_else(|| format!("{target}_predicted"));
    let mut more =
        vec![(column.clone(), Values::Category { codes: answers.clone().into(), levels: classes.into() })];
    for (class, name) in classes.iter().enumerate().filter(|_| probabilities.is_some()) {
        let all = probabilities.iter().flatten().skip(class).step_by(classes.len());
        more.push((format!("{column}_{name}"), Values::Number(all.copied().collect())));
    }
    match out {
        Some(out) => {
            for (name, values) in more {
                if frame.names.contains(&name) {
                    bail!("{source}: there is a column {name:?} already: choose another name with --column");
                }
                frame.names.push(name);
                frame.columns.push(values.into_owned());
            }
            let mut bytes = Vec::new();
            let path = || arguments.out.as_ref().map_or_else(String::new, |path| path.display().to_string());
            frame::write_to(&mut bytes, &frame, out.format, out.compression).with_context(path)?;
            out.output.deliver(&bytes)?;
        }
        None if arguments.json => {}
        None if probabilities.is_some() => {
            let (names, columns) = more.into_iter().map(|(name, values)| (name, values.into_owned())).unzip();
            let alone = frame::Frame { source, names, columns, rows: frame.rows, weights: None };
            frame::write_to(&mut said, &alone, Format::Csv, macchiato::table::Compression::None)?;
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
