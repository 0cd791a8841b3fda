//! `macchiato bounds rows`: how many rows a study needs, or what its rows and pairs buy.

use std::fmt::Write;

use clap::Args;
use macchiato::bounds::accuracy::JuntaResidual;
use macchiato::bounds::holdout::at_most_percent;
use macchiato::bounds::study::{Needed, PairsBuy, RowsBuy, Study};
use macchiato::model::Confidence;
use macchiato::words::thousands;
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds rows --inputs 40 --junta 5 --error 0.05 --confidence 0.95
  macchiato bounds rows --inputs 40 --junta 5 --error 0.05 --stages 3 --width 6 --gap 0.1
  macchiato bounds rows --inputs 40 --junta 5 --rows 2000                what they promise
  macchiato bounds rows --inputs 40 --junta 5 --pairs 100000 --json      how well they show influences

A paired sample is an input drawn uniformly, the same with one input flipped (which one is drawn as
well), and both labels. Neighbouring rows of an ordinary table are no paired samples.";

/// How many rows does a rule of few inputs need?
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Inputs there are
    #[arg(long, value_name = "B")]
    inputs: u64,
    /// Inputs that the rule needs at most
    #[arg(long, value_name = "S")]
    junta: u64,
    /// The error to stay below
    #[arg(long, value_name = "SHARE", required_unless_present_any = ["rows", "pairs"], conflicts_with_all = ["rows", "pairs"])]
    error: Option<f64>,
    /// Instead of an error: the rows at hand
    #[arg(long, value_name = "T")]
    rows: Option<u64>,
    /// Instead of an error: the paired samples at hand
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// How sure to be
    #[arg(long, value_name = "DECIMAL", default_value_t)]
    confidence: Confidence,
    /// Stages of the paper's learner, which share the rows
    #[arg(long, value_name = "M", default_value_t = 1)]
    stages: u64,
    /// Inputs of a stage at most [default: those of the rule]
    #[arg(long, value_name = "K")]
    width: Option<u64>,
    /// Influence by which the inputs that matter stand out [default: the least that is possible]
    #[arg(long, value_name = "EPSILON")]
    gap: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Answer {
    study: Study,
    confidence: Confidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<Needed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_buy: Option<RowsBuy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs_buy: Option<PairsBuy>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { inputs, junta, error, rows, pairs, confidence, stages, width, gap, json } = *arguments;
    let delta = confidence.risk();
    let width = width.unwrap_or(junta);
    let study = Study { inputs, support: junta, width, stages, gap, delta };
    let answer = Answer {
        study,
        confidence,
        error,
        needed: error.map(|error| study.needed(error)).transpose()?,
        rows,
        rows_buy: rows.map(|rows| study.rows_buy(rows)).transpose()?,
        pairs,
        pairs_buy: pairs.map(|pairs| study.pairs_buy(pairs)).transpose()?,
    };
    super::answer(json, &answer, || answer.words())
}

impl Answer {
    fn words(&self) -> String {
        let Study { inputs, support, .. } = self.study;
        let mut text = format!(
            "A rule that needs at most {support} of {inputs} inputs, with confidence {}.\n",
            self.confidence.percent()
        );
        if let (Some(error), Some(needed)) = (self.error, &self.needed) {
            self.needed_words(&mut text, error, needed);
        }
        if let (Some(rows), Some(buy)) = (self.rows, &self.rows_buy) {
            self.rows_words(&mut text, rows, buy);
        }
        if let (Some(pairs), Some(buy)) = (self.pairs, &self.pairs_buy) {
            pairs_words(&mut text, pairs, buy);
        }
        text
    }

    /// Writing to a string cannot fail.
    fn needed_words(&self, text: &mut String, error: f64, needed: &Needed) {
        let support = self.study.support;
        let most = at_most_percent(error);
        let _ = writeln!(text, "\nOrdinary rows: {}", thousands(needed.consistent));
        let _ = writeln!(
            text,
            "  Any rule of at most {support} inputs that makes no error on so many rows errs on at most {most} of all."
        );
        let _ = writeln!(
            text,
            "  Assumed: rows drawn independently, from any distribution; labels that are a function of the inputs;"
        );
        let _ = writeln!(
            text,
            "  a learner that finds such a rule. To know it after learning, measure on rows put aside."
        );
        let pairs = &needed.pairs;
        let _ = writeln!(text, "\nThe paper's learner, {}: paired samples, then rows", self.stages());
        let line = |text: &mut String, number: u64, words: &str| {
            let _ = writeln!(text, "  {:>20}  {words}", thousands(number));
        };
        line(text, pairs.to_see, "pairs show every input that matters (threshold 0, at most K matter)");
        let all = format!("pairs give all influences of all such rules within {:.4}", pairs.epsilon);
        line(text, pairs.sharper.needed(), &all);
        line(
            text,
            pairs.paper.exact_tail,
            "  the same with the paper's constants, inputs drawn by the exact tail",
        );
        line(text, pairs.paper.chernoff, "  and by Chernoff's bound (thm:junta-influence-recovery)");
        let JuntaResidual { paper, realizable, known_inputs, unseen_cells } = needed.junta;
        line(
            text,
            unseen_cells,
            &format!("rows, once the inputs are known: a share of {most} of the cells stays unseen at most"),
        );
        line(text, known_inputs, "  the same under any distribution");
        line(text, realizable, "  and without knowing the inputs");
        line(text, paper, "  with the paper's constants (thm:junta-residual-accuracy)");
        let _ = writeln!(
            text,
            "  Any rule at all, each stage at most {most} worse than the best table over its own {} inputs:",
            self.study.width
        );
        line(text, needed.excess.sharper, "rows");
        line(text, needed.excess.paper, "  with the paper's constants (thm:projected-stage-generalization)");
        let _ = writeln!(
            text,
            "  Assumed: pairs and rows drawn independently and uniformly, fresh rows for every stage (fit --method paper"
        );
        let _ = writeln!(
            text,
            "  --split), each residual a rule of at most {support} inputs. Half of the doubt goes to the pairs, half to the rows."
        );
        let _ = writeln!(
            text,
            "  Note: fit takes influences from neighbouring rows, which are not paired samples; no bound covers those."
        );
    }

    fn rows_words(&self, text: &mut String, rows: u64, buy: &RowsBuy) {
        let support = self.study.support;
        let line = |text: &mut String, share: f64, words: &str| {
            let _ = writeln!(text, "  {:>9}  {words}", at_most_percent(share));
        };
        let _ = writeln!(text, "\nWhat {} rows promise, as an error of at most", thousands(rows));
        line(
            text,
            buy.consistent,
            &format!("any rule of at most {support} inputs that makes no error on them"),
        );
        let _ = writeln!(text, "The paper's learner, {}, where its inputs were recovered", self.stages());
        let JuntaResidual { paper, realizable, known_inputs, unseen_cells } = buy.junta;
        line(text, unseen_cells, "rows uniform: only cells that no row shows can be wrong");
        line(text, known_inputs, "any distribution");
        line(text, realizable, "and without knowing the inputs");
        line(text, paper, "with the paper's constants (thm:junta-residual-accuracy)");
        let _ = writeln!(
            text,
            "Any rule, in excess of the best table over a stage's own {} inputs",
            self.study.width
        );
        line(text, buy.excess.sharper, "as the class holds all complements");
        line(text, buy.excess.paper, "with the paper's constants (thm:projected-stage-generalization)");
        let _ = writeln!(
            text,
            "Assumed: rows drawn independently, labels a function of the inputs; for the paper's learner fresh rows for"
        );
        let _ = writeln!(text, "every stage, and half of the doubt for the recovery of its inputs.");
    }

    fn stages(&self) -> String {
        let Study { stages, width, .. } = self.study;
        format!("{stages} {} of at most {width} inputs", if stages == 1 { "stage" } else { "stages" })
    }
}

fn pairs_words(text: &mut String, pairs: u64, buy: &PairsBuy) {
    let _ = writeln!(
        text,
        "\nWhat {} paired samples promise: every influence of every such rule within",
        thousands(pairs)
    );
    let line = |text: &mut String, epsilon: f64, words: &str| {
        let shown =
            if epsilon < 1.0 { format!("{:.4}", (epsilon * 1e4).ceil() / 1e4) } else { "nothing".to_owned() };
        let _ = writeln!(text, "  {shown:>9}  {words}");
    };
    line(text, buy.sharper.averaged, "by derivatives, averaged over the draws of inputs");
    line(text, buy.paper.averaged, "by all rules, averaged over the draws of inputs");
    line(text, buy.paper.paper, "with the paper's constants (thm:junta-influence-recovery)");
    let _ = writeln!(
        text,
        "Assumed: the paired model; neighbouring rows of a table are not that. Half of the doubt goes to the rows."
    );
}
