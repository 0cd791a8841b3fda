use super::net::{Net, Value};
use super::score::Evidence;
use super::*;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::fit::DecidedBy;
use proptest::prelude::*;

mod auto;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn a_cell_is_the_chance_of_its_labels() {
    // Under the uniform prior a cell of n0 and n1 rows has probability n0! n1! / (n0 + n1 + 1)!.
    assert!(close(Evidence::new(9, 1.0).cell(3, 5), (1.0f64 / 504.0).ln()));
    assert!(close(Evidence::new(9, 0.1).cell(0, 0), 0.0));
}

/// Columns of all points of four inputs.
fn cube() -> Rows {
    let columns =
        (0..4).map(|i| vec![(0..16u64).filter(|x| x >> i & 1 == 1).map(|x| 1 << x).sum()]).collect();
    Rows::new(columns, vec![0x8000], 16).expect("rows")
}

fn circuit(gates: Vec<Gate>) -> Circuit {
    let last = Literal::gate(gates.len() - 1);
    Circuit::new(cube().names().to_vec(), gates, vec![Output::new("y", last)]).expect("a circuit")
}

#[test]
fn a_choice_is_one_gate_in_a_description() {
    let x = Literal::input;
    let parts = |test: Literal| {
        vec![
            Gate::new(Rule::And, vec![x(0), x(1)]),
            Gate::new(Rule::And, vec![test, x(2)]),
            Gate::new(Rule::Or, vec![Literal::gate(0), Literal::gate(1)]),
        ]
    };
    // The other one tests two different inputs, so it is three gates.
    assert!(description(&circuit(parts(!x(0)))) + 3.0 < description(&circuit(parts(!x(3)))));
}

#[test]
fn the_score_is_evidence_less_description() {
    let rows = cube();
    let and = circuit(vec![Gate::new(Rule::And, (0..4).map(Literal::input).collect())]);
    let evidence = Evidence::new(16, 0.5);
    let cells = evidence.cell(15, 0) + evidence.cell(0, 1);
    assert!(close(score(&and, &rows), cells - description(&and)));
}

/// A front of made-up circuits: ANDs of so many inputs, right on all but so many of 400 rows put aside.
fn front_of(sizes: &[(usize, usize)]) -> Front {
    let rows = Rows::new(vec![vec![u64::MAX; 7]; 60], vec![u64::MAX; 7], 400).expect("rows");
    let judged = sizes.iter().map(|&(size, wrong)| {
        let mut right = vec![u64::MAX; 7];
        for row in 0..wrong {
            right[row / 64] &= !(1 << (row % 64));
        }
        right[6] &= bits::last_mask(400);
        let and = Gate::new(Rule::And, (0..size).map(Literal::input).collect());
        let output = vec![Output::new("y", Literal::gate(0))];
        let circuit = Circuit::new(rows.names().to_vec(), vec![and], output).expect("a circuit");
        Judged::new(Candidate::new(Recipe::new(Family::Graph, size), &circuit, &rows), right)
    });
    Front {
        judged: judged.collect(),
        held: 400,
        rows: 400,
        by: DecidedBy::HeldOut,
        reading: Settings::default().reading,
    }
}

#[test]
fn a_pick_is_what_it_says() {
    // The rows that judge pay for three conditions more than the shortest has, and for no further ones.
    let front = front_of(&[(2, 80), (5, 12), (19, 11), (45, 9), (50, 9)]);
    let size = |pick| front.pick(pick).map(|judged| judged.candidate.conditions());
    assert_eq!(size(Pick::Score), Some(5));
    assert_eq!(size(Pick::Best), Some(45));
    assert_eq!(size(Pick::SimplestWithin(0.005)), Some(19));
    assert_eq!(size(Pick::MaxConditions(30)), Some(19));
    assert_eq!(size(Pick::MaxConditions(1)), Some(2), "the shortest, where none is short enough");
    let sizes: Vec<usize> = front.members().iter().map(|judged| judged.candidate.conditions()).collect();
    assert_eq!(sizes, [2, 5, 19, 45]);
    // One row more is worth about three nats, which pay for no thirteen conditions.
    let front = front_of(&[(2, 13), (15, 12), (28, 11)]);
    assert_eq!(front.pick(Pick::Score).map(|judged| judged.candidate.conditions()), Some(2));
}

fn learned(rows: &Rows, settings: &Settings, budget: &Budget) -> Learned {
    learn(rows, None, &AutoParams::default().check(rows).expect("parameters"), settings, budget, &|_| {})
}

#[test]
fn a_spent_budget_still_gives_a_circuit() {
    let rows = cube();
    let budget = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    let learned = learned(&rows, &Settings::default(), &budget);
    assert_eq!(learned.candidate.circuit.at(&[true; 4]), [0]);
}

#[test]
fn a_pick_that_could_not_be_learned_again_says_so() {
    // More rows than judge in turn; no rule explains all labels, so that circuits are compared.
    let words: Vec<u64> =
        (1..80u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32)).collect();
    let columns: Vec<Vec<u64>> =
        (0..4u32).map(|i| words.iter().map(|word| word.rotate_left(11 * i)).collect()).collect();
    let labels =
        (0..79).map(|w| columns[0][w] | columns[1][w] & words[(w + 7) % 79].rotate_left(5)).collect();
    let rows = Rows::new(columns, labels, 79 * 64).expect("rows");
    let left = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(u64::MAX));
    let asked = || u64::MAX - left.load(std::sync::atomic::Ordering::Relaxed);
    let last = std::cell::Cell::new(0);
    let observe = |words: &str| {
        if words.contains("again") {
            last.set(asked());
        }
    };
    let params = AutoParams { effort: 1, ..AutoParams::default() }.check(&rows).expect("parameters");
    let alone = |budget: &Budget, observe: &dyn Fn(&str)| {
        learn(&rows, None, &params, &Settings::default(), budget, observe)
    };
    let whole = alone(&Budget::unlimited().with_polls(std::sync::Arc::clone(&left)), &observe);
    assert!(whole.cut_short.is_none() && last.get() > 0);
    let polls = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(last.get()));
    let cut = alone(&Budget::unlimited().with_polls(polls), &|_| {});
    assert_eq!(cut.cut_short, Some(CutShort::LearningAgain));
    assert_eq!(cut.candidate.recipe, whole.candidate.recipe);
}

#[test]
fn threads_change_nothing() {
    let words: Vec<u64> = (1..9u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let columns: Vec<Vec<u64>> =
        (0..9u32).map(|i| words.iter().map(|word| word.rotate_left(7 * i)).collect()).collect();
    let labels = (0..8)
        .map(|w| columns[0][w] & columns[1][w] ^ columns[2][w] & (columns[3][w] | columns[4][w]))
        .collect();
    let rows = Rows::new(columns, labels, 512).expect("rows");
    let settings = Settings::default().whole_front();
    let learned = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| learned(&rows, &settings, &Budget::unlimited()))
    });
    assert_eq!(learned[0].candidate.circuit, learned[1].candidate.circuit);
    let scores = |learned: &Learned| -> Vec<(f64, usize)> {
        learned.front.judged.iter().map(|judged| (judged.candidate.score(), judged.hits)).collect()
    };
    assert_eq!(scores(&learned[0]), scores(&learned[1]));
}

proptest! {
    #[test]
    fn cells_become_gates(cells in prop::collection::vec(0u8..6, 8)) {
        let rows = cube();
        let mut net = Net::new(&rows);
        let value = |&cell: &u8| match cell {
            0 => Value::Constant(false),
            1 => Value::Constant(true),
            // An input that the test does not read, and one that it does.
            2 => Value::input(3),
            3 => !Value::input(3),
            4 => Value::input(0),
            _ => !Value::input(1),
        };
        let values: Vec<Value> = cells.iter().map(value).collect();
        let signals: Vec<Value> = (0..3).map(Value::input).collect();
        let made = net.cells(&signals, &values);
        let circuit = net.circuit(made).expect("a circuit");
        for x in 0..16usize {
            let point: Vec<bool> = (0..4).map(|i| x >> i & 1 == 1).collect();
            let expected = match values[x & 7] {
                Value::Constant(value) => value,
                Value::Literal(literal) => {
                    let crate::circuit::Source::Input(input) = literal.source else { unreachable!() };
                    point[input] == literal.positive
                }
            };
            prop_assert_eq!(circuit.at(&point), [u64::from(expected)], "{:?} at {}", values, x);
        }
    }
}
