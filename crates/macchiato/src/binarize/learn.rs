//! Learning the bits: each column's tests in turn, applied to all training rows, and kept where they say something new.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};

use super::apply::apply;
use super::{BinarizeError, BinarizeOptions, Binarizer, Bit, Column, Labels, Test, levels, numbers};
use crate::bits;
use crate::draw;
use crate::evidence::Evidence;
use crate::frame::{Columns, Kind, Values, by_number_or_text};
use crate::frame::{MAX_INPUTS, WEIGHT_UNIT};
use crate::random::Stream;

/// Rows on which cuts are chosen, at most.
const SAMPLE: usize = 1 << 16;

/// Tests of one column at most.
const PER_COLUMN: usize = 80;

pub(super) fn learn(
    columns: &(impl Columns + ?Sized),
    labels: &Labels<'_>,
    options: &BinarizeOptions,
) -> Result<(Binarizer, Vec<Vec<u64>>), BinarizeError> {
    check(columns, labels)?;
    let (names, rows) = (columns.names(), columns.rows());
    let used = used(names, &options.exclude)?;
    let sample = sample(rows, labels.weights);
    let classes: Vec<u32> = match &sample {
        Some(sample) => sample.iter().map(|&row| labels.codes[row]).collect(),
        None => labels.codes.to_vec(),
    };
    let evidence = Evidence::of_classes(classes.len(), labels.classes);
    let most = (MAX_INPUTS / used.len()).clamp(1, PER_COLUMN);
    let mut kept = Kept::new(rows);
    let mut known = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if used.binary_search(&i).is_err() {
            // Not even its type is known; a category without levels says the least.
            known.push(Column { name: name.clone(), kind: Kind::Category, gaps: false, levels: Vec::new() });
            continue;
        }
        let values = columns.column(i)?;
        values.check(name, rows)?;
        let gaps = values.has_gaps(rows);
        let mut tests = match &values {
            Values::Boolean { .. } => vec![Test::True],
            Values::Number(all) => {
                let some: Vec<f64>;
                let values: &[f64] = match &sample {
                    Some(sample) => {
                        some = sample.iter().map(|&row| all[row]).collect();
                        &some
                    }
                    None => all,
                };
                numbers::tests(values, &classes, options.cuts, &evidence)
            }
            Values::Category { codes, levels } => levels::tests(codes, levels, labels.weights),
        };
        let mut levels: Vec<String> = tests.iter().filter_map(level).collect();
        levels.sort_by(|a, b| by_number_or_text(a, b));
        tests.truncate(most - usize::from(gaps && most > 1));
        tests.extend(gaps.then_some(Test::Missing));
        tests.sort_by(in_order);
        let column = Column { name: name.clone(), kind: values.kind(), gaps, levels };
        let made = apply(&column, &tests.iter().collect::<Vec<_>>(), &values, rows)?;
        drop(values);
        for (test, made) in tests.into_iter().zip(made) {
            kept.offer(Bit { column: i, test }, made);
        }
        known.push(column);
    }
    let Kept { mut bits, columns: mut made, .. } = kept;
    if bits.is_empty() {
        // A circuit needs an input.
        let first = used[0];
        let bit = Bit { column: first, test: Test::Missing };
        let values = columns.column(first)?;
        values.check(&names[first], rows)?;
        made = apply(&known[first], &[&bit.test], &values, rows)?;
        bits.push(bit);
    }
    Ok((Binarizer::new(known, bits), made))
}

/// The places of the columns that are not excluded, in order.
fn used(names: &[String], exclude: &[String]) -> Result<Vec<usize>, BinarizeError> {
    if let Some(name) = exclude.iter().find(|name| !names.contains(name)) {
        return Err(BinarizeError::NoneToExclude { name: name.clone(), names: shown(names) });
    }
    let used: Vec<usize> = (0..names.len()).filter(|&at| !exclude.contains(&names[at])).collect();
    if used.is_empty() { Err(BinarizeError::AllExcluded) } else { Ok(used) }
}

/// The first names, in quotes.
fn shown(names: &[String]) -> String {
    names.iter().take(12).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn check(columns: &(impl Columns + ?Sized), labels: &Labels<'_>) -> Result<(), BinarizeError> {
    let (names, rows) = (columns.names(), columns.rows());
    if rows == 0 {
        return Err(BinarizeError::NoRows);
    }
    match names.len() {
        0 => return Err(BinarizeError::NoColumns),
        found if found > MAX_INPUTS => return Err(BinarizeError::TooManyColumns { found }),
        _ => {}
    }
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(BinarizeError::DuplicateName { name: name.clone() });
    }
    let length = |what, found| {
        if found == rows { Ok(()) } else { Err(BinarizeError::Length { what, found, rows }) }
    };
    length("labels", labels.codes.len())?;
    labels.weights.map_or(Ok(()), |weights| length("weights", weights.len()))?;
    let odd = |&(_, code): &(usize, &u32)| *code as usize >= labels.classes;
    match labels.codes.iter().enumerate().find(odd) {
        Some((row, &code)) => Err(BinarizeError::Class { row, code, classes: labels.classes }),
        None => Ok(()),
    }
}

/// The rows on which cuts are chosen, as often as they weigh; none where it is each once.
fn sample(rows: usize, weights: Option<&[u64]>) -> Option<Vec<usize>> {
    let total = weights.map_or(0, |weights| weights.iter().map(|&weight| u128::from(weight)).sum());
    if let (Some(weights), true) = (weights, total > 0) {
        // Where all fit in, and none is less than a row, as often as it weighs.
        let wanted = (total / u128::from(WEIGHT_UNIT)).max(rows as u128).min(SAMPLE as u128);
        return Some(draw::by_weight(&mut Stream::Cuts.of(0), weights, wanted));
    }
    (rows > SAMPLE).then(|| draw::some(&mut Stream::Cuts.of(0), rows, SAMPLE))
}

fn level(test: &Test) -> Option<String> {
    if let Test::Is(level) = test { Some(level.clone()) } else { None }
}

/// The order of the tests of one column.
pub(crate) fn in_order(a: &Test, b: &Test) -> Ordering {
    let rank = |test: &Test| match test {
        Test::True => 0,
        Test::Equals(_) => 1,
        Test::Above(_) => 2,
        Test::Is(_) => 3,
        Test::Other => 4,
        Test::Missing => 5,
    };
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (Test::Above(a), Test::Above(b)) | (Test::Equals(a), Test::Equals(b)) => a.total_cmp(b),
        (Test::Is(a), Test::Is(b)) => by_number_or_text(a, b),
        _ => Ordering::Equal,
    })
}

/// Bits that differ from each other, and from each other's complement, on the training rows.
struct Kept {
    rows: usize,
    bits: Vec<Bit>,
    columns: Vec<Vec<u64>>,
    /// Bits by a hash of their columns, with the first row made 0.
    by_hash: HashMap<u64, Vec<usize>>,
}

impl Kept {
    fn new(rows: usize) -> Self {
        Self { rows, bits: Vec::new(), columns: Vec::new(), by_hash: HashMap::new() }
    }

    fn offer(&mut self, bit: Bit, column: Vec<u64>) {
        let ones = bits::count(&column);
        // What the table says itself stays as it is.
        let own = bit.test == Test::True;
        if (ones == 0 || ones == self.rows) && !own || self.bits.len() == MAX_INPUTS {
            return;
        }
        let mut hasher = DefaultHasher::new();
        normal(&column, self.rows).for_each(|word| hasher.write_u64(word));
        let same = self.by_hash.entry(hasher.finish()).or_default();
        let equal = |&kept: &usize| normal(&self.columns[kept], self.rows).eq(normal(&column, self.rows));
        if same.iter().any(equal) && !own {
            return;
        }
        same.push(self.bits.len());
        self.bits.push(bit);
        self.columns.push(column);
    }
}

/// The words of a column, or of its complement if its first bit is 1.
fn normal(column: &[u64], rows: usize) -> impl Iterator<Item = u64> {
    let flip = 0u64.wrapping_sub(column.first().map_or(0, |word| word & 1));
    let last = bits::words(rows) - 1;
    column
        .iter()
        .enumerate()
        .map(move |(w, word)| (word ^ flip) & if w == last { bits::last_mask(rows) } else { u64::MAX })
}
