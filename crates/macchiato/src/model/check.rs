//! Everything that a model file claims, checked, and its terms turned into covers.
//!
//! Here the circuit, in `trace` what the fit saw. After this a model can be evaluated, shown and written again without a further check.

mod trace;

use super::error::Fault;
use super::file;
use super::object::Object;
use super::{Method, Model};
use crate::circuit::Circuit;
use crate::fit::{AutoParams, DataTrace, PaperParams, ParamError, Trace};
use crate::select::ThresholdError;
use crate::stage::Stage;
use crate::table::MAX_INPUTS;
use macchiato_minimize::{Cover, Literal, Shape};
use std::collections::{HashMap, HashSet};

/// The first fault, and where it is; boxed, since it is rare and large.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: String,
    pub(super) fault: Fault,
}

type Checked<T> = Result<T, Box<Found>>;

fn found<T>(path: impl Into<String>, fault: impl Into<Fault>) -> Checked<T> {
    Err(Box::new(Found { path: path.into(), fault: fault.into() }))
}

fn at_most(path: impl FnOnce() -> String, found_: u64, limit: u64, why: &'static str) -> Checked<()> {
    if found_ <= limit { Ok(()) } else { found(path(), Fault::Above { found: found_, limit, why }) }
}

fn equal(path: impl FnOnce() -> String, found_: usize, expected: usize, why: &'static str) -> Checked<()> {
    let (a, b) = (found_ as u64, expected as u64);
    if a == b { Ok(()) } else { found(path(), Fault::Differs { found: a, expected: b, why }) }
}

/// A model of the method `paper`.
pub(super) fn paper(file: file::Model<file::Paper>) -> Checked<Model> {
    model(file, |method, inputs, rows| parameters(method, inputs, rows).map(Method::Paper))
}

/// A model of the method `auto`.
pub(super) fn auto(file: file::Model<file::Auto>) -> Checked<Model> {
    model(file, |method, inputs, _| auto_parameters(method, inputs).map(Method::Auto))
}

/// A model whose method `parameters` checks, given the numbers of inputs and rows.
fn model<M>(
    file: file::Model<M>,
    parameters: impl FnOnce(&M, usize, usize) -> Checked<Method>,
) -> Checked<Model> {
    let (trace, inputs) = (file.trace.0, file.inputs.len());
    let rows = trace.data.0;
    let names = Names::new(&file.inputs, &file.target)?;
    trace::data(&rows)?;
    let method = parameters(&file.method.0, inputs, rows.rows)?;
    let (k, m, split) = match &method {
        Method::Paper(params) => (Some(params.k), params.m, params.split),
        Method::Auto(params) => (params.k, params.m, false),
    };
    at_most(|| "stages".to_owned(), file.stages.len() as u64, m as u64, "the method's m")?;
    if trace.stages.len() != file.stages.len() {
        let (found_, expected) = (trace.stages.len(), file.stages.len());
        return found("trace.stages", Fault::Length { found: found_, expected, of: "stages" });
    }
    let mut stages = Vec::new();
    for (t, Object(stage)) in file.stages.iter().enumerate() {
        if let Some(k) = k {
            at_most(|| format!("stages[{t}].inputs"), stage.inputs.len() as u64, k as u64, "the method's k")?;
        }
        stages.push(names.stage(t, stage, &rows)?);
    }
    trace::stop(trace.stop, &method)?;
    at_most(|| "trace.errors".to_owned(), trace.errors as u64, rows.rows as u64, "the number of rows")?;
    let mut traces = Vec::new();
    for (t, Object(trace)) in trace.stages.into_iter().enumerate() {
        traces.push(trace::stage(t, trace, &stages[t], inputs, &rows, &method)?);
    }
    if !split {
        trace::chain(&traces, rows.positive, trace.errors)?;
    }
    let decision = trace
        .decision
        .map(|Object(decision)| trace::decision(decision, trace.stop, &rows, &method))
        .transpose()?;
    let seconds_for_pairs = trace.seconds_for_pairs.unwrap_or(0.0);
    trace::seconds(|| "trace.seconds_for_pairs".to_owned(), &[seconds_for_pairs])?;
    let holdout = file.holdout.map(|Object(holdout)| holdout.checked()).transpose();
    let holdout = holdout.or_else(|(path, fault)| found(path, fault))?;
    Ok(Model {
        coverage: file.stages.into_iter().map(|Object(stage)| stage.rows).collect(),
        circuit: Circuit { inputs: file.inputs, target: file.target, stages },
        method,
        trace: Trace {
            data: rows,
            stages: traces,
            stop: trace.stop,
            errors: trace.errors,
            decision,
            seconds_for_pairs,
        },
        holdout,
    })
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
    match (AutoParams { k, m, effort, seed }).check_inputs(inputs) {
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

/// The inputs by name.
struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    fn new(inputs: &'a [String], target: &str) -> Checked<Self> {
        if inputs.is_empty() {
            return found("inputs", Fault::None);
        }
        at_most(
            || "inputs".to_owned(),
            inputs.len() as u64,
            MAX_INPUTS as u64,
            "the most that there can be",
        )?;
        let mut names = HashMap::new();
        for (i, name) in inputs.iter().enumerate() {
            if name == target || names.insert(name.as_str(), i).is_some() {
                return found(format!("inputs[{i}]"), Fault::Repeated { name: name.clone() });
            }
        }
        Ok(Self(names))
    }

    fn stage(&self, t: usize, stage: &file::StageTerms, data: &DataTrace) -> Checked<Stage> {
        if stage.inputs.is_empty() {
            return found(format!("stages[{t}].inputs"), Fault::None);
        }
        let mut inputs: Vec<usize> = Vec::new();
        for (p, name) in stage.inputs.iter().enumerate() {
            let path = || format!("stages[{t}].inputs[{p}]");
            let Some(&input) = self.0.get(name.as_str()) else {
                return found(path(), Fault::UnknownInput { name: name.clone() });
            };
            match inputs.last() {
                Some(&last) if last == input => return found(path(), Fault::Repeated { name: name.clone() }),
                Some(&last) if last > input => return found(path(), Fault::Order { name: name.clone() }),
                _ => inputs.push(input),
            }
        }
        let cover = cover(t, &stage.terms, inputs.len())?;
        let (found_, expected) = (stage.rows.len(), cover.terms());
        if found_ != expected {
            return found(
                format!("stages[{t}].rows"),
                Fault::Length { found: found_, expected, of: "terms" },
            );
        }
        for (p, &rows) in stage.rows.iter().enumerate() {
            at_most(
                || format!("stages[{t}].rows[{p}]"),
                rows as u64,
                data.rows as u64,
                "the number of rows",
            )?;
        }
        Ok(Stage { inputs, cover })
    }
}

fn cover(t: usize, terms: &[String], inputs: usize) -> Checked<Cover> {
    let mut cover = Cover::new(Shape::new(inputs, 1));
    let mut seen = HashSet::new();
    let mut literals = Vec::with_capacity(inputs);
    for (p, term) in terms.iter().enumerate() {
        let path = || format!("stages[{t}].terms[{p}]");
        literals.clear();
        for character in term.chars() {
            literals.push(match character {
                '1' => Literal::Positive,
                '0' => Literal::Negative,
                '-' => Literal::Free,
                _ => return found(path(), Fault::TermCharacter { term: term.clone() }),
            });
        }
        if literals.len() != inputs {
            let (term, found_) = (term.clone(), literals.len());
            return found(path(), Fault::TermLength { term, found: found_, expected: inputs });
        }
        if !seen.insert(term.as_str()) {
            return found(path(), Fault::Repeated { name: term.clone() });
        }
        cover.push(&literals, &[true]);
    }
    Ok(cover)
}
