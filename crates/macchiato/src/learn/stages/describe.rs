//! What the stages of a finished circuit see and do: the claims that a certificate repeats and the checker replays.

use super::super::made::Known;
use super::super::params::MAX_TABLE_INPUTS;
use crate::bits;
use crate::circuit::Circuit;
use crate::fit::{Decision, Found, StageTrace, Stop, Trace};
use crate::project::{CellCounts, histogram};
use crate::residual::Residual;
use crate::rows::{Groups, Rows};
use crate::stage::Stage;
use std::cmp::Ordering;

/// The trace of `stages`, which are `circuit`, on `rows`.
///
/// Stages are re-fitted when others change, so the cells of each are those of the residual that *all other* stages leave;
/// errors before and after are counted in the order of the stages.
pub(in super::super) fn trace(
    rows: &Rows,
    (circuit, stages): (&Circuit, &[Stage]),
    known: &[Known],
    stop: Stop,
    decision: Option<Decision>,
) -> Trace {
    let values: Vec<Vec<u64>> = stages.iter().map(|stage| stage.on(rows)).collect();
    let mut left = Residual::new(rows);
    for value in &values {
        left.correct(value);
    }
    let mut trace = Trace::new(rows, &rows.distinct());
    let mut residual = Residual::new(rows);
    for (t, (stage, known)) in stages.iter().zip(known).enumerate() {
        let mut others = left.clone();
        others.correct(&values[t]);
        let (cells, against) = cells(rows, others.bits(), &stage.inputs, &values[t]);
        let errors_before = residual.errors();
        residual.correct(&values[t]);
        trace.stages.push(StageTrace {
            inputs: stage.inputs.clone(),
            found: Found::Evidence { shape: known.shape, against },
            rows: rows.len(),
            cells,
            terms: stage.cover.terms(),
            literals: stage.cover.literals(),
            lower_bound: known.lower_bound,
            errors_before,
            errors_after: residual.errors(),
            error_weight_after: residual.error_weight(rows),
            changed: values[t].iter().any(|&word| word != 0),
            seconds: None,
        });
    }
    trace.decision = decision;
    trace.finish(rows, circuit, stop);
    trace
}

/// The observed cells of `inputs` by the majority of `residual`, and those whose strict majority `values` do not follow.
fn cells(rows: &Rows, residual: &[u64], inputs: &[usize], values: &[u64]) -> (CellCounts, u64) {
    let columns: Vec<&[u64]> = inputs.iter().map(|&input| rows.columns()[input].as_slice()).collect();
    let (mut counts, mut against) = (CellCounts::default(), 0);
    let mut see = |votes: [u64; 2], value: bool| match votes[1].cmp(&votes[0]) {
        Ordering::Greater => (counts.on, against) = (counts.on + 1, against + u64::from(!value)),
        Ordering::Less => (counts.off, against) = (counts.off + 1, against + u64::from(value)),
        Ordering::Equal => counts.tied += u64::from(votes[0] > 0),
    };
    if inputs.len() <= MAX_TABLE_INPUTS {
        // A stage has one value on all rows of a cell, so with its values as one more input no cell is split.
        let columns: Vec<&[u64]> = std::iter::once(values).chain(columns).collect();
        for (cell, votes) in histogram(rows, residual, &columns).chunks_exact(2).enumerate() {
            see([votes[0], votes[1]], cell % 2 == 1);
        }
        return (counts, against);
    }
    for group in Groups::new(&columns, rows.len()).iter() {
        let mut votes = [0u64; 2];
        for &row in group {
            let label = usize::from(bits::get(residual, row as usize));
            votes[label] += rows.weights().map_or(1, |weights| weights[row as usize]);
        }
        see(votes, bits::get(values, group[0] as usize));
    }
    (counts, against)
}
