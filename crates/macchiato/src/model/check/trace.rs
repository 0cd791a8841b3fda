//! What a model file says of its fit: counts that cannot be more than there is, and errors that follow from each other.

use super::super::error::Fault;
use super::super::file;
use super::super::object::Object;
use super::{Checked, at_most, equal, found};
use crate::fit::{DataTrace, Found, StageTrace, StepSeconds};
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
    if trace.influences.len() != inputs {
        let found_ = trace.influences.len();
        return found(path("influences")(), Fault::Length { found: found_, expected: inputs, of: "inputs" });
    }
    for (i, &(differing, pairs)) in trace.influences.iter().enumerate() {
        at_most(|| format!("trace.stages[{t}].influences[{i}]"), differing, pairs, "the pairs seen")?;
    }
    if let Some(Object(StepSeconds { select, project, minimize, update })) = trace.seconds {
        seconds(path("seconds"), &[select, project, minimize, update])?;
    }
    Ok(StageTrace {
        inputs: built.inputs.clone(),
        found: Found::Influence(
            trace.influences.iter().map(|&(differing, pairs)| Influence { differing, pairs }).collect(),
        ),
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

/// Where all stages see all rows, one begins with the errors that the one before left.
pub(super) fn chain(stages: &[StageTrace], positive: usize, errors: usize) -> Checked<()> {
    let mut left = positive;
    for (t, stage) in stages.iter().enumerate() {
        let path = || format!("trace.stages[{t}].errors_before");
        equal(path, stage.errors_before, left, "the errors left until then")?;
        left = stage.errors_after;
    }
    equal(|| "trace.errors".to_owned(), errors, left, "the errors that the stages leave")
}

/// Times that a clock can show.
pub(super) fn seconds(path: impl FnOnce() -> String, all: &[f64]) -> Checked<()> {
    if all.iter().all(|seconds| (0.0..=1e9).contains(seconds)) {
        Ok(())
    } else {
        found(path(), Fault::Seconds)
    }
}
