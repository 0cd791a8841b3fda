//! The trained networks of Appendix D.8: dense, as deep and as wide as the exact network of the same seed.
//!
//! Adam at 1e-3 without weight decay, batches of 256 that are shuffled every epoch, binary cross-entropy on the logit; initial
//! weights and biases uniform within 1/sqrt(fan-in), `PyTorch`'s default. burn does the arithmetic and the gradients.

use std::time::Instant;

use anyhow::Result;
use burn::module::Module;
use burn::nn::loss::BinaryCrossEntropyLossConfig;
use burn::nn::{Linear, LinearConfig};
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use macchiato::bits;
use macchiato::fit::Selection;
use macchiato::network::{CompileOptions, compile};
use macchiato::rows::Rows;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::measure::Data;
use super::method::Method;
use super::outcome::Outcome;
use super::published;

const LEARNING_RATE: f64 = 1e-3;
const BATCH: usize = 256;
/// `PyTorch`'s default; burn's is another.
const EPSILON: f32 = 1e-8;
/// Rows that are evaluated at once.
const EVALUATED: usize = 4096;

#[derive(Module, Debug)]
struct Mlp {
    layers: Vec<Linear>,
}

impl Mlp {
    fn new(inputs: usize, hidden: &[usize], device: &Device) -> Self {
        let widths: Vec<usize> = [inputs].into_iter().chain(hidden.iter().copied()).chain([1]).collect();
        let layer = |pair: &[usize]| LinearConfig::new(pair[0], pair[1]).init(device);
        Self { layers: widths.windows(2).map(layer).collect() }
    }

    /// The logits of a batch.
    fn forward(&self, mut values: Tensor<2>, method: Method) -> Tensor<1> {
        for (at, layer) in self.layers.iter().enumerate() {
            values = layer.forward(values);
            if at + 1 < self.layers.len() {
                values = match method {
                    Method::Sigmoid => activation::sigmoid(values),
                    _ => activation::relu(values),
                };
            }
        }
        values.squeeze_dim(1)
    }
}

pub(super) fn measure(data: &Data<'_>, method: Method) -> Result<Outcome> {
    let fit = data.configuration.fit(&data.train, Selection::Influence, data.seed)?;
    let widths = compile(&fit.circuit, &CompileOptions::paper())?.network.widths();
    let hidden = &widths[..widths.len() - 1];
    let device = Device::flex();
    device.seed(data.seed);
    let begun = Instant::now();
    let model = train(data, method, hidden, &device.clone().autodiff());
    let seconds = begun.elapsed().as_secs_f64();
    let right = right(&model.valid(), &data.test, method, &device);
    Ok(data.outcome(method, seconds, vec![right as f64 / data.test.len() as f64]))
}

fn train(data: &Data<'_>, method: Method, hidden: &[usize], device: &Device) -> Mlp {
    let mut model = Mlp::new(data.train.inputs(), hidden, device);
    let mut optimizer = AdamConfig::new().with_epsilon(EPSILON).init();
    let loss = BinaryCrossEntropyLossConfig::new().with_logits(true).init(device);
    let mut rng = ChaCha8Rng::seed_from_u64(data.seed);
    let mut order: Vec<usize> = (0..data.train.len()).collect();
    for _ in 0..published::epochs(data.configuration) {
        order.shuffle(&mut rng);
        for batch in order.chunks(BATCH) {
            let labels: Vec<i32> =
                batch.iter().map(|&row| i32::from(bits::get(data.train.labels(), row))).collect();
            let labels = Tensor::<1, Int>::from_data(TensorData::new(labels, [batch.len()]), device);
            let logits = model.forward(points(&data.train, batch, device), method);
            let gradients = loss.forward(logits, labels).backward();
            let gradients = GradientsParams::from_grads(gradients, &model);
            model = optimizer.step(LEARNING_RATE, model, gradients);
        }
    }
    model
}

/// Rows as a matrix of zeros and ones.
fn points(rows: &Rows, batch: &[usize], device: &Device) -> Tensor<2> {
    let value = |row: usize, column: &Vec<u64>| f32::from(u8::from(bits::get(column, row)));
    let values: Vec<f32> =
        batch.iter().flat_map(|&row| rows.columns().iter().map(move |column| value(row, column))).collect();
    Tensor::from_data(TensorData::new(values, [batch.len(), rows.inputs()]), device)
}

/// Rows whose label is whether the logit is at least 0, that is, the probability at least 1/2.
fn right(model: &Mlp, rows: &Rows, method: Method, device: &Device) -> usize {
    let all: Vec<usize> = (0..rows.len()).collect();
    let of_batch = |batch: &[usize]| {
        let logits = model.forward(points(rows, batch, device), method).into_data();
        let answers = logits.iter::<f32>().map(|logit| logit >= 0.0);
        answers.zip(batch).filter(|&(answer, &row)| answer == bits::get(rows.labels(), row)).count()
    };
    all.chunks(EVALUATED).map(of_batch).sum()
}
