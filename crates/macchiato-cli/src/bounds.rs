//! `macchiato bounds`: what the paper's theorems say about a study, in words or as JSON.

mod counting;
mod error;
mod influences;
mod model;
mod rows;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::output::json_line;
use crate::terminal::say;

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
    question: BoundsCommand,
}

#[derive(Debug, Subcommand)]
enum BoundsCommand {
    Rows(rows::Arguments),
    Count(counting::Arguments),
    Influences(influences::Arguments),
    Error(error::Arguments),
    Model(model::Arguments),
}

/// Answers.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.question {
        BoundsCommand::Rows(arguments) => rows::run(arguments),
        BoundsCommand::Count(arguments) => counting::run(arguments),
        BoundsCommand::Influences(arguments) => influences::run(arguments),
        BoundsCommand::Error(arguments) => error::run(arguments),
        BoundsCommand::Model(arguments) => model::run(arguments),
    }
}

/// Writes the answer as one JSON object, or in words.
fn answer(json: bool, object: &impl Serialize, words: impl FnOnce() -> String) -> anyhow::Result<()> {
    let text = if json { json_line(object)? } else { words() };
    say(&text)
}
