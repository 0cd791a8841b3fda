//! Everything that a model file claims, checked, and its gates turned into a circuit.
//!
//! Here the circuit, in `trace` what the fit saw. After this a model can be evaluated, shown and written again without a further check.

mod trace;

use super::error::Fault;
use super::file;
use super::gates::{GateFile, LiteralFile};
use super::object::Object;
use super::{Method, Model};
use crate::circuit::{Circuit, CircuitError, Output, Place};
use crate::fit::{AutoParams, PaperParams, ParamError, Trace};
use crate::select::ThresholdError;
use crate::staged::Staged;
use crate::table::MAX_INPUTS;
use std::collections::HashMap;

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
    let file::Model { trace: Object(trace), inputs: all, gates, output, target, method, holdout, .. } = file;
    let inputs = all.len();
    let rows = trace.data.0;
    let names = Names::new(&all, &target)?;
    trace::data(&rows)?;
    let method = parameters(&method.0, inputs, rows.rows)?;
    let (k, m, split) = match &method {
        Method::Paper(params) => (Some(params.k), params.m, params.split),
        Method::Auto(params) => (params.k, params.m, false),
    };
    at_most(|| "trace.stages".to_owned(), trace.stages.len() as u64, m as u64, "the method's m")?;
    let mut stage_inputs = Vec::new();
    for (t, Object(stage)) in trace.stages.iter().enumerate() {
        let path = || format!("trace.stages[{t}].inputs");
        if let Some(k) = k {
            at_most(path, stage.inputs.len() as u64, k as u64, "the method's k")?;
        }
        stage_inputs.push(names.stage(t, &stage.inputs)?);
    }
    let circuit = names.circuit((&all, &target), &gates, &output.0)?;
    let coverage = coverage(&gates, rows.rows)?;
    // A circuit without stages is as it is; the paper's always has stages, though maybe none of them.
    let paper = matches!(method, Method::Paper(_));
    let (circuit, stages) = if paper || !stage_inputs.is_empty() {
        let staged = Staged::read(&circuit, stage_inputs);
        let staged = staged.or_else(|gate| found(format!("gates[{gate}]"), Fault::NotStages))?;
        (if paper { staged.gates() } else { staged.plain().simplified() }, staged.stages)
    } else {
        (circuit, Vec::new())
    };
    trace::stop(trace.stop, &method)?;
    at_most(|| "trace.errors".to_owned(), trace.errors as u64, rows.rows as u64, "the number of rows")?;
    let mut traces = Vec::new();
    for (t, Object(trace)) in trace.stages.into_iter().enumerate() {
        traces.push(trace::stage(t, trace, &stages[t], inputs, &rows, &method)?);
    }
    if !split && (paper || !traces.is_empty()) {
        trace::chain(&traces, rows.positive, trace.errors)?;
    }
    let decision = trace
        .decision
        .map(|Object(decision)| trace::decision(decision, trace.stop, &rows, &method))
        .transpose()?;
    let seconds_for_pairs = trace.seconds_for_pairs.unwrap_or(0.0);
    trace::seconds(|| "trace.seconds_for_pairs".to_owned(), &[seconds_for_pairs])?;
    let holdout = holdout.map(|Object(holdout)| holdout.checked()).transpose();
    let holdout = holdout.or_else(|(path, fault)| found(path, fault))?;
    Ok(Model {
        circuit,
        stages,
        method,
        coverage,
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

    /// The inputs of a stage.
    fn stage(&self, t: usize, names: &[String]) -> Checked<Vec<usize>> {
        if names.is_empty() {
            return found(format!("trace.stages[{t}].inputs"), Fault::None);
        }
        let mut inputs: Vec<usize> = Vec::new();
        for (p, name) in names.iter().enumerate() {
            let path = || format!("trace.stages[{t}].inputs[{p}]");
            let Some(&input) = self.0.get(name.as_str()) else {
                return found(path(), Fault::UnknownInput { name: name.clone() });
            };
            match inputs.last() {
                Some(&last) if last == input => return found(path(), Fault::Repeated { name: name.clone() }),
                Some(&last) if last > input => return found(path(), Fault::Order { name: name.clone() }),
                _ => inputs.push(input),
            }
        }
        Ok(inputs)
    }

    /// The gates and the output.
    fn circuit(
        &self,
        (inputs, target): (&[String], &str),
        files: &[Object<GateFile>],
        output: &LiteralFile,
    ) -> Checked<Circuit> {
        let mut gates = Vec::with_capacity(files.len());
        for (g, Object(gate)) in files.iter().enumerate() {
            let gate = gate.gate(&self.0);
            gates.push(gate.or_else(|(key, fault)| found(format!("gates[{g}].{key}"), fault))?);
        }
        let output = output.literal(&self.0).or_else(|fault| found("output", fault))?;
        if output.weight != 1 {
            return found("output.points", Fault::OutputPoints);
        }
        let outputs = vec![Output::new(target, output)];
        let place = |error: &CircuitError| match error.place() {
            Some(Place::Gate(gate)) => format!("gates[{gate}]"),
            _ => "output".to_owned(),
        };
        Circuit::new(inputs.to_vec(), gates, outputs).or_else(|error| found(place(&error), error))
    }
}

/// Training rows on which each gate holds.
fn coverage(gates: &[Object<GateFile>], rows: usize) -> Checked<Vec<usize>> {
    let mut coverage = Vec::with_capacity(gates.len());
    for (g, Object(gate)) in gates.iter().enumerate() {
        let path = || format!("gates[{g}].rows");
        let Some(held) = gate.rows else { return found(path(), Fault::MissingRows) };
        at_most(path, held as u64, rows as u64, "the number of rows")?;
        coverage.push(held);
    }
    Ok(coverage)
}
