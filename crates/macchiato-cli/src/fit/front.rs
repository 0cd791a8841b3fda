//! The front of a fit in lines: the best circuit of each size.

use std::fmt::Write as _;

use macchiato::learn::Front;

/// A head and a line for each size.
pub(super) fn lines(front: &Front) -> String {
    let mut lines = match front.held {
        0 => {
            "\nConditions, and the score in nats, of circuits each better than all shorter ones:\n".to_owned()
        }
        held => format!(
            "\nConditions, and the rate on {held} rows, of circuits each better than all shorter ones\n\
             (each judged by rows that it did not learn from):\n"
        ),
    };
    for judged in front.members() {
        let (candidate, hits) = (&judged.candidate, judged.hits);
        let worth = match front.held {
            0 => format!("{:.1}", candidate.score()),
            held => format!("{:.4}", hits as f64 / held as f64),
        };
        // Writing to a String does not fail.
        let _ = writeln!(lines, "{:>6}  {worth}  {}", candidate.conditions(), candidate.recipe);
    }
    lines
}
