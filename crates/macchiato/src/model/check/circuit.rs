//! A circuit of a model file: its gates turned into a circuit, its stages, and the counts of its cells.

use super::super::cells::{Cells, Keys, MAX_PATTERNS};
use super::super::gates::{GateFile, LiteralFile};
use super::super::{Alternative, ClassCircuit, Method};
use super::{Checked, at_most, equal, found, length, trace};
use crate::circuit::{Circuit, CircuitError, Output, Place};
use crate::evidence::PRIORS;
use crate::fit::{Decision, Trace};
use crate::model::fault::Fault;
use crate::model::file;
use crate::model::object::Object;
use crate::staged::Staged;
use std::collections::HashMap;

/// The circuit over inputs of these names whose output is `target`.
pub(super) fn circuit(
    file: file::CircuitFile,
    (inputs, target): (&[String], String),
    method: &Method,
) -> Checked<ClassCircuit> {
    let file::CircuitFile { gates, output, trace: Object(trace), cells: Object(counts), alternatives } = file;
    let rows = trace.data.0;
    let names = Names::new(inputs);
    trace::data(&rows)?;
    let (k, m, split) = match method {
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
    let circuit = names.circuit((inputs, &target), &gates, &output.0)?;
    let coverage = coverage(&gates, rows.rows)?;
    // A circuit without stages is as it is; the paper's always has stages, though maybe none of them.
    let paper = matches!(method, Method::Paper(_));
    let staged = paper || !stage_inputs.is_empty();
    let (circuit, stages) = if staged {
        let staged = Staged::read(&circuit, stage_inputs);
        let staged = staged.or_else(|gate| found(format!("gates[{gate}]"), Fault::NotStages))?;
        (if paper { staged.gates() } else { staged.plain().simplified() }, staged.stages)
    } else {
        (circuit, Vec::new())
    };
    trace::stop(trace.stop, method)?;
    at_most(|| "trace.errors".to_owned(), trace.errors as u64, rows.rows as u64, "the number of rows")?;
    let mut traces = Vec::new();
    for (t, Object(trace)) in trace.stages.into_iter().enumerate() {
        traces.push(trace::stage(t, trace, &stages[t], inputs.len(), &rows, method)?);
    }
    if !split && (paper || !traces.is_empty()) {
        trace::chain(&traces, rows.positive, trace.errors)?;
    }
    let decision = trace
        .decision
        .map(|Object(decision)| trace::decision(decision, trace.stop, &rows, method))
        .transpose()?;
    let seconds_for_pairs = trace.seconds_for_pairs.unwrap_or(0.0);
    trace::seconds(|| "trace.seconds_for_pairs".to_owned(), &[seconds_for_pairs])?;
    let (stop, errors) = (trace.stop, trace.errors);
    let trace = Trace { data: rows, stages: traces, stop, errors, decision, seconds_for_pairs };
    let cells = Cells::default();
    let mut class =
        ClassCircuit { circuit, stages, staged, coverage, trace, cells, alternatives: Vec::new() };
    let (asked, right) = class.trace.decision.as_ref().map_or((0, None), Decision::of_the_winner);
    class.cells = self::cells(counts, &class)?;
    class = class.doubted(asked, right);
    class.alternatives = self::alternatives(alternatives, &class, &names)?;
    Ok(class)
}

/// Circuits of other sizes, shortest first.
fn alternatives(
    files: Vec<Object<file::AlternativeFile>>,
    own: &ClassCircuit,
    names: &Names<'_>,
) -> Checked<Vec<Alternative>> {
    let Some(decision) = &own.trace.decision else {
        return if files.is_empty() { Ok(Vec::new()) } else { found("alternatives", Fault::NoDecision) };
    };
    let mut checked: Vec<Alternative> = Vec::new();
    for (a, Object(file)) in files.into_iter().enumerate() {
        let path = |path: &str| format!("alternatives[{a}].{path}");
        let placed = |found: Box<super::PlacedFault>| {
            Box::new(super::PlacedFault { path: path(&found.path), ..*found })
        };
        let file::AlternativeFile { found: Object(candidate), gates, output, errors, cells } = file;
        let candidate = trace::candidate(candidate, decision.asked, "found").map_err(placed)?;
        let circuit = names.circuit((own.inputs(), own.target()), &gates, &output.0).map_err(placed)?;
        let rows = own.trace.data.rows;
        let coverage = coverage(&gates, rows).map_err(placed)?;
        at_most(|| path("errors"), errors as u64, rows as u64, "the number of rows")?;
        let trace = own.trace.of_so_many_errors(errors);
        let (stages, alternatives) = (Vec::new(), Vec::new());
        let mut circuit = ClassCircuit {
            circuit,
            stages,
            staged: false,
            coverage,
            trace,
            cells: Cells::default(),
            alternatives,
        };
        circuit.cells = self::cells(cells.0, &circuit).map_err(placed)?;
        let circuit = circuit.doubted(decision.asked, candidate.right);
        let alternative = Alternative { circuit, found: candidate };
        if checked.last().is_some_and(|last| last.conditions() >= alternative.conditions()) {
            return found(format!("alternatives[{a}]"), Fault::AlternativeOrder);
        }
        checked.push(alternative);
    }
    Ok(checked)
}

/// The inputs by name.
struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// All different, as the names of tests are.
    fn new(inputs: &'a [String]) -> Self {
        Self(inputs.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect())
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

/// The counts of the circuit's cells, which must add up to what its trace says.
fn cells(file: file::CellsFile, class: &ClassCircuit) -> Checked<Cells> {
    let path = |key: &str| format!("cells.{key}");
    let (trace, keys) = (class.trace(), Keys::of(class));
    let limits = keys.limits();
    let file::CellsFile { prior, answers, patterns } = file;
    if !PRIORS.contains(&prior) {
        return found(path("prior"), Fault::Prior);
    }
    let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    let all = sum(answers.as_flattened()).filter(|&all| i64::try_from(all).is_ok());
    let Some(all) = all else { return found(path("answers"), Fault::TooMany) };
    if !trace.data.weighted {
        let wrong = answers[0][1] + answers[1][0];
        let ones = answers[0][1] + answers[1][1];
        equal(|| path("answers"), all, trace.data.rows as u64, "the rows of the circuit")?;
        equal(|| path("answers"), ones, trace.data.positive as u64, "the rows of its class")?;
        equal(|| path("answers"), wrong, trace.errors as u64, "its errors")?;
    }
    let patterns = patterns.unwrap_or_default();
    if patterns.len() > MAX_PATTERNS {
        let (count, limit) = (patterns.len() as u64, MAX_PATTERNS as u64);
        let why = "the most that are told apart";
        return found(path("patterns"), Fault::Above { found: count, limit, why });
    }
    let mut sums = [[0u64; 2]; 2];
    for (p, (pattern, counts)) in patterns.iter().enumerate() {
        let path = || format!("cells.patterns[{p}]");
        let (of, why) = match keys {
            Keys::Stages(_) => ("stages", "the terms of the stage"),
            _ => ("counts", "all that the last gate counts"),
        };
        length(path, pattern.len(), limits.len(), of)?;
        for (&number, &limit) in pattern.iter().zip(&limits) {
            let number = u64::from(number);
            if number > limit {
                return found(path(), Fault::Above { found: number, limit, why });
            }
        }
        if p > 0 && patterns[p - 1].0 >= *pattern {
            return found(path(), Fault::PatternOrder);
        }
        let sums = &mut sums[usize::from(keys.answer(pattern))];
        for (sum, count) in sums.iter_mut().zip(counts) {
            match sum.checked_add(*count) {
                Some(more) => *sum = more,
                None => return found(path(), Fault::TooMany),
            }
        }
    }
    if !patterns.is_empty() && sums != answers {
        return found(path("patterns"), Fault::Sums);
    }
    Ok(Cells { prior, answers, patterns, weighted: trace.data.weighted, doubt: 0.0 })
}
