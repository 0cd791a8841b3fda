//! What can vary: features, and the values of each that some circuit can tell apart.
//!
//! An input of a model is a feature of two values. A column of a table is one feature, whatever the number of its tests: its
//! values are the sets of cells that pass the same tests, so no point breaks a rule such as "above 3 is above 2". Only tests that
//! some circuit reads count. Points of a space are the combinations of values; their number is the product.
//!
//! A gap is a value where the training rows have gaps, an unseen level where they have rare ones; a column that is asked for
//! single numbers holds whole numbers alone. A row that has something else is believed, and widens its column.

mod cell;
mod words;

use std::collections::{HashMap, HashSet};

use num_bigint::BigUint;

use super::subject::Part;
use super::{ExplainError, Point, Subject};
use crate::binarize::Test;
use crate::frame::Kind;
use crate::words::{Words, one_line};
use cell::{Cell, ColumnTests, Seen};

/// The features that some circuit of some subjects reads.
#[derive(Debug, Clone)]
pub(super) struct Space {
    pub(super) features: Vec<Feature>,
    /// For each subject and each of its inputs, what that asks of which feature; none for inputs that are not read.
    reads: Vec<Vec<Option<Read>>>,
}

/// An input of a model, or a column of a table.
#[derive(Debug, Clone)]
pub(super) struct Feature {
    pub(super) name: String,
    /// Its number among the inputs or columns of the first subject that reads it.
    pub(super) place: usize,
    /// Number of values.
    pub(super) values: usize,
    kind: Kind,
    /// What there is, in order, and which value each is.
    cells: Vec<(Cell, usize)>,
}

/// A test of a feature: whether each value passes.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) feature: usize,
    pub(super) passes: Vec<bool>,
}

/// A feature before its values are known.
struct Draft {
    name: String,
    place: usize,
    kind: Kind,
    cells: ColumnTests,
    asked: Vec<Asked>,
}

/// One test, by the input of a subject that asks it; a level is another one if it is not among `levels`.
struct Asked {
    subject: usize,
    input: usize,
    /// The number of the column in the subject's table.
    column: usize,
    test: Test,
    levels: HashSet<String>,
}

/// Tests of one column that are read at most: cells are compared with all of them.
const MAX_TESTS: usize = 1024;

impl Space {
    /// The space of some subjects, in which the points, one for each subject or none, are.
    pub(super) fn new(subjects: &[&Subject<'_>], points: &[&Point]) -> Result<Self, ExplainError> {
        for (subject, point) in subjects.iter().zip(points) {
            let (found, expected) = (point.bits.len(), subject.inputs());
            if found != expected {
                return Err(ExplainError::Inputs { found, expected });
            }
        }
        let mut space = Self {
            features: Vec::new(),
            reads: subjects.iter().map(|subject| vec![None; subject.inputs()]).collect(),
        };
        for (number, draft) in drafts(subjects)?.into_iter().enumerate() {
            let unusual = draft.asked.iter().any(|asked| {
                points.get(asked.subject).is_some_and(|point| point.unusual.get(asked.column) == Some(&true))
            });
            let strict = if unusual { None } else { draft.group(draft.cells.list(false), points) };
            let (cells, patterns) = strict
                .or_else(|| draft.group(draft.cells.list(true), points))
                .ok_or_else(|| ExplainError::Bits { name: draft.name.clone() })?;
            for (at, asked) in draft.asked.iter().enumerate() {
                let passes = patterns.iter().map(|pattern| pattern[at]).collect();
                space.reads[asked.subject][asked.input] = Some(Read { feature: number, passes });
            }
            let Draft { name, place, kind, .. } = draft;
            space.features.push(Feature { name, place, values: patterns.len(), kind, cells });
        }
        Ok(space)
    }

    /// What input `input` of a subject asks, if some circuit reads it.
    pub(super) fn read(&self, subject: usize, input: usize) -> Option<&Read> {
        self.reads[subject].get(input)?.as_ref()
    }

    /// The value of each feature at these points, one for each subject.
    pub(super) fn values_at(&self, points: &[&Point]) -> Vec<usize> {
        let mut open: Vec<Vec<bool>> =
            self.features.iter().map(|feature| vec![true; feature.values]).collect();
        for (reads, point) in self.reads.iter().zip(points) {
            for (read, &bit) in reads.iter().zip(&point.bits) {
                let Some(read) = read else { continue };
                for (open, &passes) in open[read.feature].iter_mut().zip(&read.passes) {
                    *open &= passes == bit;
                }
            }
        }
        // `Space::new` has seen to it that each has one.
        open.iter().map(|open| open.iter().position(|&open| open).unwrap_or(0)).collect()
    }

    /// The features in the order in which some circuits read inputs, each with its subject.
    pub(super) fn order(&self, reads: impl IntoIterator<Item = (usize, Vec<usize>)>) -> Vec<usize> {
        let mut seen = vec![false; self.features.len()];
        let mut order = Vec::new();
        for (subject, inputs) in reads {
            for input in inputs {
                if let Some(read) = self.read(subject, input)
                    && !std::mem::replace(&mut seen[read.feature], true)
                {
                    order.push(read.feature);
                }
            }
        }
        order.extend((0..seen.len()).filter(|&feature| !seen[feature]));
        order
    }

    /// Number of points.
    pub(super) fn points(&self) -> BigUint {
        self.features.iter().map(|feature| BigUint::from(feature.values)).product()
    }
}

impl Feature {
    /// A set of its values in words.
    pub(super) fn words(&self, values: &[bool]) -> String {
        one_line(words::of(self, values))
    }

    /// One value in words, without the feature's name where that is clear.
    pub(super) fn value(&self, value: usize) -> String {
        one_line(words::value(self, value))
    }

    /// Its values from the lowest to the highest, some of them more than once; without gaps and levels, which have no order.
    pub(super) fn rising(&self) -> Vec<usize> {
        let ordered =
            self.cells.iter().filter(|(cell, _)| matches!(cell, Cell::Boolean(_) | Cell::Number(_)));
        ordered.map(|(_, value)| *value).collect()
    }

    /// The values beside each value, in the order in which they may join it: outwards along numbers, so that they stay one
    /// stretch; any for the rest. Each list ends where one does not join.
    pub(super) fn neighbours(&self, value: usize) -> Vec<Vec<usize>> {
        let (number, rest): (Vec<_>, Vec<_>) =
            self.cells.iter().partition(|(cell, _)| matches!(cell, Cell::Number(_)));
        let mut lists: Vec<Vec<usize>> = Vec::new();
        let from = number.iter().position(|(_, other)| *other == value);
        let to = number.iter().rposition(|(_, other)| *other == value);
        if let (Some(from), Some(to)) = (from, to) {
            lists.push(number[..from].iter().rev().map(|(_, value)| *value).collect());
            lists.push(number[to..].iter().map(|(_, value)| *value).collect());
            lists.extend(number[from..to].iter().map(|(_, value)| vec![*value]));
            lists.extend(rest.iter().map(|(_, value)| vec![*value]));
        } else {
            lists.extend(self.cells.iter().map(|(_, value)| vec![*value]));
        }
        lists
    }
}

impl Draft {
    /// The cells as values: those that pass the same tests are one. None if no cell is as the points have it.
    #[allow(clippy::type_complexity)] // Cells with the number of their value, and the value's answers to the tests.
    fn group(&self, cells: Vec<Cell>, points: &[&Point]) -> Option<(Vec<(Cell, usize)>, Vec<Vec<bool>>)> {
        let mut patterns: Vec<Vec<bool>> = Vec::new();
        let mut numbers: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut grouped: Vec<(Cell, usize)> = Vec::new();
        for cell in cells {
            let pattern: Vec<bool> =
                self.asked.iter().map(|asked| cell.passes(&asked.test, &asked.levels)).collect();
            let value = *numbers.entry(pattern.clone()).or_insert_with(|| {
                patterns.push(pattern);
                patterns.len() - 1
            });
            let joined = grouped.last_mut().is_some_and(|(last, same)| *same == value && last.join(&cell));
            if !joined {
                grouped.push((cell, value));
            }
        }
        let as_asked = |pattern: &Vec<bool>| {
            self.asked.iter().zip(pattern).all(|(asked, &passes)| {
                points.get(asked.subject).is_none_or(|point| point.bits[asked.input] == passes)
            })
        };
        patterns.iter().any(as_asked).then_some((grouped, patterns))
    }
}

/// The features of all subjects, by name, with all tests of each that are read.
fn drafts(subjects: &[&Subject<'_>]) -> Result<Vec<Draft>, ExplainError> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (number, subject) in subjects.iter().enumerate() {
        let mut read = vec![false; subject.inputs()];
        for input in subject.parts.iter().flat_map(Part::support) {
            if let Some(read) = read.get_mut(input) {
                *read = true;
            }
        }
        // Tests that no circuit reads still say what the training rows had.
        let mut seen = vec![Seen::default(); subject.inputs()];
        if let Words::Bits(binarizer) = subject.words {
            seen = binarizer.columns().iter().map(Seen::of).collect();
            for bit in binarizer.bits() {
                seen[bit.column].add(&bit.test);
            }
        }
        for input in (0..read.len()).filter(|&input| read[input]) {
            let (name, place, kind, levels, test) = match subject.words {
                Words::Names(names) => (&names[input], input, Kind::Boolean, &[][..], Test::True),
                Words::Bits(binarizer) => {
                    let bit = &binarizer.bits()[input];
                    let column = &binarizer.columns()[bit.column];
                    (&column.name, bit.column, column.kind, column.levels.as_slice(), bit.test.clone())
                }
            };
            let at = *known.entry(name.clone()).or_insert_with(|| {
                drafts.push(Draft {
                    name: name.clone(),
                    place,
                    kind,
                    cells: ColumnTests::new(kind),
                    asked: Vec::new(),
                });
                drafts.len() - 1
            });
            let draft = &mut drafts[at];
            if draft.kind != kind {
                let (name, first) = (name.clone(), draft.kind);
                return Err(ExplainError::Kinds { name, first, second: kind });
            }
            if draft.asked.last().is_none_or(|last| last.subject != number) {
                draft.cells.add_column(seen[place], levels);
            }
            draft.cells.add(&test);
            // Nothing else asks for the levels, and there may be many.
            let levels = if test == Test::Other { levels.iter().cloned().collect() } else { HashSet::new() };
            draft.asked.push(Asked { subject: number, input, column: place, test, levels });
            if draft.asked.len() > MAX_TESTS {
                return Err(ExplainError::Tests { name: name.clone(), most: MAX_TESTS });
            }
        }
    }
    Ok(drafts)
}
