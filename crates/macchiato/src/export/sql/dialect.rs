//! What the engines spell differently: names, texts, numbers, and a few functions.

use super::SqlError;
use crate::frame::shown;
use std::fmt::Write as _;

/// An engine's SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `DuckDB`.
    DuckDb,
    /// `PostgreSQL`, 12 or newer.
    Postgres,
    /// `SQLite`.
    Sqlite,
    /// Spark SQL.
    Spark,
}

/// The blanks around texts that do not count: those of [`u8::is_ascii_whitespace`].
const BLANKS: [u8; 5] = *b" \t\n\r\x0c";

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 4] = [Self::DuckDb, Self::Postgres, Self::Sqlite, Self::Spark];

    /// The name that the command uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuckDb => "duckdb",
            Self::Postgres => "postgres",
            Self::Sqlite => "sqlite",
            Self::Spark => "spark",
        }
    }

    /// The dialect of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The engine as people write it.
    pub(super) const fn engine(self) -> &'static str {
        match self {
            Self::DuckDb => "DuckDB",
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
            Self::Spark => "Spark",
        }
    }

    /// Whether names that differ in upper and lower case only are one, also where they are quoted.
    pub(super) const fn folds_case(self) -> bool {
        !matches!(self, Self::Postgres)
    }

    /// A quoted name.
    ///
    /// # Errors
    /// A name that cannot be: Spark replaces `${...}` before it reads the query, in names too.
    pub fn identifier(self, name: &str) -> Result<String, SqlError> {
        let impossible =
            name.is_empty() || name.contains('\0') || (self == Self::Spark && name.contains("${"));
        if impossible {
            return Err(SqlError::Name { dialect: self.engine(), name: name.to_owned() });
        }
        Ok(match self {
            Self::DuckDb | Self::Postgres => format!("\"{}\"", name.replace('"', "\"\"")),
            // SQLite takes a name in double quotes for a text where there is no such column.
            Self::Sqlite | Self::Spark => format!("`{}`", name.replace('`', "``")),
        })
    }

    /// A text.
    pub(super) fn text(self, text: &str) -> String {
        // What settings or escapes could change is given by its bytes.
        let escapes = |c: char| self == Self::Spark && matches!(c, '\\' | '\'' | '$');
        let plain = |c: char| !c.is_control() && !escapes(c);
        if text.chars().all(plain) {
            return format!("'{}'", text.replace('\'', "''"));
        }
        let mut hex = String::new();
        text.bytes().for_each(|byte| {
            let _ = write!(hex, "{byte:02X}");
        });
        match self {
            Self::Sqlite => format!("CAST(X'{hex}' AS TEXT)"),
            Self::Spark => format!("CAST(X'{hex}' AS STRING)"),
            Self::DuckDb => format!("decode(unhex('{hex}'))"),
            // A text that PostgreSQL cannot hold equals none of its texts.
            Self::Postgres if text.contains('\0') => "CAST(NULL AS TEXT)".to_owned(),
            Self::Postgres => format!("convert_from('\\x{hex}', 'UTF8')"),
        }
    }

    /// A finite number as a 64-bit float.
    pub(super) fn number(self, value: f64) -> String {
        let digits = shown(value);
        let written = match self {
            Self::DuckDb if digits.contains('e') => digits,
            Self::DuckDb => format!("{digits}e0"),
            Self::Postgres => return format!("float8 '{digits}'"),
            Self::Spark => format!("{digits}D"),
            Self::Sqlite => return sqlite_number(value, &digits),
        };
        if value.is_sign_negative() { format!("({written})") } else { written }
    }

    /// A column of numbers as 64-bit floats.
    pub(super) fn float(self, column: &str) -> String {
        match self {
            Self::DuckDb | Self::Spark => format!("CAST({column} AS DOUBLE)"),
            Self::Postgres => format!("CAST({column} AS DOUBLE PRECISION)"),
            Self::Sqlite => format!("CAST({column} AS REAL)"),
        }
    }

    /// A column as text without the blanks around it.
    pub(super) fn trimmed(self, column: &str) -> String {
        let codes = BLANKS.map(|blank| blank.to_string());
        let all = |function: &str| {
            codes.iter().map(|code| format!("{function}({code})")).collect::<Vec<_>>().join(" || ")
        };
        match self {
            Self::DuckDb => format!("trim(CAST({column} AS VARCHAR), {})", all("chr")),
            Self::Postgres => format!("btrim(CAST({column} AS TEXT) COLLATE \"C\", {})", all("chr")),
            Self::Sqlite => {
                format!("trim(CAST({column} AS TEXT), char({})) COLLATE BINARY", codes.join(", "))
            }
            Self::Spark => format!("trim(BOTH {} FROM CAST({column} AS STRING))", all("chr")),
        }
    }

    /// Whether a float is infinite.
    pub(super) fn is_infinite(self, float: &str) -> String {
        match self {
            Self::DuckDb => format!("isinf({float})"),
            Self::Postgres => format!("{float} IN (float8 'Infinity', float8 '-Infinity')"),
            // Literals past the range are infinite.
            Self::Sqlite => format!("{float} IN (9e999, -9e999)"),
            Self::Spark => format!("{float} IN (DOUBLE('Infinity'), DOUBLE('-Infinity'))"),
        }
    }

    /// Whether a value is of no type that a number may have, where columns do not have a type.
    pub(super) fn is_no_number(self, column: &str) -> Option<String> {
        let types = format!("typeof({column}) NOT IN ('integer', 'real', 'null')");
        (self == Self::Sqlite).then_some(types)
    }

    /// The greatest of several values.
    pub(super) const fn greatest(self) -> &'static str {
        if matches!(self, Self::Sqlite) { "max" } else { "GREATEST" }
    }

    /// What keeps an engine from writing an expression of a nested `SELECT` in place of each use of its name.
    pub(super) const fn fence(self) -> &'static str {
        match self {
            Self::Postgres => " OFFSET 0",
            // It puts a SELECT into another one unless both have a limit.
            Self::Sqlite => " LIMIT -1",
            Self::DuckDb | Self::Spark => "",
        }
    }
}

/// `SQLite` may read the last of many digits wrongly. A float is a whole number times a power of two, which it multiplies exactly.
fn sqlite_number(value: f64, digits: &str) -> String {
    let short = digits.bytes().filter(u8::is_ascii_digit).count() <= 15 && !digits.contains('e');
    if short {
        let number = if digits.contains('.') { digits.to_owned() } else { format!("{digits}.0") };
        return if value.is_sign_negative() { format!("({number})") } else { number };
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (mut whole, mut power) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let even = whole.trailing_zeros().min(63) as i32;
    (whole, power) = (whole >> even, power + even);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let mut out = format!("CAST({sign}{whole} AS REAL)");
    while power != 0 {
        let step = power.clamp(-62, 62);
        let by = 1u64 << step.unsigned_abs();
        let _ = write!(out, " {} {by}", if step < 0 { '/' } else { '*' });
        power -= step;
    }
    format!("({out})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_floats_everywhere() {
        for (dialect, half, big) in [
            (Dialect::DuckDb, "(-0.5e0)", "1e300"),
            (Dialect::Postgres, "float8 '-0.5'", "float8 '1e300'"),
            (Dialect::Sqlite, "(-0.5)", ""),
            (Dialect::Spark, "(-0.5D)", "1e300D"),
        ] {
            assert_eq!(dialect.number(-0.5), half);
            if !big.is_empty() {
                assert_eq!(dialect.number(1e300), big);
            }
        }
        assert_eq!(Dialect::Sqlite.number(41.0), "41.0");
        assert_eq!(Dialect::Sqlite.number(0.1 + 0.2), "(CAST(1351079888211149 AS REAL) / 4503599627370496)");
    }

    #[test]
    fn names_and_texts_cannot_leave_their_quotes() {
        for dialect in Dialect::ALL {
            assert!(dialect.identifier("a\0").is_err() && dialect.identifier("").is_err());
        }
        assert_eq!(Dialect::DuckDb.identifier("a\"b").as_deref(), Ok("\"a\"\"b\""));
        assert_eq!(Dialect::Spark.identifier("a`b").as_deref(), Ok("`a``b`"));
        assert!(Dialect::Spark.identifier("${x}").is_err());
        assert_eq!(Dialect::Postgres.text("it's"), "'it''s'");
        assert_eq!(Dialect::Spark.text("it's"), "CAST(X'69742773' AS STRING)");
        assert_eq!(Dialect::Sqlite.text("a\nb"), "CAST(X'610A62' AS TEXT)");
    }
}
