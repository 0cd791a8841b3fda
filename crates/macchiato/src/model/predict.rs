//! Predictions: the circuits' answers, and where there are several circuits, their probabilities.

use super::Model;
use crate::binarize::BinarizeError;
use crate::bits;
use crate::frame::Columns;

impl Model {
    /// The bit columns that some circuit reads; the others are empty.
    fn inputs(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<Vec<u64>>, BinarizeError> {
        let mut read = vec![false; self.binarizer.bits().len()];
        for input in self.circuits.iter().flat_map(|class| class.circuit().support()) {
            read[input] = true;
        }
        self.binarizer.apply_some(columns, |bit| read[bit])
    }

    pub(super) fn classes_of(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<u32>, BinarizeError> {
        let rows = columns.rows();
        let (Some(positive), [circuit]) = (self.positive, self.circuits.as_slice()) else {
            let probabilities = self.probabilities_of(columns)?;
            return Ok(probabilities.chunks_exact(self.classes.len()).map(greatest).collect());
        };
        let inputs = self.inputs(columns)?;
        let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
        let answers = circuit.evaluate(&inputs, rows);
        let class = |row| u32::from(bits::get(&answers, row) == (positive == 1));
        Ok((0..rows).map(class).collect())
    }

    pub(super) fn probabilities_of(
        &self,
        columns: &(impl Columns + ?Sized),
    ) -> Result<Vec<f64>, BinarizeError> {
        let (rows, classes) = (columns.rows(), self.classes.len());
        let inputs = self.inputs(columns)?;
        if self.circuits.is_empty() {
            return Ok(vec![1.0; rows]);
        }
        let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut all = vec![0.0; rows * classes];
        for (class, circuit) in self.learned().into_iter().zip(&self.circuits) {
            let probabilities = circuit.cells().probabilities(circuit, &inputs, rows);
            for (row, probability) in all.chunks_exact_mut(classes).zip(probabilities) {
                row[class] = probability;
                if self.positive.is_some() {
                    row[1 - class] = 1.0 - probability;
                }
            }
        }
        if self.positive.is_none() {
            for row in all.chunks_exact_mut(classes) {
                let sum: f64 = row.iter().sum();
                for probability in row {
                    *probability /= sum;
                }
            }
        }
        Ok(all)
    }
}

/// The first greatest one.
fn greatest(probabilities: &[f64]) -> u32 {
    let mut best = 0;
    for (class, probability) in probabilities.iter().enumerate() {
        if *probability > probabilities[best] {
            best = class;
        }
    }
    best as u32
}
