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
mod logistic;
mod made;
mod net;
mod params;
mod pick;
mod points;
mod score;
mod scorecard;
mod settings;
mod stages;
mod vote;
mod words;

pub use candidate::{Candidate, Family, Recipe, conditions};
pub use front::{Front, Judged};
pub use gates::{Gates, GatesError};
pub use graph::GraphParams;
pub use params::{AutoParams, CheckedAutoParams};
pub use pick::{Pick, PickError};
pub use score::{answers, description, evidence, score};
pub use settings::Settings;

use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::draw;
use crate::fit::{CutShort, DecidedBy, Decision, Fit, Stop, Trace};
use crate::random::Stream;
use crate::rows::{Rows, WEIGHT_UNIT};
use candidate::best_of_each;
use judges::{Judges, MOST_TAUGHT, by_weight};
use macchiato_minimize::{Budget, MinimizeError};
use stages::{Searched, Structure};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A circuit that is right on all rows and takes fewer nats a row than this is the rule: no search goes on.
const TOLD: f64 = 0.1;

/// Searches that take little time and often tell the whole rule.
const QUICK: [Family; 3] = [Family::Chain, Family::Points, Family::Tables];

/// The others, the quick ones first.
const THOROUGH: [Family; 4] = [Family::Scorecard, Family::Rules, Family::Terms, Family::Graph];

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
    let even = [Some(rows), validation].map(|rows| rows.map(by_weight));
    let [Some(even), validation] = even.each_ref().map(Option::as_deref) else {
        unreachable!("rows are given")
    };
    let (mut front, mut cut_short) = learner.front(rows, even, validation, observe);
    let picked = front.pick(params.get().pick).map(|picked| picked.candidate.clone());
    let mut candidate = picked.unwrap_or_else(|| constant(rows));
    if Learner::learns_again(&front, &candidate, rows) {
        if !budget.spent() {
            observe("learning the pick again from all rows");
            let again = learner.again(&candidate, rows);
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
    learner.again(&picked, rows).filter(|_| !budget.spent()).unwrap_or(picked)
}

/// The candidates of one search, best of each of its sizes; counts come with points, votes with graphs and scorecards with rules.
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

/// What all steps look at.
struct Learner<'a> {
    params: &'a AutoParams,
    settings: &'a Settings,
    budget: &'a Budget,
    /// What the search for tables found on rows that are searched again, by their place.
    structures: Mutex<BTreeMap<Place, Structure>>,
}

/// Rows that several searches read: all of them, or those of a task of the judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    All,
    Task(usize),
}

impl<'a> Learner<'a> {
    fn new(params: &'a CheckedAutoParams, settings: &'a Settings, budget: &'a Budget) -> Self {
        Self { params: params.get(), settings, budget, structures: Mutex::default() }
    }

    /// All candidates that were compared, and what was not done; `even` are the rows, each as often as it weighs.
    fn front(
        &self,
        rows: &Rows,
        even: &Rows,
        validation: Option<&Rows>,
        observe: &dyn Fn(&str),
    ) -> (Front, Option<CutShort>) {
        let goes_on = self.settings.whole_front || !matches!(self.params.pick, Pick::Score | Pick::Best);
        let mut found = vec![constant(even)];
        let all = at_most(even, self.params.seed);
        for family in QUICK {
            if self.budget.spent() || !self.allows(family) {
                continue;
            }
            observe(&format!("looking for {}", family.words()));
            let rows = if family == Family::Tables { rows } else { &all };
            let found_here = self.search(family, Some(Place::All), rows);
            found.extend(found_here.into_iter().map(|candidate| candidate.on(even)));
            let plainly = |found: &Candidate| found.exact && found.score() > -TOLD * even.len() as f64;
            if !goes_on && found.iter().any(plainly) {
                break;
            }
        }
        let mut cut_short = self.budget.spent().then_some(CutShort::Search);
        if let Some(front) =
            (!goes_on && cut_short.is_none()).then(|| told(&found, even, self.settings.reading)).flatten()
        {
            return (front, None);
        }
        let judges = Judges::new(even, validation, self.params.seed);
        // What takes next to no time is tried whatever the budget says, so that there always is something.
        let mut judged: Vec<Judged> = judges.judge(&|_, rows| vec![constant(rows)]);
        judged.extend(judges.judge(&|_, rows| self.search(Family::Tree, None, rows)));
        let own_are_all = rows.weights().is_none() && judges.teach().len() == rows.len();
        let place = |task: usize| if task == 0 && own_are_all { Place::All } else { Place::Task(task) };
        for family in QUICK.into_iter().chain(THOROUGH).filter(|&family| self.allows(family)) {
            if self.budget.spent() {
                cut_short = cut_short.or(Some(CutShort::Comparison));
                break;
            }
            observe(&format!("comparing {}", family.words()));
            let found = judges.judge(&|task, rows| self.search(family, Some(place(task)), rows));
            // What was cut short does not compare.
            if self.budget.spent() {
                cut_short = Some(CutShort::Comparison);
                break;
            }
            judged.extend(found);
            let told = |judged: &Judged| {
                judged.candidate.exact
                    && judged.candidate.score() > -TOLD * judges.teach().len() as f64
                    && judges.asked() > 0
                    && judged.hits == judges.asked()
            };
            if !goes_on && (judged.iter().any(told) || settled(&judged)) {
                break;
            }
        }
        let by = match (judges.asked(), validation) {
            (0, _) => DecidedBy::Evidence,
            (_, Some(_)) => DecidedBy::Validation,
            (_, None) => DecidedBy::HeldOut,
        };
        let (held, rows, reading) = (judges.asked(), judges.teach().len(), self.settings.reading);
        (Front { judged, held, rows, by, reading }, cut_short)
    }

    /// Whether a candidate was learned from some of the rows only, or from weights that were rounded.
    fn learns_again(front: &Front, candidate: &Candidate, rows: &Rows) -> bool {
        front.rows != rows.len() || (rows.weights().is_some() && counts_weights(candidate.recipe.family))
    }

    /// The circuit of a recipe on all rows; none where they do not come to its size. Of graphs, whose search shakes its choices, the one that was
    /// picked stays where it is worth more on all rows than what more rows led to.
    fn again(&self, picked: &Candidate, rows: &Rows) -> Option<Candidate> {
        let recipe = picked.recipe;
        let even = by_weight(rows);
        let few = at_most(&even, self.params.seed);
        let rows = if counts_weights(recipe.family) { rows } else { &few };
        let found = self.search(recipe.family, Some(Place::All), rows);
        let again = found.into_iter().find(|found| found.recipe == recipe)?;
        let stays = || picked.clone().on(rows);
        Some(again).filter(|again| recipe.family != Family::Graph || again.score() >= stays().score())
    }

    /// Whether a family is wanted and has circuits of allowed gates.
    fn allows(&self, family: Family) -> bool {
        let counts = matches!(family, Family::Count | Family::Points | Family::Scorecard | Family::Rules);
        (self.params.gates.count || !counts) && !self.settings.without.contains(&family)
    }

    /// The candidates of one search, best of each of its sizes.
    fn search(&self, family: Family, place: Option<Place>, rows: &Rows) -> Vec<Candidate> {
        let Learner { params, settings, budget, .. } = *self;
        let AutoParams { effort, m, seed, gates, .. } = *params;
        let searched = || self.searched(place, rows, (effort, m, seed, gates));
        let found = match family {
            Family::Constant => vec![constant(rows)],
            Family::Chain => chain::chains(rows, budget),
            Family::Count | Family::Points => points::points(rows, budget),
            Family::Scorecard => scorecard::scorecards(rows, seed, budget),
            Family::Rules => scorecard::rules(rows, seed, budget),
            Family::Graph | Family::Vote => {
                let graphs = graph::graphs(rows, &settings.graph, seed, budget);
                let mut found = vote::votes(&graphs, rows);
                found.extend(graphs.into_iter().flatten());
                found
            }
            Family::Tree => stages::trees(rows, gates, seed),
            Family::Tables => searched().tables(),
            Family::Terms => searched().terms(),
        };
        best_of_each(found.into_iter().filter(|candidate| gates.allow(&candidate.circuit)).collect())
    }
}

impl Learner<'_> {
    /// Tables by evidence on rows that may have been searched before.
    fn searched<'r>(
        &self,
        place: Option<Place>,
        rows: &'r Rows,
        asked: (u8, usize, u64, Gates),
    ) -> Searched<'r> {
        // A thread that panicked has poisoned nothing that matters: a structure is whole or not there.
        let known = || self.structures.lock().unwrap_or_else(PoisonError::into_inner);
        let structure = place.and_then(|place| known().get(&place).cloned());
        let searched = Searched::new(rows, asked, self.budget, structure);
        if let Some(place) = place.filter(|_| !self.budget.spent()) {
            known().entry(place).or_insert_with(|| searched.structure().clone());
        }
        searched
    }
}

/// Whether evidence chose a circuit that is right on all of its rows, and every one of another search, trees among them, is clearly worse on rows
/// that judge: no further search is likely to change that.
fn settled(judged: &[Judged]) -> bool {
    let by_evidence =
        |judged: &&Judged| judged.candidate.exact && QUICK.contains(&judged.candidate.recipe.family);
    judged.iter().filter(by_evidence).any(|best| {
        let others =
            judged.iter().filter(|other| other.candidate.recipe.family != best.candidate.recipe.family);
        others.into_iter().all(|other| best.clearly_beats(other, judged.len()))
    })
}

/// A front that evidence decides: some circuit is right on all rows, and takes less than half the nats of the labels alone.
fn told(found: &[Candidate], rows: &Rows, reading: f64) -> Option<Front> {
    let constant = found.first()?.score();
    let tells = |candidate: &Candidate| candidate.exact && 2.0 * candidate.score() > constant;
    let judged = || found.iter().map(|candidate| Judged::new(candidate.clone(), Vec::new())).collect();
    found.iter().any(tells).then(|| Front {
        judged: judged(),
        held: 0,
        rows: rows.len(),
        by: DecidedBy::Evidence,
        reading,
    })
}

/// Families whose searches read any number of rows and their weights.
const fn counts_weights(family: Family) -> bool {
    matches!(family, Family::Tables | Family::Terms | Family::Tree)
}

/// The rows that searches read, where there are too many.
fn at_most(rows: &Rows, seed: u64) -> Cow<'_, Rows> {
    if rows.len() <= MOST_TAUGHT {
        return Cow::Borrowed(rows);
    }
    Cow::Owned(rows.pick(&draw::some(&mut Stream::Taught.of(seed), rows.len(), MOST_TAUGHT)))
}

/// Weight of the rows that a candidate gets wrong.
fn errors(candidate: &Candidate, rows: &Rows) -> u64 {
    let mut wrong = score::answers(&candidate.circuit, rows);
    wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
    bits::trim(&mut wrong, rows.len());
    let weight = |row: usize| rows.weights().map_or(WEIGHT_UNIT, |weights| weights[row]);
    bits::ones(&wrong).map(weight).sum()
}

/// The more frequent label.
fn constant(rows: &Rows) -> Candidate {
    let weight = |row: usize| rows.weights().map_or(WEIGHT_UNIT, |weights| weights[row]);
    let ones: u64 = bits::ones(rows.labels()).map(weight).sum();
    let all: u64 = (0..rows.len()).map(weight).sum();
    let rule = if 2 * ones > all { Rule::And } else { Rule::Or };
    let output = Output::new(rows.target(), Literal::gate(0));
    let gates = vec![Gate::new(rule, Vec::new())];
    let circuit = Circuit::new(rows.names().to_vec(), gates, vec![output]);
    // A gate of nothing is always valid.
    Candidate::new(Family::Constant, 0, &circuit.unwrap_or_else(|_| unreachable!("a gate of nothing")), rows)
}

#[cfg(test)]
mod tests;
