//! The front of accuracy against size, as Python reads it.

use macchiato::model::{Alternative, ClassCircuit};

/// A circuit of a front: its conditions, the share of rows right among those that judged it where there were some, how it was found, and the nats
/// that it leaves.
pub(crate) type Size = (usize, Option<f64>, String, Option<f64>);

/// The sizes that a circuit may have, shortest first.
pub(crate) fn sizes(circuit: &ClassCircuit) -> Vec<Size> {
    let asked = circuit.trace().decision.as_ref().map_or(0, |decision| decision.asked);
    let size = |alternative: &Alternative| {
        let found = alternative.found();
        let right = found.right.map(|right| right as f64 / asked as f64);
        (alternative.conditions(), right, found.name.clone(), found.nats)
    };
    circuit.alternatives().iter().map(size).collect()
}
