//! Of a difference between two models: where they disagree, on how many points, and the nearest of them.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use num_bigint::BigUint;

use super::counterfactual::{self, Nearest};
use super::diagram::Diagram;
use super::logic::{Boxes, Formulas, Logic, Stopped};
use super::question::{Decide, Question, conditions};
use super::reason;
use super::space::Space;
use super::{Condition, Count, ExplainError, ExplainOptions, Point, Subject};
use crate::minimize::Budget;

/// How two circuits differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Points on which they disagree, of all that one of them can tell apart; exactly 0 where they are proven equal.
    pub points: Count,
    /// A point on which they disagree, where one was found.
    pub example: Option<Disagreement>,
}

impl Difference {
    /// Whether they agree everywhere: proven, refuted, or not known.
    #[must_use]
    pub fn are_equal(&self) -> Option<bool> {
        if self.example.is_some() { Some(false) } else { self.points.is_zero() }
    }
}

/// With `equal` first: true or false where that is proven.
impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Difference", 3)?;
        fields.serialize_field("equal", &self.are_equal())?;
        fields.serialize_field("points", &self.points)?;
        fields.serialize_field("example", &self.example)?;
        fields.end()
    }
}

/// A point on which two circuits disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// What the first one answers.
    pub first: String,
    /// What the second one answers.
    pub second: String,
    /// The features that differ from the point of reference: a row, or 0 and the lowest values.
    pub from_reference: Vec<Condition>,
    /// No disagreement is nearer to the point of reference: proven.
    pub at_least: usize,
    /// Conditions that the point meets, and wherever they hold the two disagree: proven.
    pub region: Vec<Condition>,
}

/// The answers are that two subjects agree, and that they do not.
const DISAGREE: usize = 1;

/// Compares two models or classifiers: inputs and columns are the same if their names are. The example is the disagreement that is
/// nearest to `near`, a row as each of the two sees it, or otherwise to 0 and the lowest values everywhere.
///
/// # Errors
/// A column of two types, no answer in common, or points that are none of the subjects.
pub fn explain_difference(
    first: &Subject<'_>,
    second: &Subject<'_>,
    near: Option<(&Point, &Point)>,
    options: &ExplainOptions,
    budget: &Budget,
) -> Result<Difference, ExplainError> {
    let points: Vec<&Point> = near.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let space = Space::new(&[first, second], &points)?;
    let pair = Pair::new(&space, first, second);
    let [one, two] = &pair.answers;
    if !one.iter().any(|answer| two.contains(answer)) {
        let name = |answers: &[String]| answers.first().cloned().unwrap_or_default();
        return Err(ExplainError::Answers { first: name(one), second: name(two) });
    }
    let reference = if points.is_empty() { vec![0; space.features.len()] } else { space.values_at(&points) };
    let cells = near.map_or_else(|| Point::of_bits(&[]), |(point, _)| point.clone());
    let total = space.points();
    let limits = (options, budget);
    let mut question = Question::new(&space, reference.clone(), limits, |sat| pair.answers(sat), &pair);
    let found = if question.given == DISAGREE {
        Some((reference.clone(), 0))
    } else {
        let (singles, settled) = question.singles();
        let free = question.features();
        match counterfactual::find(&mut question, &free, &singles, settled)?.0 {
            Nearest::Impossible => {
                return Ok(Difference { points: Count::exactly(BigUint::default(), total), example: None });
            }
            Nearest::Found { boxes, at_least, .. } => Some((point(&reference, &boxes), at_least)),
            Nearest::Unknown { .. } => None,
        }
    };
    let mut at_least = BigUint::default();
    let example = found.map(|(example, distance)| {
        let mut question = Question::new(&space, example.clone(), limits, |sat| pair.answers(sat), &pair);
        let (singles, _) = question.singles();
        let singles: Vec<usize> = singles.into_iter().map(|(feature, _)| feature).collect();
        let region = reason::find(&mut question, &singles, Vec::new(), budget).boxes;
        at_least = size(&space, &region);
        let changed: Vec<usize> = (0..reference.len()).filter(|&f| example[f] != reference[f]).collect();
        let (one, two) = pair.answers_at(&example);
        Disagreement {
            first: one,
            second: two,
            from_reference: conditions(&space, &question.boxes(&changed, &example), &reference, &cells),
            at_least: distance,
            region: conditions(&space, &region, &example, &Point::of_bits(&[])),
        }
    });
    let points = match pair.count(options, budget) {
        Ok(number) => Count::exactly(number, total),
        Err(Stopped) => Count { at_least, at_most: total.clone(), of: total },
    };
    Ok(Difference { points, example })
}

/// A point of the boxes; elsewhere it is the reference.
fn point(reference: &[usize], boxes: &Boxes) -> Vec<usize> {
    let mut point = reference.to_vec();
    for (feature, values) in boxes {
        point[*feature] = values.iter().position(|&value| value).unwrap_or(0);
    }
    point
}

/// Points of the boxes.
fn size(space: &Space, boxes: &Boxes) -> BigUint {
    let values = |feature: usize| match boxes.iter().find(|(other, _)| *other == feature) {
        Some((_, values)) => values.iter().filter(|&&value| value).count(),
        None => space.features[feature].values,
    };
    (0..space.features.len()).map(|feature| BigUint::from(values(feature))).product()
}

/// Two subjects over one space.
struct Pair<'a> {
    space: &'a Space,
    subjects: [&'a Subject<'a>; 2],
    answers: [Vec<String>; 2],
}

impl<'a> Pair<'a> {
    fn new(space: &'a Space, first: &'a Subject<'a>, second: &'a Subject<'a>) -> Self {
        Self { space, subjects: [first, second], answers: [first.answers(), second.answers()] }
    }

    fn formulas(&self, subject: usize) -> Formulas<'a> {
        Formulas { space: self.space, subject }
    }

    /// Where they give the same answer, and where not.
    fn answers<L: Logic>(&self, logic: &mut L) -> Result<Vec<L::Bit>, Stopped> {
        let first = self.formulas(0).answers(logic, self.subjects[0])?;
        let second = self.formulas(1).answers(logic, self.subjects[1])?;
        // Of two answers each, one is enough to compare.
        let agree = if self.answers[0] == self.answers[1] && first.len() == 2 {
            let differ = logic.xor(first[1], second[1])?;
            logic.not(differ)?
        } else {
            let mut both = Vec::new();
            for (name, &one) in self.answers[0].iter().zip(&first) {
                if let Some(at) = self.answers[1].iter().position(|other| other == name) {
                    both.push(logic.and(&[one, second[at]])?);
                }
            }
            logic.or(&both)?
        };
        Ok(vec![agree, logic.not(agree)?])
    }

    fn answers_at(&self, values: &[usize]) -> (String, String) {
        let answer = |subject: usize| {
            let given = self.formulas(subject).answer_at(self.subjects[subject], values);
            self.answers[subject].get(given).cloned().unwrap_or_default()
        };
        (answer(0), answer(1))
    }

    fn count(&self, options: &ExplainOptions, budget: &Budget) -> Result<BigUint, Stopped> {
        let circuits = self
            .subjects
            .iter()
            .enumerate()
            .flat_map(|(subject, s)| s.parts.iter().map(move |part| (subject, part.reads())));
        let order = self.space.order(circuits);
        let mut diagram = Diagram::new(self.space, &order, options.nodes, budget);
        let answers = self.answers(&mut diagram)?;
        Ok(diagram.count(answers[DISAGREE]))
    }
}

impl Decide for Pair<'_> {
    fn at(&self, values: &[usize]) -> usize {
        let (first, second) = self.answers_at(values);
        if first == second { 1 - DISAGREE } else { DISAGREE }
    }

    fn after(&self, row: &[usize], changes: &[(usize, usize)]) -> Option<Vec<usize>> {
        let given =
            |subject: usize| self.formulas(subject).answers_after(self.subjects[subject], row, changes);
        let compared = given(0)?.into_iter().zip(given(1)?).map(|(first, second)| {
            let same = self.answers[0].get(first) == self.answers[1].get(second);
            if same { 1 - DISAGREE } else { DISAGREE }
        });
        Some(compared.collect())
    }
}
