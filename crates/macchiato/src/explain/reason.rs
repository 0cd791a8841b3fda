//! The least that forces an answer: features whose values in the row do, whatever the others are (an abductive explanation).
//!
//! A feature that alone changes the answer is in every such set. If those do not suffice, the solver's core is thinned out one
//! feature at a time: no condition of the result can be left out. For the smallest set, every change that leads to another
//! answer must be hit: the fewest features that hit all changes seen so far are tried, and if they do not suffice there is
//! one more change to hit (Ignatiev, Narodytska and Marques-Silva 2019). Until then the number of that set is a bound.
//!
//! Last, the conditions are made as weak as they can be: more values of a feature are let in while the answer is forced.

use super::logic::Boxes;
use super::question::Question;
use super::sat::Verdict;
use crate::minimize::{Budget, hitting_set};

/// Up to so many features the fewest are always searched for to the end.
const EXACT: usize = 32;

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
            return widened(question, &set, minimal, at_least);
        }
        Verdict::Yes(_) | Verdict::Unknown => match question.other(&features) {
            Verdict::No(core) => question.features_of(&core, &features),
            // All of them force it: the answer is a function.
            Verdict::Yes(_) | Verdict::Unknown => features.clone(),
        },
    };
    let mut minimal = thin(question, &mut best, singles, &mut changes);
    let before = best.len();
    let at_least = smallest(question, &mut best, singles, &changes, budget);
    if best.len() == at_least {
        minimal = true;
    } else if best.len() < before {
        // Another set, of which nothing more is known.
        minimal = thin(question, &mut best, singles, &mut changes);
    }
    best.sort_unstable();
    widened(question, &best, minimal, at_least)
}

fn widened(question: &mut Question<'_>, set: &[usize], minimal: bool, at_least: usize) -> Forced {
    let row = question.row.clone();
    let mut boxes = question.boxes(set, &row);
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
    let exact = question.each == u64::MAX || open.len() <= EXACT;
    let mut hits = Hits { open, sets: Vec::new() };
    for change in changes {
        hits.add(change);
    }
    let mut at_least = singles.len();
    while at_least < best.len() && !question.sat.is_spent() {
        let hit = hitting_set(hits.open.len(), &hits.sets, exact, budget);
        at_least = at_least.max(singles.len() + hit.lower_bound);
        let chosen = hit.elements.iter().map(|&element| hits.open[element]);
        let set: Vec<usize> = singles.iter().copied().chain(chosen).collect();
        if set.len() >= best.len() && !exact {
            break;
        }
        match question.other(&set) {
            Verdict::No(_) => {
                if set.len() < best.len() {
                    *best = set;
                }
                // The bound does not grow any more.
                break;
            }
            Verdict::Yes(point) => hits.all_beside(question, set, point),
            Verdict::Unknown => break,
        }
    }
    at_least.min(best.len())
}

/// The changes to be hit, each as places among the features that may hit them.
struct Hits {
    open: Vec<usize>,
    sets: Vec<Vec<usize>>,
}

impl Hits {
    /// One more; a change of a feature that is always in the set is hit.
    fn add(&mut self, change: &[usize]) {
        let places = change.iter().map(|feature| self.open.binary_search(feature).ok());
        self.sets.extend(places.collect::<Option<Vec<usize>>>());
    }

    /// The change of a point, and as many that have no feature in common with it, with each other and with `same` as there are:
    /// each of them raises the bound.
    fn all_beside(&mut self, question: &mut Question<'_>, mut same: Vec<usize>, point: Vec<usize>) {
        let mut found = Some(point);
        while let Some(point) = found {
            let point = question.shrink(point);
            let change = question.changed(&point);
            self.add(&change);
            same.extend(change);
            found = match question.other(&same) {
                Verdict::Yes(point) if !question.sat.is_spent() => Some(point),
                _ => None,
            };
        }
    }
}
