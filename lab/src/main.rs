//! The `lab` command: benchmarks of Macchiato and their committed results.
//!
//! Exit codes: 0 done, 1 a wrong result or a table in a page that is not the one its results give, 2 a benchmark
//! that could not run. Progress goes to standard error, results to standard output, `lab/results/` and `docs/results.md`.

mod ablate;
mod accuracy;
mod auto;
mod bar;
mod bounds;
mod circuits;
mod configurations;
mod duration;
mod engines;
mod explain;
mod figures;
mod folds;
mod frame;
mod learn;
mod marked;
mod minimize;
mod network;
mod npy;
mod page;
mod paper;
mod passes;
mod peers;
mod results;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Benchmarks of Macchiato; run from the workspace's root.
#[derive(Debug, Parser)]
#[command(name = "lab", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ablate(ablate::Arguments),
    Auto(auto::Arguments),
    Bounds(bounds::Arguments),
    Circuits(circuits::Arguments),
    Engines(engines::Arguments),
    Explain(explain::Arguments),
    Learn(learn::Arguments),
    Minimize(minimize::Arguments),
    Network(network::Arguments),
    Paper(paper::Arguments),
    Peers(peers::Arguments),
    /// One fixed piece of work, for counting its instructions.
    #[command(hide = true)]
    Probe {
        /// Its name.
        name: String,
        /// Prepare the input, and leave the work out.
        #[arg(long)]
        idle: bool,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Ablate(arguments) => frame::run(&arguments),
        Command::Auto(arguments) => frame::run(&arguments),
        Command::Bounds(arguments) => bounds::run(&arguments),
        Command::Circuits(arguments) => circuits::run(&arguments),
        Command::Engines(arguments) => frame::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Minimize(arguments) => frame::run(&arguments),
        Command::Network(arguments) => frame::run(&arguments),
        Command::Paper(arguments) => paper::run(&arguments),
        Command::Peers(arguments) => peers::run(&arguments),
        Command::Probe { name, idle } => minimize::probe(&name, idle).map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}
