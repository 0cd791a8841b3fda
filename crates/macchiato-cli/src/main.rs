//! The `macchiato` command.
//!
//! Exit codes: 0 done, 1 a defect of the program, 2 bad usage, bad input or an output that cannot be written, 130 a second
//! Ctrl-C. Every failure is one line on standard error. Results go to standard output or to files that appear whole or
//! not at all; where standard output is taken by a result, everything said about it goes to standard error. No exit code
//! depends on whether anybody reads what is said, and nothing that is said can act on the terminal ([`terminal`]).

mod ask;
mod bounds;
mod check;
mod clash;
mod compile;
mod completions;
mod data;
mod day;
mod duration;
mod espresso;
mod evaluate;
mod evidence;
mod example;
mod explain;
mod export;
mod factored;
mod fit;
mod formula;
mod generate;
mod interrupt;

mod memory;
mod minimize;
mod output;
mod paint;
mod predict;
mod progress;
mod recertify;
mod report;
mod show;
mod sizes;
mod summary;
mod terminal;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use macchiato::minimize::MinimizeError;

const AFTER_HELP: &str = "\
Examples:
  macchiato fit --example                        learn what turns on a light
  macchiato fit data.csv --out model.json        learn from your own rows
  macchiato show model.json                      read what was learned
  macchiato evaluate model.json test.csv         measure it on other rows
  macchiato explain model.json --row 3 test.csv  ask why a row gets its answer
  macchiato report model.json --out report.html  show it
  macchiato bounds --help                        plan how many rows to collect
  macchiato minimize --example                   make logic small";

/// Learn Boolean rules and minimize logic.
#[derive(Debug, Parser)]
#[command(name = "macchiato", bin_name = "macchiato", version, about, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Number of threads [default: one for each core]; the result does not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Fit(Box<fit::Arguments>),
    Show(show::Arguments),
    Predict(predict::Arguments),
    Evaluate(evaluate::Arguments),
    Explain(explain::Arguments),
    Ask(ask::Arguments),
    Compile(compile::Arguments),
    Check(check::Arguments),
    Recertify(recertify::Arguments),
    Export(export::Arguments),
    Report(report::Arguments),
    Bounds(bounds::Arguments),
    Gen(generate::Arguments),
    Minimize(minimize::Arguments),
    Espresso(espresso::Arguments),
    Completions(completions::Arguments),
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    if let Some(threads) = cli.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global().context("--threads")?;
    }
    match &cli.command {
        Command::Fit(arguments) => return fit::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Predict(arguments) => predict::run(arguments),
        Command::Evaluate(arguments) => evaluate::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Ask(arguments) => ask::run(arguments),
        Command::Compile(arguments) => compile::run(arguments),
        Command::Check(arguments) => return check::run(arguments),
        Command::Recertify(arguments) => return recertify::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Bounds(arguments) => bounds::run(arguments),
        Command::Gen(arguments) => generate::run(arguments),
        Command::Minimize(arguments) => minimize::run(arguments),
        Command::Espresso(arguments) => return Ok(espresso::run(arguments)),
        Command::Completions(arguments) => completions::run(arguments),
    }
    .map(|()| ExitCode::SUCCESS)
}

/// The command line; a wrong one is answered here. What clap repeats of it is spelled out where it could act on a terminal.
fn parse() -> Result<Cli, ExitCode> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    // Under this name the command is Berkeley's.
    if words.first().and_then(|name| Path::new(name).file_stem()).is_some_and(|name| name == "espresso") {
        words.insert(1, "espresso".into());
    }
    Cli::try_parse_from(words).map_err(|error| {
        let text = error.render().to_string();
        match terminal::visible(&text, terminal::Layout::Lines) {
            // As clap prints it, in colours.
            Cow::Borrowed(_) => drop(error.print()),
            Cow::Owned(text) => terminal::remark(&text),
        }
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(&cli) {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::complain(&error);
            let defect = matches!(error.downcast_ref(), Some(MinimizeError::Unverified { .. }));
            ExitCode::from(if defect { 1 } else { 2 })
        }
    }
}
