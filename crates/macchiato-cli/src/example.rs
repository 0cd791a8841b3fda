//! The embedded example: 120 evenings on a landing, and the rule behind its light.
//!
//! Two switches, upstairs and downstairs, each flip the light; so does somebody who moves in the dark. The columns rain,
//! weekend, tv and heating have nothing to do with it. The rows are 120 of the 256 possible ones.

use macchiato::circuit::Circuit;
use macchiato::frame::{self, Format, Frame, FrameOptions, Kind, ReadError};

const ROWS: &str = include_str!("landing_light.csv");

/// Inputs of a stage of the paper's method: fewer than the rule has, so that it takes two.
pub(crate) const K: usize = 3;

/// The rows.
pub(crate) fn frame() -> Result<Frame, ReadError> {
    let mut options = FrameOptions::default();
    options.last = Some(Kind::Category);
    frame::read_from(ROWS.as_bytes(), "landing_light.csv (built in)", Format::Csv, &options)
}

/// On how many of all possible rows the circuit is right, seen or not, and how many there are.
pub(crate) fn right_everywhere(circuit: &Circuit) -> (usize, usize) {
    let all = 1usize << circuit.inputs().len();
    let is_right = |point: &usize| {
        let x: Vec<bool> = (0..circuit.inputs().len()).map(|i| point >> i & 1 == 1).collect();
        circuit.at(&x) == [u64::from(rule(&x))]
    };
    ((0..all).filter(is_right).count(), all)
}

/// How the light really works.
fn rule(x: &[bool]) -> bool {
    match x {
        [upstairs, downstairs, dark, motion, ..] => upstairs ^ downstairs ^ (*dark && *motion),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::bits;
    use macchiato::rows::Rows;

    #[test]
    fn the_rows_follow_the_rule() {
        let options = FrameOptions::default();
        let frame = frame::read_from(ROWS.as_bytes(), "rows", Format::Csv, &options).expect("a frame");
        let rows = Rows::from_frame(frame, None).expect("bits");
        assert_eq!((rows.len(), rows.inputs()), (120, 8));
        assert_eq!(rows.names()[..4], ["upstairs", "downstairs", "dark", "motion"]);
        for row in 0..rows.len() {
            let columns = rows.columns().iter().map(Vec::as_slice).chain([rows.labels()]);
            let x: Vec<bool> = columns.map(|column| bits::get(column, row)).collect();
            assert_eq!(rule(&x[..8]), x[8], "row {row}");
        }
    }
}
