//! Searching, judging and learning again: what the steps of a fit share.

use super::candidate::{Candidate, Family, Recipe, best_of_each};
use super::front::{Front, Judged};
use super::gates::Gates;
use super::judges::{Judges, MOST_TAUGHT, PARTS, by_weight};
use super::params::{AutoParams, CheckedAutoParams};
use super::pick::Pick;
use super::settings::Settings;
use super::stages::{self, Searched, Structure};
use super::{chain, graph, points, rules, scorecard};
use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};
use crate::draw;
use crate::fit::{CutShort, DecidedBy};
use crate::random::Stream;
use crate::rows::{Rows, WEIGHT_UNIT};
use crate::words::count;
use macchiato_minimize::Budget;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A circuit that is right on all rows and takes fewer nats a row than this is the rule: no search goes on.
const TOLD: f64 = 0.1;

/// Effort of the search for tables on a part of the rows: its sets are small, and five parts take five times as long as the rows.
const PART_EFFORT: u8 = 3;

/// Searches that take little time and often tell the whole rule.
const QUICK: [Family; 3] = [Family::Chain, Family::Points, Family::Tables];

/// The others, the quick ones first.
const THOROUGH: [Family; 4] = [Family::Scorecard, Family::Rules, Family::Terms, Family::Graph];

/// What all steps look at.
pub(super) struct Learner<'a> {
    params: &'a AutoParams,
    settings: &'a Settings,
    budget: &'a Budget,
    /// What the search for tables found on rows that are searched again, by their place.
    structures: Mutex<BTreeMap<Place, Structure>>,
}

/// Rows that several searches read: all of them, those of the circuits that are judged, or those that a part of the judges leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    All,
    Own,
    Part(usize),
}

impl<'a> Learner<'a> {
    pub(super) fn new(params: &'a CheckedAutoParams, settings: &'a Settings, budget: &'a Budget) -> Self {
        Self { params: params.get(), settings, budget, structures: Mutex::default() }
    }

    /// All candidates that were compared, and what was not done; `even` are the rows, each as often as it weighs.
    pub(super) fn front(
        &self,
        rows: &Rows,
        even: &Rows,
        validation: Option<&Rows>,
        observe: &dyn Fn(&str),
    ) -> (Front, Option<CutShort>) {
        let goes_on = self.settings.whole_front || !matches!(self.params.pick, Pick::Score | Pick::Best);
        let mut found = vec![constant(even)];
        let all = at_most(even, self.params.seed);
        let mut quick: BTreeMap<Family, Vec<Candidate>> = BTreeMap::new();
        for family in QUICK {
            if self.budget.spent() || !self.allows(family) {
                continue;
            }
            observe(&format!("looking for {}", family.words()));
            let rows = if family == Family::Tables { rows } else { &all };
            let found_here = self.search(family, Some(Place::All), rows);
            found.extend(found_here.iter().map(|candidate| candidate.clone().on(even)));
            quick.insert(family, found_here);
            let plainly = |found: &Candidate| found.exact() && found.score() > -TOLD * even.len() as f64;
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
        let mut judged: Vec<Judged> =
            judges.judge(vec![constant(judges.teach())], &|_, rows| vec![constant(rows)]);
        let trees = |rows: &Rows| self.search(Family::Tree, None, rows);
        judged.extend(judges.judge(trees(judges.teach()), &|_, rows| trees(rows)));
        let own_are_all = rows.weights().is_none() && judges.teach().len() == all.len();
        let own_place = if own_are_all { Place::All } else { Place::Own };
        for family in QUICK.into_iter().chain(THOROUGH).filter(|&family| self.allows(family)) {
            if self.budget.spent() {
                cut_short = cut_short.or(Some(CutShort::Comparison));
                break;
            }
            let best = so_far(&judged, judges.asked());
            observe(&format!("comparing {}{best}", family.words()));
            let known = quick.remove(&family).filter(|_| own_are_all);
            let own = known.unwrap_or_else(|| self.search(family, Some(own_place), judges.teach()));
            if dominated(&own, &judged, &judges) && !self.budget.spent() {
                if family == Family::Tables {
                    // Nor are sums of products behind them looked for.
                    self.forget([Place::All, own_place].into_iter().chain((0..PARTS).map(Place::Part)));
                }
                continue;
            }
            let found = judges.judge(own, &|part, rows| self.search(family, Some(Place::Part(part)), rows));
            // What was cut short does not compare.
            if self.budget.spent() {
                cut_short = Some(CutShort::Comparison);
                break;
            }
            judged.extend(found);
            let told = |judged: &Judged| {
                judged.candidate.exact()
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
    pub(super) fn learns_again(front: &Front, candidate: &Candidate, rows: &Rows) -> bool {
        front.rows != rows.len() || (rows.weights().is_some() && counts_weights(candidate.recipe.family))
    }

    /// The circuit of a recipe on all rows; none where they do not come to its size, or where the one that was picked is
    /// worth more on all of them than what they led to: searches climb, and may end elsewhere. To who wants the best, its length is no matter. Weights are
    /// counted by the search alone.
    pub(super) fn again(&self, picked: &Candidate, pick: Pick, rows: &Rows) -> Option<Candidate> {
        let recipe = picked.recipe;
        let even = by_weight(rows, self.params.seed);
        let few = at_most(&even, self.params.seed);
        let rows = if counts_weights(recipe.family) { rows } else { &few };
        let found = self.search(recipe.family, Some(Place::All), rows);
        let again = found.into_iter().find(|found| found.recipe == recipe)?;
        let worth = |candidate: &Candidate| match pick {
            Pick::Best => candidate.evidence,
            _ => candidate.score(),
        };
        Some(again)
            .filter(|again| rows.weights().is_some() || worth(again) >= worth(&picked.clone().on(rows)))
    }

    /// Whether a family is wanted and has circuits of allowed gates.
    fn allows(&self, family: Family) -> bool {
        let counts = matches!(family, Family::Count | Family::Points | Family::Scorecard | Family::Rules);
        (self.params.gates.count || !counts) && !self.settings.without.contains(&family)
    }

    /// The candidates of one search, best of each of its sizes.
    pub(super) fn search(&self, family: Family, place: Option<Place>, rows: &Rows) -> Vec<Candidate> {
        let Learner { params, settings, budget, .. } = *self;
        let AutoParams { effort, m, seed, gates, .. } = *params;
        // How well a search does on four fifths of the rows takes less than to find the circuits themselves.
        let effort = if matches!(place, Some(Place::Part(_))) { effort.min(PART_EFFORT) } else { effort };
        let searched = || self.searched(place, rows, (effort, m, seed, gates));
        let found = match family {
            Family::Constant => vec![constant(rows)],
            Family::Chain => chain::chains(rows, gates, budget),
            Family::Count | Family::Points => points::points(rows, budget),
            Family::Scorecard => scorecard::scorecards(rows, seed, budget),
            Family::Rules => rules::rules(rows, &settings.rules, seed, budget),
            Family::Graph => graph::graphs(rows, &settings.graph, seed, budget),
            Family::Tree => stages::trees(rows, gates, m, seed),
            Family::Tables => searched().tables(),
            Family::Terms => searched().terms(),
        };
        let wanted = |found: &Candidate| {
            gates.allow(&found.circuit) && !settings.without.contains(&found.recipe.family)
        };
        best_of_each(found.into_iter().filter(wanted).collect())
    }

    /// From now on no tables are known to matter on these rows.
    fn forget(&self, places: impl Iterator<Item = Place>) {
        // A thread that panicked has poisoned nothing that matters: a structure is whole or not there.
        let mut known = self.structures.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(places.map(|place| (place, Structure::default())));
    }

    /// Tables by evidence on rows that may have been searched before.
    fn searched<'r>(
        &self,
        place: Option<Place>,
        rows: &'r Rows,
        asked: (u8, usize, u64, Gates),
    ) -> Searched<'r> {
        let known = || self.structures.lock().unwrap_or_else(PoisonError::into_inner);
        let structure = place.and_then(|place| known().get(&place).cloned());
        let searched = Searched::new(rows, asked, self.budget, structure);
        if let Some(place) = place.filter(|_| !self.budget.spent()) {
            known().entry(place).or_insert_with(|| searched.structure().clone());
        }
        searched
    }
}

/// The best of those that were judged, in words.
fn so_far(judged: &[Judged], asked: usize) -> String {
    let best =
        judged.iter().max_by_key(|judged| (judged.hits, std::cmp::Reverse(judged.candidate.conditions())));
    best.filter(|_| asked > 0).map_or_else(String::new, |best| {
        let (percent, conditions) = (100.0 * best.hits as f64 / asked as f64, best.candidate.conditions());
        let conditions = count(conditions, "condition");
        format!("; best so far {percent:.1} % of rows put aside, with {conditions}")
    })
}

/// Whether no circuit can become one of the front: a shorter one has been right as often on rows that it did not learn from as each is on its own.
fn dominated(own: &[Candidate], judged: &[Judged], judges: &Judges<'_>) -> bool {
    let (asked, taught) = (judges.asked(), judges.teach().len());
    let no_better = |candidate: &Candidate| {
        judged.iter().any(|judged| {
            judged.candidate.conditions() <= candidate.conditions()
                && judged.hits * taught >= (taught - candidate.errors) * asked
        })
    };
    asked > 0 && own.iter().all(no_better)
}

/// Whether evidence chose a circuit that is right on all of its rows, and every one of another search, trees among them, is clearly worse on rows
/// that judge: no further search is likely to change that.
fn settled(judged: &[Judged]) -> bool {
    let by_evidence =
        |judged: &&Judged| judged.candidate.exact() && QUICK.contains(&judged.candidate.recipe.family);
    judged.iter().filter(by_evidence).any(|best| {
        let others =
            judged.iter().filter(|other| other.candidate.recipe.family != best.candidate.recipe.family);
        others.into_iter().all(|other| best.clearly_beats(other, judged.len()))
    })
}

/// A front that evidence decides: some circuit is right on all rows, and takes less than half the nats of the labels alone.
fn told(found: &[Candidate], rows: &Rows, reading: f64) -> Option<Front> {
    let constant = found.first()?.score();
    let tells = |candidate: &Candidate| candidate.exact() && 2.0 * candidate.score() > constant;
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

/// The more frequent label.
pub(crate) fn constant(rows: &Rows) -> Candidate {
    let weight = |row: usize| rows.weights().map_or(WEIGHT_UNIT, |weights| weights[row]);
    let ones: u64 = bits::ones(rows.labels()).map(weight).sum();
    let all: u64 = (0..rows.len()).map(weight).sum();
    let rule = if 2 * ones > all { Rule::And } else { Rule::Or };
    let output = Output::new(rows.target(), Literal::gate(0));
    let gates = vec![Gate::new(rule, Vec::new())];
    let circuit = Circuit::new(rows.names().to_vec(), gates, vec![output]);
    // A gate of nothing is always valid.
    let circuit = circuit.unwrap_or_else(|_| unreachable!("a gate of nothing"));
    Candidate::new(Recipe::new(Family::Constant, 0), &circuit, rows)
}
