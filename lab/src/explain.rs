//! The benchmark of explanations: how long one prediction of a circuit of 200 inputs and 20 stages takes to explain, and how
//! much is proven of it. Results go to `lab/results/explain.json`.

#[path = "../../crates/macchiato/tests/made/stages.rs"]
mod made;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use macchiato::explain::{Counterfactual, ExplainOptions, Point, Subject, explain_model, explain_prediction};
use macchiato::minimize::Budget;
use macchiato::stage;
use macchiato::staged::Staged;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::bar::{self, Bar, median, rounded};
use crate::results;
use made::Size;

const RESULTS: &str = "lab/results/explain.json";
const INPUTS: usize = 200;
const STAGES: usize = 20;
/// Seconds of the slowest prediction.
const BAR: f64 = 1.0;

/// Measure explanations of circuits of 200 inputs and 20 stages.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Predictions of each circuit.
    #[arg(long, default_value_t = 50, value_name = "N")]
    points: usize,
}

#[derive(Debug, Serialize)]
struct Results {
    how_to_read: &'static str,
    cpus: usize,
    inputs: usize,
    stages: usize,
    kinds: Vec<Kind>,
    bars: Vec<Bar>,
}

/// Circuits of one kind.
#[derive(Debug, Serialize)]
struct Kind {
    name: &'static str,
    terms: usize,
    literals: usize,
    points: usize,
    seconds_median: f64,
    seconds_worst: f64,
    reason_median: f64,
    /// Points whose reason is proven to be the smallest, and whose other answer to be the nearest.
    smallest: usize,
    nearest: usize,
    changes_median: f64,
    /// Seconds for the model as a whole, and features whose influence was counted exactly.
    model_seconds: f64,
    exact_influences: usize,
}

/// Runs it; `false` if a bar is not met.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let kinds = [
        ("tables of 12 inputs", random(40, (12, 6), 1)),
        ("few terms over all inputs", random(30, (INPUTS, 5), 2)),
        ("many terms over all inputs", random(200, (INPUTS, 9), 3)),
        ("long terms, which rarely hold", random(20, (INPUTS, 20), 4)),
    ];
    let kinds: Vec<Kind> = kinds
        .iter()
        .map(|(name, circuit)| measure(name, circuit, arguments.points))
        .collect::<Result<_>>()?;
    let bar = |kind: &Kind| {
        Bar::at_most(format!("seconds, slowest prediction: {}", kind.name), BAR, kind.seconds_worst)
    };
    let bars: Vec<Bar> = kinds.iter().map(bar).collect();
    print!("{}", bar::closing_table(bars.iter()));
    let met = bars.iter().all(|bar| bar.met);
    let results = Results {
        how_to_read: "Random circuits, explained on random points by default limits; seconds are wall-clock times on this many CPUs.",
        cpus: results::cpus(),
        inputs: INPUTS,
        stages: STAGES,
        kinds,
        bars,
    };
    results::write(&results, Path::new(RESULTS))?;
    Ok(met)
}

fn measure(name: &'static str, circuit: &Staged, points: usize) -> Result<Kind> {
    let gates = circuit.gates();
    let (subject, options, budget) =
        (Subject::of_stages(&gates, &circuit.stages), ExplainOptions::default(), Budget::unlimited());
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut seconds, mut sizes, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut smallest, mut nearest) = (0, 0);
    for _ in 0..points {
        let point: Vec<bool> = (0..INPUTS).map(|_| rng.next_u32() % 2 == 0).collect();
        let start = Instant::now();
        let why = explain_prediction(&subject, &Point::of_bits(&point), &options, &budget)?;
        seconds.push(start.elapsed().as_secs_f64());
        sizes.push(why.reason.conditions.len() as f64);
        smallest += usize::from(why.reason.is_smallest());
        nearest += usize::from(why.counterfactual.is_nearest());
        let Counterfactual::Found { changes: found, .. } = &why.counterfactual else {
            bail!("{name}: no other answer was found");
        };
        changes.push(found.len() as f64);
    }
    let start = Instant::now();
    let model = explain_model(&subject, None, &options, &budget)?;
    let model_seconds = rounded(start.elapsed().as_secs_f64());
    let exact = |kind: &macchiato::explain::CircuitExplanation| {
        kind.features.iter().filter(|feature| feature.points.number().is_some()).count()
    };
    let kind = Kind {
        name,
        terms: stage::terms(&circuit.stages),
        literals: stage::literals(&circuit.stages),
        points,
        seconds_worst: rounded(seconds.iter().copied().fold(0.0, f64::max)),
        seconds_median: rounded(median(seconds)),
        reason_median: median(sizes),
        smallest,
        nearest,
        changes_median: median(changes),
        model_seconds,
        exact_influences: model.circuits.iter().map(exact).sum(),
    };
    eprintln!("{kind:?}");
    Ok(kind)
}

/// Stages of random terms, each over `width` inputs.
fn random(terms: usize, (width, literals): (usize, usize), seed: u64) -> Staged {
    let size = Size { inputs: INPUTS, stages: STAGES, width, terms, literals };
    made::staged(&size, &mut ChaCha8Rng::seed_from_u64(seed))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    const DOCUMENT: &str = include_str!("../../docs/explain.md");
    const RESULTS: &str = include_str!("../results/explain.json");

    /// `docs/explain.md` says what the results say, times rounded up to a tenth of a second.
    #[test]
    fn the_documentation_has_these_figures() {
        let results: Value = serde_json::from_str(RESULTS).expect("JSON");
        let kinds = results["kinds"].as_array().expect("kinds");
        let of = |key: &str| -> Vec<f64> {
            kinds.iter().map(|kind| kind[key].as_f64().unwrap_or_else(|| panic!("no {key}"))).collect()
        };
        let sum = |key: &str| of(key).iter().sum::<f64>();
        let most = |key: &str| of(key).into_iter().fold(0.0, f64::max);
        let least = |key: &str| of(key).into_iter().fold(f64::INFINITY, f64::min);
        let tenths = |seconds: f64| format!("{:.1} s", (10.0 * seconds).ceil() / 10.0);
        let document = DOCUMENT.split_whitespace().collect::<Vec<_>>().join(" ");
        for figure in [
            format!("the slowest answer took {} on two CPUs", tenths(most("seconds_worst"))),
            format!("proven for all {} points", sum("nearest")),
            format!("no smaller set forces the answer for {} of them", sum("smallest")),
            format!(
                "The overview of a whole circuit took {} to {}",
                tenths(least("model_seconds")),
                tenths(most("model_seconds"))
            ),
        ] {
            assert!(document.contains(&figure), "{figure}");
        }
        assert_eq!((sum("nearest"), results["cpus"].as_u64()), (sum("points"), Some(2)));
    }
}
