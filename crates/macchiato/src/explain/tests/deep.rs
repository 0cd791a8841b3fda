//! Circuits of any depth, with counts, points and negated gates: against brute force.

use super::*;
use crate::circuit::Circuit;
use crate::circuit::tests::circuits_over;

/// The value of the first output on all points.
fn values(circuit: &Circuit) -> Vec<bool> {
    let inputs = circuit.inputs().len();
    let at = |x: usize| circuit.at(&(0..inputs).map(|i| x >> i & 1 == 1).collect::<Vec<_>>())[0] == 1;
    (0..1usize << inputs).map(at).collect()
}

/// The input that a condition such as `x3 = 1` is about, and its value.
fn asked(circuit: &Circuit, feature: &str, text: &str) -> (usize, bool) {
    let input = circuit.inputs().iter().position(|name| name == feature).expect("an input");
    (input, text.ends_with("= 1"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn predictions_are_as_brute_force_has_them(circuit in circuits_over(1..13), x in any::<usize>()) {
        let table = values(&circuit);
        let x = x % table.len();
        let (all, can) = (table.len() - 1, changeable(&table, x));
        let point: Vec<bool> = (0..circuit.inputs().len()).map(|i| x >> i & 1 == 1).collect();
        let subject = Subject::of_circuit(&circuit);
        let why = explain_prediction(
            &subject, &Point::of_bits(&point), &ExplainOptions::default(), &Budget::unlimited(),
        ).expect("an explanation");
        prop_assert_eq!(&why.answer, if table[x] { "1" } else { "0" });
        let set = why.reason.conditions.iter().fold(0, |set, condition| {
            set | 1 << asked(&circuit, &condition.feature, &condition.text).0
        });
        prop_assert!(!can[all & !set], "not sufficient: {:?}", why.reason);
        let smallest = (0..table.len()).filter(|&set| !can[all & !set]).map(usize::count_ones).min();
        prop_assert_eq!(Some(why.reason.at_least as u32), smallest);
        prop_assert!(why.reason.is_smallest() && why.reason.minimal);
        let nearest = (0..table.len()).filter(|&mask| table[x ^ mask] != table[x]).map(usize::count_ones).min();
        match (&why.counterfactual, nearest) {
            (Counterfactual::Impossible, None) => {}
            (Counterfactual::Found { changes, .. }, Some(nearest)) => {
                let other = changes.iter().fold(x, |x, change| x ^ 1 << asked(&circuit, &change.feature, &change.to).0);
                prop_assert!(table[other] != table[x] && why.counterfactual.is_nearest());
                prop_assert_eq!(changes.len() as u32, nearest);
            }
            (found, nearest) => prop_assert!(false, "{found:?} {nearest:?}"),
        }
        // What the last gate counts is what it answers by.
        if let Some(gate) = &why.circuits[0].gate {
            let top = subject.parts[0].circuit.top(0).expect("a gate");
            let holds = top.rule.value(gate.points, top.most()) == 1;
            let positive = subject.parts[0].circuit.outputs()[0].literal.positive;
            prop_assert_eq!(holds == positive, table[x]);
        }
    }

    #[test]
    fn counts_are_as_brute_force_has_them(
        circuit in circuits_over(1..11),
        nodes in prop_oneof![Just(1usize << 18), 2usize..60],
    ) {
        let table = values(&circuit);
        let points = table.len();
        let options = ExplainOptions { nodes, ..ExplainOptions::default() };
        let subject = Subject::of_circuit(&circuit);
        let model = explain_model(&subject, None, &options, &Budget::unlimited()).expect("an explanation");
        let model = &model.circuits[0];
        let check = |count: &Count, number: usize| {
            let scale = BigUint::from(points) / &count.of;
            let (low, high) = (&count.at_least * &scale, &count.at_most * &scale);
            let number = BigUint::from(number);
            low <= number && number <= high && (nodes < 60 || low == high)
        };
        prop_assert!(check(&model.ones, table.iter().filter(|&&one| one).count()));
        prop_assert_eq!(model.features.len(), circuit.inputs().len());
        for influence in &model.features {
            let (input, _) = asked(&circuit, &influence.feature, "");
            let flips = (0..points).filter(|&x| table[x] != table[x ^ 1 << input]).count();
            prop_assert!(check(&influence.points, flips), "{influence:?} {flips}");
            prop_assert_eq!(influence.matters, if flips > 0 { Matters::Yes } else { Matters::No });
        }
    }

    #[test]
    fn differences_are_as_brute_force_has_them(one in circuits_over(4..5), other in circuits_over(4..5)) {
        let difference = explain_difference(
            &Subject::of_circuit(&one), &Subject::of_circuit(&other), None, &ExplainOptions::default(), &Budget::unlimited(),
        ).expect("comparable");
        let (first, second) = (values(&one), values(&other));
        let differs = (0..first.len()).filter(|&x| first[x] != second[x]).count();
        let scale = BigUint::from(first.len()) / &difference.points.of;
        prop_assert_eq!(difference.points.exact().map(|number| number * scale), Some(BigUint::from(differs)));
        prop_assert_eq!(difference.are_equal(), Some(differs == 0));
    }
}
