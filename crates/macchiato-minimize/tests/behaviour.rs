//! What every engine promises beside small covers: the paper's conventions, deadlines, cancelling, caps, the same bytes.

use macchiato_minimize::{
    Budget, Cover, Engine, Function, Literal, MinimizeError, Note, Options, Shape, Table, minimize_function,
    minimize_table, pla,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A table whose cells follow a fixed scramble of their numbers: ON, OFF and `open` in sixteen don't-care.
fn scrambled(inputs: usize, open: u64) -> Table {
    Table::from_fn(inputs, |x| {
        let hash = (x as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32 & 15 >= open).then_some(hash >> 40 & 1 == 1)
    })
    .expect("few inputs")
}

/// The scrambled tables of several outputs as one function.
fn scrambled_function(inputs: usize, outputs: usize) -> Function {
    let shape = Shape::new(inputs, outputs);
    let (mut on, mut dont_care) = (Cover::new(shape), Cover::new(shape));
    let tables: Vec<Table> = (0..outputs).map(|o| scrambled(inputs, 2 + o as u64)).collect();
    for x in 0..1usize << inputs {
        let literals: Vec<Literal> = (0..inputs)
            .map(|i| if x >> i & 1 == 1 { Literal::Positive } else { Literal::Negative })
            .collect();
        on.push(&literals, &tables.iter().map(|t| t.cell(x) == Some(true)).collect::<Vec<_>>());
        dont_care.push(&literals, &tables.iter().map(|t| t.cell(x).is_none()).collect::<Vec<_>>());
    }
    Function::on_dont_care(on, dont_care).expect("one shape")
}

fn with(engine: Engine) -> Options {
    let mut options = Options::default();
    options.engine = engine;
    options
}

#[test]
fn constants_follow_the_papers_convention() {
    for engine in [Engine::Primes, Engine::Rows] {
        for (cells, terms) in [([Some(false), None], 0), ([Some(true), None], 1), ([None, None], 0)] {
            let table = Table::from_fn(3, |x| cells[x % 2]).expect("few inputs");
            let answer = minimize_table(&table, &with(engine)).expect("minimized");
            assert_eq!((answer.cover.terms(), answer.cover.literals()), (terms, 0), "{engine:?} {cells:?}");
            assert!(answer.proven_optimal());
        }
    }
}

#[test]
fn a_spent_budget_still_gives_a_valid_cover() {
    // Verification inside the crate makes an invalid cover an error.
    for engine in [Engine::Primes, Engine::Rows] {
        let mut options = with(engine);
        options.budget = Budget::unlimited().with_time_limit(Duration::ZERO);
        let answer = minimize_table(&scrambled(10, 3), &options).expect("a valid cover");
        assert!(answer.interrupted, "{engine:?}");
        assert!(answer.lower_bound <= answer.cover.terms());
    }
    let mut options = with(Engine::Espresso);
    options.budget = Budget::unlimited().with_cancel(Arc::new(AtomicBool::new(true)));
    let answer = minimize_function(&scrambled_function(8, 3), &options).expect("a valid cover");
    assert!(answer.interrupted);
}

/// ON and OFF rows alone: the don't-cares are not even listed when the time is up, and the ON-set is what there is.
#[test]
fn a_budget_that_is_spent_at_once_gives_the_on_set() {
    let table = scrambled(9, 8);
    let shape = Shape::new(9, 1);
    let (mut on, mut off) = (Cover::new(shape), Cover::new(shape));
    for x in 0..table.cells() {
        let literal = |i: usize| if x >> i & 1 == 1 { Literal::Positive } else { Literal::Negative };
        let literals: Vec<Literal> = (0..9).map(literal).collect();
        match table.cell(x) {
            Some(true) => on.push(&literals, &[true]),
            Some(false) => off.push(&literals, &[true]),
            None => {}
        }
    }
    let function = Function::on_off(on.clone(), off).expect("no contradiction");
    let mut options = with(Engine::Espresso);
    options.budget = Budget::unlimited().with_time_limit(Duration::ZERO);
    let answer = minimize_function(&function, &options).expect("a valid cover");
    assert!(answer.interrupted);
    assert_eq!((answer.cover.terms(), answer.cover.literals()), (on.terms(), on.literals()));
    options.budget = Budget::unlimited();
    let whole = minimize_function(&function, &options).expect("a cover");
    options.effort = 1;
    let single = minimize_function(&function, &options).expect("a cover");
    assert!(!whole.interrupted && !single.interrupted);
    assert!(whole.cover.terms() <= single.cover.terms() && single.cover.terms() < on.terms());
}

#[test]
fn the_same_seed_gives_the_same_cover() {
    let table = scrambled(9, 4);
    for engine in [Engine::Primes, Engine::Rows] {
        let once = minimize_table(&table, &with(engine)).expect("minimized");
        let again = minimize_table(&table, &with(engine)).expect("minimized");
        assert_eq!(once.cover, again.cover);
    }
    let function = scrambled_function(6, 3);
    let once = minimize_function(&function, &with(Engine::Espresso)).expect("minimized");
    let again = minimize_function(&function, &with(Engine::Espresso)).expect("minimized");
    assert_eq!(once.cover, again.cover);
}

#[test]
fn past_the_prime_cap_another_engine_takes_over_and_says_so() {
    let mut options = with(Engine::Primes);
    options.prime_cap = 5;
    let answer = minimize_table(&scrambled(8, 0), &options).expect("minimized");
    assert_eq!(answer.engine, Engine::Rows);
    assert!(answer.notes.contains(&Note::PrimeCap { cap: 5, fallback: Engine::Rows }));
}

#[test]
fn engines_that_cannot_take_the_input_say_what_to_use() {
    let wide = Function::on_off(Cover::new(Shape::new(17, 1)), Cover::new(Shape::new(17, 1))).expect("empty");
    let refused = minimize_function(&wide, &with(Engine::Primes));
    assert!(matches!(refused, Err(MinimizeError::EngineDoesNotFit { engine: Engine::Primes, .. })));
    let refused = minimize_table(&scrambled(3, 0), &with(Engine::Espresso));
    assert!(matches!(refused, Err(MinimizeError::EngineDoesNotFit { engine: Engine::Espresso, .. })));
}

/// Sixty-four disjoint pairs: the complement has 2^64 cubes, so literals are dropped by tautology checks.
#[test]
fn a_complement_too_large_to_list_is_not_needed() {
    let shape = Shape::new(128, 1);
    let mut on = Cover::new(shape);
    for pair in 0..64 {
        let literals: Vec<Literal> =
            (0..128).map(|i| if i / 2 == pair { Literal::Positive } else { Literal::Free }).collect();
        on.push(&literals, &[true]);
    }
    let function = Function::on_dont_care(on.clone(), Cover::new(shape)).expect("one shape");
    let answer = minimize_function(&function, &Options::default()).expect("minimized");
    assert_eq!(answer.cover.terms(), 64);
    assert!(answer.proven_optimal());
    assert!(matches!(answer.notes[..], [Note::ComplementCap { .. }]));
}

/// A don't-care cube that holds an ON cube makes the ON cube optional, as in Berkeley's Espresso.
#[test]
fn dont_care_wins_over_on() {
    let text = ".i 2\n.o 1\n.type fd\n1- 1\n11 -\n10 -\n01 1\n.e\n";
    let pla = pla::read(text.as_bytes(), "overlap.pla").expect("a valid file");
    for engine in [Engine::Auto, Engine::Espresso, Engine::Rows] {
        let answer = macchiato_minimize::minimize_pla(&pla, &with(engine)).expect("minimized");
        assert_eq!((answer.cover.terms(), answer.cover.literals()), (1, 1), "{engine:?}");
    }
}
