use super::search::Limits;
use super::*;
use crate::bounds::binomial;
use crate::bounds::simulation::{allowed, failures, random};
use crate::generate::Target;
use crate::influence::Influence;
use crate::select::{Threshold, top_k};
use proptest::prelude::*;
use rand::Rng;
use std::convert::Infallible;

fn question(inputs: usize, k: usize, tau: f64, smallest: Option<f64>) -> Question {
    Question { inputs, k, tau, smallest, risk: 0.2, seed: 0 }
}

/// The search until all places are known or so many points are compared.
fn run(question: &Question, limits: Limits, points: u64, f: impl Fn(&[bool]) -> bool) -> Outcome {
    let (mut memory, mut search) = (Memory::new(), Search::with_limits(question, limits));
    for _ in 0..points {
        for point in search.wanted() {
            let label = f(&search.bits(&point));
            memory.insert(point, label);
        }
        if search.step(&memory) {
            break;
        }
    }
    search.outcome(&memory)
}

/// As if every pair had been seen twice.
fn forged(differing: u64, pairs: u64, risk: f64) -> Interval {
    binomial::interval(2 * differing, 2 * pairs, risk)
}

/// The XOR of five ANDs of three: every influence is exactly 1/4.
fn level(x: &[bool]) -> bool {
    x.chunks(3).fold(false, |value, three| value ^ three.iter().all(|&bit| bit))
}

/// How often an input is called in though no influence is above tau: the hardest case, since every influence *is* tau.
fn wrong_places(limits: Limits) -> u64 {
    failures(|repetition| {
        let question = Question { seed: repetition, ..question(15, 15, 0.25, None) };
        let outcome = run(&question, limits, 200, level);
        outcome.places.contains(&Place::In)
    })
}

#[test]
fn wrong_places_are_no_more_frequent_than_the_risk_and_limits_from_half_the_pairs_are_caught() {
    let allowed = allowed(0.2);
    let honest = wrong_places(binomial::interval);
    assert!(honest <= allowed, "{honest} where {allowed} are allowed");
    let caught = wrong_places(forged);
    assert!(caught > allowed, "limits that are too narrow fail only {caught} times");
}

#[test]
fn certified_selections_among_close_influences_are_right() {
    let f = |x: &[bool]| if x[0] { x[1] } else { x[1] && (x[2] || x[3] || x[4]) };
    let exact = |input: usize| {
        let points = (0u32..32).map(|x| (0..5).map(|bit| x >> bit & 1 == 1).collect::<Vec<bool>>());
        let flips = points.filter(|x| {
            let mut other = x.clone();
            other[input] = !other[input];
            f(x) != f(&other)
        });
        flips.count() as f64 / 32.0
    };
    let influences: Vec<f64> = (0..5).map(exact).collect();
    assert_eq!(influences, [0.0625, 0.9375, 0.0625, 0.0625, 0.0625]);
    let g = |x: &[bool]| f(&x[..5]) ^ (x[5] && x[6]) ^ (x[7] && x[8] && (x[9] || x[10]));
    // x6 and x7 have influence 1/2; x8 and x9 have 3/8, x10 and x11 have 1/8.
    let mut certified = 0;
    for seed in 0..40 {
        let question = Question { seed, ..question(20, 3, 0.0, Some(0.05)) };
        let outcome = certify_selection(&question, |x| Ok::<_, Infallible>(g(x)), 40_000).expect("asked");
        if outcome.certified {
            certified += 1;
            assert_eq!(outcome.selected(), [1, 5, 6], "seed {seed}");
        }
        assert!(outcome.labels <= 40_000);
    }
    assert!(certified >= 35, "{certified} of 40");
}

#[test]
fn ties_are_never_certified_by_chance_but_by_counting() {
    let tie = |x: &[bool]| x[0] ^ x[1];
    let asked = |inputs: usize, labels: usize| {
        let question = Question { seed: 3, ..question(inputs, 1, 0.0, Some(0.1)) };
        certify_selection(&question, |x| Ok::<_, Infallible>(tie(x)), labels).expect("asked")
    };
    let many = asked(20, 3000);
    assert!(!many.certified && many.labels <= 3000);
    assert_eq!((many.places[0], many.places[1]), (Place::Open, Place::Open));
    let few = asked(4, 3000);
    assert!(few.certified && few.census);
    assert_eq!((few.selected(), few.labels), (vec![0], 16));
}

#[test]
fn fewer_labels_than_pairs_of_their_own() {
    let target = Target::junta(20, 3, 5).expect("a junta");
    let question = Question { risk: 0.05, ..question(20, 3, 0.0, Some(0.1)) };
    let outcome =
        certify_selection(&question, |x| Ok::<_, Infallible>(target.at(x)), 1_000_000).expect("asked");
    assert!(outcome.certified);
    let needed = Target::support(&target);
    assert!(outcome.selected().iter().all(|input| needed.contains(input)), "{:?}", outcome.selected());
    assert!((outcome.labels as u64) < 2 * outcome.pairs * 6 / 10, "{} {}", outcome.labels, outcome.pairs);
}

#[test]
fn labels_may_come_in_any_order_in_parts_and_from_elsewhere() {
    let target = Target::junta(12, 3, 8).expect("a junta");
    let question = question(12, 3, 0.0, Some(0.1));
    let at_once = certify_selection(&question, |x| Ok::<_, Infallible>(target.at(x)), 10_000).expect("asked");
    let mut session = Session::new(question).expect("a question");
    let mut rng = random(1, 0);
    let mut rounds = 0;
    while !session.outcome().certified {
        let mut wanted = session.wanted(97);
        assert!(!wanted.is_empty() && wanted.len() <= 97);
        rounds += 1;
        let by = rounds % wanted.len();
        wanted.rotate_left(by);
        // A part of them is left unanswered; the first is always there.
        wanted.retain(|_| !rng.next_u64().is_multiple_of(4));
        for x in wanted {
            session.answer(&x, target.at(&x)).expect("no contradiction");
            assert_eq!(session.answer(&x, target.at(&x)), Ok(()));
        }
        assert!(rounds < 500);
    }
    let outcome = session.outcome();
    assert_eq!((outcome.places, outcome.intervals), (at_once.places, at_once.intervals));
    assert!(session.wanted(10).is_empty());
    let (x, label) = session.answers().next().expect("an answer");
    assert_eq!(session.answer(&x, !label), Err(Contradiction { earlier: label.into() }));
    assert_eq!(session.answers().next(), Some((x, label)), "what was there stays");
}

#[test]
fn questions_without_an_answer_are_refused() {
    let message = |question: Question| question.check().expect_err("refused").to_string();
    let good = question(20, 3, 0.0, Some(0.1));
    assert_eq!(good.check(), Ok(()));
    for (question, start) in [
        (Question { inputs: 0, ..good.clone() }, "0 inputs: there must be at least 1 and at most 4096"),
        (Question { k: 21, ..good.clone() }, "K is 21: at least 1 and at most the 20 inputs"),
        (Question { tau: 1.0, ..good.clone() }, "tau is 1: give a number from 0 to below 1"),
        (Question { tau: f64::NAN, ..good.clone() }, "tau is NaN"),
        (
            Question { tau: 0.2, ..good.clone() },
            "the smallest influence that matters is 0.1: it must be above tau = 0.2",
        ),
        (
            Question { smallest: None, ..good.clone() },
            "with tau = 0 no number of labels shows that one of 20 inputs",
        ),
        (Question { risk: 0.0, ..good.clone() }, "the risk is 0: it must be between 0 and 1"),
    ] {
        assert!(message(question.clone()).starts_with(start), "{}", message(question));
    }
    assert_eq!(Question { inputs: 8, smallest: None, ..good }.check(), Ok(()));
}

#[test]
fn the_oracles_error_is_handed_on() {
    let answer = certify_selection(&question(20, 3, 0.1, None), |_| Err::<bool, _>("no power"), 100);
    assert_eq!(answer.expect_err("an error").to_string(), "no label: no power");
}

proptest! {
    #[test]
    fn a_census_selects_as_the_algorithm_does(labels in any::<u32>(), k in 1usize..=5, tau in 0usize..3) {
        let (tau, text) = [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5")][tau];
        let at = |x: &[bool]| {
            let cell = x.iter().rev().fold(0, |cell, &bit| 2 * cell + usize::from(bit));
            labels >> cell & 1 == 1
        };
        let question = Question { risk: 1e-9, ..question(5, k, tau, None) };
        let outcome = certify_selection(&question, |x| Ok::<_, Infallible>(at(x)), 32).expect("asked");
        let influences: Vec<Influence> = (0..5)
            .map(|input| {
                let differs = |x: &usize| (labels >> x ^ labels >> (x ^ (1 << input))) & 1 == 1;
                let differing = (0..32usize).filter(differs).count() as u64;
                Influence { differing, pairs: 32 }
            })
            .collect();
        let tau: Threshold = text.parse().expect("a threshold");
        prop_assert!(outcome.certified);
        prop_assert_eq!(outcome.selected(), top_k(&influences, k, tau));
    }
}
