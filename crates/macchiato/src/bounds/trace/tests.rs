use super::certify::Limits;
use super::read::Reader;
use super::*;
use crate::bits::Column;
use crate::bounds::binomial;
use crate::bounds::simulation::{allowed, failures, random};
use crate::fit::{PaperParams, fit_paper};
use crate::generate::{Target, sample};
use crate::influence::Neighbours;
use crate::learn::{AutoParams, fit_auto};
use crate::minimize::Budget;
use crate::model::{ClassCircuit, Confidence, Method, Model};
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::top_k;
use proptest::prelude::*;
use rand::Rng;

/// Its only circuit, and how that was learned.
fn only(model: &Model) -> (&ClassCircuit, &Method) {
    (&model.circuits()[0], model.method())
}

fn paper(rows: &Rows, params: PaperParams) -> Model {
    let checked = params.clone().check(rows).expect("parameters");
    let fit = fit_paper(rows, &checked, &Budget::unlimited()).expect("a fit");
    Model::of_fit(fit, Method::Paper(params), rows)
}

/// Uniform rows with the labels of a truth table.
fn uniform(rng: &mut impl Rng, inputs: usize, rows: usize, label: impl Fn(u64) -> bool) -> Rows {
    let mut columns = vec![Column::default(); inputs];
    let mut labels = Column::default();
    for _ in 0..rows {
        let x = rng.next_u64() & ((1 << inputs) - 1);
        columns.iter_mut().enumerate().for_each(|(input, column)| column.push(x >> input & 1 == 1));
        labels.push(label(x));
    }
    let columns = columns.into_iter().map(Column::into_words).collect();
    Rows::new(columns, labels.into_words(), rows).expect("rows")
}

/// In how many studies of passive rows some influence of a random function lies outside its limits.
fn misses(inputs: usize, rows: usize, limits: Limits) -> u64 {
    failures(|repetition| {
        let mut rng = random(inputs as u64, repetition);
        let table: Vec<u64> = (0..1usize << inputs >> 6).map(|_| rng.next_u64()).collect();
        let label = |x: u64| table[x as usize / 64] >> (x % 64) & 1 == 1;
        let rows = uniform(&mut rng, inputs, rows, label);
        let seen = Neighbours::new(&rows).influences(&rows, &Residual::new(&rows));
        (0..inputs).any(|input| {
            let points = 0..1u64 << inputs;
            let differing = points.filter(|&x| label(x) != label(x ^ 1 << input)).count();
            let truth = differing as f64 / (1u64 << inputs) as f64;
            let found = limits(seen[input].differing, seen[input].pairs, 0.2 / inputs as f64);
            truth < found.low || truth > found.high
        })
    })
}

#[test]
fn limits_from_passive_rows_hold_together_and_those_of_twice_the_pairs_are_caught() {
    let forged: Limits = |differing, pairs, risk| limits(2 * differing, 2 * pairs, risk);
    for (inputs, rows) in [(8, 90), (10, 260)] {
        let allowed = allowed(0.2);
        let honest = misses(inputs, rows, limits);
        assert!(honest <= allowed, "{inputs} inputs: {honest} misses where {allowed} are allowed");
        let caught = misses(inputs, rows, forged);
        assert!(caught > allowed, "{inputs} inputs: limits that are too narrow miss only {caught} times");
    }
}

#[test]
fn limits_hold_for_draws_without_replacement() {
    let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    let mut closest = 0.0f64;
    for risk in [0.2, 0.05, 0.001] {
        for n in 1..=20u64 {
            let found: Vec<Interval> = (0..=n).map(|k| limits(k, n, risk)).collect();
            for all in n..=24u64 {
                for marked in 0..=all {
                    let truth = marked as f64 / all as f64;
                    let missed = (0..=n).filter(|&k| k <= marked && n - k <= all - marked).filter(|&k| {
                        let Interval { low, high } = found[k as usize];
                        truth < low || truth > high
                    });
                    let ways = missed.map(|k| choose(marked, k) * choose(all - marked, n - k)).sum::<f64>();
                    let share = ways / choose(all, n);
                    assert!(share <= risk, "{n} of {all}, {marked} marked: missed with probability {share}");
                    closest = closest.max(share / risk);
                }
            }
        }
    }
    assert!(closest > 0.2, "nowhere near: {closest}");
}

#[test]
fn all_but_one_of_many_is_where_binomial_limits_miss_too_often() {
    // One of 1199 pairs agrees, and 30 are drawn: it is among them with probability 30/1199, a hair above 0.025.
    let (all, drawn) = (1199.0, 30);
    let (truth, seen) = ((all - 1.0) / all, drawn as f64 / all);
    assert!(seen > 0.025);
    assert!(binomial::interval(drawn - 1, drawn, 0.05).high < truth, "missed whenever it is drawn");
    assert!(limits(drawn - 1, drawn, 0.05).high >= truth, "covered");
}

#[test]
fn where_the_argument_needs_it_binomial_tails_are_above_a_quarter() {
    // Uhlmann's condition at its most demanding, where all pairs are drawn.
    for n in 3..=400u64 {
        for k in 1..=n - 2 {
            let (n_, k_) = (n as f64, k as f64);
            let share = (k_ * n_ / (n_ - 1.0) + 1.0) / (n_ + 1.0);
            assert!(binomial::ln_tail_at_most(n, share, k) > 0.25f64.ln(), "{k} of {n}");
        }
    }
}

proptest! {
    /// Influences anywhere within limits that certify a selection have that selection.
    #[test]
    fn a_certified_selection_is_the_populations(
        pairs in proptest::collection::vec((0u64..=20, 0u64..=20, 0u64..=20), 1..7),
        k in 1usize..7,
        tau in 0u64..20,
        mask in any::<u8>(),
    ) {
        let k = k.min(pairs.len());
        let limits: Vec<Interval> = pairs
            .iter()
            .map(|&(a, b, _)| Interval { low: a.min(b) as f64 / 20.0, high: a.max(b) as f64 / 20.0 })
            .collect();
        // A point between both limits.
        let truth: Vec<Influence> = pairs
            .iter()
            .map(|&(a, b, c)| Influence { differing: a.min(b).max(c.min(a.max(b))), pairs: 20 })
            .collect();
        let threshold: crate::select::Threshold = format!("{}", tau as f64 / 20.0).parse().expect("tau");
        let population = top_k(&truth, k, threshold);
        let subset: Vec<usize> = (0..pairs.len()).filter(|input| mask >> input & 1 == 1).collect();
        for selected in [subset, population.clone()] {
            if selected.len() <= k && !selected.is_empty() && certify(&limits, &selected, k, tau as f64 / 20.0) {
                prop_assert_eq!(&selected, &population);
            }
        }
    }
}

#[test]
fn training_rows_speak_about_the_first_stage_alone_and_fresh_ones_about_all() {
    // Two stages of two inputs: x1 AND x2, XOR x3 AND x4, whose influences are all 1/2.
    let target = |x: u64| (x & 3 == 3) ^ (x >> 2 & 3 == 3);
    let mut rng = random(5, 0);
    let train = uniform(&mut rng, 8, 200, target);
    let fresh = uniform(&mut rng, 8, 5000, target);
    let model = paper(&train, PaperParams { k: 3, m: 4, ..PaperParams::default() });
    assert!(model.circuits()[0].stages().len() > 1);
    let reading = read(only(&model), &train, Origin::Training, Confidence::default());
    assert!(!reading.certified() && reading.error.is_none());
    assert_eq!(reading.stages[0].inputs.len(), 8);
    for stage in &reading.stages[1..] {
        assert_eq!((stage.verdict, stage.inputs.len()), (Verdict::NeedsFreshRows, 0));
    }
    let reading = read(only(&model), &fresh, Origin::Fresh, Confidence::default());
    assert!(
        reading.stages.iter().all(|stage| stage.inputs.iter().all(|input| input.census)),
        "all pairs seen"
    );
    assert!(reading.error.as_ref().is_some_and(|error| error.error_at_most < 1.0));
    // Three of four equal influences: the population takes those of smaller index, which limits cannot show.
    assert!(matches!(
        reading.stages[0].verdict,
        Verdict::NotCertified { times_pairs: None, rows: None, from_tau: None }
    ));
    assert!(looks_like_training(only(&model).0, &train) && !looks_like_training(only(&model).0, &fresh));
}

#[test]
fn a_clear_selection_is_certified_and_an_unclear_one_says_what_is_missing() {
    let target = Target::junta(12, 3, 11).expect("a junta");
    let support = target.support().to_vec();
    let params = PaperParams { k: 3, m: 1, ..PaperParams::default() };
    let (few, many) = (sample(&target, 300, 1).expect("rows"), sample(&target, 2500, 1).expect("rows"));
    let (few, many) = (
        read(only(&paper(&few, params.clone())), &few, Origin::Training, Confidence::default()),
        read(only(&paper(&many, params)), &many, Origin::Training, Confidence::default()),
    );
    assert_eq!((many.stages[0].verdict, &many.stages[0].selected), (Verdict::Certified, &support));
    let Verdict::NotCertified { times_pairs: Some(times), rows: Some(rows), .. } = few.stages[0].verdict
    else {
        panic!("{:?}", few.stages[0].verdict)
    };
    assert!(times > 1.0 && rows > 300.0 && rows < 2500.0, "{times} {rows}");
}

#[test]
fn rows_of_their_own_certify_every_stage_and_bound_the_error() {
    let rows = uniform(&mut random(7, 0), 10, 1400, |x| x & 3 == 3);
    let params = PaperParams { k: 2, m: 2, split: true, ..PaperParams::default() };
    let model = paper(&rows, params);
    let reading = read(only(&model), &rows, Origin::Training, Confidence::default());
    let bound = reading.stages[0].error_at_most.expect("a bound");
    assert!(bound > 0.0 && bound <= 1.0);
    assert_eq!(reading.stages[0].verdict, Verdict::Certified);
    // Other rows are not those of the stages, and only the first residual is fixed.
    let other = uniform(&mut random(8, 0), 10, 1400, |x| x & 3 == 3);
    let other = read(only(&model), &other, Origin::Training, Confidence::default());
    assert_eq!(other.stages[0].error_at_most, None);
}

#[test]
fn what_refutes_the_assumptions_is_said() {
    let mut rng = random(6, 0);
    let noisy = uniform(&mut rng, 4, 400, |x| x & 1 == 1);
    let mut labels = noisy.labels().to_vec();
    labels[0] ^= 1;
    let noisy = Rows::new(noisy.columns().to_vec(), labels, 400).expect("rows");
    let params = PaperParams { k: 2, m: 2, ..PaperParams::default() };
    let reading = read(only(&paper(&noisy, params.clone())), &noisy, Origin::Training, Confidence::default());
    assert!(reading.contradictory > 0 && reading.refuted());
    assert_eq!(reading.stages[0].verdict, Verdict::Refuted);
    let skewed = uniform(&mut rng, 6, 400, |x| x & 1 == 1);
    let mut columns = skewed.columns().to_vec();
    columns[3].iter_mut().for_each(|word| *word = 0);
    let skewed = Rows::new(columns, skewed.labels().to_vec(), 400).expect("rows");
    let reading = read(only(&paper(&skewed, params)), &skewed, Origin::Training, Confidence::default());
    assert_eq!((reading.skewed.as_slice(), reading.stages[0].verdict), (&[3][..], Verdict::Refuted));
}

#[test]
fn a_model_by_evidence_has_limits_and_no_selection() {
    let rows = sample(&Target::junta(8, 2, 1).expect("a junta"), 120, 1).expect("rows");
    let params = AutoParams::default();
    let fit = fit_auto(&rows, None, &params.clone().check(&rows).expect("parameters"), &Budget::unlimited());
    let model = Model::of_fit(fit.expect("a fit"), Method::Auto(params), &rows);
    let reading = read(only(&model), &rows, Origin::Training, Confidence::default());
    assert_eq!((reading.stages.len(), reading.stages[0].verdict), (1, Verdict::NoSelection));
    assert_eq!(reading.stages[0].inputs.len(), 8);
    assert!(!reading.certified());
}

#[test]
fn limits_share_the_risk() {
    let rows = sample(&Target::junta(8, 2, 1).expect("a junta"), 120, 1).expect("rows");
    let model = paper(&rows, PaperParams { k: 2, m: 1, ..PaperParams::default() });
    let reading = read(only(&model), &rows, Origin::Training, Confidence::default());
    let reader = Reader {
        class: only(&model).0,
        method: model.method(),
        rows: &rows,
        origin: Origin::Training,
        risk: 0.05,
        limits,
    };
    let seen: Vec<Influence> = reading.stages[0].inputs.iter().map(|input| input.seen).collect();
    assert_eq!(reader.limits(&seen, 0.05 / 8.0), reading.stages[0].inputs);
}
