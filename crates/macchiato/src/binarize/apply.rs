//! Tests applied to a column: 64 rows a word, a few thousand rows at a time, so that the values are read once.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{BinarizeError, Column, Test};
use crate::bits;
use crate::frame::{Kind, NO_LEVEL, Values};

/// Rows of one task: their values stay in the first cache.
const TASK: usize = 2048;
const TASK_WORDS: usize = TASK / 64;

/// The bit columns of `tests` of `column`, whose values these are; `rows` of them.
pub(super) fn apply(
    column: &Column,
    tests: &[&Test],
    values: &Values<'_>,
    rows: usize,
) -> Result<Vec<Vec<u64>>, BinarizeError> {
    match (column.kind, values) {
        (Kind::Boolean, Values::Boolean { bits, missing }) => {
            Ok(booleans(tests, bits, missing.as_deref(), rows))
        }
        (Kind::Boolean, Values::Number(numbers)) => {
            #[allow(clippy::float_cmp)] // Exactly 0 and 1 are Boolean.
            let odd = |value: &f64| !value.is_nan() && *value != 0.0 && *value != 1.0;
            if let Some(row) = numbers.iter().position(odd) {
                return Err(BinarizeError::NotBoolean {
                    name: column.name.clone(),
                    row,
                    found: numbers[row],
                });
            }
            let tests: Vec<Numeric> = tests.iter().map(|test| Numeric::of(test)).collect();
            Ok(by_task(numbers, &tests))
        }
        (Kind::Number, Values::Number(numbers)) => {
            let tests: Vec<Numeric> = tests.iter().map(|test| Numeric::of(test)).collect();
            Ok(by_task(numbers, &tests))
        }
        (Kind::Number, Values::Boolean { bits, missing }) => {
            let missing = missing.as_deref();
            let number = |row| match missing {
                Some(missing) if bits::get(missing, row) => f64::NAN,
                _ => f64::from(u8::from(bits::get(bits, row))),
            };
            let numbers: Vec<f64> = (0..rows).map(number).collect();
            let tests: Vec<Numeric> = tests.iter().map(|test| Numeric::of(test)).collect();
            Ok(by_task(&numbers, &tests))
        }
        (Kind::Category, Values::Category { codes, levels }) => {
            let slots = slots(column, tests, levels);
            let slot = |code: u32| slots[if code == NO_LEVEL { levels.len() } else { code as usize }];
            Ok(by_slot(codes, tests.len(), slot))
        }
        (expected, values) => {
            Err(BinarizeError::WrongKind { name: column.name.clone(), found: values.kind(), expected })
        }
    }
}

fn booleans(tests: &[&Test], bits: &[u64], missing: Option<&[u64]>, rows: usize) -> Vec<Vec<u64>> {
    let words = bits::words(rows);
    let one = |test: &&Test| {
        let mut column: Vec<u64> = (0..words)
            .map(|w| {
                let gap = missing.map_or(0, |missing| missing[w]);
                match test {
                    Test::True => bits[w] & !gap,
                    Test::Missing => gap,
                    _ => 0,
                }
            })
            .collect();
        if let Some(last) = column.last_mut() {
            *last &= bits::last_mask(rows);
        }
        column
    };
    tests.iter().map(one).collect()
}

/// A test of a number.
#[derive(Clone, Copy)]
enum Numeric {
    Above(f64),
    Equals(f64),
    Missing,
    Never,
}

impl Numeric {
    const fn of(test: &Test) -> Self {
        match test {
            Test::True => Self::Above(0.5),
            Test::Above(cut) => Self::Above(*cut),
            Test::Equals(value) => Self::Equals(*value),
            Test::Missing => Self::Missing,
            Test::Is(_) | Test::Other => Self::Never,
        }
    }

    fn words(self, values: &[f64], out: &mut [u64]) {
        match self {
            Self::Above(cut) => pack(values, out, |value| value > cut),
            #[allow(clippy::float_cmp)] // This very value.
            Self::Equals(wanted) => pack(values, out, |value| value == wanted),
            Self::Missing => pack(values, out, f64::is_nan),
            Self::Never => {}
        }
    }
}

#[inline]
fn pack(values: &[f64], out: &mut [u64], test: impl Fn(f64) -> bool) {
    for (word, values) in out.iter_mut().zip(values.chunks(64)) {
        *word = values.iter().rev().fold(0, |word, &value| word << 1 | u64::from(test(value)));
    }
}

fn by_task(values: &[f64], tests: &[Numeric]) -> Vec<Vec<u64>> {
    let tasks: Vec<Vec<u64>> = values
        .par_chunks(TASK)
        .map(|values| {
            let words = bits::words(values.len());
            let mut out = vec![0u64; words * tests.len()];
            for (test, out) in tests.iter().zip(out.chunks_mut(words)) {
                test.words(values, out);
            }
            out
        })
        .collect();
    gather(&tasks, tests.len(), values.len())
}

/// For each level the number of the test that holds there, and at the end that of a missing value.
///
/// A frequent level may have no test, if the bit said nothing new; it is not among the others all the same.
fn slots(column: &Column, tests: &[&Test], levels: &[String]) -> Vec<Option<u32>> {
    let find = |wanted: &Test| tests.iter().position(|test| *test == wanted).map(|at| at as u32);
    let (other, missing) = (find(&Test::Other), find(&Test::Missing));
    let mut known: HashMap<&str, Option<u32>> =
        column.levels.iter().map(|level| (level.as_str(), None)).collect();
    for (at, test) in tests.iter().enumerate() {
        if let Test::Is(level) = test {
            known.insert(level, Some(at as u32));
        }
    }
    levels.iter().map(|level| known.get(level.as_str()).copied().unwrap_or(other)).chain([missing]).collect()
}

fn by_slot(codes: &[u32], tests: usize, slot: impl Fn(u32) -> Option<u32> + Sync) -> Vec<Vec<u64>> {
    let tasks: Vec<Vec<u64>> = codes
        .par_chunks(TASK)
        .map(|codes| {
            let words = bits::words(codes.len());
            let mut out = vec![0u64; words * tests];
            for (row, &code) in codes.iter().enumerate() {
                if let Some(slot) = slot(code) {
                    out[slot as usize * words + row / 64] |= 1 << (row % 64);
                }
            }
            out
        })
        .collect();
    gather(&tasks, tests, codes.len())
}

/// The columns whose pieces the tasks made.
fn gather(tasks: &[Vec<u64>], tests: usize, rows: usize) -> Vec<Vec<u64>> {
    let column = |test: usize| {
        let mut column = Vec::with_capacity(bits::words(rows));
        for (t, task) in tasks.iter().enumerate() {
            let words = bits::words(TASK.min(rows - t * TASK));
            column.extend_from_slice(&task[test * words..(test + 1) * words]);
        }
        column
    };
    debug_assert_eq!(TASK_WORDS * 64, TASK);
    (0..tests).map(column).collect()
}
