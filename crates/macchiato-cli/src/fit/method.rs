//! The two ways to learn: their options, and which of them go together.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use macchiato::fit::{PaperParams, Selection};
use macchiato::learn::{AutoParams, Gates, Pick};
use macchiato::model::Method;
use macchiato::select::Threshold;

use super::Arguments;
use crate::example;

/// Most inputs of a stage of the paper's method where nothing else is said: its usual setting.
const DEFAULT_K: usize = 6;

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum MethodName {
    /// Circuits of every shape compete: tables, counts, points, chains, graphs, sums of products, votes
    Auto,
    /// Algorithm 1 of the paper
    Paper,
}

/// Options that only `auto` has.
#[derive(Debug, Args)]
pub(super) struct AutoOptions {
    /// How much to try, from 1 (quick) to 9 (thorough) [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=9))]
    effort: Option<u8>,
    /// Rows that decide between candidates: the same columns by name, the same target
    #[arg(long, value_name = "DATA", conflicts_with = "example")]
    pub(super) validation: Option<PathBuf>,
    /// Which circuit to take: score (what is worth reading), best (however long), simplest-within=0.01 or
    /// max-conditions=12 [default: score]
    #[arg(long, value_name = "WHICH")]
    pick: Option<Pick>,
    /// Print the front as well: the best circuit of each size
    #[arg(long)]
    pub(super) path: bool,
    /// Gates that the circuit may have: and,or with xor and count [default: and,or,xor,count]
    #[arg(long, value_name = "GATE,...")]
    gates: Option<Gates>,
}

/// Options that only the paper's method has.
#[derive(Debug, Args)]
pub(super) struct PaperOptions {
    /// Choose only inputs whose influence is above this: a decimal from 0 to below 1 [default: 0]
    #[arg(long, value_name = "DECIMAL")]
    tau: Option<Threshold>,
    /// How the inputs of a stage are chosen [default: influence]
    #[arg(long, value_enum)]
    select: Option<SelectName>,
    /// Give every stage fresh rows: the rows, in their order, are shared among the m stages
    #[arg(long)]
    split: bool,
    /// End once a stage changes nothing on the training rows; otherwise it repeats until m
    #[arg(long)]
    stop_when_stuck: bool,
    /// Keep the time of every step in the model, whose bytes then differ from run to run
    #[arg(long)]
    pub(super) timings: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SelectName {
    /// By empirical influence on what is left to explain
    Influence,
    /// At random
    Random,
}

impl Arguments {
    /// An option of the method that was not chosen would be passed over in silence.
    pub(super) fn refuse_foreign(&self) -> anyhow::Result<()> {
        let (auto, paper) = (&self.auto, &self.paper);
        let of_auto = [
            ("--effort", auto.effort.is_some()),
            ("--validation", auto.validation.is_some()),
            ("--pick", auto.pick.is_some()),
            ("--path", auto.path),
            ("--gates", auto.gates.is_some()),
        ];
        if (auto.pick.is_some() || auto.path) && self.k.is_some() && matches!(self.method, MethodName::Auto) {
            bail!(
                "-k is about stages, and --pick and --path about circuits of every shape: leave one of the two out"
            );
        }
        let of_paper = [
            ("--tau", paper.tau.is_some()),
            ("--select", paper.select.is_some()),
            ("--split", paper.split),
            ("--stop-when-stuck", paper.stop_when_stuck),
            ("--timings", paper.timings),
        ];
        let (foreign, other): (&[_], _) = match self.method {
            MethodName::Auto => (&of_paper, "paper"),
            MethodName::Paper => (&of_auto, "auto"),
        };
        if self.k.is_some() && auto.validation.is_some() && matches!(self.method, MethodName::Auto) {
            bail!(
                "--validation decides between tables and wide stages, and with -k there are only tables: leave one of the two out"
            );
        }
        match foreign.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                bail!("{option} is an option of --method {other}: choose that, or leave {option} out")
            }
            None => Ok(()),
        }
    }

    /// The parameters of the method that was chosen.
    pub(super) fn method(&self) -> Method {
        let (k, m, seed) = (self.k, self.m, self.seed);
        let PaperOptions { tau, select, split, stop_when_stuck, .. } = self.paper;
        match self.method {
            MethodName::Auto => {
                let mut params = AutoParams::default();
                (params.k, params.m, params.seed) = (k, m, seed);
                params.effort = self.auto.effort.unwrap_or(params.effort);
                params.pick = self.auto.pick.unwrap_or(params.pick);
                params.gates = self.auto.gates.unwrap_or(params.gates);
                Method::Auto(params)
            }
            MethodName::Paper => {
                let usual = if self.example { example::K } else { DEFAULT_K };
                let mut params = PaperParams::new(k.unwrap_or(usual), m);
                params.tau = tau.unwrap_or_default();
                params.selection = match select {
                    Some(SelectName::Random) => Selection::Random,
                    Some(SelectName::Influence) | None => Selection::Influence,
                };
                (params.split, params.seed, params.stop_when_stuck) = (split, seed, stop_when_stuck);
                Method::Paper(params)
            }
        }
    }
}
