//! The `macchiato` command.
//!
//! Exit codes: 0 done, 1 a defect of the program, 2 bad usage, bad input or an output that cannot be written, 130 a second
//! Ctrl-C. Every failure is one line on standard error. Results go to standard output or to files that appear whole or
//! not at all; everything said about them goes to standard error.

mod duration;
mod interrupt;
mod minimize;
mod output;
mod progress;
mod summary;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use macchiato::minimize::MinimizeError;

/// Learn Boolean rules and minimize logic.
#[derive(Debug, Parser)]
#[command(name = "macchiato", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Minimize(minimize::Arguments),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Minimize(arguments) => minimize::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("macchiato: {error:#}");
            let defect = matches!(error.downcast_ref(), Some(MinimizeError::Unverified { .. }));
            ExitCode::from(if defect { 1 } else { 2 })
        }
    }
}

/// Whoever read our output has seen enough (`macchiato ... | head`): nothing is wrong.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
