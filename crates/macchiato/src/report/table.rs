//! The table of a stage: its value in every cell, and how many training rows lie there; as a picture where it has more than
//! six inputs.
//!
//! Up to 12 inputs a picture has a square for each cell. Up to [`MOST`] inputs a square stands for all cells that agree on the
//! first 12, and its shade says in how many of them the stage holds. Past that the terms themselves are drawn. Both ways along a
//! picture neighbours differ in one input.

use std::fmt::Write as _;

use super::escape::{Text, count};
use super::measure::Measured;
use crate::bits;
use crate::stage::{Signed, Stage};

/// The most inputs whose cells are all computed.
pub(super) const MOST: usize = 18;
/// The most inputs with a square for each cell.
const SQUARES: usize = 12;
/// Terms that a picture of them shows.
const TERMS: usize = 64;

/// The cells of a stage over the inputs that its terms read; the first input is the highest bit of a cell's number.
pub(super) struct Squares {
    pub(super) inputs: Vec<usize>,
    /// Cells, or points of each square, on which the stage holds.
    pub(super) ones: Vec<u32>,
    /// Points of each square.
    each: u32,
    /// Training rows in each.
    pub(super) rows: Option<Vec<usize>>,
}

/// The inputs that the terms of a stage read, in increasing order.
pub(super) fn read(stage: &Stage) -> Vec<usize> {
    let mut inputs: Vec<usize> = stage.terms().flatten().map(|(input, _)| input).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

/// The n-th number of the Gray code.
pub(super) const fn gray(n: usize) -> usize {
    n ^ n >> 1
}

impl Squares {
    /// All cells of a stage that reads at most [`MOST`] inputs, of so many that there are.
    pub(super) fn new(of: usize, stage: &Stage, train: Option<&Measured<'_>>) -> Option<Self> {
        let inputs = read(stage);
        let wide = inputs.len();
        if wide > MOST {
            return None;
        }
        let words = bits::words(1 << wide);
        let column = |place: usize| -> Vec<u64> {
            let bit = wide - 1 - place;
            (0..words)
                .map(|w| match bit {
                    0..6 => {
                        (0..64).filter(|point| point >> bit & 1 == 1).fold(0, |word, point| word | 1 << point)
                    }
                    _ if w >> (bit - 6) & 1 == 1 => u64::MAX,
                    _ => 0,
                })
                .collect()
        };
        let made: Vec<Vec<u64>> = (0..wide).map(column).collect();
        let mut columns: Vec<&[u64]> = vec![&[]; of];
        for (&input, column) in inputs.iter().zip(&made) {
            columns[input] = column;
        }
        let values = stage.evaluate(&columns, words);
        let rest = wide.saturating_sub(SQUARES);
        let mut ones = vec![0u32; 1 << (wide - rest)];
        for point in bits::ones(&values).take_while(|point| point >> wide == 0) {
            ones[point >> rest] += 1;
        }
        let rows = train.map(|train| {
            let mut rows = vec![0usize; ones.len()];
            let columns: Vec<&[u64]> =
                inputs[..wide - rest].iter().map(|&input| &*train.columns[input]).collect();
            for row in 0..train.rows {
                let cell =
                    columns.iter().fold(0, |cell, column| cell << 1 | usize::from(bits::get(column, row)));
                rows[cell] += 1;
            }
            rows
        });
        Some(Self { inputs, ones, each: 1 << rest, rows })
    }

    /// How many of the inputs go down and how many across.
    pub(super) fn shape(&self) -> (usize, usize) {
        let squares = self.inputs.len().min(SQUARES);
        (squares / 2, squares - squares / 2)
    }

    /// The picture.
    pub(super) fn heat_map(&self, out: &mut String, name: impl Fn(Signed) -> String) {
        let (rows, columns) = self.shape();
        let (down, rest) = self.inputs.split_at(rows);
        let (across, rest) = rest.split_at(columns);
        let named = |inputs: &[usize]| -> String {
            inputs.iter().map(|&input| Text(&name((input, true))).to_string()).collect::<Vec<_>>().join(", ")
        };
        // One path of horizontal strokes for each shade.
        let mut paths = vec![String::new(); 10];
        for row in 0..1usize << rows {
            let shade = |column: usize| self.shade(gray(row) << columns | gray(column));
            let mut from = 0;
            for column in 1..=1usize << columns {
                if column == 1 << columns || shade(column) != shade(from) {
                    let _ = write!(paths[shade(from)], "M{from} {row}.5h{}", column - from);
                    from = column;
                }
            }
        }
        let vars: Vec<String> = down.iter().chain(across).map(ToString::to_string).collect();
        let ones: u64 = self.ones.iter().map(|&ones| u64::from(ones)).sum();
        let share = ones as f64 / (self.ones.len() as f64 * f64::from(self.each));
        let (width, height) = (1 << columns, 1 << rows);
        let _ = write!(
            out,
            "<figure class=\"heat\"><svg viewBox=\"0 0 {width} {height}\" role=\"img\" data-vars=\"{}\" \
             aria-label=\"The stage’s table: it holds on {} of 2 to the {} cells\" preserveAspectRatio=\"none\">",
            vars.join(" "),
            super::escape::percent(share),
            self.inputs.len()
        );
        for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let unseen = if shade >= 5 { " unseen" } else { "" };
            let _ = write!(out, "<path class=\"h{}{unseen}\" d=\"{path}\"/>", shade % 5);
        }
        let _ = write!(
            out,
            "<rect class=\"now\" width=\"1\" height=\"1\"/></svg><figcaption>The table of its {}, dark where the stage holds. \
             Down: {}. Across: {}.",
            count(self.inputs.len(), "input"),
            named(down),
            named(across)
        );
        if !rest.is_empty() {
            let _ = write!(out, " A square is all values of {}.", named(rest));
        }
        out.push_str("</figcaption></figure>");
    }

    /// From 0, never, to 4, everywhere; 5 more without training rows.
    fn shade(&self, square: usize) -> usize {
        let level = match self.ones[square] {
            0 => 0,
            ones if ones == self.each => 4,
            ones => 1 + (3 * ones / self.each).min(2) as usize,
        };
        let unseen = self.rows.as_ref().is_some_and(|rows| rows[square] == 0);
        level + if unseen { 5 } else { 0 }
    }
}

/// The terms of a stage over so many inputs that its table fits nowhere: one line each, dark where an input must be 1, light
/// where it must be 0.
pub(super) fn terms(out: &mut String, stage: &Stage) {
    let inputs = read(stage);
    let shown: Vec<Vec<Signed>> = stage.terms().take(TERMS).collect();
    let (mut one, mut zero) = (String::new(), String::new());
    for (row, term) in shown.iter().enumerate() {
        for &(input, positive) in term {
            let column = inputs.partition_point(|&other| other < input);
            let _ = write!(if positive { &mut one } else { &mut zero }, "M{column} {row}.5h1");
        }
    }
    let _ = write!(
        out,
        "<figure class=\"heat terms-map\"><svg viewBox=\"0 0 {} {}\" role=\"img\" preserveAspectRatio=\"none\" \
         aria-label=\"The terms, one line each\"><path class=\"h4\" d=\"{one}\"/><path class=\"h1\" d=\"{zero}\"/></svg>\
         <figcaption>Its {} are too many for a table. {} of {}, one line each; dark: the input must be 1, light: 0.</figcaption></figure>",
        inputs.len(),
        shown.len(),
        count(inputs.len(), "input"),
        shown.len(),
        count(stage.cover.terms(), "term"),
    );
}
