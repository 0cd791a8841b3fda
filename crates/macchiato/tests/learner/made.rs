//! Tables that the tests make up, row by row, and classifiers learned from them.

use macchiato::bits;
use macchiato::frame::{Frame, Values};
use macchiato::learn::AutoParams;
use macchiato::minimize::Budget;
use macchiato::model::{Examples, FitOptions, Method, Model, Target};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One value of a row.
pub(crate) enum Cell {
    Bit(bool),
    /// NaN is a gap.
    Number(f64),
    Level(&'static str),
}

/// Random draws, the same on every platform.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// One of 0, 1, ..., `bound` - 1.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    pub(crate) fn bit(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(crate) fn bits(&mut self, many: usize) -> Vec<bool> {
        (0..many).map(|_| self.bit()).collect()
    }

    /// From 0 to 1, in steps of a thousandth, so that decimals are short.
    pub(crate) fn number(&mut self) -> f64 {
        self.below(1001) as f64 / 1000.0
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Rows and their classes.
pub(crate) struct Made {
    pub(crate) frame: Frame,
    pub(crate) target: Target,
}

/// `rows` rows, each with the name of its class.
pub(crate) fn made(rows: usize, seed: u64, row: impl Fn(&mut Draw) -> (Vec<Cell>, &'static str)) -> Made {
    let mut draw = Draw::new(seed);
    let (cells, classes): (Vec<Vec<Cell>>, Vec<&str>) = (0..rows).map(|_| row(&mut draw)).unzip();
    let columns: Vec<Values<'static>> = (0..cells[0].len()).map(|column| values(&cells, column)).collect();
    let classes = category(&classes);
    let frame = Frame {
        source: "made".to_owned(),
        names: (1..=columns.len()).map(|column| format!("x{column}")).collect(),
        columns,
        rows,
        weights: None,
    };
    Made { frame, target: Target::new("class", &classes, rows).expect("a target") }
}

fn values(cells: &[Vec<Cell>], column: usize) -> Values<'static> {
    match cells[0][column] {
        Cell::Bit(_) => {
            let mut column_bits = vec![0u64; bits::words(cells.len())];
            for (row, _) in cells.iter().enumerate().filter(|(_, row)| matches!(row[column], Cell::Bit(true)))
            {
                bits::set(&mut column_bits, row);
            }
            Values::Boolean { bits: column_bits.into(), missing: None }
        }
        Cell::Number(_) => {
            let number =
                |row: &Vec<Cell>| if let Cell::Number(number) = row[column] { number } else { f64::NAN };
            Values::Number(cells.iter().map(number).collect())
        }
        Cell::Level(_) => {
            let level = |row: &Vec<Cell>| if let Cell::Level(level) = row[column] { level } else { "" };
            category(&cells.iter().map(level).collect::<Vec<_>>())
        }
    }
}

fn category(texts: &[&str]) -> Values<'static> {
    let mut levels: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    levels.sort();
    levels.dedup();
    let code = |text: &&str| levels.iter().position(|level| level == text).expect("a level") as u32;
    Values::Category { codes: texts.iter().map(code).collect(), levels: levels.into() }
}

impl Made {
    /// A classifier learned from the rows.
    pub(crate) fn learn(&self, effort: u8, budget: &Budget) -> Model {
        self.learn_by(Method::Auto(AutoParams::with(|params| params.effort = effort)), budget)
    }

    /// The same by any method.
    pub(crate) fn learn_by(&self, method: Method, budget: &Budget) -> Model {
        self.learn_observed(method, budget, |_| {})
    }

    /// The same, telling `observe` what is being done.
    pub(crate) fn learn_observed(&self, method: Method, budget: &Budget, observe: impl Fn(&str)) -> Model {
        let options = FitOptions::by(method);
        let train = Examples { columns: &self.frame, target: &self.target, weights: None };
        Model::fit(&train, None, &options, budget, observe).expect("a classifier").without_timings()
    }

    /// The share of the rows whose class the classifier predicts.
    pub(crate) fn accuracy(&self, classifier: &Model) -> f64 {
        let predicted = classifier.predict(&self.frame).expect("classes");
        let right = predicted.iter().zip(self.target.codes()).filter(|&(&answer, &class)| {
            classifier.classes()[answer as usize] == self.target.classes()[class as usize]
        });
        right.count() as f64 / self.frame.rows as f64
    }

    /// The share of the most frequent class.
    pub(crate) fn majority(&self) -> f64 {
        let count = |class: usize| self.target.codes().iter().filter(|&&code| code as usize == class).count();
        let most = (0..self.target.classes().len()).map(count).max().unwrap_or(0);
        most as f64 / self.frame.rows as f64
    }
}

/// Literals of all circuits: how much there is to read.
pub(crate) fn literals(classifier: &Model) -> usize {
    let stages = classifier.circuits().iter().flat_map(macchiato::model::ClassCircuit::stages);
    stages.map(|stage| stage.cover.literals()).sum()
}
