//! One learner: everything competes in nats, circuits as deep as the truth, and as short as the reader wants.
//!
//! Each search has the same face: rows in, circuits with scores out, best of each of its sizes. They learn from four fifths of the rows;
//! the others judge. What is picked is learned again from all rows.

mod candidate;
mod chain;
mod front;
mod graph;
mod judges;
mod logistic;
mod net;
mod points;
mod score;
mod scorecard;
mod vote;

pub use candidate::{Candidate, Family, Recipe, conditions};
pub use front::{Front, Judged, Pick, PickError};
pub use graph::GraphParams;
pub use score::{answers, description, evidence, score};

use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::fit::{self, Fit, Stop, Trace};
use crate::rows::Rows;
use candidate::best_of_each;
use judges::{Judges, MOST_TAUGHT, by_weight};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// A circuit that is right on all rows, also on those that it did not learn from, and takes fewer nats a row than this, is the rule: no search goes
/// on.
const TOLD: f64 = 0.1;

/// The searches, the quick ones first.
const SEARCHES: [Family; 6] =
    [Family::Chain, Family::Points, Family::Scorecard, Family::Tables, Family::Rules, Family::Graph];

/// How to learn.
#[derive(Debug, Clone)]
pub struct LearnParams {
    /// Seed of everything random.
    pub seed: u64,
    /// How decision graphs are looked for.
    pub graph: GraphParams,
    /// Which circuit of the front is wanted.
    pub pick: Pick,
    /// Look for circuits of every size, even where the rule has been found.
    pub whole_front: bool,
    /// How much to try, from 1 to 9.
    pub effort: u8,
    /// Stages at most, of circuits that have such.
    pub m: usize,
}

impl Default for LearnParams {
    fn default() -> Self {
        Self {
            seed: 0,
            graph: GraphParams::default(),
            pick: Pick::default(),
            whole_front: false,
            effort: 5,
            m: 20,
        }
    }
}

/// What was learned.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The circuit that was picked, learned again from all rows.
    pub candidate: Candidate,
    /// All that were compared, learned from the rows that were not put aside.
    pub front: Front,
    /// The pick was learned from all rows that are read.
    pub again: bool,
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
/// Weighted rows count as often as their share of the weight says, up to rounding. When the budget is spent, the searches that have not begun are left out. Without a deadline the same rows and parameters give the
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
    let even = [Some(rows), validation].map(|rows| rows.map(by_weight));
    let [Some(rows), validation] = even.each_ref().map(Option::as_deref) else {
        unreachable!("rows are given")
    };
    let front = front(rows, validation, params, budget, observe);
    observe("learning the pick again from all rows");
    let candidate = follow(&front, params.pick, rows, params, budget);
    let again = front.rows == rows.len() || !budget.spent();
    Learned { candidate, front, again }
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
    let few = (rows.len() > MOST_TAUGHT).then(|| rows.pick(&(0..MOST_TAUGHT).collect::<Vec<_>>()));
    // A size that all rows together do not come to is that of the rows before.
    let again = search(recipe.family, few.as_ref().unwrap_or(rows), params, budget);
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
    let judges = Judges::new(rows, validation, params.seed);
    let (teach, asked) = (judges.teach(), judges.asked());
    let mut judged: Vec<Judged> = judges.judge(&|rows| vec![constant(rows)]);
    for family in SEARCHES {
        if budget.spent() {
            break;
        }
        observe(&format!("looking for {}", family.words()));
        let found = judges.judge(&|rows| search(family, rows, params, budget));
        // What was cut short does not compare.
        if budget.spent() {
            break;
        }
        judged.retain(|judged| found.iter().all(|found| found.candidate.recipe != judged.candidate.recipe));
        judged.extend(found);
        let told = |judged: &Judged| {
            judged.candidate.exact
                && judged.candidate.score() > -TOLD * teach.len() as f64
                && asked > 0
                && judged.hits == asked
        };
        if !params.whole_front && matches!(params.pick, Pick::Score | Pick::Best) && judged.iter().any(told) {
            break;
        }
    }
    Front { judged, held: asked, rows: teach.len() }
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
        Family::Scorecard => scorecard::scorecards(rows, params.seed, budget),
        Family::Rules => scorecard::rules(rows, params.seed, budget),
        Family::Graph | Family::Vote => {
            let graphs = graph::graphs(rows, &params.graph, params.seed, budget);
            let mut found = vote::votes(&graphs, rows);
            found.extend(graphs.into_iter().flatten());
            found
        }
        Family::Tables | Family::Terms => stages(rows, params, budget),
    };
    best_of_each(found)
}

/// Circuits of stages: tables by evidence, and sums of products.
fn stages(rows: &Rows, params: &LearnParams, budget: &Budget) -> Vec<Candidate> {
    let found = fit::candidates(rows, (params.effort, params.m, params.seed), budget);
    let candidate = |(way, circuit): &(usize, Circuit)| {
        let family = if fit::has_terms(*way) { Family::Terms } else { Family::Tables };
        Candidate::new(family, *way, circuit, rows)
    };
    found.par_iter().map(candidate).collect()
}

#[cfg(test)]
mod tests;
