//! Which of the candidates becomes the model.
//!
//! Evidence decides where tables explain every row in far fewer nats than their labels have. Where it does not, tables and
//! wide sums of products are learned from most of the rows and judged by the others; the winner is learned again from all.
//! With validation rows, those judge.
//!
//! The budget may be spent at any time. What was judged by then stands: the best of it, and a small tree that is grown
//! first of all, so that there always is something. A winner whose second learning is cut short stands as it was judged.

use super::draft::Draft;
use super::judge::{Outcome, clearly, first, judge};
use super::question::Question;
use super::recipe::Recipe;
use super::sampling::Sampling;
use super::split::Split;
use super::structure::{Structure, structure};
use crate::fit::trace::{Candidate, CutShort, DecidedBy, Decision};
use crate::select::{NAT, Nats};
use macchiato_minimize::MinimizeError;
use std::cmp::Reverse;

/// The circuit, and what decided.
pub(super) fn decide<'a>(question: &Question<'a>) -> Result<(Draft<'a>, Decision), MinimizeError> {
    let Question { rows, effort, m, options, observe, .. } = *question;
    let spent = || options.budget.spent();
    let sampling = Sampling::new(rows, effort, options.seed);
    let split = Split::new(question, &sampling);
    let first = split.as_ref().map(|split| first(split, m));
    let found = structure(rows, &sampling, &[], effort, m, options, observe);
    let by_evidence = by_evidence(&found);
    observe("minimizing");
    let draft = by_evidence.build(rows, &sampling, &found, m, options)?;
    let searched = spent().then_some(CutShort::Search);
    let by_evidence_alone = |cut_short: Option<CutShort>| {
        let candidates = vec![candidate(by_evidence, &found, None)];
        Decision { by: DecidedBy::Evidence, asked: 0, candidates, cut_short }
    };
    let Some(split) = split.filter(|_| !conclusive(&draft, by_evidence, &found)) else {
        return Ok((draft, by_evidence_alone(searched)));
    };
    // What held-out rows say must not be in the structure: it stands if the search never read them. Otherwise its first
    // set is only where another search begins. Where time is up, rows that helped to choose inputs judge all the same:
    // what is in the tables they did not.
    let again = if split.unread || spent() {
        None
    } else {
        let mut start = found.tables.first().map_or(Vec::new(), |blocks| blocks.concat());
        start.sort_unstable();
        let again = structure(split.train(), split.sampling(), &[start], effort, m, options, observe);
        Some(again).filter(|_| !spent())
    };
    let mut judgement = judge(question, &split, again.as_ref().unwrap_or(&found))?;
    let mut cut_short = searched.or_else(|| spent().then_some(CutShort::Comparison));
    if cut_short.is_some() {
        let unknown = |first: &Outcome| judgement.outcomes.iter().all(|known| known.recipe != first.recipe);
        let first = first.flatten().filter(unknown);
        judgement.outcomes.extend(first);
    }
    let judged = &mut judgement.outcomes;
    // Most rows right, then fewest literals; a sort that keeps the order of equals.
    judged.sort_by_key(|judged| (Reverse(judged.right), judged.literals));
    let held = split.held().len();
    let winner = match judged.iter().position(|judged| judged.recipe == by_evidence) {
        // What evidence chose stays unless the rows speak clearly, by more than chance moves their number, or speak for
        // something shorter.
        Some(own)
            if !clearly(judged[0].right, judged[own].right, held)
                && (judged[0].right == judged[own].right || judged[own].literals <= judged[0].literals) =>
        {
            own
        }
        // Too few rows were left to find it again: it stays if it explains them all, or tells most of their labels.
        None if draft.errors() == 0 || telling(by_evidence, &found) || judged.is_empty() => {
            return Ok((draft, by_evidence_alone(cut_short)));
        }
        _ => much_shorter(judged, held).unwrap_or(0),
    };
    judged[..=winner].rotate_right(1);
    let won = judged[0].recipe;
    let candidates =
        judged.iter().map(|judged| candidate(judged.recipe, &found, Some(judged.right))).collect();
    let mut learned = (won == by_evidence).then_some(draft);
    if learned.is_none() && cut_short.is_none() {
        observe(&format!("learning again from all rows: {}", won.name()));
        let again = won.build(rows, &sampling, &found, m, options)?;
        cut_short = spent().then_some(CutShort::LearningAgain);
        learned = Some(again).filter(|_| cut_short.is_none());
    }
    let draft = match learned {
        Some(draft) => draft,
        None => judgement.as_judged(&judgement.outcomes[0], rows, &sampling, &found, m, options)?,
    };
    Ok((draft, Decision { by: split.by, asked: held, candidates, cut_short }))
}

/// What evidence chooses.
fn by_evidence(found: &Structure) -> Recipe {
    if found.count.is_some() {
        Recipe::Count
    } else if found.evidence > found.constant {
        Recipe::Tables
    } else {
        Recipe::Majority
    }
}

/// Whether tables leave nothing to ask: no row is wrong, and they tell most of the labels.
fn conclusive(draft: &Draft<'_>, recipe: Recipe, found: &Structure) -> bool {
    draft.errors() == 0 && telling(recipe, found)
}

/// Whether the description by tables is less than half that of the labels alone.
fn telling(recipe: Recipe, found: &Structure) -> bool {
    let evidence = match (recipe, &found.count) {
        (Recipe::Count, Some(count)) => count.evidence,
        _ => found.evidence,
    };
    2 * evidence > found.constant
}

/// Of the candidates that are right on almost as many rows as the first the shortest, if it has at most a quarter of the
/// first one's literals. Almost: one row in a thousand, or one at all of a hundred or more.
fn much_shorter(judged: &[Outcome], asked: usize) -> Option<usize> {
    let first = &judged[0];
    let near = |judged: &Outcome| judged.right + (asked / 1000).max(usize::from(asked >= 100)) >= first.right;
    let shortest = (0..judged.len()).filter(|&at| near(&judged[at])).min_by_key(|&at| judged[at].literals);
    shortest.filter(|&at| 4 * judged[at].literals <= first.literals)
}

/// What is recorded of a candidate.
pub(super) fn candidate(recipe: Recipe, found: &Structure, right: Option<usize>) -> Candidate {
    let thousandths = |evidence: Nats| (-evidence as f64 / NAT * 1000.0).round() / 1000.0;
    let nats = match recipe {
        Recipe::Majority => Some(thousandths(found.constant)),
        Recipe::Tables => Some(thousandths(found.evidence)),
        Recipe::Count => found.count.as_ref().map(|count| thousandths(count.evidence)),
        Recipe::Wide(..) => None,
    };
    Candidate { name: recipe.name(), nats, right }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(all: &[(usize, usize)]) -> Vec<Outcome> {
        all.iter()
            .map(|&(right, literals)| Outcome { recipe: Recipe::Majority, right, literals, sop: None })
            .collect()
    }

    #[test]
    fn one_row_more_is_not_worth_four_times_the_literals() {
        assert_eq!(much_shorter(&outcomes(&[(90, 400), (89, 100), (89, 300)]), 100), Some(1));
        assert_eq!(much_shorter(&outcomes(&[(90, 400), (89, 101)]), 100), None);
        assert_eq!(much_shorter(&outcomes(&[(90, 400), (88, 1)]), 100), None);
        // Of few rows each one counts, of many one in a thousand does not.
        assert_eq!(much_shorter(&outcomes(&[(20, 400), (19, 1)]), 23), None);
        assert_eq!(much_shorter(&outcomes(&[(4000, 400), (3995, 9), (3995, 8)]), 5000), Some(2));
    }

    #[test]
    fn a_lead_is_clear_when_it_is_more_than_chance() {
        assert!(!clearly(90, 90, 100) && !clearly(90, 87, 100) && !clearly(80, 90, 100));
        assert!(clearly(90, 80, 100) && clearly(100, 98, 100));
    }
}
