//! Of one prediction: the terms that fired, the least that forces the answer, and the nearest input with another one.

use serde::Serialize;

use super::counterfactual::{self, Nearest};
use super::logic::Formulas;
use super::question::{Decide, Question, conditions, shown};
use super::reason;
use super::space::Space;
use super::subject::Part;
use super::{ExplainError, ExplainOptions, Point, Subject};
use crate::circuit::{Circuit, Literal};
use crate::minimize::Budget;
use crate::words::{self, Symbols};

/// Why one input gets its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PredictionExplanation {
    /// What is predicted.
    pub target: String,
    /// The answer: `0`, `1`, or a class.
    pub answer: String,
    /// What each circuit says, stage by stage: one of a model, one of each class that a classifier has a circuit for.
    pub circuits: Vec<CircuitAnswer>,
    /// Values that alone force the answer.
    pub reason: Reason,
    /// The nearest input with another answer.
    pub counterfactual: Counterfactual,
    /// The features that may change for it, where not all may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actionable: Option<Vec<String>>,
}

/// What one circuit says of one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CircuitAnswer {
    /// What it predicts.
    pub target: String,
    /// Its answer.
    pub answer: bool,
    /// What each stage says, and how the answer comes about; none where the circuit was not learned in stages.
    pub stages: Vec<StageAnswer>,
    /// What the last gate of a circuit without stages counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateAnswer>,
}

/// The last gate of a circuit at one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateAnswer {
    /// What it does: `OR`, `at least 7 of 12 points`.
    pub rule: String,
    /// The points of what holds.
    pub points: u64,
    /// What holds.
    pub literals: Vec<LiteralAnswer>,
}

/// A literal of a gate that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LiteralAnswer {
    /// Its points.
    pub points: u32,
    /// What it says.
    pub formula: String,
}

/// One stage at one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageAnswer {
    /// Its number, from 1.
    pub stage: usize,
    /// Whether some term holds.
    pub fires: bool,
    /// The terms that hold.
    pub terms: Vec<TermAnswer>,
    /// The answer so far: the exclusive or of the stages up to this one.
    pub after: bool,
}

/// A term that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermAnswer {
    /// Its number in the stage, from 1.
    pub term: usize,
    /// The term in words.
    pub formula: String,
}

/// Conditions that the input meets and that alone force the answer, whatever else is: an abductive explanation. Proven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// One for each feature of the set; none where the answer is always the same.
    pub conditions: Vec<Condition>,
    /// Whether no condition can be left out: proven.
    pub minimal: bool,
    /// No set of fewer features does: proven.
    pub at_least: usize,
}

impl Reason {
    /// Whether no set of fewer features forces the answer: proven.
    #[must_use]
    pub fn is_smallest(&self) -> bool {
        self.at_least == self.conditions.len()
    }
}

/// What a reason asks of one feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// The input or column.
    pub feature: String,
    /// Its value in the row.
    pub value: String,
    /// What is asked, as weak as can be: `x1 = 1`, `age > 41.5`.
    pub text: String,
}

/// The nearest input with another answer: the fewest features that have to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Counterfactual {
    /// One was found.
    Found {
        /// The features that change; all others stay as they are.
        changes: Vec<Change>,
        /// The answer or class then.
        becomes: String,
        /// No input with another answer has fewer changes: proven.
        at_least: usize,
    },
    /// There is no input with another answer, or none that differs in what may change alone: proven.
    Impossible,
    /// None was found within the limits.
    Unknown {
        /// No input with another answer has fewer changes: proven.
        at_least: usize,
    },
}

impl Counterfactual {
    /// Whether no input with another answer is nearer: proven. Also where there is none.
    #[must_use]
    pub fn is_nearest(&self) -> bool {
        match self {
            Self::Found { changes, at_least, .. } => changes.len() == *at_least,
            Self::Impossible => true,
            Self::Unknown { .. } => false,
        }
    }
}

/// One feature that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The input or column.
    pub feature: String,
    /// Its value in the row.
    pub from: String,
    /// What it has to be instead; every such value does, together with the other changes: `x1 = 0`, `age <= 41.5`.
    pub to: String,
}

/// Explains one prediction. When the limits or the budget are spent, what was found stands, and says what is proven of it.
///
/// # Errors
/// A point that is none of this subject.
pub fn explain_prediction(
    subject: &Subject<'_>,
    point: &Point,
    options: &ExplainOptions,
    budget: &Budget,
) -> Result<PredictionExplanation, ExplainError> {
    explain(subject, point, None, (options, budget))
}

/// The same, where only the features with these names may change for another answer: what a person can act on.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::explain::{Counterfactual, ExplainOptions, Point, Subject, explain_prediction_within};
/// use macchiato::minimize::Budget;
///
/// // y = a AND b, where both are 0: changing a alone does not help.
/// let gate = Gate::new(Rule::And, vec![Literal::input(0), Literal::input(1)]);
/// let names = ["a", "b"].map(str::to_owned).to_vec();
/// let circuit = Circuit::new(names, vec![gate], vec![Output::new("y", Literal::gate(0))])?;
/// let (subject, point) = (Subject::of_circuit(&circuit), Point::of_bits(&[false, false]));
/// let (options, budget) = (ExplainOptions::default(), Budget::unlimited());
/// let why = explain_prediction_within(&subject, &point, &["a".to_owned()], &options, &budget)?;
/// assert_eq!(why.counterfactual, Counterfactual::Impossible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A point that is none of this subject; names that are none of its features.
pub fn explain_prediction_within(
    subject: &Subject<'_>,
    point: &Point,
    actionable: &[String],
    options: &ExplainOptions,
    budget: &Budget,
) -> Result<PredictionExplanation, ExplainError> {
    let known = subject.feature_names();
    let unknown: Vec<String> =
        actionable.iter().filter(|name| !known.contains(name)).map(|name| format!("{name:?}")).collect();
    if !unknown.is_empty() {
        let names = known.iter().take(12).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        return Err(ExplainError::Unknown { unknown: unknown.join(", "), names });
    }
    explain(subject, point, Some(actionable), (options, budget))
}

fn explain(
    subject: &Subject<'_>,
    point: &Point,
    actionable: Option<&[String]>,
    (options, budget): (&ExplainOptions, &Budget),
) -> Result<PredictionExplanation, ExplainError> {
    let space = Space::new(&[subject], &[point])?;
    let formulas = Formulas { space: &space, subject: 0 };
    let decide = Alone { formulas: &formulas, subject };
    let row = space.values_at(&[point]);
    let limits = (options, budget);
    let mut question = Question::new(&space, row, limits, |sat| formulas.answers(sat, subject), &decide);
    let (singles, settled) = question.singles();
    let may_change =
        |feature: &usize| actionable.is_none_or(|names| names.contains(&space.features[*feature].name));
    let free: Vec<usize> = question.features().into_iter().filter(may_change).collect();
    let (nearest, changes) = counterfactual::find(&mut question, &free, &singles, settled)?;
    let singles: Vec<usize> = singles.into_iter().map(|(feature, _)| feature).collect();
    let forced = reason::find(&mut question, &singles, changes, budget);
    let answers = subject.answers();
    let row = &question.row;
    let reason = Reason {
        conditions: conditions(&space, &forced.boxes, row, point),
        minimal: forced.minimal,
        at_least: forced.at_least,
    };
    let counterfactual = match nearest {
        Nearest::Found { boxes, becomes, at_least } => {
            let change = |(feature, values): &(usize, Vec<bool>)| Change {
                feature: space.features[*feature].name.clone(),
                from: shown(&space, *feature, row[*feature], point),
                to: space.features[*feature].words(values),
            };
            let changes = boxes.iter().map(change).collect();
            Counterfactual::Found { changes, becomes: answers[becomes].clone(), at_least }
        }
        Nearest::Impossible => Counterfactual::Impossible,
        Nearest::Unknown { at_least } => Counterfactual::Unknown { at_least },
    };
    let circuit = |part: &Part<'_>| circuit_answer(subject, part, point, options.symbols);
    Ok(PredictionExplanation {
        target: subject.target.to_owned(),
        answer: answers.get(question.given).cloned().unwrap_or_default(),
        circuits: subject.parts.iter().map(circuit).collect(),
        reason,
        counterfactual,
        actionable: actionable.map(<[String]>::to_vec),
    })
}

/// Which terms hold, stage by stage, or which literals of the last gate.
fn circuit_answer(subject: &Subject<'_>, part: &Part<'_>, point: &Point, symbols: Symbols) -> CircuitAnswer {
    let mut after = false;
    let stage = |(number, stage): (usize, &crate::stage::Stage)| {
        let holds = |term: &Vec<_>| {
            term.iter().all(|&(input, positive): &(usize, bool)| point.bits[input] == positive)
        };
        let terms = stage.terms().enumerate().filter(|(_, term)| holds(term));
        let terms: Vec<TermAnswer> = terms
            .map(|(number, term)| TermAnswer {
                term: number + 1,
                formula: subject.words.term(&term, symbols),
            })
            .collect();
        after ^= !terms.is_empty();
        StageAnswer { stage: number + 1, fires: !terms.is_empty(), terms, after }
    };
    let stages: Vec<StageAnswer> = part.stages.iter().enumerate().map(stage).collect();
    let answer = part.circuit.at(&point.bits).first().is_some_and(|&value| value > 0);
    let gate = if stages.is_empty() { gate_answer(subject, &part.circuit, point, symbols) } else { None };
    CircuitAnswer { target: part.target.to_owned(), answer, stages, gate }
}

fn gate_answer(
    subject: &Subject<'_>,
    circuit: &Circuit,
    point: &Point,
    symbols: Symbols,
) -> Option<GateAnswer> {
    let gate = circuit.top(0).filter(|gate| !gate.literals.is_empty())?;
    let holds = |&literal: &Literal| circuit.with_output(literal.times(1)).at(&point.bits) == [1];
    let held = gate.literals.iter().filter(|literal| holds(literal));
    let literals: Vec<LiteralAnswer> = held
        .map(|literal| LiteralAnswer {
            points: literal.weight,
            formula: subject.words.circuit(&circuit.with_output(literal.times(1)), symbols).line(),
        })
        .collect();
    let points = literals.iter().map(|literal| u64::from(literal.points)).sum();
    Some(GateAnswer { rule: words::rule(gate), points, literals })
}

/// The answers of one subject.
struct Alone<'a> {
    formulas: &'a Formulas<'a>,
    subject: &'a Subject<'a>,
}

impl Decide for Alone<'_> {
    fn at(&self, values: &[usize]) -> usize {
        self.formulas.answer_at(self.subject, values)
    }

    fn after(&self, row: &[usize], changes: &[(usize, usize)]) -> Option<Vec<usize>> {
        self.formulas.answers_after(self.subject, row, changes)
    }
}
