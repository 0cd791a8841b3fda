//! The tests of a column as conditions, which are false or unknown where `predict` has 0.

use super::dialect::Dialect;
use super::layers::Value;
use crate::binarize::{Column, Test};
use crate::frame::{Kind, MISSING};

/// The words of Booleans, and how engines spell the numbers 0 and 1.
const TRUE: [&str; 6] = ["1", "1.0", "true", "t", "yes", "y"];
const FALSE: [&str; 8] = ["0", "0.0", "-0", "-0.0", "false", "f", "no", "n"];

/// The value of a column as its tests read it: a float, or a text without the blanks around it.
pub(super) fn clean(dialect: Dialect, column: &Column, name: &str) -> String {
    match column.kind {
        Kind::Number => dialect.float(name),
        Kind::Boolean | Kind::Category => dialect.trimmed(name),
    }
}

/// The condition of a test on that value.
pub(super) fn condition(dialect: Dialect, column: &Column, test: &Test, value: &Value) -> Value {
    let list = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| dialect.text(text)).collect::<Vec<_>>().join(", ")
    };
    let gaps = || std::iter::once("").chain(MISSING);
    let sql = &value.sql;
    let condition = match (column.kind, test) {
        (Kind::Number, Test::Above(cut)) => {
            // NaN is above all numbers, but not 0 from itself.
            format!("{sql} > {} AND {sql} - {sql} = {}", dialect.number(*cut), dialect.number(0.0))
        }
        (Kind::Number, Test::Equals(wanted)) => format!("{sql} = {}", dialect.number(*wanted)),
        (Kind::Number, Test::Missing) => {
            format!("CASE WHEN {sql} - {sql} = {} THEN 0 ELSE 1 END = 1", dialect.number(0.0))
        }
        (Kind::Boolean, Test::True) => format!("lower({sql}) IN ({})", list(&mut TRUE.into_iter())),
        (Kind::Boolean | Kind::Category, Test::Missing) => {
            format!("CASE WHEN {sql} NOT IN ({}) THEN 0 ELSE 1 END = 1", list(&mut gaps()))
        }
        (Kind::Category, Test::Is(level)) if !gaps().any(|gap| gap == level) => {
            format!("{sql} = {}", dialect.text(level))
        }
        (Kind::Category, Test::Other) => {
            // A NULL in the list would make the answer unknown: PostgreSQL has no text with a NUL, so none is it.
            let held = |text: &str| dialect != Dialect::Postgres || !text.contains('\0');
            let levels = column.levels.iter().map(String::as_str).filter(|text| held(text));
            format!("{sql} NOT IN ({})", list(&mut gaps().chain(levels)))
        }
        _ => "1 = 0".to_owned(),
    };
    Value::of(condition, 3, [value])
}

/// The condition that `predict` refuses a row for this column; none where it takes every value.
pub(super) fn refused(dialect: Dialect, column: &Column, name: &str, value: &Value) -> Option<String> {
    let sql = &value.sql;
    match column.kind {
        Kind::Number => {
            let infinite = dialect.is_infinite(sql);
            Some(match dialect.is_no_number(name) {
                Some(other) => format!("({other} OR {infinite})"),
                None => infinite,
            })
        }
        Kind::Boolean => {
            let list = |texts: &mut dyn Iterator<Item = &str>| {
                texts.map(|text| dialect.text(text)).collect::<Vec<_>>().join(", ")
            };
            let words = list(&mut TRUE.into_iter().chain(FALSE));
            let gaps = list(&mut std::iter::once("").chain(MISSING));
            Some(format!("lower({sql}) NOT IN ({words}) AND {sql} NOT IN ({gaps})"))
        }
        Kind::Category => None,
    }
}
