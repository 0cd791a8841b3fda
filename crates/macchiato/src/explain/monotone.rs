//! Circuits whose answer only rises, or only falls, with a column: proven, and learned so.
//!
//! Takes what is asked of some columns of a table; gives a model whose circuit never turns from 1 to 0 when one of them rises (from 0 to 1 where it
//! is to fall) and nothing else changes. The proof asks the solver for two points that differ in the column alone, by one step, and break that: there
//! are none. Gaps have no order and are not compared; where single numbers of a column are tested, its values are whole numbers, as
//! everywhere in explanations.

use std::str::FromStr;

use super::logic::Formulas;
use super::sat::{Sat, Verdict};
use super::space::Space;
use super::{ExplainError, ExplainOptions, Subject};
use crate::binarize::Binarizer;
use crate::circuit::Circuit;
use crate::frame::{Columns, FrameError, Kind};
use crate::minimize::Budget;
use crate::model::{Accepting, Examples, FitError, FitOptions, Method, Model};

/// Which way the answer may go when a column rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From 0 to 1 alone.
    Rising,
    /// From 1 to 0 alone.
    Falling,
}

/// What is asked of a column.
///
/// ```
/// use macchiato::explain::{Direction, Monotony};
///
/// let asked: Monotony = "age=+1".parse()?;
/// assert_eq!((asked.column.as_str(), asked.direction), ("age", Direction::Rising));
/// assert_eq!("age=up".parse::<Monotony>().unwrap_err().to_string(),
///     r#""age=up" is no direction of a column: write name=+1 or name=-1, as in age=+1"#);
/// # Ok::<(), macchiato::explain::MonotoneError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Monotony {
    /// The column's name.
    pub column: String,
    /// Which way the answer may go.
    pub direction: Direction,
}

/// Why no monotone model is learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MonotoneError {
    /// No `name=+1`.
    #[error("{text:?} is no direction of a column: write name=+1 or name=-1, as in age=+1")]
    Text {
        /// What was written.
        text: String,
    },
    /// A column that is none.
    #[error("no column {column:?} to be monotone in: there are {names}")]
    NoColumn {
        /// The name asked for.
        column: String,
        /// The first names there are.
        names: String,
    },
    /// Names have no order.
    #[error(
        "{column:?} is a category, whose values have no order: only numbers and Booleans can be monotone"
    )]
    Category {
        /// The column.
        column: String,
    },
    /// Which class would rise?
    #[error("the target {target:?} has {classes} classes, and only the circuit of two can be monotone")]
    Classes {
        /// The target's name.
        target: String,
        /// How many classes there are.
        classes: usize,
    },
    /// Nothing competes that could be chosen from.
    #[error(
        "only the method auto without a most number of inputs has circuits to choose a monotone one from"
    )]
    Method,
    /// What every fit can meet.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A column that cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl FromStr for Monotony {
    type Err = MonotoneError;

    fn from_str(text: &str) -> Result<Self, MonotoneError> {
        let error = || MonotoneError::Text { text: text.to_owned() };
        let (column, direction) = text.rsplit_once('=').ok_or_else(error)?;
        let direction = match direction.trim() {
            "+1" | "1" | "+" => Direction::Rising,
            "-1" | "-" => Direction::Falling,
            _ => return Err(error()),
        };
        Ok(Self { column: column.to_owned(), direction })
    }
}

/// What is known of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It is true.
    Holds,
    /// It is not.
    Fails,
    /// The limits were reached before.
    Open,
}

/// Whether every circuit of a subject is monotone in a feature, everything else being equal.
///
/// # Errors
/// More tests of a column than explanations take.
pub fn prove_monotone(
    subject: &Subject<'_>,
    asked: &Monotony,
    options: &ExplainOptions,
    budget: &Budget,
) -> Result<Proof, ExplainError> {
    let space = Space::new(&[subject], &[])?;
    let Some(feature) = space.features.iter().position(|feature| feature.name == asked.column) else {
        // Nothing reads it.
        return Ok(Proof::Holds);
    };
    let (formulas, values) = (Formulas { space: &space, subject: 0 }, space.features[feature].values);
    let rising = space.features[feature].rising();
    for circuit in subject.circuits() {
        let mut sat = Sat::new(&space, &vec![0; space.features.len()], options.conflicts, budget);
        let mut both = || {
            let here: Vec<_> = (0..values).map(|value| sat.is(feature, value)).collect();
            let before = formulas.circuit(&mut sat, circuit)?.answer;
            let there = sat.one_of(values, 0);
            sat.replace(feature, there.clone());
            let after = formulas.circuit(&mut sat, circuit)?.answer;
            Ok::<_, super::logic::Stopped>((here, before, there, after))
        };
        let Ok((here, before, there, after)) = both() else { return Ok(Proof::Open) };
        for step in rising.windows(2).filter(|step| step[0] != step[1]) {
            let (from, to) = match asked.direction {
                Direction::Rising => (step[0], step[1]),
                Direction::Falling => (step[1], step[0]),
            };
            match sat.ask(&[here[from], there[to], before, !after], options.conflicts) {
                Verdict::No(_) => {}
                Verdict::Yes(_) => return Ok(Proof::Fails),
                Verdict::Unknown => return Ok(Proof::Open),
            }
        }
    }
    Ok(Proof::Holds)
}

/// Learns a model whose circuit is proven monotone in every column asked: the pick among all circuits of which that is proven. It may read none of
/// these columns, and be a constant where nothing else is proven.
///
/// # Errors
/// Columns that are none or have no order, more than two classes, another method, and those of [`Model::fit`].
pub fn fit_monotone<C: Columns + ?Sized>(
    train: &Examples<'_, C>,
    validation: Option<&Examples<'_, C>>,
    (options, asked): (&FitOptions, &[Monotony]),
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<Model, MonotoneError> {
    if !matches!(&options.method, Method::Auto(params) if params.k.is_none()) {
        return Err(MonotoneError::Method);
    }
    let (target, classes) = (train.target.name().to_owned(), train.target.classes().len());
    if classes > 2 {
        return Err(MonotoneError::Classes { target, classes });
    }
    let names = train.columns.names();
    for Monotony { column, .. } in asked {
        let Some(at) = names.iter().position(|name| name == column) else {
            let names = names.iter().take(12).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            return Err(MonotoneError::NoColumn { column: column.clone(), names });
        };
        if train.columns.column(at)?.kind() == Kind::Category {
            return Err(MonotoneError::Category { column: column.clone() });
        }
    }
    let limits = ExplainOptions::default();
    let accept = |binarizer: &Binarizer, circuit: &Circuit| {
        let subject = Subject::over_tests(circuit, binarizer);
        let holds = |asked| matches!(prove_monotone(&subject, asked, &limits, budget), Ok(Proof::Holds));
        asked.iter().all(holds)
    };
    let columns: Vec<String> = asked.iter().map(|asked| asked.column.clone()).collect();
    let wanted = Accepting { columns: &columns, accept: &accept };
    Ok(Model::fit_accepting(train, validation, (options, Some(&wanted)), budget, observe)?)
}
