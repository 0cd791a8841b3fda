//! The sizes that a circuit may have, in lines: the front of accuracy against size, as far as people read.

use std::fmt::Write as _;

use macchiato::model::ClassCircuit;

/// A head and a line for each size; nothing where no circuits competed.
pub(crate) fn lines(circuit: &ClassCircuit) -> String {
    let (alternatives, decision) = (circuit.alternatives(), &circuit.trace().decision);
    let (Some(decision), false) = (decision, alternatives.is_empty()) else { return String::new() };
    let mut lines = match decision.asked {
        0 => "\nConditions, and the nats that are left, of circuits each better than all shorter ones:\n"
            .to_owned(),
        asked => format!(
            "\nConditions, and the rate on {asked} rows, of circuits each better than all shorter ones\n\
             (each judged by rows that it did not learn from):\n"
        ),
    };
    for alternative in alternatives {
        let found = alternative.found();
        let worth = match found.right {
            Some(right) => format!("{:.4}", right as f64 / decision.asked as f64),
            None => format!("{:.1}", found.nats.unwrap_or_default()),
        };
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{:>6}  {worth}  {}", alternative.conditions(), found.name);
    }
    lines
}
