//! The laws of explanations, against brute force on every point.

mod asked;
mod classes;
mod columns;
mod deep;

use super::*;
use crate::bits;
use crate::minimize::{Budget, Cover, Literal, Shape};
use crate::network::tests::any_circuit;
use crate::stage::Stage;
use crate::staged::Staged;
use proptest::prelude::*;
use std::time::Duration;

/// A circuit of stages, each of which is a list of terms over named inputs: `["a !b", "c"]`.
fn circuit(inputs: &[&str], stages: &[&[&str]]) -> Staged {
    let inputs: Vec<String> = inputs.iter().map(|&name| name.to_owned()).collect();
    let literal = |term: &str, name: &String| {
        let asked = |spelled: &str| term.split(' ').any(|word| word == spelled);
        match (asked(name), asked(&format!("!{name}"))) {
            (true, _) => Literal::Positive,
            (_, true) => Literal::Negative,
            _ => Literal::Free,
        }
    };
    let stage = |terms: &&[&str]| {
        let mut cover = Cover::new(Shape::new(inputs.len(), 1));
        for term in *terms {
            cover.push(&inputs.iter().map(|name| literal(term, name)).collect::<Vec<_>>(), &[true]);
        }
        Stage { inputs: (0..inputs.len()).collect(), cover }
    };
    Staged { stages: stages.iter().map(stage).collect(), target: "y".to_owned(), inputs: inputs.clone() }
}

fn why(circuit: &Staged, x: usize) -> PredictionExplanation {
    let point: Vec<bool> = (0..circuit.inputs.len()).map(|i| x >> i & 1 == 1).collect();
    let gates = circuit.gates();
    let subject = Subject::of_stages(&gates, &circuit.stages);
    explain_prediction(&subject, &Point::of_bits(&point), &ExplainOptions::default(), &Budget::unlimited())
        .expect("an explanation")
}

/// The value of a circuit on all points.
fn table(circuit: &Staged) -> Vec<bool> {
    let inputs = circuit.inputs.len();
    let at = |x: usize| circuit.at(&(0..inputs).map(|i| x >> i & 1 == 1).collect::<Vec<_>>());
    (0..1usize << inputs).map(at).collect()
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

/// The inputs that a literal of some stage reads.
fn support(circuit: &Staged) -> Vec<usize> {
    circuit.stages.iter().flat_map(Stage::terms).flatten().map(|(input, _)| input).collect()
}

/// For each set of inputs whether changing some of them, and no others, can change the answer at `x`.
fn changeable(table: &[bool], x: usize) -> Vec<bool> {
    let mut can: Vec<bool> = (0..table.len()).map(|mask| table[x ^ mask] != table[x]).collect();
    for bit in (0..table.len().trailing_zeros()).map(|i| 1usize << i) {
        for mask in (0..table.len()).filter(|mask| mask & bit != 0) {
            can[mask] |= can[mask ^ bit];
        }
    }
    can
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Sufficient, none to spare, and no smaller set does; the nearest other answer is as near as said.
    #[test]
    fn predictions_are_as_brute_force_has_them(circuit in any_circuit(1..=12, 4), x in any::<usize>()) {
        let table = table(&circuit);
        let x = x % table.len();
        let (all, can) = (table.len() - 1, changeable(&table, x));
        let why = why(&circuit, x);
        prop_assert_eq!(&why.answer, if table[x] { "1" } else { "0" });
        prop_assert_eq!(why.circuits[0].answer, table[x]);

        let mut set = 0;
        for condition in &why.reason.conditions {
            let (input, value) = literal(&circuit, &condition.feature, &condition.text);
            prop_assert_eq!(x >> input & 1 == 1, value);
            set |= 1 << input;
        }
        prop_assert!(!can[all & !set], "not sufficient: {:?}", why.reason);
        for bit in (0..circuit.inputs.len()).map(|i| 1 << i).filter(|bit| set & bit != 0) {
            prop_assert!(can[all & !(set & !bit)], "not minimal: {:?}", why.reason);
        }
        let smallest = (0..table.len()).filter(|&set| !can[all & !set]).map(usize::count_ones).min();
        prop_assert_eq!(Some(why.reason.at_least as u32), smallest);
        prop_assert!(why.reason.is_smallest() && why.reason.minimal);

        let nearest = (0..table.len()).filter(|&mask| table[x ^ mask] != table[x]).map(usize::count_ones).min();
        match (&why.counterfactual, nearest) {
            (Counterfactual::Impossible, None) => {}
            (Counterfactual::Found { changes, becomes, .. }, Some(nearest)) => {
                let mut other = x;
                for change in changes {
                    let (input, value) = literal(&circuit, &change.feature, &change.to);
                    prop_assert_eq!(x >> input & 1 == 1, !value);
                    other ^= 1 << input;
                }
                prop_assert_eq!(becomes, if table[other] { "1" } else { "0" });
                prop_assert!(table[other] != table[x] && why.counterfactual.is_nearest());
                prop_assert_eq!(changes.len() as u32, nearest);
            }
            (found, nearest) => prop_assert!(false, "{found:?} {nearest:?}"),
        }
    }

    /// Counts of the whole, of the stages and of the influences, exact or bounds, with any limit; and those of rows.
    #[test]
    fn counts_are_as_brute_force_has_them(
        circuit in any_circuit(1..=10, 4),
        nodes in prop_oneof![Just(1usize << 18), 2usize..60],
        labels in any::<u64>(),
    ) {
        let (table, inputs) = (table(&circuit), circuit.inputs.len());
        let points = table.len();
        let column = |i: usize| {
            let mut column = bits::Column::default();
            (0..points).for_each(|x| column.push(x >> i & 1 == 1));
            column.into_words()
        };
        let columns: Vec<Vec<u64>> = (0..inputs).map(column).collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let labels = vec![labels; bits::words(points)];
        let data = Data { columns: &columns, labels: &[&labels], rows: points };
        let options = ExplainOptions { nodes, ..ExplainOptions::default() };
        let gates = circuit.gates();
        let subject = Subject::of_stages(&gates, &circuit.stages);
        let model = explain_model(&subject, Some(&data), &options, &Budget::unlimited()).expect("an explanation");
        let model = &model.circuits[0];
        let check = |count: &Count, number: usize| {
            // The space has the inputs that are read alone.
            let scale = BigUint::from(points) / &count.of;
            let (low, high) = (&count.at_least * &scale, &count.at_most * &scale);
            let number = BigUint::from(number);
            low <= number && number <= high && (nodes < 60 || low == high)
        };
        let ones = table.iter().filter(|&&one| one).count();
        prop_assert!(check(&model.ones, ones), "{:?} {ones}", model.ones);
        prop_assert_eq!(model.rows, Some(ones));
        let positive = (0..points).filter(|&x| bits::get(&labels, x)).count();
        let mut before = vec![positive > points - positive; points];
        let mut answers = vec![false; points];
        for (stage, said) in circuit.stages.iter().zip(&model.stages) {
            let fires: Vec<bool> = self::table(&Staged { stages: vec![stage.clone()], ..circuit.clone() });
            let fired = fires.iter().filter(|&&fires| fires).count();
            prop_assert!(check(&said.coverage, fired), "{said:?} {fired}");
            prop_assert_eq!(said.rows, Some(fired));
            let wrong = |answers: &[bool]| {
                (0..points).filter(|&x| answers[x] != bits::get(&labels, x)).count()
            };
            let after: Vec<bool> = answers.iter().zip(&fires).map(|(a, b)| a ^ b).collect();
            let errors = Errors { before: wrong(&before), after: wrong(&after), of: points, training: false };
            prop_assert_eq!(said.errors, Some(errors));
            before.clone_from(&after);
            answers = after;
        }
        prop_assert_eq!(model.features.len(), inputs);
        for influence in &model.features {
            let bit = 1 << circuit.inputs.iter().position(|name| *name == influence.feature).expect("an input");
            let flips = (0..points).filter(|&x| table[x] != table[x ^ bit]).count();
            prop_assert!(check(&influence.points, flips), "{influence:?} {flips}");
            prop_assert_eq!(influence.rows, Some(flips));
            prop_assert_eq!(influence.matters, if flips > 0 { Matters::Yes } else { Matters::No });
        }
        let ranked = model.features.windows(2).all(|two| {
            &two[0].points.at_least + &two[0].points.at_most >= &two[1].points.at_least + &two[1].points.at_most
        });
        prop_assert!(ranked);
    }

    /// Equal exactly where they are, and the number, the example and its region are right.
    #[test]
    fn differences_are_as_brute_force_has_them(
        circuit in any_circuit(2..=8, 3),
        change in (any::<usize>(), any::<usize>()),
        near in any::<usize>(),
    ) {
        // The same circuit with one literal turned, or with its stages the other way round.
        let mut other = circuit.clone();
        other.stages.reverse();
        if let Some(stage) = other.stages.first_mut()
            && stage.cover.terms() > 0 && change.0 % 3 > 0
        {
            let (inputs, turned) = (stage.inputs.len(), change.1 % stage.inputs.len());
            let mut cover = Cover::new(Shape::new(inputs, 1));
            for term in 0..stage.cover.terms() {
                let mut literals: Vec<Literal> = (0..inputs).map(|p| stage.cover.literal(term, p)).collect();
                if term == change.0 % stage.cover.terms() {
                    literals[turned] =
                        if literals[turned] == Literal::Positive { Literal::Negative } else { Literal::Positive };
                }
                cover.push(&literals, &[true]);
            }
            stage.cover = cover;
        }
        let (first, second) = (table(&circuit), table(&other));
        let near = (change.0 % 2 == 0).then_some(near % first.len());
        let bits = |x: usize| Point::of_bits(&(0..circuit.inputs.len()).map(|i| x >> i & 1 == 1).collect::<Vec<_>>());
        let point = near.map(bits);
        let difference = explain_difference(
            &Subject::of_stages(&circuit.gates(), &circuit.stages),
            &Subject::of_stages(&other.gates(), &other.stages),
            point.as_ref().map(|point| (point, point)),
            &ExplainOptions::default(),
            &Budget::unlimited(),
        ).expect("comparable");
        let differs: Vec<usize> = (0..first.len()).filter(|&x| first[x] != second[x]).collect();
        let scale = BigUint::from(first.len()) / &difference.points.of;
        prop_assert_eq!(difference.points.exact().map(|number| number * scale), Some(BigUint::from(differs.len())));
        prop_assert_eq!(difference.are_equal(), Some(differs.is_empty()));
        // Inputs that neither reads are in no example.
        let support: usize =
            support(&circuit).iter().chain(&support(&other)).fold(0, |mask, &input| mask | 1 << input);
        let reference = near.unwrap_or(0);
        match &difference.example {
            None => prop_assert!(differs.is_empty()),
            Some(example) => {
                let mut x = reference;
                for condition in &example.from_reference {
                    let (input, value) = literal(&circuit, &condition.feature, &condition.text);
                    prop_assert_eq!(x >> input & 1 == 1, !value);
                    x ^= 1 << input;
                }
                prop_assert!(differs.contains(&x));
                prop_assert_eq!(&example.first, if first[x] { "1" } else { "0" });
                let nearest = differs.iter().map(|other| ((other ^ reference) & support).count_ones()).min();
                prop_assert_eq!(Some(example.from_reference.len() as u32), nearest);
                prop_assert_eq!(example.from_reference.len(), example.at_least);
                let (mut mask, mut values) = (0, 0);
                for condition in &example.region {
                    let (input, value) = literal(&circuit, &condition.feature, &condition.text);
                    mask |= 1 << input;
                    values |= usize::from(value) << input;
                }
                prop_assert_eq!(x & mask, values);
                prop_assert!((0..first.len()).filter(|y| y & mask == values).all(|y| first[y] != second[y]));
            }
        }
    }

    /// Without any time, what is said is still true.
    #[test]
    fn a_spent_budget_leaves_true_statements(circuit in any_circuit(1..=8, 3), x in any::<usize>()) {
        let table = table(&circuit);
        let x = x % table.len();
        let point: Vec<bool> = (0..circuit.inputs.len()).map(|i| x >> i & 1 == 1).collect();
        let spent = Budget::unlimited().with_time_limit(Duration::ZERO);
        let gates = circuit.gates();
        let (subject, options) = (Subject::of_stages(&gates, &circuit.stages), ExplainOptions::default());
        let why = explain_prediction(&subject, &Point::of_bits(&point), &options, &spent).expect("an explanation");
        prop_assert_eq!(&why.answer, if table[x] { "1" } else { "0" });
        let (all, can) = (table.len() - 1, changeable(&table, x));
        let set = why.reason.conditions.iter().fold(0, |set, condition| {
            set | 1 << literal(&circuit, &condition.feature, &condition.text).0
        });
        prop_assert!(!can[all & !set], "not sufficient: {:?}", why.reason);
        let smallest = (0..table.len()).filter(|&set| !can[all & !set]).map(usize::count_ones).min();
        prop_assert!(Some(why.reason.at_least as u32) <= smallest);
        let nearest = (0..table.len()).filter(|&mask| table[x ^ mask] != table[x]).map(usize::count_ones).min();
        match why.counterfactual {
            Counterfactual::Unknown { at_least } => prop_assert!(nearest.is_none_or(|n| at_least as u32 <= n)),
            Counterfactual::Impossible => prop_assert_eq!(nearest, None),
            // One change is found by evaluation.
            Counterfactual::Found { changes, .. } => {
                prop_assert_eq!((changes.len(), nearest), (1, Some(1)));
            }
        }
        let model = explain_model(&subject, None, &options, &spent).expect("an explanation");
        let share = table.iter().filter(|&&one| one).count() as f64 / table.len() as f64;
        let (low, high) = model.circuits[0].ones.share_bounds();
        prop_assert!(low <= share && share <= high);
        let difference = explain_difference(&subject, &subject, None, &options, &spent).expect("comparable");
        prop_assert!(difference.example.is_none() && difference.are_equal() != Some(false));
    }
}

#[test]
fn the_terms_that_fire_make_the_answer() {
    let circuit = circuit(&["a", "b", "c", "d"], &[&["a !b", "!a b"], &["c d"], &["c"]]);
    let why = why(&circuit, 0b1101);
    let stages = &why.circuits[0].stages;
    let said: Vec<(bool, bool, Vec<&str>)> = stages
        .iter()
        .map(|stage| {
            (stage.fires, stage.after, stage.terms.iter().map(|term| term.formula.as_str()).collect())
        })
        .collect();
    assert_eq!(said, [(true, true, vec!["a ∧ ¬b"]), (true, false, vec!["c ∧ d"]), (true, true, vec!["c"])]);
    assert_eq!((why.answer.as_str(), stages[0].terms[0].term), ("1", 1));
}

#[test]
fn an_input_that_cancels_out_does_not_matter() {
    // c is in both stages, and changes nothing.
    let circuit = circuit(&["a", "b", "c"], &[&["a", "c"], &["!a c"]]);
    for nodes in [0, 1 << 10] {
        let options = ExplainOptions { nodes, ..ExplainOptions::default() };
        let gates = circuit.gates();
        let subject = Subject::of_stages(&gates, &circuit.stages);
        let model = explain_model(&subject, None, &options, &Budget::unlimited()).unwrap();
        let said: Vec<(&str, Matters)> =
            model.circuits[0].features.iter().map(|f| (f.feature.as_str(), f.matters)).collect();
        let expected = [("a", Matters::Yes), ("c", Matters::No), ("b", Matters::No)];
        assert!(expected.iter().all(|pair| said.contains(pair)), "{said:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let circuit = circuit(&["a", "b"], &[&["a b"]]);
    let gates = circuit.gates();
    let (subject, options, budget) =
        (Subject::of_circuit(&gates), ExplainOptions::default(), Budget::unlimited());
    let error = explain_prediction(&subject, &Point::of_bits(&[true]), &options, &budget).unwrap_err();
    assert_eq!(error, ExplainError::Inputs { found: 1, expected: 2 });
    let data = Data { columns: &[&[0]], labels: &[], rows: 1 };
    let error = explain_model(&subject, Some(&data), &options, &budget).unwrap_err();
    assert_eq!(error, ExplainError::Columns { found: 1, expected: 2, rows: 1 });
    let data = Data { columns: &[&[0], &[0]], labels: &[&[]], rows: 1 };
    assert!(explain_model(&subject, Some(&data), &options, &budget).is_err());
}
