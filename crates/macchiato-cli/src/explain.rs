//! `macchiato explain`: why a model answers what it answers, as a whole, on one row, or otherwise than another model.

mod difference;
mod input;
mod overview;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use macchiato::explain::{
    ExplainOptions, Point, Subject, Wording, explain_prediction, explain_prediction_within,
};
use macchiato::minimize::Budget;
use macchiato::model::Model;
use macchiato::words::Symbols;

use crate::data::{self, ModelDataOptions};
use crate::duration;
use crate::interrupt::Interrupt;
use crate::output::json_line;
use crate::paint::Paint;
use crate::progress::Spinner;
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato explain light.json                          its stages, and how much each input matters
  macchiato explain light.json --data evenings.csv      the same, also counted on these rows
  macchiato explain light.json --row 3 evenings.csv     why the third row gets its answer
  macchiato explain xor.json --input a=1,b=0            why these values get theirs
  macchiato explain risk.json --input age=43,job=clerk  values of the table
  macchiato explain risk.json --row 3 loans.csv --actionable debt,income
                                                        what that person could change
  macchiato explain new.json --against old.json         where two models disagree

Everything that is called proven is: by a SAT solver or by counting, never by sampling. What the
limits left open is called so. --exact searches until everything is proven, and --time-limit and
Ctrl-C end that with what is known by then.";

/// Explain a model, one of its answers, or its difference from another model
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The file that --row is of; `-` is standard input
    #[arg(value_name = "DATA", requires = "row", conflicts_with = "data")]
    of: Option<PathBuf>,
    /// Explain the answer on this row of DATA, counted from 1
    #[arg(long, value_name = "N", requires = "of", value_parser = clap::value_parser!(u64).range(1..))]
    row: Option<u64>,
    /// Explain the answer on these values: `x1=1,x2=0`, or `age=43,job=clerk`; `age=` is a gap
    #[arg(long, value_name = "NAME=VALUE,...", conflicts_with_all = ["row", "data"])]
    input: Option<String>,
    /// Columns that may change for another answer: what can be acted on [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with_all = ["data", "against"])]
    actionable: Option<Vec<String>>,
    /// Compare with this model; with --row or --input, nearest to there
    #[arg(long, value_name = "MODEL", conflicts_with = "data")]
    against: Option<PathBuf>,
    /// Rows on which coverage, errors and influences are counted, too
    #[arg(long, value_name = "DATA")]
    data: Option<PathBuf>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Search until everything is proven
    #[arg(long)]
    exact: bool,
    /// Stop after this long with what is proven by then: 500ms, 10s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,
    /// Write `&`, `|`, `!`, `^` for AND, OR, NOT, XOR
    #[arg(long)]
    ascii: bool,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn options(&self) -> ExplainOptions {
        let mut options = ExplainOptions::default();
        options.symbols = if self.ascii { Symbols::ASCII } else { Symbols::UNICODE };
        if self.exact { options.exact() } else { options }
    }

    fn budget(&self) -> anyhow::Result<Budget> {
        let budget = Budget::unlimited().with_cancel(Interrupt::install()?.flag());
        Ok(self.time_limit.iter().fold(budget, |budget, &limit| budget.with_time_limit(limit)))
    }

    /// The row that is asked for, as the model sees it.
    fn point(&self, model: &Model) -> anyhow::Result<Option<Point>> {
        if let Some(input) = &self.input {
            return input::point(input, model).map(Some);
        }
        let (Some(row), Some(path)) = (self.row, &self.of) else { return Ok(None) };
        let frame = self.options.read(path, model, model.target())?;
        let at = match usize::try_from(row) {
            Ok(row) if row <= frame.rows => row - 1,
            _ => bail!("--row {row}: {} has {}", frame.source, crate::summary::count(frame.rows, "row")),
        };
        Ok(Some(Point::of_row(model, &frame, at).with_context(|| frame.source.clone())?))
    }
}

/// Reads, explains, prints.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let others = [&arguments.of, &arguments.data, &arguments.against];
    for path in others.into_iter().flatten() {
        data::one_stdin(&arguments.model, path)?;
    }
    if arguments.against.is_some() && arguments.of.as_deref() == Some(Path::new("-")) {
        bail!("with --against each model reads the data by itself: name a file, not standard input");
    }
    let model = data::read_model(&arguments.model)?;
    let paint = Paint::for_stream(&io::stdout());
    let text = match (&arguments.against, arguments.point(&model)?) {
        (Some(path), near) => {
            let other = data::read_model(path)?;
            let near = match near {
                // The other one may read another table from the same row.
                Some(point) => Some((point, arguments.point(&other)?)),
                None => None,
            };
            difference::text(arguments, (&model, &other), near.as_ref(), paint)?
        }
        (None, Some(point)) => {
            let (subject, budget) = (Subject::of_model(&model), arguments.budget()?);
            let spinner = Spinner::message("looking for the smallest reason", arguments.options.data.quiet);
            let why = match &arguments.actionable {
                Some(names) => {
                    explain_prediction_within(&subject, &point, names, &arguments.options(), &budget)
                        .context("--actionable")?
                }
                None => explain_prediction(&subject, &point, &arguments.options(), &budget)?,
            };
            drop(spinner);
            if arguments.json {
                json_line(&why)?
            } else {
                why.text(&Wording::of(&subject, arguments.options().symbols, &paint))
            }
        }
        (None, None) if arguments.actionable.is_some() => {
            bail!("--actionable is about one answer: name the row (--row N DATA, or --input)")
        }
        (None, None) => overview::text(arguments, &model, paint)?,
    };
    say(&text)
}
