//! What a model file says of its fit: counts that cannot be more than there is, and errors that follow from each other.

use super::super::Method;
use super::super::fault::Fault;
use super::super::file;
use super::super::object::Object;
use super::{Checked, at_most, equal, found};
use crate::fit::{Candidate, DataTrace, DecidedBy, Decision, Found, Shape, StageTrace, StepSeconds, Stop};
use crate::influence::Influence;
use crate::project::CellCounts;
use crate::stage::Stage;

/// The training rows.
pub(super) fn data(data: &DataTrace) -> Checked<()> {
    let path = |key: &'static str| move || format!("trace.data.{key}");
    if data.rows == 0 {
        return found("trace.data.rows", Fault::None);
    }
    at_most(path("distinct"), data.distinct as u64, data.rows as u64, "the number of rows")?;
    at_most(path("contradictory"), data.contradictory as u64, data.distinct as u64, "the distinct rows")?;
    at_most(path("tied"), data.tied as u64, data.contradictory as u64, "the contradictory rows")?;
    at_most(path("positive"), data.positive as u64, data.rows as u64, "the number of rows")
}

/// What one stage saw and did.
pub(super) fn stage(
    t: usize,
    trace: file::TraceStage,
    built: &Stage,
    inputs: usize,
    data: &DataTrace,
    method: &Method,
) -> Checked<StageTrace> {
    let path = |key: &'static str| move || format!("trace.stages[{t}].{key}");
    let rows = trace.rows as u64;
    at_most(path("rows"), rows, data.rows as u64, "the number of rows")?;
    at_most(path("errors_before"), trace.errors_before as u64, rows, "the rows of the stage")?;
    at_most(path("errors_after"), trace.errors_after as u64, rows, "the rows of the stage")?;
    let file::Cells { on, off, tied } = trace.cells.0;
    let cells = CellCounts { on, off, tied };
    let all = on.saturating_add(off).saturating_add(tied);
    at_most(path("cells"), all, rows, "the rows of the stage")?;
    let terms = built.cover.terms();
    at_most(path("lower_bound"), trace.lower_bound as u64, terms as u64, "the terms of the stage")?;
    let how = match method {
        Method::Paper(_) => influences(t, &trace, inputs)?,
        Method::Auto(_) => {
            equal(path("rows"), trace.rows as u64, data.rows as u64, "the number of rows")?;
            evidence(t, &trace, built)?
        }
    };
    if let Some(Object(StepSeconds { select, project, minimize, update })) = trace.seconds {
        seconds(path("seconds"), &[select, project, minimize, update])?;
    }
    Ok(StageTrace {
        inputs: built.inputs.clone(),
        found: how,
        rows: trace.rows,
        cells,
        terms,
        literals: built.cover.literals(),
        lower_bound: trace.lower_bound,
        errors_before: trace.errors_before,
        errors_after: trace.errors_after,
        error_weight_after: trace.error_weight_after,
        changed: trace.changed,
        seconds: trace.seconds.map(|Object(seconds)| seconds),
    })
}

/// How a stage of `paper` was found, and nothing of `auto`.
fn influences(t: usize, trace: &file::TraceStage, inputs: usize) -> Checked<Found> {
    let path = |key: &'static str| format!("trace.stages[{t}].{key}");
    for (key, given) in [("shape", trace.shape.is_some()), ("against", trace.against.is_some())] {
        if given {
            return found(path(key), Fault::Foreign { method: "paper" });
        }
    }
    let Some(influences) = &trace.influences else {
        return found(path("influences"), Fault::Missing { method: "paper" });
    };
    if influences.len() != inputs {
        let fault = Fault::Length { found: influences.len(), expected: inputs, of: "inputs" };
        return found(path("influences"), fault);
    }
    for (i, &(differing, pairs)) in influences.iter().enumerate() {
        at_most(|| format!("trace.stages[{t}].influences[{i}]"), differing, pairs, "the pairs seen")?;
    }
    let influence = |&(differing, pairs): &(u64, u64)| Influence { differing, pairs };
    Ok(Found::Influence(influences.iter().map(influence).collect()))
}

/// How a stage of `auto` was found, and nothing of `paper`.
fn evidence(t: usize, trace: &file::TraceStage, built: &Stage) -> Checked<Found> {
    let path = |key: &'static str| format!("trace.stages[{t}].{key}");
    if trace.influences.is_some() {
        return found(path("influences"), Fault::Foreign { method: "auto" });
    }
    let Some(shape) = trace.shape else {
        return found(path("shape"), Fault::Missing { method: "auto" });
    };
    let Some(against) = trace.against else {
        return found(path("against"), Fault::Missing { method: "auto" });
    };
    let file::Cells { on, off, .. } = trace.cells.0;
    at_most(|| path("against"), against, on + off, "the cells with a majority")?;
    if shape == Shape::Constant && built.cover.literals() > 0 {
        return found(path("shape"), Fault::NotConstant);
    }
    Ok(Found::Evidence { shape, against })
}

/// Why the fit ended: each method has reasons of its own.
pub(super) fn stop(stop: Stop, method: &Method) -> Checked<()> {
    let foreign = match method {
        Method::Paper(_) => matches!(stop, Stop::NoEvidence),
        Method::Auto(_) => matches!(stop, Stop::NoActiveInput | Stop::Stuck),
    };
    if foreign { found("trace.stop", Fault::Foreign { method: method.name() }) } else { Ok(()) }
}

/// What decided between the candidates of `auto`.
pub(super) fn decision(
    decision: file::DecisionTrace,
    stop: Stop,
    data: &DataTrace,
    method: &Method,
) -> Checked<Decision> {
    let path = |key: &'static str| move || format!("trace.decision.{key}");
    if !matches!(method, Method::Auto(_)) {
        return found("trace.decision", Fault::Foreign { method: method.name() });
    }
    let file::DecisionTrace { by, asked, candidates, cut_short } = decision;
    if cut_short.is_some() && stop != Stop::Interrupted {
        return found("trace.decision.cut_short", Fault::NotInterrupted);
    }
    match by {
        DecidedBy::Evidence => equal(path("asked"), asked as u64, 0, "since evidence decided")?,
        DecidedBy::HeldOut => {
            at_most(path("asked"), asked as u64, data.rows as u64, "the number of rows")?;
        }
        DecidedBy::Validation => {}
    }
    if by != DecidedBy::Evidence && asked == 0 {
        return found("trace.decision.asked", Fault::None);
    }
    if candidates.is_empty() {
        return found("trace.decision.candidates", Fault::None);
    }
    let mut checked = Vec::new();
    for (c, Object(one)) in candidates.into_iter().enumerate() {
        checked.push(candidate(one, asked, &format!("trace.decision.candidates[{c}]"))?);
    }
    Ok(Decision { by, asked, candidates: checked, cut_short })
}

/// The record of one that was compared, at this path.
pub(super) fn candidate(candidate: Candidate, asked: usize, path: &str) -> Checked<Candidate> {
    let Candidate { name, conditions, nats, right } = candidate;
    if !nats.is_none_or(|nats| (0.0..=1e12).contains(&nats)) {
        return found(format!("{path}.nats"), Fault::Nats);
    }
    let place = || format!("{path}.right");
    at_most(place, right.unwrap_or(0) as u64, asked as u64, "the rows that were asked")?;
    Ok(Candidate { name, conditions, nats: nats.map(file::thousandths), right })
}

/// Where all stages see all rows, one begins with the errors that the one before left.
pub(super) fn chain(stages: &[StageTrace], positive: usize, errors: usize) -> Checked<()> {
    let mut left = positive;
    for (t, stage) in stages.iter().enumerate() {
        let path = || format!("trace.stages[{t}].errors_before");
        equal(path, stage.errors_before as u64, left as u64, "the errors left until then")?;
        left = stage.errors_after;
    }
    equal(|| "trace.errors".to_owned(), errors as u64, left as u64, "the errors that the stages leave")
}

/// Times that a clock can show.
pub(super) fn seconds(path: impl FnOnce() -> String, all: &[f64]) -> Checked<()> {
    if all.iter().all(|seconds| (0.0..=1e9).contains(seconds)) {
        Ok(())
    } else {
        found(path(), Fault::Seconds)
    }
}
