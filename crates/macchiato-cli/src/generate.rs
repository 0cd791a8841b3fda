//! `macchiato gen`: rows of a known target, to try the learner on.

mod destination;
mod kind;

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use macchiato::bits;
use macchiato::generate::{TestRows, sample, sample_pair, with_noise};
use macchiato::rows::Rows;
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::output::{Output, json_line};
use crate::summary::{count, percent};
use crate::terminal::{remark, say};
use destination::{Destination, FormatName, destinations};
use kind::Kind;

const AFTER_HELP: &str = "\
Examples:
  macchiato gen junta --inputs 12 --support 8 --rows 1000 --seed 0 --out train.pla \\
      --test test.pla --test-rows full           the paper's first configuration
  macchiato gen juntas --inputs 20 --blocks 2 --support 6 --rows 8000 --out xor.csv
  macchiato gen adder --bits 4 --rows 200 --out carry.csv
  macchiato gen dnf --inputs 30 --terms 5 --width 3 --rows 5000 --noise 0.05 --out rows.csv.gz
  macchiato gen multiplexer --address 2 --rows 64 --out - --format csv

Rows are uniform without replacement: no row comes twice. The same options give the same bytes, on
every machine; a target does not change when other rows are asked for.";

/// Draw rows of a known target: a random junta, a parity, an adder, ...
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Args)]
struct Options {
    /// Training rows
    #[arg(long, value_name = "T")]
    rows: usize,
    /// Seed of the target and of its rows
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where the training rows go: .csv, .tsv, .pla or .npy, also with .gz or .zst; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the files, where their endings do not say it
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Where the test rows go
    #[arg(long, value_name = "FILE", requires = "test_rows")]
    test: Option<PathBuf>,
    /// Test rows, drawn independently of the training rows, or all there are
    #[arg(long, value_name = "N|full", requires = "test", value_parser = test_rows)]
    test_rows: Option<TestRows>,
    /// Share of the training labels to flip, each with this probability
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    noise: f64,
    /// Print one JSON object about what was drawn
    #[arg(long)]
    json: bool,
    /// No summary on standard error
    #[arg(short, long)]
    quiet: bool,
}

fn test_rows(text: &str) -> Result<TestRows, String> {
    match text {
        "full" => Ok(TestRows::Full),
        number => {
            number.parse().map(TestRows::Rows).map_err(|_| "give a number of rows, or `full`".to_owned())
        }
    }
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    inputs: usize,
    support: Vec<&'a str>,
    target: &'a str,
    seed: u64,
    noise: f64,
    rows: usize,
    positive_share: f64,
    test_rows: Option<usize>,
    test_positive_share: Option<f64>,
    files: Vec<String>,
}

/// Draws, writes, and says what was drawn.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (target, options) = arguments.kind.target()?;
    let destinations = destinations(options)?;
    let (train, test) = match options.test_rows {
        None => (sample(&target, options.rows, options.seed)?, None),
        Some(test) => {
            let (train, test) = sample_pair(&target, options.rows, test, options.seed)?;
            (train, Some(test))
        }
    };
    let train = with_noise(train, options.noise, options.seed)?;
    let summary = Summary {
        inputs: target.inputs(),
        support: target.support().iter().map(|&input| target.names()[input].as_str()).collect(),
        target: target.name(),
        seed: options.seed,
        noise: options.noise,
        rows: train.len(),
        positive_share: positive_share(&train),
        test_rows: test.as_ref().map(Rows::len),
        test_positive_share: test.as_ref().map(positive_share),
        files: destinations.iter().map(|destination| destination.name.clone()).collect(),
    };
    // All bytes first: where they cannot be made, no file appears.
    let rows = [Some(train), test].into_iter().flatten();
    let mut written: Vec<(Destination, Vec<u8>)> = destinations
        .into_iter()
        .zip(rows)
        .map(|(destination, rows)| destination.spell(rows))
        .collect::<anyhow::Result<_>>()?;
    // Files first: whoever reads the rows from standard output may go away meanwhile.
    written.sort_by_key(|(destination, _)| !matches!(destination.output, Output::File(_)));
    let in_files = written.iter().any(|(destination, _)| matches!(destination.output, Output::File(_)));
    let write = || written.into_iter().try_for_each(|(destination, bytes)| destination.output.write(&bytes));
    if in_files {
        Interrupt::install()?.shielded(write)?;
    } else {
        write()?;
    }
    if options.json {
        let text = json_line(&summary)?;
        say(&text)?;
    } else if !options.quiet {
        remark(&summary.lines());
    }
    Ok(())
}

fn positive_share(rows: &Rows) -> f64 {
    bits::count(rows.labels()) as f64 / rows.len() as f64
}

impl Summary<'_> {
    /// The lines for a person.
    fn lines(&self) -> String {
        let mut text = String::new();
        let shown: Vec<&str> = self.support.iter().take(12).copied().collect();
        let more = match self.support.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(
            text,
            "target       {} of {}{more}, out of {}",
            self.target,
            shown.join(" "),
            count(self.inputs, "input")
        );
        let of = |rows, share: f64| format!("{}, {} with label 1", count(rows, "row"), percent(share));
        let noise = if self.noise > 0.0 { format!(", noise {}", self.noise) } else { String::new() };
        let tests = self.test_rows.zip(self.test_positive_share).map(|(rows, share)| of(rows, share));
        let rows = [Some(of(self.rows, self.positive_share) + &noise), tests].into_iter().flatten();
        for (file, rows) in self.files.iter().zip(rows) {
            let _ = writeln!(text, "{file:<12} {rows}");
        }
        text
    }
}
