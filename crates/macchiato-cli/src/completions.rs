//! `macchiato completions`: a script that makes the shell complete our options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  macchiato completions bash > ~/.local/share/bash-completion/completions/macchiato
  macchiato completions fish > ~/.config/fish/completions/macchiato.fish
  macchiato completions zsh  > ~/.zfunc/_macchiato      with ~/.zfunc in fpath before compinit";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script to standard output.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Cli::command(), "macchiato", &mut script);
    Output::Stdout.write(&script)
}
