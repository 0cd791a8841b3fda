//! `macchiato bounds`: what rows prove about a model.

mod error;
mod model;

use clap::{Args, Subcommand};

/// Say what is proven about a model, and how many rows a study needs
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Error(error::Arguments),
    Model(model::Arguments),
}

/// Answers.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.what {
        What::Error(arguments) => error::run(arguments),
        What::Model(arguments) => model::run(arguments),
    }
}
