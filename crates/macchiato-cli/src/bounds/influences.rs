//! `macchiato bounds influences`: which inputs matter, from a file of paired samples.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bits;
use macchiato::bounds::binomial::Interval;
use macchiato::bounds::measure::{Measured, Ratio, measure, measure_weighted};
use macchiato::frame::Format;
use macchiato::frame::{self, Frame, FrameOptions, Kind, Values};
use macchiato::model::Confidence;
use macchiato::words::{one_line, thousands};
use serde::Serialize;

use crate::memory::MemoryOptions;

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds influences pairs.csv
  macchiato bounds influences pairs.csv --confidence 0.99 --json
  macchiato bounds influences pairs.csv --to-uniform 0.5,2
  macchiato bounds influences pairs.csv --weight w --most-weight 3

The file has one row for each pair:
  a,b,c,input,label,label_flipped
  0,1,1,b,1,0
`input` names the input that was flipped, `label` is the label of the row as it stands, `label_flipped`
that with the input flipped. The other columns are the inputs; without any, the inputs are those that
`input` names. All intervals hold at once. Assumed: rows drawn independently from one distribution,
which input is flipped does not depend on the row, and labels are a function of the inputs.

With weights the rows were drawn from another distribution than the one meant, and a row weighs how
much likelier it is under that, up to a factor. --most-weight is the greatest weight that any row
can have, seen or not. Those intervals are Hoeffding's, which are wider than the exact ones.";

/// Measure from paired samples which inputs matter
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The pairs: .csv or .tsv, also with .gz or .zst; `-` is standard input as CSV
    pairs: PathBuf,
    /// How sure to be of all intervals together
    #[arg(long, value_name = "DECIMAL", default_value_t)]
    confidence: Confidence,
    /// Column with the weights of the pairs
    #[arg(long, value_name = "NAME", requires = "most_weight")]
    weight: Option<String>,
    /// The greatest weight that any pair could have
    #[arg(long, value_name = "W", requires = "weight")]
    most_weight: Option<f64>,
    /// Also the uniform influences, where the pairs' distribution has density ratios from LOW to HIGH
    #[arg(long, value_name = "LOW,HIGH", value_parser = ratio)]
    to_uniform: Option<Ratio>,
    /// Also the influences under a distribution with such ratios, where the pairs are uniform
    #[arg(long, value_name = "LOW,HIGH", value_parser = ratio, conflicts_with = "to_uniform")]
    from_uniform: Option<Ratio>,
    #[command(flatten)]
    memory: MemoryOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn ratio(text: &str) -> Result<Ratio, String> {
    let parts = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let (low, high) = parts.ok_or("give two numbers, such as 0.5,2")?;
    Ratio::new(low, high).map_err(|error| error.to_string())
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Answer {
    confidence: Confidence,
    method: &'static str,
    influences: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    input: String,
    #[serde(flatten)]
    measured: Measured,
    #[serde(skip_serializing_if = "Option::is_none")]
    uniform: Option<Interval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Interval>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let delta = arguments.confidence.risk();
    let pairs = Pairs::read(&arguments.pairs, arguments.weight.as_deref(), arguments.memory.limit())?;
    let measured = match (&pairs.weights, arguments.most_weight) {
        (Some(weights), Some(most)) => {
            let triples =
                pairs.flips.iter().zip(weights).map(|(&(input, differs), &weight)| (input, differs, weight));
            measure_weighted(pairs.names.len(), triples, most, delta)
        }
        _ => measure(pairs.names.len(), pairs.flips.iter().copied(), delta),
    }
    .with_context(|| arguments.pairs.display().to_string())?;
    let line = |(input, measured): (String, Measured)| Line {
        input,
        measured,
        uniform: arguments.to_uniform.map(|ratio| ratio.to_uniform(measured.interval)),
        other: arguments.from_uniform.map(|ratio| ratio.from_uniform(measured.interval)),
    };
    let answer = Answer {
        confidence: arguments.confidence,
        method: if pairs.weights.is_some() { "hoeffding" } else { "clopper-pearson" },
        influences: pairs.names.into_iter().zip(measured).map(line).collect(),
    };
    super::answer(arguments.json, &answer, || answer.words())
}

impl Answer {
    fn words(&self) -> String {
        let width = self.influences.iter().map(|line| line.input.chars().count()).max().unwrap_or(0).max(5);
        let mut text =
            format!("{:<width$}  {:>9}  {:>9}  influence  from    to\n", "input", "pairs", "differing");
        for line in &self.influences {
            let Measured { pairs, differing, value, interval } = line.measured;
            let _ = write!(
                text,
                "{:<width$}  {:>9}  {:>9}  {value:<9.4}",
                one_line(line.input.as_str()),
                thousands(pairs),
                thousands(differing)
            );
            let _ = write!(text, "  {}", shown(interval));
            for (name, interval) in [("uniform", line.uniform), ("there", line.other)] {
                if let Some(interval) = interval {
                    let _ = write!(text, "  {name} {}", shown(interval));
                }
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "All intervals hold at once with confidence {}, for independent pairs.",
            self.confidence.percent()
        );
        text
    }
}

/// Rounded outward.
fn shown(interval: Interval) -> String {
    format!("{:.4}  {:.4}", (interval.low * 1e4).floor() / 1e4, (interval.high * 1e4).ceil() / 1e4)
}

/// The pairs of a file.
struct Pairs {
    names: Vec<String>,
    /// Which input was flipped, and whether the label changed.
    flips: Vec<(usize, bool)>,
    weights: Option<Vec<f64>>,
}

impl Pairs {
    fn read(path: &Path, weight: Option<&str>, limit: u64) -> anyhow::Result<Self> {
        let mut types = BTreeMap::from([
            ("input".to_owned(), Kind::Category),
            ("label".to_owned(), Kind::Boolean),
            ("label_flipped".to_owned(), Kind::Boolean),
        ]);
        types.extend(weight.map(|name| (name.to_owned(), Kind::Number)));
        let mut options = FrameOptions::default();
        (options.types, options.max_bytes) = (types, Some(limit));
        let mut frame = if path == Path::new("-") {
            frame::read_from(std::io::stdin(), "<stdin>", Format::Csv, &options)?
        } else {
            frame::read(path, &options)?
        };
        let input = column(&mut frame, "input")?;
        let label = booleans(&mut frame, "label")?;
        let flipped = booleans(&mut frame, "label_flipped")?;
        let weights = match weight.map(|name| column(&mut frame, name)).transpose()? {
            Some(Values::Number(weights)) => Some(weights.into_owned()),
            _ => None,
        };
        let Values::Category { codes, levels } = input else {
            bail!("{}: `input` names no inputs", frame.source)
        };
        let mut names = frame.names;
        if names.is_empty() {
            names = levels.to_vec();
            names.sort();
        }
        let places: HashMap<&str, usize> =
            names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let mut flips = Vec::with_capacity(frame.rows);
        for (row, &code) in codes.iter().enumerate() {
            let name = levels[code as usize].as_str();
            let Some(&at) = places.get(name) else {
                bail!(
                    "{}: pair {} flips {name:?}, which is no column: name one of the inputs",
                    frame.source,
                    row + 1
                )
            };
            flips.push((at, bits::get(&label, row) != bits::get(&flipped, row)));
        }
        Ok(Self { names, flips, weights })
    }
}

/// The column, without gaps.
fn column(frame: &mut Frame, name: &str) -> anyhow::Result<Values<'static>> {
    let Some(values) = frame.take(name) else {
        bail!("{}: no column {name:?}: pairs have the columns input, label and label_flipped", frame.source)
    };
    if let Some(row) = (0..frame.rows).find(|&row| values.is_missing(row)) {
        bail!("{}: pair {} has no {name}: fill it in, or leave the pair out", frame.source, row + 1);
    }
    Ok(values)
}

/// The bits of the column, without gaps.
fn booleans(frame: &mut Frame, name: &str) -> anyhow::Result<Vec<u64>> {
    match column(frame, name)? {
        Values::Boolean { bits, .. } => Ok(bits.into_owned()),
        _ => bail!("{}: column {name:?} is not Boolean: use 0 and 1", frame.source),
    }
}
