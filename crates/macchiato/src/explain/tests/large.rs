//! Circuits of many inputs, whose points cannot be listed.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Stages of random terms over random inputs.
fn random(
    inputs: usize,
    stages: usize,
    terms: usize,
    (width, literals): (usize, usize),
    seed: u64,
) -> Staged {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    let stages = (0..stages).map(|_| {
        let mut chosen: Vec<usize> = (0..inputs).collect();
        while chosen.len() > width {
            chosen.remove(below(chosen.len()));
        }
        let mut cover = Cover::new(Shape::new(width, 1));
        for _ in 0..terms {
            let mut term = vec![Literal::Free; width];
            for _ in 0..literals {
                term[below(width)] = if below(2) == 0 { Literal::Positive } else { Literal::Negative };
            }
            cover.push(&term, &[true]);
        }
        Stage { inputs: chosen, cover }
    });
    let stages = stages.collect();
    Staged { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".to_owned(), stages }
}

fn points(circuit: &Staged, number: usize, seed: u64) -> Vec<Vec<bool>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..number).map(|_| circuit.inputs.iter().map(|_| rng.next_u32() % 2 == 0).collect()).collect()
}

/// Explanations of three kinds of circuits of 200 inputs and 20 stages hold on random points. Prints how long they take.
#[test]
fn many_inputs_are_explained() {
    let tables = ("tables of 12 inputs", random(200, 20, 40, (12, 6), 1));
    let wide = ("few terms of all inputs", random(200, 20, 30, (200, 5), 2));
    let many = ("many terms of all inputs", random(200, 20, 200, (200, 9), 3));
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
    let circuit = random(200, 20, 30, (200, 5), 2);
    let gates = circuit.gates();
    let subject = Subject::of_stages(&gates, &circuit.stages);
    let options = ExplainOptions { nodes: 1 << 12, ..ExplainOptions::default() };
    let start = std::time::Instant::now();
    let model = explain_model(&subject, None, &options, &Budget::unlimited()).expect("an explanation");
    println!("{:.3} s for the model", start.elapsed().as_secs_f64());
    let model = &model.circuits[0];
    assert_eq!((model.ones.exact(), &model.ones.of), (None, &(BigUint::from(1u8) << 200u32)));
    let sample = points(&circuit, 2000, 7);
    for (stage, said) in circuit.stages.iter().zip(&model.stages) {
        let fired = sample.iter().filter(|x| stage.at(x)).count() as f64 / sample.len() as f64;
        let (low, high) = said.coverage.share_bounds();
        // Five standard deviations of the sample at most.
        assert!(low - 0.06 < fired && fired < high + 0.06, "{low} {fired} {high}");
    }
    assert!(model.features.iter().all(|feature| feature.matters == Matters::Yes));
}
