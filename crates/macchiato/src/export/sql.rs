//! A model as SQL over the columns of a table: the same answers as [`Model::predict`] and [`Model::predict_proba`], in the engine that has
//! the rows.
//!
//! [`select`] gives one `SELECT`; [`expressions`] gives what stands between `SELECT` and `FROM`, where that is short enough. Both are one
//! generator with four [dialects](Dialect). What it keeps, on every engine:
//!
//! - numbers are compared as 64-bit floats, never as decimals; NULL and NaN are gaps, and so are the texts that files spell gaps with;
//! - texts are compared without blanks around them, byte for byte;
//! - a row that `predict` refuses (an infinite number, a Boolean that is neither true nor false) is NULL;
//! - a negated test is `CASE ... END = 0`: `NOT` of an unknown value would be unknown;
//! - long sums are balanced and values that several gates read are columns of a nested `SELECT`, so that no engine's limit on the depth
//!   of an expression strikes and nothing is computed twice.

mod cells;
mod circuits;
mod dialect;
mod layers;
mod tests_of_columns;

use crate::model::{ClassCircuit, Model};
use circuits::Circuits;
use layers::{Layers, Value};

pub use dialect::Dialect;

/// The most characters of an [expression](expressions); a [`select`] that would be longer is nested.
const LONGEST: usize = 20_000;

/// The most columns of a nested `SELECT`: `PostgreSQL` has 1,664, `SQLite` 2,000.
const WIDEST: usize = 1_600;

/// Why a model is no SQL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SqlError {
    /// Columns that an engine takes for one.
    #[error(
        "{dialect} does not tell the columns {first:?} and {second:?} apart, whose names differ in upper and lower case only: \
         rename one in the table and learn again"
    )]
    SameName {
        /// The engine.
        dialect: &'static str,
        /// A column that the model reads.
        first: String,
        /// Another column.
        second: String,
    },
    /// A column to keep that is called as a result.
    #[error("the column {name:?} is called as a column of the result: keep other columns, or rename it")]
    Taken {
        /// The name.
        name: String,
    },
    /// A name or a text that the engine cannot have.
    #[error("{dialect} cannot have the name {name:?}: rename the column and learn again")]
    Name {
        /// The engine.
        dialect: &'static str,
        /// The name.
        name: String,
    },
    /// An expression that would be too long.
    #[error(
        "one expression of this model would have more than {limit} characters: ask for the whole SELECT, which is nested"
    )]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// More values at once than an engine has columns.
    #[error(
        "the circuits need {found} columns at once, and engines have at most {limit}: export C or ONNX instead"
    )]
    TooWide {
        /// Columns that would be needed.
        found: usize,
        /// The limit.
        limit: usize,
    },
}

/// What a [`Query`] gives for each row, besides the columns that it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Give<'a> {
    /// `prediction`, the class as text, and `probability`: that of the positive class, or of more than two `probability_1`,
    /// `probability_2` and so on, in the order of [`Model::classes`].
    Predictions,
    /// `test_0`, `test_1`, ...: 0 or 1 for each of these tests, and `refused`, 1 where `predict` refuses the row.
    Tests(&'a [usize]),
    /// For circuit number i `answer`, `key_0`, ... (the pattern of its [cells](crate::model::Cells)), and `refused`.
    Keys(usize),
    /// For circuit number i `gate_0`, ... of [`ClassCircuit::learned`], and `refused`.
    Gates(usize),
}

/// What to ask of which table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// The engine.
    pub dialect: Dialect,
    /// What stands after `FROM`: a table's name or a function, as the engine reads it.
    pub from: &'a str,
    /// Columns that the result has besides; by default those that the model was learned from.
    pub keep: Option<&'a [String]>,
    /// What it gives.
    pub give: Give<'a>,
}

/// The answers as expressions over the columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expressions {
    /// The class, as text.
    pub prediction: String,
    /// The probability of the positive class, or of each class where there are not two.
    pub probabilities: Vec<String>,
}

/// One `SELECT`, without a semicolon, that can be a view.
///
/// ```
/// use macchiato::export::sql::{Dialect, Give, Query, select};
/// use macchiato::frame::{self, Format, FrameOptions};
/// use macchiato::{Budget, FitOptions, Model};
///
/// let table = "age,risk\n23,low\n48,high\n61,high\n31,low\n".repeat(9);
/// let frame = frame::read_from(table.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let model = Model::of_frame(frame, Some("risk"), &FitOptions::default(), &Budget::unlimited())?;
/// let query = Query { dialect: Dialect::DuckDb, from: "people", keep: None, give: Give::Predictions };
/// let sql = select(&model, &query)?;
/// assert!(sql.contains("FROM people") && sql.contains("AS probability"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names that the engine cannot have or tell apart, circuits that are too wide.
///
/// # Panics
/// If there is no test or circuit with a number that it is to give.
pub fn select(model: &Model, query: &Query<'_>) -> Result<String, SqlError> {
    let all: Vec<String>;
    let keep = if let Some(keep) = query.keep {
        keep
    } else {
        all = model.binarizer().columns().iter().map(|column| column.name.clone()).collect();
        &all
    };
    let flat = build(model, query, keep, false)?;
    match flat {
        Some(sql) => Ok(sql),
        None => build(model, query, keep, true).map(Option::unwrap_or_default),
    }
}

/// The predictions as expressions.
///
/// # Errors
/// Those of [`select`], and expressions that would be too long.
pub fn expressions(model: &Model, dialect: Dialect) -> Result<Expressions, SqlError> {
    let mut layers = Layers::flat(dialect);
    let given = given(model, Give::Predictions, &mut layers)?;
    let mut values = given.into_iter().map(|(_, value)| value.sql);
    let expressions =
        Expressions { prediction: values.next().unwrap_or_default(), probabilities: values.collect() };
    let longest = expressions.probabilities.iter().map(String::len).max().unwrap_or(0);
    if layers.is_too_long() || longest.max(expressions.prediction.len()) > LONGEST {
        return Err(SqlError::TooLong { limit: LONGEST });
    }
    Ok(expressions)
}

/// The query, nested or not; nothing where it is not nested and too long for that.
fn build(
    model: &Model,
    query: &Query<'_>,
    keep: &[String],
    nested: bool,
) -> Result<Option<String>, SqlError> {
    let dialect = query.dialect;
    let mut layers = if nested { Layers::nested(dialect, keep) } else { Layers::flat(dialect) };
    let given = given(model, query.give, &mut layers)?;
    for name in keep {
        if given.iter().any(|(result, _)| result.eq_ignore_ascii_case(name)) {
            return Err(SqlError::Taken { name: name.clone() });
        }
    }
    if !nested
        && (layers.is_too_long() || given.iter().map(|(_, value)| value.sql.len()).sum::<usize>() > LONGEST)
    {
        return Ok(None);
    }
    layers.select(query.from, keep, &given).map(Some)
}

/// The columns that the query gives, each with its name.
fn given(model: &Model, give: Give<'_>, layers: &mut Layers) -> Result<Vec<(String, Value)>, SqlError> {
    let mut circuits = Circuits::new(model, layers)?;
    let mut out = Vec::new();
    match give {
        Give::Predictions => {
            let (prediction, probabilities) = cells::predictions(model, &mut circuits);
            out.push(("prediction".to_owned(), prediction));
            let many = probabilities.len() > 1;
            for (p, probability) in probabilities.into_iter().enumerate() {
                let name = if many { format!("probability_{}", p + 1) } else { "probability".to_owned() };
                out.push((name, probability));
            }
        }
        Give::Tests(tests) => {
            for (t, &test) in tests.iter().enumerate() {
                out.push((format!("test_{t}"), circuits.test(test).value));
            }
            out.push(("refused".to_owned(), circuits.refused(tests)));
        }
        Give::Keys(circuit) => {
            let class = &model.circuits()[circuit];
            let answer = circuits.answer(class);
            out.push(("answer".to_owned(), answer.value));
            for (k, key) in cells::keys(class, &mut circuits).into_iter().enumerate() {
                out.push((format!("key_{k}"), key));
            }
            out.push(("refused".to_owned(), circuits.refused(&read(&[class]))));
        }
        Give::Gates(circuit) => {
            let class = &model.circuits()[circuit];
            for (g, gate) in circuits.gates(&class.learned()).into_iter().enumerate() {
                out.push((format!("gate_{g}"), gate.value));
            }
            out.push(("refused".to_owned(), circuits.refused(&read(&[class]))));
        }
    }
    Ok(out)
}

/// The tests that circuits read.
fn read(classes: &[&ClassCircuit]) -> Vec<usize> {
    let mut read: Vec<usize> = classes.iter().flat_map(|class| class.circuit().support()).collect();
    read.sort_unstable();
    read.dedup();
    read
}

#[cfg(test)]
mod tests;
