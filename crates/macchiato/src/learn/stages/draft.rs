//! A circuit in the making: stages are pushed one by one, each fitted to what those before it leave.

use super::super::made::Known;
use super::blocks::tables;
use crate::fit::Shape;
use crate::project::ProjectedTable;
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::Sample;
use crate::stage::{Signed, Stage};
use macchiato_minimize::{
    Cover, Literal, MinimizeError, Options, Shape as CoverShape, Table, minimize_table,
};

/// Stages, what is known about them, and the residual that they leave.
#[derive(Debug, Clone)]
pub(super) struct Draft<'a> {
    rows: &'a Rows,
    options: &'a Options,
    stages: Vec<Stage>,
    known: Vec<Known>,
    /// Value of every stage on the rows.
    values: Vec<Vec<u64>>,
    residual: Residual,
}

impl<'a> Draft<'a> {
    pub(super) fn new(rows: &'a Rows, options: &'a Options) -> Self {
        let residual = Residual::new(rows);
        Self { rows, options, stages: Vec::new(), known: Vec::new(), values: Vec::new(), residual }
    }

    pub(super) fn stages(&self) -> &[Stage] {
        &self.stages
    }

    pub(super) fn known(&self) -> &[Known] {
        &self.known
    }

    pub(super) fn residual(&self) -> &Residual {
        &self.residual
    }

    /// Weight of the rows in error.
    pub(super) fn errors(&self) -> u64 {
        self.residual.error_weight(self.rows)
    }

    /// The XOR of `inputs`, as one stage for each `width` of them.
    pub(super) fn push_linear(&mut self, inputs: &[usize], width: usize) -> Result<(), MinimizeError> {
        for chunk in inputs.chunks(width.max(1)) {
            let table = Table::from_fn(chunk.len(), |x| Some(x.count_ones() % 2 == 1))?;
            self.push_minimized(chunk.to_vec(), &table, Shape::Table)?;
        }
        Ok(())
    }

    /// The majority table of the residual over `inputs`, minimized.
    pub(super) fn push_table(&mut self, inputs: &[usize]) -> Result<(), MinimizeError> {
        let minimized = ProjectedTable::new(self.rows, &self.residual, inputs).minimize(self.options)?;
        let known = Known { shape: Shape::Table, lower_bound: minimized.lower_bound };
        self.push(Stage { inputs: inputs.to_vec(), cover: minimized.cover }, known);
        Ok(())
    }

    /// An XOR of tables over disjoint blocks of inputs, if it leaves fewer errors; `sample` has the residual as labels.
    pub(super) fn push_blocks(
        &mut self,
        sample: &Sample,
        blocks: &[Vec<usize>],
    ) -> Result<bool, MinimizeError> {
        let (stages, errors) = (self.stages.len(), self.errors());
        if blocks.len() > 1 {
            let tables = tables(sample, blocks, self.options.seed)?;
            for (block, table) in blocks.iter().zip(&tables).skip(1) {
                self.push_minimized(block.clone(), table, Shape::Table)?;
            }
        }
        // The first block takes what the others leave on all rows.
        if let Some(block) = blocks.first() {
            self.push_table(block)?;
        }
        let better = self.errors() < errors;
        if !better {
            self.truncate(stages);
        }
        Ok(better)
    }

    /// A given table, minimized.
    pub(super) fn push_minimized(
        &mut self,
        inputs: Vec<usize>,
        table: &Table,
        shape: Shape,
    ) -> Result<(), MinimizeError> {
        let minimized = minimize_table(table, self.options)?;
        self.push(
            Stage { inputs, cover: minimized.cover },
            Known { shape, lower_bound: minimized.lower_bound },
        );
        Ok(())
    }

    /// An OR of terms over any inputs.
    pub(super) fn push_wide(&mut self, terms: &[Vec<Signed>]) {
        let mut inputs: Vec<usize> = terms.iter().flatten().map(|&(input, _)| input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.is_empty() {
            // A constant stage still names an input.
            inputs.push(0);
        }
        let mut cover = Cover::new(CoverShape::new(inputs.len(), 1));
        for term in terms {
            let mut literals = vec![Literal::Free; inputs.len()];
            for &(input, positive) in term {
                if let Ok(p) = inputs.binary_search(&input) {
                    literals[p] = if positive { Literal::Positive } else { Literal::Negative };
                }
            }
            cover.push(&literals, &[true]);
        }
        let shape = if terms == [Vec::new()] { Shape::Constant } else { Shape::Wide };
        self.push(Stage { inputs, cover }, Known { shape, lower_bound: 0 });
    }

    /// The answer 1 everywhere.
    pub(super) fn push_constant(&mut self) {
        self.push_wide(&[Vec::new()]);
    }

    pub(super) fn push(&mut self, stage: Stage, known: Known) {
        let values = stage.on(self.rows);
        self.residual.correct(&values);
        self.stages.push(stage);
        self.known.push(known);
        self.values.push(values);
    }

    /// Removes the last stages down to `stages`.
    pub(super) fn truncate(&mut self, stages: usize) {
        while self.stages.len() > stages {
            self.stages.pop();
            self.known.pop();
            if let Some(values) = self.values.pop() {
                self.residual.correct(&values);
            }
        }
    }

    /// Fits every table again to what all other stages leave, as long as that leaves fewer errors.
    pub(super) fn backfit(&mut self, sweeps: usize) -> Result<(), MinimizeError> {
        for _ in 0..sweeps {
            let before = self.errors();
            for t in 0..self.stages.len() {
                if self.known[t].shape != Shape::Table || before == 0 {
                    continue;
                }
                let mut others = self.residual.clone();
                others.correct(&self.values[t]);
                let projected = ProjectedTable::new(self.rows, &others, &self.stages[t].inputs);
                let minimized = projected.minimize(self.options)?;
                let stage = Stage { inputs: self.stages[t].inputs.clone(), cover: minimized.cover };
                let values = stage.on(self.rows);
                others.correct(&values);
                if others.error_weight(self.rows) < self.errors() {
                    self.residual = others;
                    self.stages[t] = stage;
                    self.values[t] = values;
                    self.known[t].lower_bound = minimized.lower_bound;
                }
            }
            if self.errors() == before || self.options.budget.spent() {
                break;
            }
        }
        Ok(())
    }
}
