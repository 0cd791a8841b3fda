//! What circuits of stages are built from: the stages of a structure, a count, and a wide sum of products beside or behind them.

use super::super::params::MAX_TABLE_INPUTS;
use super::draft::Draft;
use super::sampling::Sampling;
use super::structure::Structure;
use crate::bits;
use crate::fit::Shape;
use crate::rows::{Rows, WEIGHT_UNIT};
use crate::select::{Count, Sample};
use crate::wide::{self, Sop};
use macchiato_minimize::{MinimizeError, Options, Table};

/// What comes before a wide stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Nothing,
    Linear,
    Tables,
}

/// A wide sum of products, and the constant where it is negated.
pub(super) fn push_sop(draft: &mut Draft<'_>, sop: Sop) {
    if sop.negated {
        draft.push_constant();
    }
    if !sop.cubes.is_empty() {
        draft.push_wide(&wide::without_contained(sop.cubes));
    }
}

/// Stages that a wide sum of products takes: itself, and the constant that negates it.
pub(super) const WIDE_STAGES: usize = 2;

impl Prefix {
    /// The stages before a wide one, at most `m`.
    pub(super) fn build<'a>(
        self,
        rows: &'a Rows,
        sampling: &Sampling,
        structure: &Structure,
        m: usize,
        options: &'a Options,
    ) -> Result<Draft<'a>, MinimizeError> {
        let mut draft = Draft::new(rows, options);
        let linear = structure.linear.len();
        // Linear inputs share stages where they would otherwise be too many.
        let mut push_linear = |room: usize| {
            let width = linear.div_ceil(room.max(1));
            if room > 0 && width <= MAX_TABLE_INPUTS {
                draft.push_linear(&structure.linear, width)
            } else {
                Ok(())
            }
        };
        match self {
            Self::Nothing => {}
            Self::Linear => push_linear(m)?,
            Self::Tables => {
                let tables: usize = structure.tables.iter().map(Vec::len).sum();
                push_linear(m.saturating_sub(tables).max(m / 2).max(1))?;
                for blocks in &structure.tables {
                    if draft.stages().len() + blocks.len() <= m {
                        draft.push_blocks(&sampling.with(draft.residual().bits()), blocks)?;
                    }
                }
                draft.backfit(SWEEPS)?;
            }
        }
        Ok(draft)
    }
}

/// The same rows, as the wide learners read them.
pub(super) fn row_by_row(sample: &Sample) -> wide::Sample {
    wide::Sample::from_columns(&sample.columns(), sample.labels(), sample.rows())
}

/// Sweeps of re-fitting over all tables.
const SWEEPS: usize = 10;

/// Falls back to the better constant where the stages leave more errors: with no evidence at all, the majority class.
pub(super) fn settle(draft: &mut Draft<'_>, rows: &Rows, m: usize) {
    let weight = |row: usize| rows.weights().map_or(WEIGHT_UNIT, |weights| weights[row]);
    let all: u64 = (0..rows.len()).map(weight).sum();
    let ones: u64 = bits::ones(rows.labels()).map(weight).sum();
    if 2 * draft.errors() > all && draft.stages().len() < m {
        draft.push_constant();
    }
    if draft.errors() > ones.min(all - ones) {
        draft.truncate(0);
        if 2 * ones > all {
            draft.push_constant();
        }
    }
}

/// The minimized table of a count, each count by its majority.
pub(super) fn push_count(draft: &mut Draft<'_>, rows: &Rows, count: &Count) -> Result<(), MinimizeError> {
    let inputs: Vec<usize> = count.literals.iter().map(|literal| literal.0).collect();
    let negated = count.literals.iter().enumerate().filter(|(_, literal)| !literal.1);
    let negated = negated.fold(0usize, |mask, (p, _)| mask | 1 << p);
    let mut votes = vec![[0u64; 2]; inputs.len() + 1];
    for row in 0..rows.len() {
        let held = count.literals.iter().filter(|&&(i, sign)| bits::get(&rows.columns()[i], row) == sign);
        let label = usize::from(bits::get(draft.residual().bits(), row));
        votes[held.count()][label] += rows.weights().map_or(1, |weights| weights[row]);
    }
    let table = Table::from_fn(inputs.len(), |x| {
        let [zeros, ones] = votes[(x ^ negated).count_ones() as usize];
        (zeros != ones).then_some(ones > zeros)
    })?;
    draft.push_minimized(inputs, &table, Shape::Count)
}
