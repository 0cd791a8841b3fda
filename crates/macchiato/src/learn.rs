//! One learner: everything competes in nats, circuits as deep as the truth, and as short as the reader wants.
//!
//! Each search has the same face: rows in, circuits with scores out, best of each of its sizes. They learn from four fifths of the rows;
//! the others judge. What is picked is learned again from all rows.

mod candidate;
mod chain;
mod front;
mod graph;
mod net;
mod points;
mod rules;
mod score;
mod vote;

pub use candidate::{Candidate, Family, Recipe, conditions};
pub use front::{Front, Judged, Pick, PickError};
pub use graph::GraphParams;
pub use score::{answers, description, evidence, score};

use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::draw;
use crate::fit::{AutoParams, Fit, Stop, Trace, fit_auto};
use crate::random::Stream;
use crate::rows::Rows;
use candidate::best_of_each;
use macchiato_minimize::Budget;

/// One of this many rows is put aside.
const ASIDE: usize = 5;

/// A circuit that is right on all rows put aside, and takes fewer nats a row than this, is the rule: no search goes on.
const TOLD: f64 = 0.1;

/// The searches, the quick ones first.
const SEARCHES: [Family; 6] =
    [Family::Constant, Family::Chain, Family::Points, Family::Rules, Family::Graph, Family::Stages];

/// With fewer rows put aside, chance decides: then scores do.
const FEWEST_ASIDE: usize = 20;

/// How to learn.
#[derive(Debug, Clone, Default)]
pub struct LearnParams {
    /// Seed of everything random.
    pub seed: u64,
    /// How decision graphs are looked for.
    pub graph: GraphParams,
    /// Which circuit of the front is wanted.
    pub pick: Pick,
    /// Look for circuits of every size, even where the rule has been found.
    pub whole_front: bool,
}

/// What was learned.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The circuit that was picked, learned again from all rows.
    pub candidate: Candidate,
    /// All that were compared, learned from the rows that were not put aside.
    pub front: Front,
}

impl Learned {
    /// What a model is made of.
    #[must_use]
    pub fn into_fit(self, rows: &Rows, budget: &Budget) -> Fit {
        let circuit = self.candidate.circuit;
        let trace = Trace::of_circuit(rows, &circuit, Stop::NoEvidence, None);
        let stop = match trace.errors {
            0 => Stop::ResidualZero,
            _ if budget.spent() => Stop::Interrupted,
            _ => Stop::NoEvidence,
        };
        Fit::from_circuit(circuit, Trace { stop, ..trace })
    }
}

/// Learns a circuit from `rows`; `validation` rows, where there are any, are the rows put aside.
///
/// Every row counts once: weights are not read. When the budget is spent, the searches that have not begun are left out. Without a deadline the same rows and parameters give the
/// same circuit on every platform and number of threads.
///
/// ```
/// use macchiato::learn::{Family, LearnParams, learn};
/// use macchiato::minimize::Budget;
/// use macchiato::rows::Rows;
///
/// // At least two of three inputs, all rows often enough to be sure of.
/// let (a, b, c) = (0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0u64);
/// let columns = [a, b, c].map(|word| vec![word; 4]).to_vec();
/// let rows = Rows::new(columns, vec![a & b | a & c | b & c; 4], 256)?;
/// let learned = learn(&rows, None, &LearnParams::default(), &Budget::unlimited());
/// assert_eq!(learned.candidate.circuit.at(&[true, false, true]), [1]);
/// assert_eq!(learned.candidate.circuit.gates().len(), 1);
/// # Ok::<(), macchiato::rows::RowsError>(())
/// ```
#[must_use]
pub fn learn(rows: &Rows, validation: Option<&Rows>, params: &LearnParams, budget: &Budget) -> Learned {
    learn_observed(rows, validation, params, budget, &|_| {})
}

/// The same, telling `observe` in a few words what is being tried.
#[must_use]
pub fn learn_observed(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &LearnParams,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Learned {
    let front = front(rows, validation, params, budget, observe);
    observe("learning the pick again from all rows");
    let candidate = follow(&front, params.pick, rows, params, budget);
    Learned { candidate, front }
}

/// The circuit of a front that is picked, learned again from all rows.
#[must_use]
pub fn follow(front: &Front, pick: Pick, rows: &Rows, params: &LearnParams, budget: &Budget) -> Candidate {
    let constant = || constant(rows);
    let Some(picked) = front.pick(pick) else { return constant() };
    let recipe = picked.candidate.recipe;
    if front.rows == rows.len() || budget.spent() {
        return picked.candidate.clone();
    }
    // A size that all rows together do not come to is that of the rows before.
    let again = search(recipe.family, rows, params, budget);
    again.into_iter().find(|candidate| candidate.recipe == recipe).unwrap_or_else(|| picked.candidate.clone())
}

/// All candidates, each judged by rows that it did not learn from.
fn front(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &LearnParams,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Front {
    let split = if validation.is_none() { put_aside(rows, params.seed) } else { None };
    let (teach, held) = match &split {
        Some((teach, held)) => (teach, Some(held)),
        None => (rows, validation),
    };
    let mut judged: Vec<Judged> = Vec::new();
    for family in SEARCHES {
        if !judged.is_empty() && budget.spent() {
            break;
        }
        observe(&format!("looking for {}", family.words()));
        let found = search(family, teach, params, budget);
        judged.extend(found.into_iter().map(|candidate| Judged::new(candidate, held.unwrap_or(teach))));
        let told = |judged: &Judged| judged.candidate.score() > -TOLD * teach.len() as f64;
        if !params.whole_front
            && matches!(params.pick, Pick::Score | Pick::Best)
            && judged.iter().any(|judged| told(judged) && held.is_some_and(|held| judged.hits == held.len()))
        {
            break;
        }
    }
    Front { judged, held: held.map_or(0, Rows::len), rows: teach.len() }
}

fn constant(rows: &Rows) -> Candidate {
    let ones = bits::count(rows.labels());
    let rule = if 2 * ones > rows.len() { Rule::And } else { Rule::Or };
    let output = Output::new(rows.target(), Literal::gate(0));
    let gates = vec![Gate::new(rule, Vec::new())];
    let circuit = Circuit::new(rows.names().to_vec(), gates, vec![output]);
    // A gate of nothing is always valid.
    Candidate::new(Family::Constant, 0, &circuit.unwrap_or_else(|_| unreachable!("a gate of nothing")), rows)
}

/// The candidates of one search, best of each of its sizes; counts come with points, votes with graphs and scorecards with rules.
#[must_use]
pub fn search(family: Family, rows: &Rows, params: &LearnParams, budget: &Budget) -> Vec<Candidate> {
    let found = match family {
        Family::Constant => vec![constant(rows)],
        Family::Chain => chain::chains(rows, budget),
        Family::Count | Family::Points => points::points(rows, budget),
        Family::Scorecard | Family::Rules => rules::rules(rows, params.seed, budget),
        Family::Graph | Family::Vote => {
            let graphs = graph::graphs(rows, &params.graph, params.seed, budget);
            let mut found = vote::votes(&graphs, rows);
            found.extend(graphs);
            found
        }
        Family::Stages => stages(rows, params, budget).into_iter().collect(),
    };
    best_of_each(found)
}

/// The circuit of the stages by evidence.
fn stages(rows: &Rows, params: &LearnParams, budget: &Budget) -> Option<Candidate> {
    let auto = AutoParams { seed: params.seed, ..AutoParams::default() }.check(rows).ok()?;
    let fit = fit_auto(rows, None, &auto, budget).ok()?;
    Some(Candidate::new(Family::Stages, 0, &fit.circuit, rows))
}

/// Rows to learn from and rows to judge by; none where these would be too few.
fn put_aside(rows: &Rows, seed: u64) -> Option<(Rows, Rows)> {
    if rows.len() < ASIDE * FEWEST_ASIDE {
        return None;
    }
    let mut rng = Stream::HoldingOut.of(seed);
    let held = draw::some(&mut rng, rows.len(), rows.len() / ASIDE);
    let teach: Vec<usize> = (0..rows.len()).filter(|row| held.binary_search(row).is_err()).collect();
    Some((rows.pick(&teach), rows.pick(&held)))
}

#[cfg(test)]
mod tests;
