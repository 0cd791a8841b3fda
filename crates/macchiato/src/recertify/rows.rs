//! What a network of any weights decides on rows, in float32 and in the order of its weights.

use super::RecertifyError;
use crate::bits;
use macchiato_check::network::floats;
use macchiato_check::{Certificate, layers};
use macchiato_replay::Refusal;

/// A neuron: its weights that are not 0, and its bias.
type Neuron = (Vec<(usize, f32)>, f32);

/// For each output a bit column: whether it is above 1/2. `columns` are the inputs' bits.
///
/// # Errors
/// Files that are not a certificate and a network with its layers.
pub fn decisions(
    certificate: &[u8],
    network: &[u8],
    columns: &[&[u64]],
    rows: usize,
) -> Result<Vec<Vec<u64>>, RecertifyError> {
    let certificate = Certificate::read(certificate).map_err(Refusal::from)?;
    let network = layers::read(network, &certificate).map_err(Refusal::from)?;
    let mut layers: Vec<Vec<Neuron>> = Vec::new();
    for layer in &network.layers {
        let neurons = (0..layer.width).filter_map(|n| layer.neuron(n));
        let sparse = |row| floats(row).enumerate().filter(|(_, weight)| *weight != 0.0).collect();
        layers.push(neurons.map(|(row, bias)| (sparse(row), bias)).collect());
    }
    let mut answers = vec![vec![0u64; bits::words(rows)]; certificate.outputs.len()];
    for row in 0..rows {
        let mut values: Vec<f32> =
            columns.iter().map(|column| f32::from(u8::from(bits::get(column, row)))).collect();
        for (layer, claim) in layers.iter().zip(&certificate.layers) {
            let value = |(weights, bias): &Neuron| {
                let term = |(from, weight): &(usize, f32)| weight * values.get(*from).copied().unwrap_or(0.0);
                let sum = weights.iter().map(term).fold(0.0, |sum, term| sum + term) + bias;
                if claim.relu { sum.max(0.0) } else { sum }
            };
            values = layer.iter().map(value).collect();
        }
        for (answers, value) in answers.iter_mut().zip(values) {
            answers[row / 64] |= u64::from(value > 0.5) << (row % 64);
        }
    }
    Ok(answers)
}
