//! What is asked of columns, directions and what may change, against all points.

use super::super::{
    Counterfactual, Direction, ExplainOptions, Monotony, Point, Proof, Subject, explain_prediction_within,
    prove_monotone,
};
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::minimize::Budget;
use proptest::prelude::*;

const INPUTS: usize = 4;

/// Random gates over four inputs and the gates before.
fn circuits() -> impl Strategy<Value = Circuit> {
    let literal = (0..INPUTS + 3, any::<bool>());
    let gate = (0..5usize, prop::collection::vec(literal, 1..4));
    prop::collection::vec(gate, 1..4).prop_map(|gates| {
        let made = gates.iter().enumerate().map(|(number, (rule, literals))| {
            let literals: Vec<Literal> = literals
                .iter()
                .map(|&(source, positive)| {
                    let source = source % (INPUTS + number);
                    let literal =
                        if source < INPUTS { Literal::input(source) } else { Literal::gate(source - INPUTS) };
                    if positive { literal } else { !literal }
                })
                .collect();
            let rule = match rule {
                0 => Rule::And,
                1 => Rule::Or,
                2 => Rule::Xor,
                3 => Rule::AtLeast(2),
                _ => Rule::Counts(vec![(1, 1)]),
            };
            Gate::new(rule, literals)
        });
        let made: Vec<Gate> = made.collect();
        let names = (0..INPUTS).map(|input| format!("x{input}")).collect();
        let output = Output::new("y", Literal::gate(made.len() - 1));
        Circuit::new(names, made, vec![output]).expect("a circuit")
    })
}

proptest! {
    #[test]
    fn a_proof_holds_exactly_where_no_point_breaks_it(circuit in circuits(), input in 0..INPUTS, rises: bool) {
        let direction = if rises { Direction::Rising } else { Direction::Falling };
        let asked = Monotony { column: format!("x{input}"), direction };
        let breaks = (0..1u32 << INPUTS).any(|point| {
            let at = |value: bool| {
                let bits: Vec<bool> =
                    (0..INPUTS).map(|bit| if bit == input { value } else { point >> bit & 1 == 1 }).collect();
                circuit.at(&bits)[0] > 0
            };
            if rises { at(false) && !at(true) } else { !at(false) && at(true) }
        });
        let subject = Subject::of_circuit(&circuit);
        let proof = prove_monotone(&subject, &asked, &ExplainOptions::default(), &Budget::unlimited());
        prop_assert_eq!(proof, Ok(if breaks { Proof::Fails } else { Proof::Holds }));
    }

    #[test]
    fn only_what_may_change_does_and_none_is_nearer(circuit in circuits(), row in 0..1usize << INPUTS, free in 0..1usize << INPUTS) {
        let bits = |point: usize| -> Vec<bool> { (0..INPUTS).map(|bit| point >> bit & 1 == 1).collect() };
        let answer = |point: usize| circuit.at(&bits(point))[0] > 0;
        let others = (0..1usize << INPUTS).filter(|point| (point ^ row) & !free == 0 && answer(*point) != answer(row));
        let nearest = others.map(|point| (point ^ row).count_ones() as usize).min();
        let names: Vec<String> =
            (0..INPUTS).filter(|bit| free >> bit & 1 == 1).map(|bit| format!("x{bit}")).collect();
        let (subject, point) = (Subject::of_circuit(&circuit), Point::of_bits(&bits(row)));
        let (options, budget) = (ExplainOptions::default(), Budget::unlimited());
        let why = explain_prediction_within(&subject, &point, &names, &options, &budget).expect("an explanation");
        prop_assert!(why.counterfactual.is_nearest());
        let found = match &why.counterfactual {
            Counterfactual::Found { changes, .. } => {
                prop_assert!(changes.iter().all(|change| names.contains(&change.feature)));
                Some(changes.len())
            }
            _ => None,
        };
        prop_assert_eq!(found, nearest);
    }
}
