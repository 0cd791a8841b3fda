//! Labels that certify which inputs matter: asked for, in pairs at random, or in rows as they come.
//!
//! Results go to `lab/results/bounds.json`. Nothing is timed, so every run writes the same bytes.

use std::convert::Infallible;
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use macchiato::bits::Column;
use macchiato::bounds::active::{Question, certify_selection};
use macchiato::bounds::binomial::Interval;
use macchiato::bounds::trace::{certify, limits};
use macchiato::generate::Target;
use macchiato::influence::{Influence, Neighbours};
use macchiato::residual::Residual;
use macchiato::rows::Rows;
use macchiato::select::{Threshold, top_k};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::results;

/// Where the committed results are.
const RESULTS: &str = "lab/results/bounds.json";

const INPUTS: usize = 20;
const SUPPORT: usize = 3;
const TAU: f64 = 0.1;
const RISK: f64 = 0.05;
const JUNTAS: u64 = 20;
/// Nobody labels more.
const MOST: usize = 1 << 18;

/// Count the labels that certify which inputs matter: asked for, in random pairs, in passive rows
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[derive(Debug, Serialize)]
struct Results {
    how_to_read: String,
    inputs: usize,
    support: usize,
    tau: f64,
    confidence: f64,
    juntas: Vec<Labels>,
    /// Sums over all juntas, divided by that of asking.
    times_the_labels_of_asking: Times,
}

/// Labels until the selection was certified.
#[derive(Debug, Serialize)]
struct Labels {
    seed: u64,
    influences_above_tau: usize,
    asked: usize,
    in_pairs: usize,
    in_rows: usize,
}

#[derive(Debug, Serialize)]
struct Times {
    in_pairs: f64,
    in_rows: f64,
}

/// Counts and writes; `false` if a certified selection is wrong more often than it may be.
pub(crate) fn run(_: &Arguments) -> Result<bool> {
    let mut juntas = Vec::new();
    let mut wrong = 0;
    for seed in 0..JUNTAS {
        let target = Target::junta(INPUTS, SUPPORT, seed)?;
        let truth = relevant(&target);
        let (asked, first) = by_asking(&target, seed)?;
        let (in_pairs, second) = by_pairs(&target, seed)?;
        let (in_rows, third) = by_rows(&target, seed)?;
        wrong += [first, second, third].iter().filter(|selected| **selected != truth).count();
        eprintln!("junta {seed}: {asked} labels asked for, {in_pairs} in pairs, {in_rows} in rows");
        juntas.push(Labels { seed, influences_above_tau: truth.len(), asked, in_pairs, in_rows });
    }
    let sum = |labels: fn(&Labels) -> usize| juntas.iter().map(labels).sum::<usize>() as f64;
    let asked = sum(|labels| labels.asked);
    let round = |times: f64| (times * 100.0).round() / 100.0;
    let times = Times {
        in_pairs: round(sum(|labels| labels.in_pairs) / asked),
        in_rows: round(sum(|labels| labels.in_rows) / asked),
    };
    println!(
        "random pairs take {} times the labels of asking, passive rows {} times",
        times.in_pairs, times.in_rows
    );
    let results = Results {
        how_to_read: "Labels until limits certify the inputs of greatest influence above tau, at most K = support of them. \
                      Asking looks as often as it likes and pays for it; pairs and rows are looked at once, at the least number that \
                      turned out to be enough (to within a twentieth), which nobody knows beforehand."
            .to_owned(),
        inputs: INPUTS,
        support: SUPPORT,
        tau: TAU,
        confidence: 1.0 - RISK,
        juntas,
        times_the_labels_of_asking: times,
    };
    results::write(&results, Path::new(RESULTS))?;
    Ok(wrong == 0)
}

/// The inputs with an influence above tau, by all points of the support.
fn relevant(target: &Target) -> Vec<usize> {
    let support = target.support();
    let value = |cell: usize| {
        let mut x = vec![false; INPUTS];
        support.iter().enumerate().for_each(|(bit, &input)| x[input] = cell >> bit & 1 == 1);
        target.at(&x)
    };
    let cells = 1 << support.len();
    let differs = |bit: usize| (0..cells).filter(|&cell| value(cell) != value(cell ^ (1 << bit))).count();
    (0..support.len())
        .filter(|&bit| differs(bit) as f64 > TAU * cells as f64)
        .map(|bit| support[bit])
        .collect()
}

fn by_asking(target: &Target, seed: u64) -> Result<(usize, Vec<usize>)> {
    let question = Question { inputs: INPUTS, k: SUPPORT, tau: TAU, smallest: None, risk: RISK, seed };
    let outcome = certify_selection(&question, |x| Ok::<_, Infallible>(target.at(x)), MOST)?;
    if !outcome.certified {
        bail!("junta {seed}: not certified by {MOST} labels");
    }
    Ok((outcome.labels, outcome.selected()))
}

fn random(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

fn point(rng: &mut ChaCha8Rng) -> Vec<bool> {
    let word = rng.next_u64();
    (0..INPUTS).map(|input| word >> input & 1 == 1).collect()
}

/// The selection, if the limits certify it.
fn certified(seen: &[Influence]) -> Result<Option<Vec<usize>>> {
    let tau: Threshold = TAU.to_string().parse()?;
    let selected = top_k(seen, SUPPORT, tau);
    let limits: Vec<Interval> =
        seen.iter().map(|seen| limits(seen.differing, seen.pairs, RISK / INPUTS as f64)).collect();
    // Nothing selected is certified if nothing reaches tau.
    let none = selected.is_empty() && limits.iter().all(|limits| limits.high <= TAU);
    Ok((none || !selected.is_empty() && certify(&limits, &selected, SUPPORT, TAU)).then_some(selected))
}

/// The paired model: a point and an input at random, two labels.
fn by_pairs(target: &Target, seed: u64) -> Result<(usize, Vec<usize>)> {
    let mut rng = random(seed, 21);
    let mut seen = vec![Influence::default(); INPUTS];
    let (mut pairs, mut look) = (0, 64);
    while pairs < MOST / 2 {
        let (mut x, input) = (point(&mut rng), (rng.next_u64() % INPUTS as u64) as usize);
        let label = target.at(&x);
        x[input] = !x[input];
        seen[input].pairs += 1;
        seen[input].differing += u64::from(target.at(&x) != label);
        pairs += 1;
        if pairs == look {
            look += look / 20;
            if let Some(selected) = certified(&seen)? {
                return Ok((2 * pairs, selected));
            }
        }
    }
    bail!("junta {seed}: not certified by {MOST} labels in pairs")
}

/// Rows as they come, each with its label; pairs are those that happen to be among them.
fn by_rows(target: &Target, seed: u64) -> Result<(usize, Vec<usize>)> {
    let mut rng = random(seed, 22);
    let mut columns = vec![Column::default(); INPUTS];
    let mut labels = Column::default();
    let mut look = 1024;
    while look < MOST {
        while labels.len() < look {
            let x = point(&mut rng);
            columns.iter_mut().zip(&x).for_each(|(column, &bit)| column.push(bit));
            labels.push(target.at(&x));
        }
        let words = columns.iter().cloned().map(Column::into_words).collect();
        let rows = Rows::new(words, labels.clone().into_words(), look)?;
        let seen = Neighbours::new(&rows).influences(&rows, &Residual::new(&rows));
        if let Some(selected) = certified(&seen)? {
            return Ok((look, selected));
        }
        look += look / 20;
    }
    bail!("junta {seed}: not certified by {MOST} labels in rows")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    const DOCUMENT: &str = include_str!("../../docs/bounds.md");
    const RESULTS: &str = include_str!("../results/bounds.json");

    #[test]
    fn the_documentation_has_these_figures() {
        let results: Value = serde_json::from_str(RESULTS).expect("JSON");
        let times = &results["times_the_labels_of_asking"];
        let document = DOCUMENT.split_whitespace().collect::<Vec<_>>().join(" ");
        let pairs = format!("took {} times the labels of asking in all", times["in_pairs"]);
        let rows = format!("passive rows {} times", times["in_rows"]);
        assert!(document.contains(&pairs) && document.contains(&rows), "{pairs}, {rows}");
    }
}
