//! The two ways to learn: their options, which of them go together, and the call of the learner.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use macchiato::fit::{
    AutoParams, CheckedAutoParams, CheckedParams, PaperParams, ParamError, Selection, StageTrace,
    fit_auto_observed, fit_paper_observed,
};
use macchiato::learn::{Front, LearnParams, Pick, learn_observed};
use macchiato::minimize::Budget;
use macchiato::model::{Method, Model};
use macchiato::rows::Rows;
use macchiato::select::Threshold;

use crate::example;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;

use super::Arguments;

/// Most inputs of a stage of the paper's method where nothing else is said: its usual setting.
const DEFAULT_K: usize = 6;

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum MethodName {
    /// Stages chosen by evidence, as many inputs and as many stages as the data ask for
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
    /// Let circuits of every shape compete (chains, counts, points, graphs, votes, and the stages), and take this one: score, best,
    /// simplest-within=0.01 or max-conditions=12
    #[arg(long, value_name = "WHICH")]
    pub(super) pick: Option<Pick>,
    /// The same, and print the front: the best circuit of each size
    #[arg(long)]
    pub(super) path: bool,
}

impl AutoOptions {
    /// Which circuit of the front is wanted, where one is.
    pub(super) fn wanted(&self) -> Option<Pick> {
        self.pick.or(self.path.then(Pick::default))
    }
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

/// Parameters that fit the rows.
pub(super) enum Checked {
    Auto(CheckedAutoParams),
    Paper(CheckedParams),
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
        ];
        if auto.wanted().is_some() && self.k.is_some() && matches!(self.method, MethodName::Auto) {
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

    /// The parameters of the method that was chosen, for rows that are there.
    pub(super) fn parameters(&self, rows: &Rows) -> Result<Checked, ParamError> {
        match self.method() {
            Method::Paper(params) => {
                let k = if self.k.is_some() { params.k } else { params.k.min(rows.inputs()) };
                PaperParams { k, ..params }.check(rows).map(Checked::Paper)
            }
            Method::Auto(params) => params.check(rows).map(Checked::Auto),
            _ => unreachable!("there are two methods"),
        }
    }

    /// The parameters of the method that was chosen, unchecked.
    pub(super) fn method(&self) -> Method {
        let (k, m, seed) = (self.k, self.m, self.seed);
        let PaperOptions { tau, select, split, stop_when_stuck, .. } = self.paper;
        match self.method {
            MethodName::Auto => {
                let usual = AutoParams::default();
                let effort = self.auto.effort.unwrap_or(usual.effort);
                Method::Auto(AutoParams { k, m, effort, seed })
            }
            MethodName::Paper => {
                let usual = if self.example { example::K } else { DEFAULT_K };
                Method::Paper(PaperParams {
                    k: k.unwrap_or(usual),
                    m,
                    tau: tau.unwrap_or_default(),
                    selection: match select {
                        Some(SelectName::Random) => Selection::Random,
                        Some(SelectName::Influence) | None => Selection::Influence,
                    },
                    split,
                    seed,
                    stop_when_stuck,
                })
            }
        }
    }
}

impl Checked {
    /// Learns until it is done, the time is over, or Ctrl-C.
    pub(super) fn learn(
        &self,
        rows: &Rows,
        validation: Option<&Rows>,
        interrupt: &Interrupt,
        (time_limit, quiet): (Option<Duration>, bool),
        (pick, whole_front): (Option<Pick>, bool),
    ) -> anyhow::Result<(Model, Option<Front>)> {
        let mut budget = Budget::unlimited().with_cancel(interrupt.flag());
        if let Some(limit) = time_limit {
            budget = budget.with_time_limit(limit);
        }
        match self {
            Self::Auto(params) if pick.is_some() => {
                let spinner = Spinner::message("looking at the rows", quiet);
                let pick = pick.unwrap_or_default();
                let learning =
                    LearnParams { seed: params.get().seed, pick, whole_front, ..LearnParams::default() };
                let observe = |words: &str| spinner.say(words);
                let learned = learn_observed(rows, validation, &learning, &budget, &observe);
                let front = learned.front.clone();
                let fit = learned.into_fit(rows, &budget);
                Ok((Model::new(fit, Method::Auto(params.get().clone()), rows), Some(front)))
            }
            Self::Auto(params) => {
                let spinner = Spinner::message("looking at the rows", quiet);
                let observe = |words: &str| spinner.say(words);
                let fit = fit_auto_observed(rows, validation, params, &budget, observe)?;
                Ok((Model::new(fit, Method::Auto(params.get().clone()), rows), None))
            }
            Self::Paper(params) => {
                let spinner = Spinner::message("looking for neighbouring rows", quiet);
                let (mut t, m) = (0, params.get().m);
                let observe = |stage: &StageTrace| {
                    t += 1;
                    spinner.say(&format!("stage {t} of {m}: {} rows wrong", stage.errors_after));
                };
                let fit = fit_paper_observed(rows, params, &budget, observe)?;
                Ok((Model::new(fit, Method::Paper(params.get().clone()), rows), None))
            }
        }
    }
}
