//! Forward evaluation: sparse, 64 rows at a time, in i32 or f32.

use super::{Activation, Network};
use crate::bits;
use rayon::prelude::*;

/// What a network can be evaluated in. Both are exact on the cube below 2^24.
pub trait Number:
    Copy + Send + Sync + PartialOrd + std::ops::AddAssign + std::ops::Mul<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// A weight or bias.
    fn from_weight(weight: i32) -> Self;
}

impl Number for i32 {
    const ZERO: Self = 0;

    fn from_weight(weight: i32) -> Self {
        weight
    }
}

impl Number for f32 {
    const ZERO: Self = 0.0;

    fn from_weight(weight: i32) -> Self {
        weight as f32
    }
}

impl Network {
    /// The first output at one point, in integers; the point need not be on the cube.
    #[must_use]
    pub fn at(&self, x: &[i32]) -> i32 {
        self.outputs_at(x).first().copied().unwrap_or(0)
    }

    /// All outputs at one point.
    #[must_use]
    pub fn outputs_at(&self, x: &[i32]) -> Vec<i32> {
        let mut values = x.to_vec();
        for layer in &self.layers {
            let neuron = |(row, &bias): (&Vec<(u32, i32)>, &i32)| {
                let sum = row.iter().fold(bias, |sum, &(from, weight)| sum + weight * values[from as usize]);
                if layer.activation == Activation::Relu { sum.max(0) } else { sum }
            };
            values = layer.weights.iter().zip(&layer.biases).map(neuron).collect();
        }
        values
    }

    /// The outputs on the rows of bit columns, row by row: [`Network::outputs`] numbers for each.
    #[must_use]
    pub fn evaluate<N: Number>(&self, columns: &[&[u64]], rows: usize) -> Vec<N> {
        let width = self.outputs();
        let mut outputs = vec![N::ZERO; rows * width];
        outputs.par_chunks_mut(64 * width.max(1)).enumerate().for_each(|(w, outputs)| {
            let mut values: Vec<[N; 64]> = (0..self.inputs)
                .map(|i| {
                    let word = columns[i][w];
                    std::array::from_fn(|row| N::from_weight((word >> row & 1) as i32))
                })
                .collect();
            for layer in &self.layers {
                let neuron = |(row, &bias): (&Vec<(u32, i32)>, &i32)| {
                    let mut sums = [N::from_weight(bias); 64];
                    for &(from, weight) in row {
                        let weight = N::from_weight(weight);
                        for (sum, &value) in sums.iter_mut().zip(&values[from as usize]) {
                            *sum += weight * value;
                        }
                    }
                    if layer.activation == Activation::Relu {
                        sums.map(|sum| if sum > N::ZERO { sum } else { N::ZERO })
                    } else {
                        sums
                    }
                };
                values = layer.weights.iter().zip(&layer.biases).map(neuron).collect();
            }
            for (row, outputs) in outputs.chunks_exact_mut(width).enumerate() {
                for (output, value) in outputs.iter_mut().zip(&values) {
                    *output = value[row];
                }
            }
        });
        outputs
    }

    /// The first output as a bit column, from the integers; a value that is neither 0 nor 1 never occurs on the cube.
    #[must_use]
    pub fn predict(&self, columns: &[&[u64]], rows: usize) -> Vec<u64> {
        self.predict_all(columns, rows).swap_remove(0)
    }

    /// A bit column for each output.
    #[must_use]
    pub fn predict_all(&self, columns: &[&[u64]], rows: usize) -> Vec<Vec<u64>> {
        let width = self.outputs();
        let outputs: Vec<i32> = self.evaluate(columns, rows);
        let mut answers = vec![vec![0u64; bits::words(rows)]; width];
        for (at, _) in outputs.iter().enumerate().filter(|(_, output)| **output != 0) {
            bits::set(&mut answers[at % width], at / width);
        }
        answers
    }
}
