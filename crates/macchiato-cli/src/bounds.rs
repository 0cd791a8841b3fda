//! `macchiato bounds`: what the paper's theorems say about a study, in words or as JSON.

mod counting;
mod error;
mod influences;
mod model;
mod rows;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds rows --inputs 40 --junta 5 --error 0.05     how many rows do I need?
  macchiato bounds rows --inputs 40 --junta 5 --rows 2000      what do 2000 rows promise?
  macchiato bounds count --inputs 40 --junta 5                 how many such rules are there?
  macchiato bounds influences pairs.csv                        which inputs matter, and how surely?
  macchiato bounds error --wrong 12 --of 1000                  how often does a model err, at most?
  macchiato bounds model model.json --rows train.csv           which of its stages are certain?

What is promised holds under assumptions, which every answer names.";

/// Ask how many rows a study needs, or what its rows promise
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Rows(rows::Arguments),
    Count(counting::Arguments),
    Influences(influences::Arguments),
    Error(error::Arguments),
    Model(model::Arguments),
}

/// Answers.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.question {
        Question::Rows(arguments) => rows::run(arguments),
        Question::Count(arguments) => counting::run(arguments),
        Question::Influences(arguments) => influences::run(arguments),
        Question::Error(arguments) => error::run(arguments),
        Question::Model(arguments) => model::run(arguments),
    }
}

/// Writes the answer as one JSON object, or in words.
fn answer(json: bool, object: &impl Serialize, words: impl FnOnce() -> String) -> anyhow::Result<()> {
    let text = if json { serde_json::to_string(object)? + "\n" } else { words() };
    Output::Stdout.write(text.as_bytes())
}

/// The probability with which a promise of this confidence may fail.
fn delta(confidence: f64) -> anyhow::Result<f64> {
    if confidence > 0.0 && confidence < 1.0 {
        return Ok(1.0 - confidence);
    }
    anyhow::bail!("--confidence is {confidence}: give a number above 0 and below 1, such as 0.95")
}

/// `5 %`, `0.25 %`; a bound is never rounded to something better than it is.
fn percent_up(share: f64) -> String {
    let percent = (share * 1e4 - 1e-6).ceil().max(0.0) / 100.0;
    format!("{percent} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(
            ["5 %", "0.01 %", "33.34 %", "0 %"],
            [0.05, 0.000_01, 1.0 / 3.0, 0.0].map(percent_up).each_ref().map(String::as_str)
        );
    }
}
