//! From typed columns to bits: tests such as `age > 41.5`, learned from the training rows and applied to any others.
//!
//! A Boolean column is its own test. A column of numbers has a bit for each of a few cuts, and where it holds few whole numbers one
//! for each of them, since coded categories look like numbers. A category has a bit for each frequent level and one for the
//! rest. Where the training rows have gaps, one more bit says so; a missing value makes every other test of its column false.
//! Other bits that say nothing new on the training rows are left out: constant ones, and those that equal an earlier one or its
//! complement.
//!
//! Everything depends on the values alone, neither on the order of a category's codes nor on the number of threads. Memory is
//! one column and the bits.

mod apply;
mod bit;
mod error;
mod learn;
mod levels;
mod numbers;
mod possible;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::frame::{Columns, Kind};

pub use bit::{Bit, Test};
pub use error::BinarizeError;
pub(crate) use learn::in_order;
pub(crate) use possible::Possible;

/// What a column was in the training rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// Whether some training row has no value.
    pub gaps: bool,
    /// The frequent levels of a category, in order: every other level is what [`Test::Other`] asks for.
    pub levels: Vec<String>,
}

/// How the cuts of a column of numbers are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cuts {
    /// Both by evidence and at quantiles: what tells the classes apart by itself, and what may do so together with others.
    #[default]
    Auto,
    /// At this many quantiles.
    Quantile(usize),
    /// Where the cut shortens the description of the classes, in nats.
    Evidence,
}

/// How bits are chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BinarizeOptions {
    /// Cuts of numbers.
    pub cuts: Cuts,
    /// Names of columns that have no test, so that no circuit can read them. They are not looked at, neither now nor when the bits of other
    /// rows are asked for; those need not even have them.
    pub exclude: Vec<String>,
}

impl From<Cuts> for BinarizeOptions {
    fn from(cuts: Cuts) -> Self {
        Self { cuts, ..Self::default() }
    }
}

/// What the training rows are to be told apart by.
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// The number of each row's class.
    pub codes: &'a [u32],
    /// Number of classes.
    pub classes: usize,
    /// Weight of each row in millionths, where the rows are weighted.
    pub weights: Option<&'a [u64]>,
}

/// The tests that turn typed columns into bits.
///
/// ```
/// use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
/// use macchiato::frame::{self, Format, FrameOptions};
///
/// let text = "age,job\n23,cook\n35,clerk\n48,clerk\n61,cook\n";
/// let frame = frame::read_from(text.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let labels = Labels { codes: &[0, 0, 1, 1], classes: 2, weights: None };
/// let binarizer = Binarizer::learn(&frame, &labels, &BinarizeOptions::default())?;
/// assert!(binarizer.names().contains(&"job = clerk".to_owned()));
/// assert_eq!(binarizer.apply(&frame)?.len(), binarizer.bits().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Binarizer {
    columns: Vec<Column>,
    bits: Vec<Bit>,
}

impl Binarizer {
    /// Learns the tests from training rows. There is always at least one: where no column varies, one that never holds.
    ///
    /// # Errors
    /// No rows, no columns or too many, labels of another number, a column that cannot be used.
    pub fn learn(
        columns: &(impl Columns + ?Sized),
        labels: &Labels<'_>,
        options: &BinarizeOptions,
    ) -> Result<Self, BinarizeError> {
        Self::learn_and_apply(columns, labels, options).map(|(binarizer, _)| binarizer)
    }

    /// The same, with the bit columns of the training rows: what [`Binarizer::apply`] gives for them.
    ///
    /// # Errors
    /// Those of [`Binarizer::learn`].
    pub fn learn_and_apply(
        columns: &(impl Columns + ?Sized),
        labels: &Labels<'_>,
        options: &BinarizeOptions,
    ) -> Result<(Self, Vec<Vec<u64>>), BinarizeError> {
        learn::learn(columns, labels, options)
    }

    /// The bit columns of these rows, one for each bit. Columns are found by name; those that the training rows did not have
    /// are passed over, and those without a test need not be there.
    ///
    /// Numbers that are 0 and 1 do for a Boolean column, and the other way round.
    ///
    /// # Errors
    /// A column that is not there, or of another type than the training rows'.
    pub fn apply(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<Vec<u64>>, BinarizeError> {
        self.apply_some(columns, |_| true)
    }

    /// The same for the bits that are `wanted`; the columns of the others are empty.
    pub(crate) fn apply_some(
        &self,
        columns: &(impl Columns + ?Sized),
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<u64>>, BinarizeError> {
        let places: HashMap<&str, usize> =
            columns.names().iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let mut tested = vec![false; self.columns.len()];
        self.bits.iter().for_each(|bit| tested[bit.column] = true);
        let place = |(column, &tested): (&Column, &bool)| match places.get(column.name.as_str()) {
            Some(&place) => Ok(place),
            // What has no test is not looked at.
            None if !tested => Ok(usize::MAX),
            None => Err(BinarizeError::NoColumn { name: column.name.clone() }),
        };
        let places: Vec<usize> = self.columns.iter().zip(&tested).map(place).collect::<Result<_, _>>()?;
        let mut asked: Vec<Vec<usize>> = vec![Vec::new(); self.columns.len()];
        for bit in (0..self.bits.len()).filter(|&bit| wanted(bit)) {
            asked[self.bits[bit].column].push(bit);
        }
        // A table is often stored by columns: in its order.
        let mut order: Vec<usize> = (0..places.len()).filter(|&column| !asked[column].is_empty()).collect();
        order.sort_by_key(|&column| places[column]);
        let mut bits = vec![Vec::new(); self.bits.len()];
        for at in order {
            let (column, tests) = (&self.columns[at], asked[at].iter().map(|&bit| &self.bits[bit].test));
            let values = columns.column(places[at])?;
            values.check(&column.name, columns.rows())?;
            let made = apply::apply(column, &tests.collect::<Vec<_>>(), &values, columns.rows())?;
            for (&bit, made) in asked[at].iter().zip(made) {
                bits[bit] = made;
            }
        }
        Ok(bits)
    }

    /// Boolean columns of these names, each of which is its own test.
    #[must_use]
    pub fn plain(names: &[String]) -> Self {
        let column = |name: &String| Column {
            name: name.clone(),
            kind: Kind::Boolean,
            gaps: false,
            levels: Vec::new(),
        };
        let bits = (0..names.len()).map(|column| Bit { column, test: Test::True });
        Self { columns: names.iter().map(column).collect(), bits: bits.collect() }
    }

    /// Whether it is [plain](Binarizer::plain): there is nothing to choose.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.bits.len() == self.columns.len()
            && self.bits.iter().all(|bit| bit.test == Test::True)
            && self.columns.iter().all(|column| !column.gaps)
    }

    /// A binarizer with these columns and bits, whose columns and tests go together.
    pub(crate) const fn new(columns: Vec<Column>, bits: Vec<Bit>) -> Self {
        Self { columns, bits }
    }

    /// The bits, in order.
    #[must_use]
    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }

    /// The columns of the training rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The type of each column, for reading other rows.
    #[must_use]
    pub fn kinds(&self) -> BTreeMap<String, Kind> {
        self.columns.iter().map(|column| (column.name.clone(), column.kind)).collect()
    }

    /// The bits' names, `age > 41.5` and the like, all different: where two would be the same, the later one is numbered.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut used = HashSet::new();
        let name = |bit| {
            let words = self.words(bit, true);
            let numbered = (2..).map(|number| format!("{words} ({number})"));
            let name = std::iter::once(words.clone()).chain(numbered).find(|name| !used.contains(name));
            let name = name.unwrap_or_default();
            used.insert(name.clone());
            name
        };
        (0..self.bits.len()).map(name).collect()
    }

    /// Bit `bit` in words, or its negation: `age > 41.5` and `age <= 41.5`.
    ///
    /// # Panics
    /// If there are not that many bits.
    #[must_use]
    pub fn words(&self, bit: usize, positive: bool) -> String {
        let bit = &self.bits[bit];
        bit.test.words(&self.columns[bit.column].name, positive)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Values are compared as the tests compare them.
mod tests;
