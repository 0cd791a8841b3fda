//! The paper's figures for what `configurations` does not have: flat Espresso, the exact network, the trained networks.
//!
//! Means and sample deviations over seeds 0 to 19, from the tables of Section 5 and Appendix E; run times are those of the
//! paper's machine (Xeon at 2.2 GHz, Python, `PyEDA`, `PyTorch`).

use super::method::Method;
use super::{Configuration, Published};

/// Accuracy and seconds of flat Espresso, if it returned within three hours.
type Flat = Option<[(f64, f64); 2]>;

struct Row {
    flat: Flat,
    /// Accuracies of the trained networks: `ReLU`, sigmoid.
    trained: [(f64, f64); 2],
    /// Seconds: random K, exact network, trained `ReLU`, trained sigmoid.
    seconds: [(f64, f64); 4],
    /// Epochs of the trained networks.
    epochs: usize,
}

const fn row(flat: Flat, trained: [(f64, f64); 2], seconds: [(f64, f64); 4], epochs: usize) -> Row {
    Row { flat, trained, seconds, epochs }
}

#[rustfmt::skip]
const ROWS: [Row; 11] = [
    row(Some([(0.965, 0.021), (0.11, 0.01)]), [(0.917, 0.025), (0.669, 0.046)], [(0.41, 0.02), (0.46, 0.06), (8.25, 0.78), (8.31, 0.80)], 1000),
    row(Some([(1.000, 0.000), (0.09, 0.02)]), [(1.000, 0.001), (0.828, 0.090)], [(0.30, 0.02), (0.35, 0.05), (7.95, 1.38), (8.03, 1.11)], 1000),
    row(Some([(1.000, 0.000), (1.28, 0.15)]), [(1.000, 0.000), (0.953, 0.074)], [(1.65, 0.12), (1.66, 0.12), (33.07, 1.98), (32.92, 1.33)], 1000),
    row(Some([(1.000, 0.000), (66.90, 6.17)]), [(0.998, 0.002), (0.957, 0.076)], [(1.68, 0.11), (1.80, 0.15), (30.98, 1.33), (31.82, 2.03)], 1000),
    row(Some([(1.000, 0.000), (578.41, 52.65)]), [(0.932, 0.122), (0.775, 0.111)], [(1.63, 0.09), (1.33, 0.26), (44.69, 4.69), (45.53, 4.12)], 1000),
    row(Some([(0.778, 0.034), (0.10, 0.01)]), [(0.721, 0.023), (0.601, 0.028)], [(0.26, 0.02), (0.25, 0.02), (3.90, 0.25), (4.07, 0.32)], 1000),
    row(Some([(0.651, 0.032), (1.05, 0.13)]), [(0.625, 0.020), (0.584, 0.029)], [(0.26, 0.01), (0.25, 0.10), (5.46, 0.65), (5.34, 0.31)], 1000),
    row(Some([(0.839, 0.036), (1.46, 0.11)]), [(0.727, 0.027), (0.669, 0.053)], [(0.85, 0.05), (0.25, 0.02), (8.14, 0.49), (8.36, 0.65)], 1000),
    row(Some([(0.571, 0.061), (1110.23, 131.10)]), [(0.577, 0.036), (0.578, 0.034)], [(21.00, 1.01), (26.31, 1.64), (579.53, 54.07), (543.86, 62.55)], 1000),
    row(None, [(1.000, 0.000), (0.677, 0.050)], [(371.24, 19.90), (851.24, 64.15), (8.02, 0.58), (7.91, 0.28)], 1),
    row(None, [(1.000, 0.000), (0.720, 0.062)], [(957.27, 76.14), (1800.23, 135.53), (24.69, 1.50), (24.73, 1.81)], 1),
];

fn pair((mean, deviation): (f64, f64)) -> Published {
    Published(mean, deviation)
}

/// Epochs of the trained networks.
pub(crate) fn epochs(configuration: &Configuration) -> usize {
    ROWS[configuration.id - 1].epochs
}

/// The paper's accuracy of a method after a stage; methods without stages have it at every stage.
pub(crate) fn accuracy(configuration: &Configuration, method: Method, stage: usize) -> Option<Published> {
    let row = &ROWS[configuration.id - 1];
    match (method, stage) {
        (Method::Paper, 1) => Some(configuration.influence[0]),
        (Method::Paper, 5) => Some(configuration.influence[1]),
        (Method::Paper | Method::Network, 20) => Some(configuration.influence[2]),
        (Method::RandomK, 20) => Some(configuration.random),
        (Method::FlatEspresso, _) => row.flat.map(|[accuracy, _]| pair(accuracy)),
        (Method::Relu, _) => Some(pair(row.trained[0])),
        (Method::Sigmoid, _) => Some(pair(row.trained[1])),
        _ => None,
    }
}

/// The paper's seconds of a method.
pub(crate) fn seconds(configuration: &Configuration, method: Method) -> Option<Published> {
    let row = &ROWS[configuration.id - 1];
    match method {
        Method::Paper => Some(configuration.seconds),
        Method::RandomK => Some(pair(row.seconds[0])),
        Method::Network => Some(pair(row.seconds[1])),
        Method::Relu => Some(pair(row.seconds[2])),
        Method::Sigmoid => Some(pair(row.seconds[3])),
        Method::FlatEspresso => row.flat.map(|[_, seconds]| pair(seconds)),
        Method::Auto | Method::AutoK | Method::Limit | Method::FlatRows => None,
    }
}
