//! Everything that a model file claims, checked: after this it predicts, is shown and is written again without a further check.
//!
//! Here the table, its classes and the method; in `circuit` the circuits and the counts of their cells, in `trace` what the fits saw.

mod circuit;
mod trace;

use super::fault::Fault;
use super::file::{self, TestFile};
use super::object::Object;
use super::{ClassType, ClassTypeError, Method, Model, Target};
use crate::binarize::{Binarizer, Bit, Column, Test, in_order};
use crate::fit::{PaperParams, ParamError};
use crate::frame::MAX_INPUTS;
use crate::frame::{Kind, by_number_or_text};
use crate::learn::AutoParams;
use crate::select::ThresholdError;
use std::collections::{HashMap, HashSet};

/// The first fault, and where it is; boxed, since it is rare and large.
#[derive(Debug)]
pub(super) struct PlacedFault {
    pub(super) path: String,
    pub(super) fault: Fault,
}

type Checked<T> = Result<T, Box<PlacedFault>>;

fn found<T>(path: impl Into<String>, fault: impl Into<Fault>) -> Checked<T> {
    Err(Box::new(PlacedFault { path: path.into(), fault: fault.into() }))
}

fn at_most(path: impl FnOnce() -> String, count: u64, limit: u64, why: &'static str) -> Checked<()> {
    if count <= limit { Ok(()) } else { found(path(), Fault::Above { found: count, limit, why }) }
}

/// At least one, and no more than there can be.
fn some(path: &str, number: usize, limit: usize) -> Checked<()> {
    if number == 0 {
        return found(path, Fault::None);
    }
    at_most(|| path.to_owned(), number as u64, limit as u64, "the most that there can be")
}

fn equal(path: impl FnOnce() -> String, a: u64, b: u64, why: &'static str) -> Checked<()> {
    if a == b { Ok(()) } else { found(path(), Fault::Differs { found: a, expected: b, why }) }
}

fn length(path: impl FnOnce() -> String, number: usize, expected: usize, of: &'static str) -> Checked<()> {
    if number == expected { Ok(()) } else { found(path(), Fault::Length { found: number, expected, of }) }
}

/// A model of the method `paper`.
pub(super) fn paper(file: file::File<file::Paper>) -> Checked<Model> {
    model(file, |method, inputs, rows| parameters(method, inputs, rows).map(Method::Paper))
}

/// A model of the method `auto`.
pub(super) fn auto(file: file::File<file::Auto>) -> Checked<Model> {
    model(file, |method, inputs, _| auto_parameters(method, inputs).map(Method::Auto))
}

/// A model whose method `parameters` checks, given the numbers of inputs and rows.
fn model<M>(
    file: file::File<M>,
    parameters: impl FnOnce(&M, usize, usize) -> Checked<Method>,
) -> Checked<Model> {
    some("classes", file.classes.len(), Target::MAX_CLASSES)?;
    in_levels_order("classes", &file.classes)?;
    let class_type = class_type(file.class_type.as_deref(), &file.classes)?;
    let positive = positive(file.positive.as_deref(), &file.classes)?;
    let columns = columns(file.columns)?;
    let bits = bits(&file.tests, &columns)?;
    // Without circuits there are no rows to fit the parameters to.
    let rows = file.circuits.first().map_or(usize::MAX, |circuit| circuit.0.trace.0.data.0.rows);
    let mut model = Model {
        method: parameters(&file.method.0, bits.len(), rows)?,
        binarizer: Binarizer::new(columns, bits),
        target: file.target,
        classes: file.classes,
        class_type,
        positive,
        circuits: Vec::new(),
        holdout: None,
    };
    let (names, targets) = (model.binarizer.names(), model.circuit_targets());
    length(|| "circuits".to_owned(), file.circuits.len(), targets.len(), "classes that have a circuit")?;
    for (c, (Object(circuit), target)) in file.circuits.into_iter().zip(targets).enumerate() {
        let path = |path: String| format!("circuits[{c}].{path}");
        let checked = circuit::circuit(circuit, (&names, target), &model.method);
        let checked = checked.map_err(|found| Box::new(PlacedFault { path: path(found.path), ..*found }))?;
        let (data, first) = (&checked.trace.data, model.circuits.first().unwrap_or(&checked));
        let known = &first.trace.data;
        let rows = || path("trace.data.rows".to_owned());
        equal(rows, data.rows as u64, known.rows as u64, "the rows of the first circuit")?;
        if data.weighted != known.weighted {
            return found(path("trace.data.weighted".to_owned()), Fault::Weighted);
        }
        model.circuits.push(checked);
    }
    let holdout = file.holdout.map(|Object(holdout)| holdout.checked()).transpose();
    model.holdout = holdout.or_else(|(path, fault)| found(path, fault))?;
    Ok(model)
}

fn parameters(method: &file::Paper, inputs: usize, rows: usize) -> Checked<PaperParams> {
    let file::Paper { k, m, split, .. } = *method;
    if k == 0 || k > inputs {
        return found("method.k", ParamError::K { k, inputs });
    }
    if m == 0 {
        return found("method.m", ParamError::M);
    }
    if split && rows < m {
        return found("method.split", ParamError::Split { m, rows });
    }
    let tau = method.tau.parse().or_else(|error: ThresholdError| found("method.tau", error))?;
    let (selection, seed, stop_when_stuck) = (method.select, method.seed, method.stop_when_stuck);
    Ok(PaperParams { k, m, tau, selection, split, seed, stop_when_stuck })
}

fn auto_parameters(method: &file::Auto, inputs: usize) -> Checked<AutoParams> {
    let file::Auto { k, m, effort, seed, .. } = *method;
    let pick = match method.pick.as_deref().map(str::parse) {
        Some(Err(error)) => return found("method.pick", error),
        pick => pick.and_then(Result::ok).unwrap_or_default(),
    };
    let gates = match method.gates.as_deref().map(str::parse) {
        Some(Err(error)) => return found("method.gates", error),
        gates => gates.and_then(Result::ok).unwrap_or_default(),
    };
    match (AutoParams { k, m, effort, seed, pick, gates }).check_inputs(inputs) {
        Ok(params) => Ok(params.get().clone()),
        Err(error) => {
            let path = match error {
                ParamError::M => "method.m",
                ParamError::Effort { .. } => "method.effort",
                _ => "method.k",
            };
            found(path, error)
        }
    }
}

/// Texts that are different and in the order of levels and classes.
fn in_levels_order(path: &str, texts: &[String]) -> Checked<()> {
    for (i, pair) in texts.windows(2).enumerate() {
        let path = || format!("{path}[{}]", i + 1);
        match by_number_or_text(&pair[0], &pair[1]) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => return found(path(), Fault::Repeated { name: pair[1].clone() }),
            std::cmp::Ordering::Greater => {
                return found(path(), Fault::LevelOrder { name: pair[1].clone() });
            }
        }
    }
    Ok(())
}

fn class_type(name: Option<&str>, classes: &[String]) -> Checked<Option<ClassType>> {
    let Some(name) = name else { return Ok(None) };
    let class_type: ClassType = name.parse().or_else(|error: ClassTypeError| found("class_type", error))?;
    if class_type == ClassType::of(classes) {
        return found("class_type", Fault::ClassTypeSaid);
    }
    if class_type.fits(classes) { Ok(Some(class_type)) } else { found("class_type", Fault::ClassTypeUnfit) }
}

fn positive(positive: Option<&str>, classes: &[String]) -> Checked<Option<usize>> {
    match (positive, classes.len()) {
        (Some(positive), 2) => match classes.iter().position(|class| class == positive) {
            Some(at) => Ok(Some(at)),
            None => found("positive", Fault::NoClass { name: positive.to_owned() }),
        },
        (None, 2) => found("positive", Fault::NoPositive),
        (Some(_), classes) => found("positive", Fault::Positive { classes }),
        (None, _) => Ok(None),
    }
}

fn columns(columns: Vec<Object<file::ColumnFile>>) -> Checked<Vec<Column>> {
    some("columns", columns.len(), MAX_INPUTS)?;
    let mut seen = HashSet::new();
    let mut checked = Vec::new();
    for (i, Object(file::ColumnFile { name, kind, gaps, levels })) in columns.into_iter().enumerate() {
        if !seen.insert(name.clone()) {
            return found(format!("columns[{i}].name"), Fault::Repeated { name });
        }
        let path = format!("columns[{i}].levels");
        let levels = match (kind, levels) {
            (Kind::Category, Some(levels)) => levels,
            (Kind::Category, None) => return found(path, Fault::NoLevels),
            (_, Some(_)) => return found(path, Fault::Levels { kind }),
            (_, None) => Vec::new(),
        };
        in_levels_order(&path, &levels)?;
        checked.push(Column { name, kind, gaps, levels });
    }
    Ok(checked)
}

fn bits(bits: &[Object<TestFile>], columns: &[Column]) -> Checked<Vec<Bit>> {
    some("tests", bits.len(), MAX_INPUTS)?;
    let places: HashMap<&str, usize> =
        columns.iter().enumerate().map(|(i, column)| (column.name.as_str(), i)).collect();
    let mut checked: Vec<Bit> = Vec::new();
    for (b, Object(bit)) in bits.iter().enumerate() {
        let path = || format!("tests[{b}]");
        let Some(&column) = places.get(bit.column.as_str()) else {
            return found(format!("tests[{b}].column"), Fault::NoColumn { name: bit.column.clone() });
        };
        let Some(test) = bit.test() else { return found(path(), Fault::Test) };
        let Column { kind, levels, .. } = &columns[column];
        let fits = match (kind, &test) {
            (_, Test::Missing) | (Kind::Boolean, Test::True) | (Kind::Category, Test::Other) => true,
            (Kind::Number, Test::Above(number) | Test::Equals(number)) => number.is_finite(),
            (Kind::Category, Test::Is(level)) => levels.contains(level),
            _ => false,
        };
        if !fits {
            return found(path(), Fault::Unfit { kind: *kind });
        }
        let bit = Bit { column, test };
        let after = |last: &Bit| {
            last.column < column || last.column == column && in_order(&last.test, &bit.test).is_lt()
        };
        if !checked.last().is_none_or(after) {
            return found(path(), Fault::TestOrder);
        }
        checked.push(bit);
    }
    Ok(checked)
}
