//! One input and its answer, before the solver: which features alone change it, and which values may be widened.

use batsat::Lit;

use super::logic::{Boxes, Stopped};
use super::sat::{Sat, Verdict};
use super::space::Space;
use super::{Condition, ExplainOptions, Point};
use crate::minimize::Budget;

/// A point and where others have another answer.
pub(super) struct Question<'a> {
    pub(super) space: &'a Space,
    pub(super) sat: Sat,
    /// The value of each feature.
    pub(super) row: Vec<usize>,
    /// Where each answer is given.
    pub(super) answers: Vec<Lit>,
    /// The answer at the row.
    pub(super) given: usize,
    /// Conflicts that one question may meet.
    pub(super) each: u64,
    /// The answer at any point, as the circuits have it.
    pub(super) decide: &'a dyn Decide,
}

/// Answers by plain evaluation.
pub(super) trait Decide {
    /// The answer at one point.
    fn at(&self, values: &[usize]) -> usize;

    /// The answers at the points that differ from `row` in one feature, which has another value; none where the only way is one
    /// by one.
    fn after(&self, row: &[usize], changes: &[(usize, usize)]) -> Option<Vec<usize>>;
}

impl<'a> Question<'a> {
    /// The question at `row` whose answers are where `formulas` says, and `decide` at each point.
    pub(super) fn new(
        space: &'a Space,
        row: Vec<usize>,
        (options, budget): (&ExplainOptions, &Budget),
        formulas: impl FnOnce(&mut Sat) -> Result<Vec<Lit>, Stopped>,
        decide: &'a dyn Decide,
    ) -> Self {
        let mut sat = Sat::new(space, &row, options.conflicts, budget);
        let each = if options.conflicts == u64::MAX { u64::MAX } else { options.conflicts / 4 };
        // Clauses do not run out.
        let answers = formulas(&mut sat).unwrap_or_default();
        let given = decide.at(&row);
        Self { space, sat, row, answers, given, each, decide }
    }

    /// The features that can change.
    pub(super) fn features(&self) -> Vec<usize> {
        (0..self.row.len()).filter(|&feature| self.space.features[feature].values > 1).collect()
    }

    /// The assumption that a feature stays as it is in the row.
    pub(super) fn stays(&self, feature: usize) -> Lit {
        self.sat.is(feature, self.row[feature])
    }

    /// The assumption that the answer is another one.
    pub(super) fn differs(&self) -> Lit {
        match self.answers.get(self.given) {
            Some(&given) => !given,
            None => !self.sat.always(),
        }
    }

    /// Looks for a point with another answer that has these features in common with the row.
    pub(super) fn other(&mut self, same: &[usize]) -> Verdict {
        let assumptions: Vec<Lit> =
            std::iter::once(self.differs()).chain(same.iter().map(|&feature| self.stays(feature))).collect();
        self.sat.ask(&assumptions, self.each)
    }

    /// The features of a core.
    pub(super) fn features_of(&self, core: &[Lit], among: &[usize]) -> Vec<usize> {
        among.iter().copied().filter(|&feature| core.contains(&self.stays(feature))).collect()
    }

    /// The features in which a point differs from the row.
    pub(super) fn changed(&self, point: &[usize]) -> Vec<usize> {
        (0..self.row.len()).filter(|&feature| point[feature] != self.row[feature]).collect()
    }

    /// For each feature that can change a point that differs from the row in it alone and has another answer; and whether all
    /// were settled.
    pub(super) fn singles(&mut self) -> (Vec<(usize, Vec<usize>)>, bool) {
        let features = self.features();
        let (mut singles, mut settled) = (Vec::new(), true);
        let changes = |&feature: &usize| {
            let row = self.row[feature];
            let mut values: Vec<usize> =
                (0..self.space.features[feature].values).filter(|&value| value != row).collect();
            // The nearest first: a number is to move as little as it must.
            values.sort_by_key(|&value| value.abs_diff(row));
            values.into_iter().map(move |value| (feature, value))
        };
        let changes: Vec<(usize, usize)> = features.iter().flat_map(changes).collect();
        if let Some(answers) = self.decide.after(&self.row, &changes) {
            for ((feature, value), answer) in changes.into_iter().zip(answers) {
                if answer != self.given && singles.last().is_none_or(|(last, _)| *last != feature) {
                    let mut point = self.row.clone();
                    point[feature] = value;
                    singles.push((feature, point));
                }
            }
            return (singles, true);
        }
        for &feature in &features {
            let same: Vec<usize> = features.iter().copied().filter(|&other| other != feature).collect();
            match self.other(&same) {
                Verdict::Yes(mut point) => {
                    let (row, found) = (self.row[feature], point[feature]);
                    // The solver takes any value; a nearer one is better.
                    for value in if found > row { row + 1..found } else { found + 1..row } {
                        let value = if found > row { value } else { row + found - value };
                        let mut nearer = self.row.clone();
                        nearer[feature] = value;
                        if self.decide.at(&nearer) != self.given {
                            point = nearer;
                            break;
                        }
                    }
                    singles.push((feature, point));
                }
                Verdict::No(_) => {}
                Verdict::Unknown => settled = false,
            }
        }
        (singles, settled)
    }

    /// From a point with another answer, one whose changes are some of its changes, none of which can be left out as far as the
    /// limits allow to say.
    pub(super) fn shrink(&mut self, mut point: Vec<usize>) -> Vec<usize> {
        let features = self.features();
        let mut needed: Vec<usize> = Vec::new();
        loop {
            let changed = self.changed(&point);
            let Some(&next) = changed.iter().find(|feature| !needed.contains(feature)) else { break };
            if changed.len() == 1 {
                break;
            }
            let same: Vec<usize> = features
                .iter()
                .copied()
                .filter(|feature| *feature == next || !changed.contains(feature))
                .collect();
            match self.other(&same) {
                Verdict::Yes(fewer) => point = fewer,
                Verdict::No(_) | Verdict::Unknown => needed.push(next),
            }
        }
        point
    }

    /// Lets in more values as long as nothing in the boxes makes `against` hold, while `same` stay as they are; the row's own
    /// values only if `row`. Within the limits no value is left that could join.
    pub(super) fn widen(&mut self, boxes: &mut Boxes, same: &[usize], against: Lit, row: bool) {
        for at in 0..boxes.len() {
            let feature = boxes[at].0;
            // Both of two values would be no condition.
            if self.space.features[feature].values < 3 {
                continue;
            }
            let Some(start) = boxes[at].1.iter().position(|&value| value) else { continue };
            for list in self.space.features[feature].neighbours(start) {
                for value in list {
                    if boxes[at].1[value] {
                        continue;
                    }
                    boxes[at].1[value] = true;
                    let own = !row && value == self.row[feature];
                    if own || !matches!(self.within(boxes, same, against), Verdict::No(_)) {
                        boxes[at].1[value] = false;
                        break;
                    }
                }
            }
        }
    }

    /// Whether `wanted` can hold in the boxes.
    fn within(&mut self, boxes: &Boxes, same: &[usize], wanted: Lit) -> Verdict {
        let mut assumptions = vec![wanted];
        assumptions.extend(same.iter().map(|&feature| self.stays(feature)));
        for (feature, values) in boxes {
            let outside = (0..values.len()).filter(|&value| !values[value]);
            assumptions.extend(outside.map(|value| !self.sat.is(*feature, value)));
        }
        self.sat.ask(&assumptions, self.each)
    }

    /// The values that a point has of some features.
    pub(super) fn boxes(&self, features: &[usize], point: &[usize]) -> Boxes {
        let only = |feature: usize| {
            let values = self.space.features[feature].values;
            (feature, (0..values).map(|value| value == point[feature]).collect())
        };
        features.iter().map(|&feature| only(feature)).collect()
    }
}

/// Boxes as conditions in words; the values are those of the row's cells where they are known.
pub(super) fn conditions(space: &Space, boxes: &Boxes, row: &[usize], point: &Point) -> Vec<Condition> {
    let condition = |(feature, values): &(usize, Vec<bool>)| Condition {
        feature: space.features[*feature].name.clone(),
        value: shown(space, *feature, row[*feature], point),
        text: space.features[*feature].words(values),
    };
    boxes.iter().map(condition).collect()
}

/// The value of a feature as the row's table has it, or in words.
pub(super) fn shown(space: &Space, feature: usize, value: usize, point: &Point) -> String {
    let feature = &space.features[feature];
    point.cells.get(feature.place).cloned().unwrap_or_else(|| feature.value(value))
}
