//! `macchiato fit` on a table of numbers, categories and gaps: a classifier.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use macchiato::binarize::{BinarizeOptions, Cuts};
use macchiato::bounds::holdout::judge_classifier;
use macchiato::classifier::{Classifier, ClassifierOptions, Examples, FitError, counted};
use macchiato::frame::{Frame, Kind, Values};
use macchiato::minimize::Budget;

use crate::data::quoted;
use crate::interrupt::Interrupt;
use crate::output::{Output, json_line};
use crate::progress::Spinner;
use crate::terminal::{remark, say};
use crate::typed::{Known, Typed, take_target};

use super::Arguments;
use super::classes::{Report, Summary};

/// Cuts of a column with `--binarize quantile`.
const QUANTILES: usize = 16;

/// Options that tables of bits do not need.
#[derive(Debug, Args)]
pub(super) struct TypedOptions {
    /// The positive one of two classes [default: the last, by number or by text]
    #[arg(long, value_name = "VALUE")]
    positive: Option<String>,
    /// Where numbers are cut [default: auto]
    #[arg(long, value_enum)]
    binarize: Option<CutsName>,
    /// Columns whose values are names, whatever they look like: postal codes, numbered kinds
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    category: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CutsName {
    /// Where classes change, and at quantiles
    Auto,
    /// At quantiles alone
    Quantile,
    /// Where classes change alone
    Evidence,
}

impl TypedOptions {
    /// Whether one of them is given, so that even a table of bits becomes a classifier.
    pub(super) fn asked(&self) -> bool {
        self.positive.is_some() || self.binarize.is_some() || !self.category.is_empty()
    }

    /// What they say of the columns' types.
    pub(super) fn types(&self) -> BTreeMap<String, Kind> {
        self.category.iter().map(|name| (name.clone(), Kind::Category)).collect()
    }

    fn cuts(&self) -> Cuts {
        match self.binarize {
            None | Some(CutsName::Auto) => Cuts::Auto,
            Some(CutsName::Quantile) => Cuts::Quantile(QUANTILES),
            Some(CutsName::Evidence) => Cuts::Evidence,
        }
    }

    fn check(&self, frame: &Frame) -> anyhow::Result<()> {
        match self.category.iter().find(|name| !frame.names.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let names: Vec<&str> = frame.names.iter().map(String::as_str).collect();
                bail!("{}: no column {name:?} to be a category: there are {}", frame.source, quoted(&names))
            }
        }
    }
}

/// Learns, writes, and says how it went.
pub(super) fn run(arguments: &Arguments, typed: Typed, output: Option<Output>) -> anyhow::Result<()> {
    let Typed { mut frame, named } = typed;
    arguments.typed.check(&frame)?;
    let mut target = take_target(&mut frame, arguments.target.as_deref())?;
    let validation = match &arguments.auto.validation {
        Some(path) => {
            let kinds = frame.names.iter().cloned().zip(frame.columns.iter().map(Values::kind));
            let known = Known { types: kinds.collect(), target: Some(target.name()) };
            let mut second = arguments.options.read_typed(path, arguments.quiet, &known)?;
            if !named && second.named {
                bail!("{}: the columns have names and the training rows' have none", second.frame.source);
            }
            let target = take_target(&mut second.frame, Some(target.name()))?;
            Some((second.frame, target))
        }
        None => None,
    };
    let split = (frame.rows, frame.weights.as_deref());
    let split = arguments.holdout.split(split, arguments.seed, &frame.source)?;
    let held = split.map(|split| {
        let (train, held) = split.frame(&frame);
        let sides = (target.pick(split.train()), target.pick(split.held()));
        frame = train;
        target = sides.0;
        (held, sides.1)
    });
    let interrupt = Interrupt::install()?;
    let start = Instant::now();
    let mut budget = Budget::unlimited().with_cancel(interrupt.flag());
    if let Some(limit) = arguments.time_limit {
        budget = budget.with_time_limit(limit);
    }
    let options = ClassifierOptions {
        method: arguments.method(),
        binarize: BinarizeOptions { cuts: arguments.typed.cuts() },
        positive: arguments.typed.positive.clone(),
    };
    let train = Examples { columns: &frame, target: &target, weights: frame.weights.as_deref() };
    let asked = validation.as_ref().map(|(frame, target)| Examples {
        columns: frame,
        target,
        weights: frame.weights.as_deref(),
    });
    let spinner = Spinner::message("looking at the rows", arguments.quiet);
    let observe = |words: &str| spinner.say(words);
    let mut classifier = match Classifier::fit(&train, asked.as_ref(), &options, &budget, observe) {
        Ok(classifier) => classifier,
        // `main` must recognize a defect.
        Err(FitError::Minimize(error)) => return Err(error.into()),
        Err(error) => return Err(error).with_context(|| frame.source.clone()),
    };
    drop(spinner);
    let elapsed = start.elapsed();
    if let Some((held, labels)) = &held {
        let confidence = arguments.holdout.confidence();
        let holdout = judge_classifier(&classifier, held, labels, confidence);
        classifier = classifier.with_holdout(holdout.with_context(|| held.source.clone())?);
    }

    let report_to_stderr = matches!(output, Some(Output::Stdout));
    if let Some(output) = output {
        let mut bytes = Vec::new();
        if arguments.paper.timings { classifier.clone() } else { classifier.clone().without_timings() }
            .write(&mut bytes)?;
        match output {
            Output::File(_) => interrupt.shielded(|| output.write(&bytes))?,
            Output::Stdout | Output::Stream(..) => output.write(&bytes)?,
        }
    }
    let mut predicted = classifier.predict(&frame).with_context(|| frame.source.clone())?;
    // Rows that do not count are not reported either.
    if let Some(rows) = counted(frame.weights.as_deref()) {
        predicted = rows.iter().map(|&row| predicted[row]).collect();
        target = target.pick(&rows);
    }
    let right = predicted.iter().zip(target.codes()).filter(|(a, b)| a == b).count();
    if arguments.json {
        let text = json_line(&Summary::new(&classifier, &target, right, elapsed))?;
        return say(&text);
    }
    if arguments.quiet {
        return Ok(());
    }
    let report = Report {
        classifier: &classifier,
        target: &target,
        method: &options.method,
        weighted: frame.weights.is_some(),
        right,
        elapsed,
        out: arguments.out.as_deref(),
    };
    if report_to_stderr {
        remark(&report.lines(&std::io::stderr()));
        return Ok(());
    }
    say(&report.lines(&std::io::stdout()))
}
