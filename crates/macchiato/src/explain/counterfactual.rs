//! The nearest point with another answer: the fewest features that change.
//!
//! Proven from below: that no point with another answer has at most one change, two, three, until there is one. A point found
//! on the way and stripped of changes that it does not need is the answer if the proof does not come to its end. Where only some
//! features may change, the others are assumed to stay in every question, so that "there is none" is proven of those alone.

use super::ExplainError;
use super::at_most::AtMost;
use super::logic::Boxes;
use super::question::Question;
use super::sat::Verdict;

/// What was found, before it is put into words.
pub(super) enum Nearest {
    /// These features change to these values, every one of which does, and the answer becomes this one.
    Found {
        boxes: Boxes,
        becomes: usize,
        at_least: usize,
    },
    Impossible,
    Unknown {
        at_least: usize,
    },
}

/// The search among points that differ in `free` features alone; `singles` are points with one change, all of them if `settled`. Also gives
/// the sets of changes that it met.
pub(super) fn find(
    question: &mut Question<'_>,
    free: &[usize],
    singles: &[(usize, Vec<usize>)],
    settled: bool,
) -> Result<(Nearest, Vec<Vec<usize>>), ExplainError> {
    let mut changes: Vec<Vec<usize>> = Vec::new();
    let fixed: Vec<usize> =
        question.features().into_iter().filter(|feature| !free.contains(feature)).collect();
    if let Some((_, point)) = singles.iter().find(|(feature, _)| free.contains(feature)) {
        return Ok((found(question, point, 1)?, changes));
    }
    let mut at_least = if settled { 2 } else { 1 };
    let mut best = match question.other(&fixed) {
        Verdict::No(_) => return Ok((Nearest::Impossible, changes)),
        Verdict::Yes(point) => Some(question.shrink(point)),
        Verdict::Unknown => None,
    };
    changes.extend(best.iter().map(|point| question.changed(point)));
    let mut counter = AtMost::new(free.iter().map(|&feature| !question.stays(feature)).collect());
    let stay: Vec<_> = std::iter::once(question.differs())
        .chain(fixed.iter().map(|&feature| question.stays(feature)))
        .collect();
    while best.as_ref().is_none_or(|best| question.changed(best).len() > at_least) {
        let assumptions: Vec<_> =
            stay.iter().copied().chain(counter.bound(&mut question.sat, at_least)).collect();
        match question.sat.ask(&assumptions, question.each) {
            Verdict::Yes(point) => {
                changes.push(question.changed(&point));
                best = Some(point);
            }
            Verdict::No(_) if at_least >= free.len() => return Ok((Nearest::Impossible, changes)),
            Verdict::No(_) => at_least += 1,
            Verdict::Unknown => break,
        }
    }
    let nearest = match best {
        Some(point) => found(question, &point, at_least)?,
        None => Nearest::Unknown { at_least },
    };
    Ok((nearest, changes))
}

/// A point with another answer, and the values around it that have the same one.
fn found(question: &mut Question<'_>, point: &[usize], at_least: usize) -> Result<Nearest, ExplainError> {
    let becomes = question.decide.at(point);
    if becomes == question.given {
        return Err(ExplainError::Unverified);
    }
    let changed = question.changed(point);
    let same: Vec<usize> =
        question.features().into_iter().filter(|feature| !changed.contains(feature)).collect();
    let mut boxes = question.boxes(&changed, point);
    let against = !question.answers[becomes];
    question.widen(&mut boxes, &same, against, false);
    Ok(Nearest::Found { boxes, becomes, at_least })
}
