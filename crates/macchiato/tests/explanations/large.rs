//! Circuits of 200 inputs, whose points cannot be listed.

use super::made::{Size, staged};
use macchiato::explain::{
    Counterfactual, ExplainOptions, Matters, Point, Subject, explain_model, explain_prediction,
};
use macchiato::minimize::Budget;
use macchiato::staged::Staged;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two to the power of 200.
const ALL: &str = "1606938044258990275541962092341162602522202993782792835301376";

/// Twenty stages of so many terms, over `width` inputs each.
fn random(terms: usize, (width, literals): (usize, usize), seed: u64) -> Staged {
    let size = Size { inputs: 200, stages: 20, width, terms, literals };
    staged(&size, &mut ChaCha8Rng::seed_from_u64(seed))
}

/// The input that `feature` names, and the value that ` = 0` or ` = 1` after it says.
fn literal(circuit: &Staged, feature: &str, text: &str) -> (usize, bool) {
    let input = circuit.inputs.iter().position(|name| name == feature).expect("an input");
    match text.strip_prefix(feature) {
        Some(" = 0") => (input, false),
        Some(" = 1") => (input, true),
        _ => panic!("{text}"),
    }
}

fn points(circuit: &Staged, number: usize, seed: u64) -> Vec<Vec<bool>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..number).map(|_| circuit.inputs.iter().map(|_| rng.next_u32() % 2 == 0).collect()).collect()
}

/// Explanations of three kinds of circuits of 200 inputs and 20 stages hold on random points. Prints how long they take.
#[test]
fn many_inputs_are_explained() {
    let tables = ("tables of 12 inputs", random(40, (12, 6), 1));
    let wide = ("few terms of all inputs", random(30, (200, 5), 2));
    let many = ("many terms of all inputs", random(200, (200, 9), 3));
    for (name, circuit) in [tables, wide, many] {
        let gates = circuit.gates();
        let subject = Subject::of_stages(&gates, &circuit.stages);
        for x in points(&circuit, 3, 4) {
            let start = std::time::Instant::now();
            let (point, options) = (Point::of_bits(&x), ExplainOptions::default());
            let why = explain_prediction(&subject, &point, &options, &Budget::unlimited()).expect("one");
            let seconds = start.elapsed().as_secs_f64();
            let answer = circuit.at(&x);
            assert_eq!(why.answer, u8::from(answer).to_string());
            let fixed: Vec<usize> =
                why.reason.conditions.iter().map(|c| literal(&circuit, &c.feature, &c.text).0).collect();
            for mut other in points(&circuit, 200, 5) {
                for &input in &fixed {
                    other[input] = x[input];
                }
                assert_eq!(circuit.at(&other), answer, "{name}: the reason does not force the answer");
            }
            let Counterfactual::Found { changes, at_least, .. } = &why.counterfactual else {
                panic!("{name}: {:?}", why.counterfactual)
            };
            let mut other = x.clone();
            for change in changes {
                let (input, value) = literal(&circuit, &change.feature, &change.to);
                other[input] = value;
            }
            assert_ne!(circuit.at(&other), answer, "{name}: the answer stays");
            println!(
                "{name}: {seconds:.3} s, reason of {} (at least {}, minimal {}), {} changes (at least {at_least})",
                why.reason.conditions.len(),
                why.reason.at_least,
                why.reason.minimal,
                changes.len()
            );
        }
    }
}

/// Bounds where nothing can be counted: they hold on a sample.
#[test]
fn what_cannot_be_counted_is_bounded() {
    let circuit = random(30, (200, 5), 2);
    let gates = circuit.gates();
    let subject = Subject::of_stages(&gates, &circuit.stages);
    let mut options = ExplainOptions::default();
    options.nodes = 1 << 12;
    let start = std::time::Instant::now();
    let model = explain_model(&subject, None, &options, &Budget::unlimited()).expect("an explanation");
    println!("{:.3} s for the model", start.elapsed().as_secs_f64());
    let model = &model.circuits[0];
    assert_eq!((model.ones.number(), model.ones.of().to_string().as_str()), (None, ALL));
    let sample = points(&circuit, 2000, 7);
    for (stage, said) in circuit.stages.iter().zip(&model.stages) {
        let fired = sample.iter().filter(|x| stage.at(x)).count() as f64 / sample.len() as f64;
        let (low, high) = said.coverage.share_bounds();
        // Five standard deviations of the sample at most.
        assert!(low - 0.06 < fired && fired < high + 0.06, "{low} {fired} {high}");
    }
    assert!(model.features.iter().all(|feature| feature.matters == Matters::Yes));
}
