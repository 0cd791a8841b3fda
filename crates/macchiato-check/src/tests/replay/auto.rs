//! Training records of the method `auto`: any circuit has true ones, which brute force finds; every other number is a lie.

use super::{
    BTreeMap, BTreeSet, Case, Circuit, Learned, Random, Row, Term, TrainingSummary, Verdict, assert_rejected,
    assert_unreadable, csv, pla, random_rows,
};

/// The value of stage `t` alone.
fn alone(circuit: &Circuit, t: usize) -> Circuit {
    Circuit { inputs: circuit.inputs, stages: vec![circuit.stages[t].clone()] }
}

/// What is true of the circuit's stages on the rows.
fn describe(circuit: Circuit, rows: &[Row]) -> Learned {
    let wrong = |stages: usize| {
        let first = Circuit { inputs: circuit.inputs, stages: circuit.stages[..stages].to_vec() };
        rows.iter().filter(|(x, y)| first.at(x) != *y).count()
    };
    let mut records = Vec::new();
    for (t, (inputs, _)) in circuit.stages.iter().enumerate() {
        let stage = alone(&circuit, t);
        let mut others = circuit.clone();
        others.stages.remove(t);
        let mut cells: BTreeMap<Vec<bool>, (i64, bool)> = BTreeMap::new();
        for (x, y) in rows {
            let cell: Vec<bool> = inputs.iter().map(|&i| x[i]).collect();
            let (votes, _) = cells.entry(cell).or_insert((0, stage.at(x)));
            *votes += if y ^ others.at(x) { 1 } else { -1 };
        }
        let count =
            |property: &dyn Fn(i64, bool) -> bool| cells.values().filter(|(v, s)| property(*v, *s)).count();
        records.push(format!(
            "claim {} before {} after {} on {} off {} tied {} against {}",
            t + 1,
            wrong(t),
            wrong(t + 1),
            count(&|votes, _| votes > 0),
            count(&|votes, _| votes < 0),
            count(&|votes, _| votes == 0),
            count(&|votes, value| votes != 0 && value != (votes > 0)),
        ));
    }
    let errors = wrong(circuit.stages.len());
    Learned { circuit, records, errors }
}

#[test]
fn what_is_true_is_accepted() {
    let mut random = Random(23);
    let (mut stops, mut against) = (BTreeSet::new(), 0);
    for round in 0..200 {
        let circuit = random.circuit(6, 4);
        let mut rows = Vec::new();
        while rows.is_empty() {
            let count = 1 + random.below(60);
            rows = random_rows(&mut random, circuit.inputs, count);
        }
        if round % 4 == 0 {
            for (x, y) in &mut rows {
                *y = circuit.at(x);
            }
        }
        let widest = circuit.stages.iter().map(|(inputs, _)| inputs.len()).max().unwrap_or(1);
        let (k, m) = (widest, circuit.stages.len().max(1) + random.below(2));
        let learned = describe(circuit, &rows);
        against += learned.records.iter().filter(|record| !record.ends_with("against 0")).count();
        let params = [format!("auto m {m}"), format!("auto k {k} m {m}")];
        for (format, data) in [("csv", csv(&rows)), ("pla", pla(&rows))] {
            for params in &params {
                let verdict = Case::new(&learned, format, data.clone(), rows.len(), params).verdict();
                let Verdict::Accepted(summary) = &verdict else { panic!("round {round}: {verdict}") };
                let TrainingSummary::Replayed { errors, stop, .. } = summary.training else {
                    panic!("{verdict}")
                };
                assert_eq!(errors, learned.errors as u64);
                stops.insert(stop);
            }
        }
    }
    let all = ["every row is explained", "the learner kept no further stage", "the stage limit was reached"];
    assert_eq!(stops, BTreeSet::from(all));
    assert!(against > 100, "{against} stages are against a majority");
}

/// Over all points of three inputs, twice, and one contradiction: `x1 XOR (x2 AND x3)` by two stages, the first of which is
/// against the majority of one cell.
fn subject() -> (Circuit, Vec<Row>) {
    let mut rows: Vec<Row> = Vec::new();
    for x in super::super::build::cube(3) {
        let y = x[0] ^ (x[1] && x[2]);
        rows.extend([(x.clone(), y), (x, y)]);
    }
    rows.extend(std::iter::repeat_n((vec![true, false, false], false), 3));
    let first: Vec<Term> = vec![vec![(0, false)]];
    let second: Vec<Term> = vec![vec![(1, false), (2, false)]];
    (Circuit { inputs: 3, stages: vec![(vec![0, 1, 2], first), (vec![1, 2], second)] }, rows)
}

fn case(circuit: &Circuit, params: &str) -> Case {
    let (_, rows) = subject();
    Case::new(&describe(circuit.clone(), &rows), "csv", csv(&rows), rows.len(), params)
}

/// The honest records of one circuit, with the network of another.
fn forged(honest: &Circuit, other: Circuit) -> Verdict {
    let (_, rows) = subject();
    let records = describe(honest.clone(), &rows).records;
    let learned = Learned { circuit: other, records, errors: 0 };
    Case::new(&learned, "csv", csv(&rows), rows.len(), "auto m 2").verdict()
}

#[test]
fn every_other_number_is_rejected() {
    let (circuit, _) = subject();
    let case = case(&circuit, "auto m 2");
    let claims = [
        "claim 1 before 8 after 7 on 3 off 5 tied 0 against 1",
        "claim 2 before 7 after 3 on 1 off 3 tied 0 against 0",
    ];
    assert!(claims.iter().all(|claim| case.certificate.contains(claim)), "{}", case.certificate);
    let names = [
        ("before", "rows in error before it"),
        ("after", "rows in error after it"),
        ("on", "cells with majority 1"),
        ("off", "cells with majority 0"),
        ("tied", "tied cells"),
        ("against", "cells whose majority its cover is against"),
    ];
    for (t, claim) in claims.iter().enumerate() {
        for (name, what) in names {
            let mut words: Vec<String> = claim.split(' ').map(str::to_owned).collect();
            let at = words.iter().position(|word| word == name).expect("a name") + 1;
            let true_one: u64 = words[at].parse().expect("a number");
            for lie in [true_one + 1, true_one.wrapping_sub(1), 0, u64::MAX] {
                if lie != true_one {
                    words[at] = lie.to_string();
                    let verdict = case.edited(claim, &words.join(" "));
                    assert_rejected(&verdict, &format!("stage {}", t + 1));
                    assert_rejected(&verdict, &format!("{what}: {true_one}, not {lie}"));
                }
            }
        }
    }
    assert_rejected(&case.edited("rows 19", "rows 18"), "19 rows, where the certificate says 18");
}

#[test]
fn the_caps_hold() {
    let (circuit, _) = subject();
    assert!(case(&circuit, "auto k 3 m 9").verdict().is_accepted());
    let capped = case(&circuit, "auto k 2 m 2").verdict();
    assert_rejected(&capped, "stage 1 (line 30): 3 inputs, more than k, which is 2");
    let one = case(&circuit, "auto m 1").verdict();
    assert_rejected(&one, "training: more stages than m, which is 1");
    let wide = case(&circuit, "auto k 4 m 2").verdict();
    assert_rejected(&wide, "training: k is 4, more than there are inputs");
}

#[test]
fn another_cover_is_rejected() {
    let (circuit, _) = subject();
    let honest = forged(&circuit, circuit.clone());
    assert!(honest.is_accepted(), "{honest}");
    // Follows the majority that the honest one is against: right on more rows, but not what is claimed.
    let mut better = circuit.clone();
    better.stages[0].1 = vec![vec![(0, false), (1, false)], vec![(0, false), (2, false)]];
    assert_rejected(&forged(&circuit, better), "cells whose majority its cover is against: 0, not 1");
    let mut exchanged = circuit.clone();
    exchanged.stages.swap(0, 1);
    assert_rejected(&forged(&circuit, exchanged), "stage 1 (line 30): cells with majority 1: 1, not 3");
}

/// Nothing of stage 1 is touched: its cells are those of the residual that stage 2 leaves.
#[test]
fn another_stage_beside_it_is_rejected() {
    let (circuit, _) = subject();
    let mut other = circuit.clone();
    other.stages[1].1 = vec![vec![(1, false), (1, true)]];
    assert_rejected(
        &forged(&circuit, other),
        "stage 1 (line 30): cells whose majority its cover is against: 3",
    );
    let mut fewer = circuit.clone();
    fewer.stages[1] = (vec![1], vec![vec![(1, false)]]);
    assert_rejected(
        &forged(&circuit, fewer),
        "stage 1 (line 29): cells whose majority its cover is against: 3",
    );
}

/// What Algorithm 1 never has: a stage that begins with nothing wrong, and one that repairs what it breaks.
#[test]
fn a_stage_may_begin_with_no_row_in_error() {
    let rows: Vec<Row> = super::super::build::cube(2).map(|x| (x.clone(), x[0])).collect();
    let stage = |input: usize| (vec![input], vec![vec![(input, false)]]);
    let circuit = Circuit { inputs: 2, stages: vec![stage(0), stage(1), stage(1)] };
    let learned = describe(circuit, &rows);
    assert!(learned.records[1].starts_with("claim 2 before 0 after 2 "), "{:?}", learned.records);
    let verdict = Case::new(&learned, "csv", csv(&rows), 4, "auto m 3").verdict();
    assert!(verdict.is_accepted(), "{verdict}");
    let none = describe(Circuit { inputs: 2, stages: Vec::new() }, &rows);
    assert!(Case::new(&none, "pla", pla(&rows), 4, "auto m 1").verdict().is_accepted());
}

#[test]
fn the_records_have_one_form() {
    let (circuit, _) = subject();
    let case = case(&circuit, "auto k 3 m 2");
    let faulty = |from: &str, to: &str, place: (usize, usize), why: &str| {
        assert_unreadable(&case.edited(from, to), place, why);
    };
    faulty("params auto", "params magic", (29, 8), "\"magic\" where `k` or `auto` must be");
    faulty("auto k 3 m 2", "auto m 2 k 3", (29, 16), "the record has ended, the line has not");
    faulty("auto k 3 m 2", "auto tau 0", (29, 13), "\"tau\" where `k` or `m` must be");
    faulty("auto k 3 m 2", "auto k 0 m 2", (29, 15), "k is 0, not from 1");
    faulty("auto k 3 m 2", "auto k 3 m 0", (29, 19), "m is 0, not from 1");
    faulty("auto k 3 m 2", "auto k 3", (29, 16), "the line ends before `m`");
    faulty("auto k 3 m 2", "auto", (29, 12), "the line ends before `k` or `m`");
    faulty("auto k 3 m 2", "m 2", (29, 8), "\"m\" where `k` or `auto` must be");
    faulty("auto k 3 m 2", "auto k 3 m 2 tau 0", (29, 20), "the record has ended");
    faulty("tied 0 against 1", "tied 0", (30, 43), "the line ends before `against`");
    faulty("against 1", "against -1", (30, 52), "\"-1\" is no number");
    faulty("against 1", "against 1\ninfluence 1 0/0 0/0 0/0", (31, 1), "\"influence\" where `claim` must be");
    // The claims of one method do not pass for those of the other.
    faulty("auto k 3 m 2", "k 3 m 2 tau 0 select influence", (30, 43), "the record has ended");
}
