//! The method `auto`: circuits of every shape compete in nats, as deep as the truth and as short as the reader wants.
//!
//! Each search has the same face: rows in, circuits with scores out, best of each of its sizes. Where evidence alone tells the rule, it is taken. Otherwise
//! the searches learn from some of the rows and are judged by others, and what is picked is learned again from all (`judges`, `front`).

mod candidate;
mod chain;
mod front;
mod gates;
mod graph;
mod judges;
mod learner;
mod logistic;
mod made;
mod net;
mod params;
mod pick;
mod points;
mod rules;
mod score;
mod scorecard;
mod settings;
mod stages;
mod words;

pub use candidate::{Candidate, Family, Form, Recipe, conditions};
pub use front::{Front, Judged};
pub use gates::{Gates, GatesError};
pub use graph::GraphParams;
pub use params::{AutoParams, CheckedAutoParams};
pub use pick::{Pick, PickError};
pub use rules::RuleParams;
pub use score::{answers, description, evidence, score};
pub use settings::Settings;

use crate::bits;
use crate::fit::{CutShort, Decision, Fit, Stop, Trace};
use crate::rows::{Rows, WEIGHT_UNIT};
use judges::by_weight;
use learner::Learner;
pub(crate) use learner::constant;
use macchiato_minimize::{Budget, MinimizeError};

/// Candidates that a model remembers.
const REMEMBERED: usize = 12;

/// What was learned.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The circuit that was picked, learned again from all rows.
    pub candidate: Candidate,
    /// All that were compared.
    pub front: Front,
    /// What was not done, where the budget was spent.
    pub cut_short: Option<CutShort>,
}

impl Learned {
    /// What a model is made of; `rows` are those that it was learned from.
    #[must_use]
    pub fn into_fit(self, rows: &Rows, params: &CheckedAutoParams) -> Fit {
        let decision = Some(self.decision());
        let Candidate { circuit, made, .. } = self.candidate;
        let stages = made.as_ref().map_or(0, |made| made.stages.len());
        let stop = |errors: usize| match self.cut_short {
            Some(_) => Stop::Interrupted,
            None if errors == 0 => Stop::ResidualZero,
            None if stages >= params.get().m => Stop::StageLimit,
            None => Stop::NoEvidence,
        };
        let Some(made) = made.filter(|made| !made.stages.is_empty()) else {
            let trace = Trace::of_circuit(rows, &circuit, Stop::NoEvidence, decision);
            let stop = stop(trace.errors);
            return Fit::from_circuit(circuit, Trace { stop, ..trace });
        };
        let trace = stages::trace(rows, (&circuit, &made.stages), &made.known, Stop::NoEvidence, decision);
        let stop = stop(trace.errors);
        Fit { circuit, stages: made.stages, trace: Trace { stop, ..trace } }
    }

    /// The candidates with the one that was picked first, then by rows right, then by score.
    fn decision(&self) -> Decision {
        let Front { held, by, .. } = self.front;
        let mut others: Vec<&Judged> = self
            .front
            .judged
            .iter()
            .filter(|judged| judged.candidate.recipe != self.candidate.recipe)
            .collect();
        others.sort_by(|a, b| self.front.compare(b, a));
        let own = self.front.judged.iter().find(|judged| judged.candidate.recipe == self.candidate.recipe);
        let all = own.into_iter().chain(others).take(REMEMBERED);
        let candidates = all.map(|judged| self.front.record(judged)).collect();
        Decision { by, asked: held, candidates, cut_short: self.cut_short }
    }
}

/// Learns a circuit from `rows` by the method `auto`; `validation` rows, where there are any, decide between candidates.
///
/// When the budget is spent the best circuit so far stands, and the trace says so. Without a deadline the same rows,
/// parameters and seed give the same circuit on every platform and number of threads.
///
/// ```
/// use macchiato::generate::{Target, sample};
/// use macchiato::learn::{AutoParams, fit_auto};
/// use macchiato::minimize::Budget;
///
/// // Three of thirty inputs, and no single one of them tells anything.
/// let target = Target::parity(30, 3, 1)?;
/// let rows = sample(&target, 200, 1)?;
/// let fit = fit_auto(&rows, None, &AutoParams::default().check(&rows)?, &Budget::unlimited())?;
/// assert_eq!(fit.circuit.support(), target.support());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Only a defect of the minimizer: its covers are verified.
pub fn fit_auto(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &CheckedAutoParams,
    budget: &Budget,
) -> Result<Fit, MinimizeError> {
    fit_auto_with(rows, validation, params, &Settings::default(), budget, &|_| {}).map(|fit| fit.0)
}

/// The same with other [`Settings`], telling `observe` in a few words what is being tried; also the front, where circuits competed.
///
/// # Errors
/// Those of [`fit_auto`].
pub fn fit_auto_with(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &CheckedAutoParams,
    settings: &Settings,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<(Fit, Option<Front>), MinimizeError> {
    if let Some(k) = params.get().k {
        return Ok((stages::fit_capped(rows, k, params.get(), budget, observe)?, None));
    }
    let learned = learn(rows, validation, params, settings, budget, observe);
    let front = learned.front.clone();
    Ok((learned.into_fit(rows, params), Some(front)))
}

/// Learns circuits of every shape and picks one.
///
/// Weighted rows count as often as their share of the weight says, up to rounding; tables count the weights themselves.
///
/// ```
/// use macchiato::learn::{AutoParams, Settings, learn};
/// use macchiato::minimize::Budget;
/// use macchiato::rows::Rows;
///
/// // At least two of three inputs, all rows often enough to be sure of.
/// let (a, b, c) = (0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0u64);
/// let columns = [a, b, c].map(|word| vec![word; 4]).to_vec();
/// let rows = Rows::new(columns, vec![a & b | a & c | b & c; 4], 256)?;
/// let params = AutoParams::default().check(&rows)?;
/// let learned = learn(&rows, None, &params, &Settings::default(), &Budget::unlimited(), &|_| {});
/// assert_eq!(learned.candidate.circuit.at(&[true, false, true]), [1]);
/// assert_eq!(learned.candidate.circuit.gates().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn learn(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &CheckedAutoParams,
    settings: &Settings,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Learned {
    let learner = Learner::new(params, settings, budget);
    let even = [Some(rows), validation].map(|rows| rows.map(|rows| by_weight(rows, params.get().seed)));
    let [Some(even), validation] = even.each_ref().map(Option::as_deref) else {
        unreachable!("rows are given")
    };
    let (mut front, mut cut_short) = learner.front(rows, even, validation, observe);
    let picked = front.pick(params.get().pick).map(|picked| picked.candidate.clone());
    let mut candidate = picked.unwrap_or_else(|| constant(rows));
    if Learner::learns_again(&front, &candidate, rows) {
        if !budget.spent() {
            observe("learning the pick again from all rows");
            let again = learner.again(&candidate, params.get().pick, rows);
            if let Some(again) = again.filter(|_| !budget.spent()) {
                front.learned_again(&again);
                candidate = again;
            }
        }
        cut_short = cut_short.or_else(|| budget.spent().then_some(CutShort::LearningAgain));
    }
    // By weight the constant may still be better.
    let least = constant(rows);
    let candidate = if errors(&least, rows) < errors(&candidate, rows) { least } else { candidate };
    Learned { candidate, front, cut_short }
}

/// The circuit that another pick takes from a front, learned again from all rows.
#[must_use]
pub fn follow(
    front: &Front,
    pick: Pick,
    rows: &Rows,
    params: &CheckedAutoParams,
    settings: &Settings,
    budget: &Budget,
) -> Candidate {
    let learner = Learner::new(params, settings, budget);
    let Some(picked) = front.pick(pick).map(|picked| picked.candidate.clone()) else { return constant(rows) };
    if !Learner::learns_again(front, &picked, rows) || budget.spent() {
        return picked;
    }
    learner.again(&picked, pick, rows).filter(|_| !budget.spent()).unwrap_or(picked)
}

/// The candidates of one search, best of each of its sizes; counts come with points.
#[must_use]
pub fn search(
    family: Family,
    rows: &Rows,
    params: &CheckedAutoParams,
    settings: &Settings,
    budget: &Budget,
) -> Vec<Candidate> {
    Learner::new(params, settings, budget).search(family, None, rows)
}

/// Weight of the rows that a candidate gets wrong.
fn errors(candidate: &Candidate, rows: &Rows) -> u64 {
    let mut wrong = score::answers(&candidate.circuit, rows);
    wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
    bits::trim(&mut wrong, rows.len());
    let weight = |row: usize| rows.weights().map_or(WEIGHT_UNIT, |weights| weights[row]);
    bits::ones(&wrong).map(weight).sum()
}

#[cfg(test)]
mod tests;
