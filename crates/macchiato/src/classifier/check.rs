//! Everything that a classifier file claims, checked: after this it predicts and is written again without a further check.

use std::collections::{HashMap, HashSet};

use super::cells::{Keys, MAX_PATTERNS, PRIORS};
use super::error::ClassifierFault;
use super::file::{self, BitTest};
use super::{Cells, Classifier, Target};
use crate::binarize::{Binarizer, Bit, Column, Test, in_order};
use crate::frame::{Kind, by_number_or_text};
use crate::model::object::Object;
use crate::model::{Fault, Model};
use crate::table::MAX_INPUTS;

/// The first fault, and where it is.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: String,
    pub(super) fault: ClassifierFault,
}

type Checked<T> = Result<T, Box<Found>>;

fn found<T>(path: impl Into<String>, fault: impl Into<ClassifierFault>) -> Checked<T> {
    Err(Box::new(Found { path: path.into(), fault: fault.into() }))
}

fn at_most(path: &str, number: usize, limit: usize, why: &'static str) -> Checked<()> {
    match number {
        0 => found(path, Fault::None),
        _ if number > limit => found(path, Fault::Above { found: number as u64, limit: limit as u64, why }),
        _ => Ok(()),
    }
}

fn length(path: &str, number: usize, expected: usize, of: &'static str) -> Checked<()> {
    if number == expected { Ok(()) } else { found(path, Fault::Length { found: number, expected, of }) }
}

fn equal(path: impl FnOnce() -> String, number: u64, expected: u64, why: &'static str) -> Checked<()> {
    if number == expected { Ok(()) } else { found(path(), Fault::Differs { found: number, expected, why }) }
}

/// Models come read by themselves, and are checked against each other and the rest here.
pub(super) fn check(file: file::Read<'_>, models: Vec<Model>) -> Checked<Classifier> {
    at_most("classes", file.classes.len(), Target::MAX_CLASSES, "the most that there can be")?;
    in_levels_order("classes", &file.classes)?;
    let positive = positive(file.positive.as_deref(), &file.classes)?;
    let columns = columns(file.columns)?;
    let bits = bits(&file.bits, &columns)?;
    let mut classifier = Classifier {
        binarizer: Binarizer::new(columns, bits),
        target: file.target,
        classes: file.classes,
        positive,
        models: Vec::new(),
        cells: Vec::new(),
        holdout: None,
    };
    let learned = classifier.learned();
    length("models", models.len(), learned.len(), "classes that have a circuit")?;
    length("cells", file.cells.len(), learned.len(), "classes that have a circuit")?;
    let names = classifier.binarizer.names();
    for (m, (model, target)) in models.iter().zip(classifier.circuit_targets()).enumerate() {
        let path = |key: &str| format!("models[{m}].{key}");
        let first = &models[0];
        if model.inputs() != names {
            return found(path("inputs"), ClassifierFault::Inputs);
        }
        if model.target() != target {
            let found_ = model.target().to_owned();
            return found(path("target"), ClassifierFault::Target { found: found_, expected: target });
        }
        if model.method() != first.method() {
            return found(path("method"), ClassifierFault::Method);
        }
        let (data, known) = (&model.trace().data, &first.trace().data);
        equal(
            || path("trace.data.rows"),
            data.rows as u64,
            known.rows as u64,
            "the rows of the first model",
        )?;
        if data.weighted != known.weighted {
            return found(path("trace.data.weighted"), ClassifierFault::Weighted);
        }
    }
    for (m, (Object(cells), model)) in file.cells.into_iter().zip(&models).enumerate() {
        classifier.cells.push(counts(m, cells, model)?);
    }
    let holdout = file.holdout.map(|Object(holdout)| holdout.checked()).transpose();
    classifier.holdout = holdout.or_else(|(path, fault)| found(path, fault))?;
    classifier.models = models;
    Ok(classifier)
}

/// Texts that are different and in the order of levels and classes.
fn in_levels_order(path: &str, texts: &[String]) -> Checked<()> {
    for (i, pair) in texts.windows(2).enumerate() {
        let path = || format!("{path}[{}]", i + 1);
        match by_number_or_text(&pair[0], &pair[1]) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => return found(path(), Fault::Repeated { name: pair[1].clone() }),
            std::cmp::Ordering::Greater => {
                return found(path(), ClassifierFault::Order { name: pair[1].clone() });
            }
        }
    }
    Ok(())
}

fn positive(positive: Option<&str>, classes: &[String]) -> Checked<Option<usize>> {
    match (positive, classes.len()) {
        (Some(positive), 2) => match classes.iter().position(|class| class == positive) {
            Some(at) => Ok(Some(at)),
            None => found("positive", ClassifierFault::NoClass { name: positive.to_owned() }),
        },
        (None, 2) => found("positive", ClassifierFault::NoPositive),
        (Some(_), classes) => found("positive", ClassifierFault::Positive { classes }),
        (None, _) => Ok(None),
    }
}

fn columns(columns: Vec<Object<file::Column>>) -> Checked<Vec<Column>> {
    at_most("columns", columns.len(), MAX_INPUTS, "the most that there can be")?;
    let mut seen = HashSet::new();
    let mut checked = Vec::new();
    for (i, Object(file::Column { name, kind, gaps, levels })) in columns.into_iter().enumerate() {
        if !seen.insert(name.clone()) {
            return found(format!("columns[{i}].name"), Fault::Repeated { name });
        }
        let path = format!("columns[{i}].levels");
        let levels = match (kind, levels) {
            (Kind::Category, Some(levels)) => levels,
            (Kind::Category, None) => return found(path, ClassifierFault::NoLevels),
            (_, Some(_)) => return found(path, ClassifierFault::Levels { kind }),
            (_, None) => Vec::new(),
        };
        in_levels_order(&path, &levels)?;
        checked.push(Column { name, kind, gaps, levels });
    }
    Ok(checked)
}

fn bits(bits: &[Object<BitTest>], columns: &[Column]) -> Checked<Vec<Bit>> {
    at_most("bits", bits.len(), MAX_INPUTS, "the most that there can be")?;
    let places: HashMap<&str, usize> =
        columns.iter().enumerate().map(|(i, column)| (column.name.as_str(), i)).collect();
    let mut checked: Vec<Bit> = Vec::new();
    for (b, Object(bit)) in bits.iter().enumerate() {
        let path = || format!("bits[{b}]");
        let Some(&column) = places.get(bit.column.as_str()) else {
            return found(
                format!("bits[{b}].column"),
                ClassifierFault::NoColumn { name: bit.column.clone() },
            );
        };
        let Some(test) = bit.test() else { return found(path(), ClassifierFault::Test) };
        let Column { kind, levels, .. } = &columns[column];
        let fits = match (kind, &test) {
            (_, Test::Missing) | (Kind::Boolean, Test::True) | (Kind::Category, Test::Other) => true,
            (Kind::Number, Test::Above(number) | Test::Equals(number)) => number.is_finite(),
            (Kind::Category, Test::Is(level)) => levels.contains(level),
            _ => false,
        };
        if !fits {
            return found(path(), ClassifierFault::Unfit { kind: *kind });
        }
        let bit = Bit { column, test };
        let after = |last: &Bit| {
            last.column < column || last.column == column && in_order(&last.test, &bit.test).is_lt()
        };
        if !checked.last().is_none_or(after) {
            return found(path(), ClassifierFault::BitOrder);
        }
        checked.push(bit);
    }
    Ok(checked)
}

/// The counts of model `m`, which must add up to what its trace says.
fn counts(m: usize, file: file::Cells, model: &Model) -> Checked<Cells> {
    let path = |key: &str| format!("cells[{m}].{key}");
    let (trace, keys) = (model.trace(), Keys::of(model));
    let limits = keys.limits();
    let file::Cells { prior, answers, patterns } = file;
    if !PRIORS.contains(&prior) {
        return found(path("prior"), ClassifierFault::Prior);
    }
    let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    let all = sum(answers.as_flattened()).filter(|&all| i64::try_from(all).is_ok());
    let Some(all) = all else { return found(path("answers"), ClassifierFault::TooMany) };
    if !trace.data.weighted {
        let wrong = answers[0][1] + answers[1][0];
        let ones = answers[0][1] + answers[1][1];
        equal(|| path("answers"), all, trace.data.rows as u64, "the rows of the model")?;
        equal(|| path("answers"), ones, trace.data.positive as u64, "the rows of its class")?;
        equal(|| path("answers"), wrong, trace.errors as u64, "its errors")?;
    }
    let patterns = patterns.unwrap_or_default();
    if patterns.len() > MAX_PATTERNS {
        let (found_, limit) = (patterns.len() as u64, MAX_PATTERNS as u64);
        return found(
            path("patterns"),
            Fault::Above { found: found_, limit, why: "the most that are told apart" },
        );
    }
    let mut sums = [[0u64; 2]; 2];
    for (p, (pattern, counts)) in patterns.iter().enumerate() {
        let path = || format!("cells[{m}].patterns[{p}]");
        let (of, why) = match keys {
            Keys::Stages(_) => ("stages", "the terms of the stage"),
            _ => ("counts", "all that the last gate counts"),
        };
        length(&path(), pattern.len(), limits.len(), of)?;
        for (&number, &limit) in pattern.iter().zip(&limits) {
            let number = u64::from(number);
            if number > limit {
                return found(path(), Fault::Above { found: number, limit, why });
            }
        }
        if p > 0 && patterns[p - 1].0 >= *pattern {
            return found(path(), ClassifierFault::PatternOrder);
        }
        let sums = &mut sums[usize::from(keys.answer(pattern))];
        for (sum, count) in sums.iter_mut().zip(counts) {
            match sum.checked_add(*count) {
                Some(more) => *sum = more,
                None => return found(path(), ClassifierFault::TooMany),
            }
        }
    }
    if !patterns.is_empty() && sums != answers {
        return found(path("patterns"), ClassifierFault::Sums);
    }
    Ok(Cells { prior, answers, patterns, weighted: trace.data.weighted })
}
