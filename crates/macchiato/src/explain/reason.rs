//! The least that forces an answer: features whose values in the row do, whatever the others are (an abductive explanation).
//!
//! A feature that alone changes the answer is in every such set. If those do not suffice, the solver's core is thinned out one
//! feature at a time: no condition of the result can be left out. For the smallest set, every change that leads to another
//! answer must be hit: the fewest features that hit all changes seen so far are tried, and if they do not suffice there is
//! one more change to hit (Ignatiev, Narodytska and Marques-Silva 2019). Until then the number of that set is a bound.
//!
//! Last, the conditions are made as weak as they can be: more values of a feature are let in while the answer is forced.

use batsat::Lit;

use super::at_most::AtMost;
use super::question::{Boxes, Question};
use super::sat::{Sat, Verdict};
use crate::minimize::Budget;

/// Conditions that force the answer, before they are put into words.
pub(super) struct Forced {
    pub(super) boxes: Boxes,
    pub(super) minimal: bool,
    pub(super) at_least: usize,
}

/// The search; `singles` are the features that alone change the answer, and `changes` other sets of features that together do.
pub(super) fn find(
    question: &mut Question<'_>,
    singles: &[usize],
    mut changes: Vec<Vec<usize>>,
    budget: &Budget,
) -> Forced {
    let features = question.features();
    let mut best = match question.other(singles) {
        Verdict::No(core) => {
            let set = question.features_of(&core, singles);
            let (minimal, at_least) = (set.len() == singles.len(), singles.len().min(set.len()));
            return widened(question, set, minimal, at_least);
        }
        Verdict::Yes(_) | Verdict::Unknown => match question.other(&features) {
            Verdict::No(core) => question.features_of(&core, &features),
            // All of them force it: the answer is a function.
            Verdict::Yes(_) | Verdict::Unknown => features.clone(),
        },
    };
    let minimal = thin(question, &mut best, singles, &mut changes);
    let at_least = smallest(question, &mut best, singles, &changes, budget);
    let minimal = minimal || best.len() == at_least;
    best.sort_unstable();
    widened(question, best, minimal, at_least)
}

fn widened(question: &mut Question<'_>, set: Vec<usize>, minimal: bool, at_least: usize) -> Forced {
    let row = question.row.clone();
    let mut boxes = question.boxes(&set, &row);
    boxes.sort_by_key(|(feature, _)| *feature);
    let differs = question.differs();
    question.widen(&mut boxes, &[], differs, true);
    Forced { boxes, minimal, at_least }
}

/// Leaves out one feature after the other; whether each that stays was proven to be needed.
fn thin(
    question: &mut Question<'_>,
    set: &mut Vec<usize>,
    singles: &[usize],
    changes: &mut Vec<Vec<usize>>,
) -> bool {
    let mut minimal = true;
    let mut needed = singles.to_vec();
    while let Some(&next) = set.iter().find(|feature| !needed.contains(feature)) {
        let rest: Vec<usize> = set.iter().copied().filter(|&feature| feature != next).collect();
        match question.other(&rest) {
            Verdict::No(core) => *set = question.features_of(&core, &rest),
            Verdict::Yes(point) => {
                changes.push(question.changed(&point));
                needed.push(next);
            }
            Verdict::Unknown => {
                minimal = false;
                needed.push(next);
            }
        }
    }
    minimal
}

/// Looks for a smaller set than `best`, and gives the number that no set is below.
fn smallest(
    question: &mut Question<'_>,
    best: &mut Vec<usize>,
    singles: &[usize],
    changes: &[Vec<usize>],
    budget: &Budget,
) -> usize {
    let open: Vec<usize> =
        question.features().into_iter().filter(|feature| !singles.contains(feature)).collect();
    let mut hits = Hits::new(&open, question.each, budget);
    for change in changes {
        hits.add(change);
    }
    let mut at_least = singles.len();
    while at_least < best.len() && !question.sat.is_spent() {
        let chosen = match hits.at_most(at_least - singles.len()) {
            Hit::Set(set) => set,
            Hit::None => {
                at_least += 1;
                continue;
            }
            Hit::Unknown => break,
        };
        let set: Vec<usize> = singles.iter().chain(&chosen).copied().collect();
        match question.other(&set) {
            Verdict::No(_) => *best = set,
            Verdict::Yes(point) => {
                let point = question.shrink(point);
                hits.add(&question.changed(&point));
            }
            Verdict::Unknown => break,
        }
    }
    at_least
}

/// Sets of few features that hit all changes.
struct Hits {
    sat: Sat,
    features: Vec<usize>,
    chosen: Vec<Lit>,
    counter: AtMost,
    each: u64,
}

enum Hit {
    Set(Vec<usize>),
    None,
    Unknown,
}

impl Hits {
    fn new(features: &[usize], each: u64, budget: &Budget) -> Self {
        let mut sat = Sat::empty(each.saturating_mul(4), budget);
        let chosen: Vec<Lit> = features.iter().map(|_| sat.tried_as(false)).collect();
        Self { sat, features: features.to_vec(), counter: AtMost::new(chosen.clone()), chosen, each }
    }

    fn add(&mut self, change: &[usize]) {
        let literal = |feature: &usize| self.features.binary_search(feature).ok().map(|at| self.chosen[at]);
        // A change of a feature that is always in the set is hit.
        let literals: Option<Vec<Lit>> = change.iter().map(literal).collect();
        if let Some(literals) = literals {
            self.sat.clause(&literals);
        }
    }

    fn at_most(&mut self, bound: usize) -> Hit {
        let bound = self.counter.bound(&mut self.sat, bound);
        match self.sat.ask(bound.as_slice(), self.each) {
            Verdict::Yes(_) => {
                let chosen = self.features.iter().zip(&self.chosen);
                Hit::Set(chosen.filter(|(_, is)| self.sat.held(**is)).map(|(&feature, _)| feature).collect())
            }
            Verdict::No(_) => Hit::None,
            Verdict::Unknown => Hit::Unknown,
        }
    }
}
