//! Expressions, and the nested `SELECT`s whose columns they are where several others read them.
//!
//! A flat query is one expression for each result. A nested one gives a value a name, in the layer after those of the names that it reads:
//! a layer is a `SELECT` from the layer before, in one `WITH`, with the columns that are kept and those that later layers still read.

use super::dialect::Dialect;
use super::{LONGEST, SqlError, WIDEST};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most levels of an expression before it gets a name: `DuckDB` ends at 1,000, parsers of others at some hundreds, and that of `SQLite`
/// where 100 symbols are open, of which a level has several.
const fn highest(dialect: Dialect) -> usize {
    if matches!(dialect, Dialect::Sqlite) { 30 } else { 100 }
}

/// Terms of a sum side by side; more are balanced.
const ABREAST: usize = 8;

/// An expression.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub(super) sql: String,
    /// Levels of its tree, about.
    pub(super) height: usize,
    /// The named values that it reads.
    pub(super) uses: Vec<usize>,
}

impl Value {
    /// One that reads nothing.
    pub(super) fn constant(sql: impl Into<String>) -> Self {
        Self { sql: sql.into(), height: 1, uses: Vec::new() }
    }

    /// One made of others, `levels` above the highest of them.
    pub(super) fn of<'a>(sql: String, levels: usize, parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let (mut height, mut uses) = (0, Vec::new());
        for part in parts {
            height = height.max(part.height);
            uses.extend_from_slice(&part.uses);
        }
        uses.sort_unstable();
        uses.dedup();
        Self { sql, height: height + levels, uses }
    }

    /// The same inside other text, where `{}` stands.
    pub(super) fn within(&self, pattern: &str) -> Self {
        Self::of(pattern.replacen("{}", &self.sql, 1), 1, [self])
    }
}

/// The sum of values, with parentheses; a constant 0 where there are none. Whole numbers may be added in any order.
pub(super) fn sum(mut terms: Vec<Value>) -> Value {
    if terms.is_empty() {
        return Value::constant("0");
    }
    while terms.len() > 1 {
        let add = |few: &[Value]| {
            if let [one] = few {
                return one.clone();
            }
            let texts: Vec<&str> = few.iter().map(|term| term.sql.as_str()).collect();
            Value::of(format!("({})", texts.join(" + ")), few.len(), few)
        };
        terms = terms.chunks(ABREAST).map(add).collect();
    }
    terms.swap_remove(0)
}

#[derive(Debug)]
struct Named {
    name: String,
    value: Value,
    layer: usize,
}

/// The names so far.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) dialect: Dialect,
    nested: bool,
    prefix: String,
    named: Vec<Named>,
    too_long: bool,
}

impl Layers {
    /// Without names: what is too long for that is noted, and not made.
    pub(super) const fn flat(dialect: Dialect) -> Self {
        Self { dialect, nested: false, prefix: String::new(), named: Vec::new(), too_long: false }
    }

    /// With names that are none of those that are kept.
    pub(super) fn nested(dialect: Dialect, keep: &[String]) -> Self {
        let kept: Vec<String> = keep.iter().map(|name| name.to_lowercase()).collect();
        let prefix = super::super::names::fresh("m_", &kept);
        Self { nested: true, prefix, ..Self::flat(dialect) }
    }

    pub(super) const fn is_nested(&self) -> bool {
        self.nested
    }

    pub(super) const fn is_too_long(&self) -> bool {
        self.too_long
    }

    /// The value by a name of its own, where there are names.
    pub(super) fn name(&mut self, value: Value) -> Value {
        if !self.nested {
            return self.limited(value);
        }
        let layer = 1 + value.uses.iter().map(|&used| self.named[used].layer).max().unwrap_or(0);
        let (id, name) = (self.named.len(), format!("{}{}", self.prefix, self.named.len()));
        self.named.push(Named { name: name.clone(), value, layer });
        Value { sql: name, height: 1, uses: vec![id] }
    }

    /// The value, by a name where it is high.
    pub(super) fn limited(&mut self, value: Value) -> Value {
        if self.nested {
            return if value.height > highest(self.dialect) { self.name(value) } else { value };
        }
        if value.sql.len() > LONGEST || value.height > highest(self.dialect) {
            self.too_long = true;
            return Value::constant("0");
        }
        value
    }

    /// The `SELECT` of columns that are kept and of values under their names.
    pub(super) fn select(
        &self,
        from: &str,
        keep: &[String],
        given: &[(String, Value)],
    ) -> Result<String, SqlError> {
        let keep: Vec<String> =
            keep.iter().map(|name| self.dialect.identifier(name)).collect::<Result<_, _>>()?;
        // From the last layer to the first: what the next one reads.
        let layers = self.named.iter().map(|named| named.layer).max().unwrap_or(0);
        let mut needed: BTreeSet<usize> =
            given.iter().flat_map(|(_, value)| value.uses.iter().copied()).collect();
        let mut columns: Vec<Vec<String>> = Vec::new();
        for layer in (1..=layers).rev() {
            let mut list = keep.clone();
            let mut read = BTreeSet::new();
            for &id in &needed {
                let Named { name, value, layer: at } = &self.named[id];
                if *at == layer {
                    list.push(format!("{} AS {name}", value.sql));
                    read.extend(value.uses.iter().copied());
                } else {
                    list.push(name.clone());
                    read.insert(id);
                }
            }
            if list.len() > WIDEST {
                return Err(SqlError::TooWide { found: list.len(), limit: WIDEST });
            }
            needed = read;
            columns.push(list);
        }
        // One after the other, not one inside the other: parsers count what is open.
        let (mut source, mut out) = (from.to_owned(), String::new());
        for (layer, list) in columns.iter().rev().enumerate() {
            let (name, fence) = (format!("{}l{layer}", self.prefix), self.dialect.fence());
            let with = if layer == 0 { "WITH " } else { ",\n" };
            let _ = write!(out, "{with}{name} AS (SELECT {}\nFROM {source}{fence})", list.join(",\n  "));
            source = name;
        }
        out.push_str(if columns.is_empty() { "SELECT " } else { "\nSELECT " });
        for column in &keep {
            let _ = write!(out, "{column},\n  ");
        }
        for (g, (name, value)) in given.iter().enumerate() {
            let _ = write!(out, "{}{} AS {name}", if g > 0 { ",\n  " } else { "" }, value.sql);
        }
        let _ = write!(out, "\nFROM {source}");
        Ok(out)
    }
}
