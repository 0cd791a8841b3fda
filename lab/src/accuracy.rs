//! The share of rows that an answer is right on.

use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::rows::Rows;

/// The circuit's accuracy on `rows`.
pub(crate) fn accuracy(circuit: &Circuit, rows: &Rows) -> f64 {
    share_right(&circuit.evaluate(&columns(rows), bits::words(rows.len()))[0], rows)
}

/// The columns as the library's evaluators take them.
pub(crate) fn columns(rows: &Rows) -> Vec<&[u64]> {
    rows.columns().iter().map(Vec::as_slice).collect()
}

/// The share of rows whose label is their bit of `answers`.
pub(crate) fn share_right(answers: &[u64], rows: &Rows) -> f64 {
    let valid = |w| if 64 * (w + 1) > rows.len() { bits::last_mask(rows.len()) } else { u64::MAX };
    let wrong = answers.iter().zip(rows.labels()).enumerate();
    let wrong: u32 = wrong.map(|(w, (answer, label))| ((answer ^ label) & valid(w)).count_ones()).sum();
    1.0 - f64::from(wrong) / rows.len() as f64
}
