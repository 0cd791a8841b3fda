//! Ways to build a circuit from the same structure: tables alone, a count, or a wide sum of products beside or behind them.

use super::draft::Draft;
use super::sampling::Sampling;
use super::structure::Structure;
use crate::fit::trace::Shape;
use crate::rows::Rows;
use crate::select::Count;
use crate::wide::{self, Learner};
use macchiato_minimize::{MinimizeError, Options, Table};

/// What comes before a wide stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Nothing,
    Linear,
    Tables,
}

/// How to build a circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recipe {
    Majority,
    Tables,
    Count,
    Wide(Prefix, Learner),
}

impl Recipe {
    /// In a few words, as the model records it.
    pub(super) fn name(self) -> String {
        match self {
            Self::Majority => "majority".to_owned(),
            Self::Tables => "tables".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Wide(prefix, learner) => {
                let before = match prefix {
                    Prefix::Nothing => "",
                    Prefix::Linear => "linear inputs, then ",
                    Prefix::Tables => "tables, then ",
                };
                format!("{before}{}", learner.name())
            }
        }
    }

    /// The circuit on `rows`.
    pub(super) fn build<'a>(
        self,
        rows: &'a Rows,
        sampling: &Sampling,
        structure: &Structure,
        m: usize,
        options: &'a Options,
    ) -> Result<Draft<'a>, MinimizeError> {
        let mut draft = Draft::new(rows, options);
        match self {
            Self::Majority => {}
            Self::Tables | Self::Wide(Prefix::Tables, _) => {
                let tables: usize = structure.tables.iter().map(Vec::len).sum();
                // Linear inputs share stages where they would otherwise be too many.
                let room = m.saturating_sub(tables + usize::from(self != Self::Tables)).max(1);
                draft.push_linear(&structure.linear, structure.linear.len().div_ceil(room))?;
                for blocks in &structure.tables {
                    if draft.stages().len() + blocks.len() <= m {
                        let sample = sampling.with(draft.residual().bits());
                        draft.push_blocks(&sample, blocks)?;
                    }
                }
                draft.backfit(SWEEPS)?;
            }
            Self::Count => {
                if let Some(count) = &structure.count {
                    push_count(&mut draft, rows, count)?;
                }
            }
            Self::Wide(Prefix::Linear, _) => {
                let room = m.saturating_sub(2).max(1);
                draft.push_linear(&structure.linear, structure.linear.len().div_ceil(room))?;
            }
            Self::Wide(Prefix::Nothing, _) => {}
        }
        if let Self::Wide(_, learner) = self
            && draft.stages().len() < m
        {
            let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
            let labels = draft.residual().bits();
            let sop = wide::learn(learner, &columns, labels, rows.len(), options.seed, &options.budget);
            if sop.complement {
                draft.push_constant();
            }
            if !sop.terms.is_empty() {
                draft.push_wide(&sop.terms);
            }
        }
        settle(&mut draft, rows, m);
        Ok(draft)
    }
}

/// Sweeps of re-fitting over all tables.
const SWEEPS: usize = 10;

/// Answers the majority of what is left: with no evidence at all, the majority class.
pub(super) fn settle(draft: &mut Draft<'_>, rows: &Rows, m: usize) {
    let all =
        rows.weights().map_or(rows.len() as u64 * crate::rows::WEIGHT_UNIT, |weights| weights.iter().sum());
    if 2 * draft.errors() > all && draft.stages().len() < m {
        draft.push_constant();
    }
}

/// The minimized table of a count, each count by its majority.
fn push_count(draft: &mut Draft<'_>, rows: &Rows, count: &Count) -> Result<(), MinimizeError> {
    let inputs: Vec<usize> = count.literals.iter().map(|literal| literal.0).collect();
    let negated = count.literals.iter().enumerate().filter(|(_, literal)| !literal.1);
    let negated = negated.fold(0usize, |mask, (p, _)| mask | 1 << p);
    let mut votes = vec![[0u64; 2]; inputs.len() + 1];
    for row in 0..rows.len() {
        let held =
            count.literals.iter().filter(|&&(i, sign)| crate::bits::get(&rows.columns()[i], row) == sign);
        let label = usize::from(crate::bits::get(draft.residual().bits(), row));
        votes[held.count()][label] += rows.weights().map_or(1, |weights| weights[row]);
    }
    let table = Table::from_fn(inputs.len(), |x| {
        let [zeros, ones] = votes[(x ^ negated).count_ones() as usize];
        (zeros != ones).then_some(ones > zeros)
    })?;
    draft.push_minimized(inputs, &table, Shape::Count)
}
