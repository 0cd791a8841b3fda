//! How often the answers are right on labelled rows: overall, class by class, and after each stage.

use super::{ReportError, Sample};
use crate::bits;
use crate::model::{ClassCircuit, Model};
use crate::rows::WEIGHT_UNIT;
use crate::stage::prefixes;

/// Rows with their answers.
pub(super) struct Measured<'a> {
    pub(super) sample: Sample<'a>,
    pub(super) rows: usize,
    /// Bit columns of the circuits' inputs.
    pub(super) columns: Vec<Vec<u64>>,
    /// The class that is answered for each row.
    pub(super) answers: Vec<u32>,
    /// For each class, how its rows were answered: rows, or their weights.
    pub(super) confusion: Vec<Vec<f64>>,
    /// For each circuit its accuracy before the first stage and after each.
    pub(super) curves: Vec<Vec<f64>>,
}

impl<'a> Measured<'a> {
    pub(super) fn new(model: &'a Model, sample: Sample<'a>) -> Result<Self, ReportError> {
        let wrong = |why| ReportError::Sample { source_name: sample.source.to_owned(), why };
        let rows = sample.labels.len();
        let classes = model.classes().len();
        if sample.labels.iter().any(|&label| label as usize >= classes) {
            return Err(wrong("a label is none of the model's classes"));
        }
        if sample.weights.is_some_and(|weights| weights.len() != rows) {
            return Err(wrong("there are not as many weights as labels"));
        }
        let broken = |error| ReportError::Columns { source_name: sample.source.to_owned(), error };
        if sample.frame.rows != rows {
            return Err(wrong("there are not as many rows as labels"));
        }
        let columns = model.binarizer().apply(sample.frame).map_err(broken)?;
        let answers = model.predict(sample.frame).map_err(broken)?;
        let mut measured = Self { sample, rows, columns, answers, confusion: Vec::new(), curves: Vec::new() };
        measured.confusion = measured.confusion(classes);
        let circuits = model.circuits().iter().zip(model.learned());
        measured.curves = circuits.map(|(circuit, class)| measured.curve(circuit, class)).collect();
        Ok(measured)
    }

    /// The bit columns.
    pub(super) fn bits(&self) -> Vec<&[u64]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    fn weight(&self, row: usize) -> u64 {
        self.sample.weights.map_or(WEIGHT_UNIT, |weights| weights[row])
    }

    fn confusion(&self, classes: usize) -> Vec<Vec<f64>> {
        let mut counts = vec![vec![0u64; classes]; classes];
        for (row, (&label, &answer)) in self.sample.labels.iter().zip(&self.answers).enumerate() {
            let count = &mut counts[label as usize][answer as usize];
            *count = count.saturating_add(self.weight(row));
        }
        let share = |count: u64| count as f64 / WEIGHT_UNIT as f64;
        counts.into_iter().map(|counts| counts.into_iter().map(share).collect()).collect()
    }

    /// The share of rows on which a circuit tells its class from the rest, stage by stage.
    fn curve(&self, circuit: &ClassCircuit, class: usize) -> Vec<f64> {
        let (rows, words) = (self.rows, bits::words(self.rows));
        let mut labels = vec![0u64; words];
        let of_class = |&(_, label): &(usize, &u32)| *label as usize == class;
        for (row, _) in self.sample.labels.iter().enumerate().filter(of_class) {
            bits::set(&mut labels, row);
        }
        let all: u64 = (0..rows).fold(0u64, |all, row| all.saturating_add(self.weight(row)));
        let accuracy = |answers: &[u64]| {
            let mut wrong: Vec<u64> =
                labels.iter().zip(answers).map(|(label, answer)| label ^ answer).collect();
            bits::trim(&mut wrong, rows);
            let errors = match self.sample.weights {
                None => bits::count(&wrong) as u64 * WEIGHT_UNIT,
                Some(weights) => bits::ones(&wrong).fold(0u64, |sum, row| sum.saturating_add(weights[row])),
            };
            if all == 0 { 0.0 } else { 1.0 - errors as f64 / all as f64 }
        };
        let columns = self.bits();
        // Without a rule, the more frequent answer is given.
        let constant = accuracy(&vec![0; words]).max(accuracy(&vec![u64::MAX; words]));
        std::iter::once(constant)
            .chain(prefixes(circuit.stages(), &columns, words).map(|answers| accuracy(&answers)))
            .collect()
    }

    /// The share of rows, or of their weight, that is answered right.
    pub(super) fn accuracy(&self) -> f64 {
        let right: f64 = (0..self.confusion.len()).map(|class| self.confusion[class][class]).sum();
        let all: f64 = self.confusion.iter().flatten().sum();
        if all > 0.0 { right / all } else { 0.0 }
    }

    /// The most frequent class, and the share that always answering it gets right.
    pub(super) fn majority(&self) -> (usize, f64) {
        let counts: Vec<f64> = self.confusion.iter().map(|row| row.iter().sum()).collect();
        let all: f64 = counts.iter().sum();
        let most = (0..counts.len()).rev().max_by(|&a, &b| counts[a].total_cmp(&counts[b])).unwrap_or(0);
        (most, if all > 0.0 { counts[most] / all } else { 0.0 })
    }

    /// The mean over the classes that occur of the share that is right.
    pub(super) fn balanced_accuracy(&self) -> f64 {
        let recall = |(class, row): (usize, &Vec<f64>)| {
            let all: f64 = row.iter().sum();
            (all > 0.0).then(|| row[class] / all)
        };
        let recalls: Vec<f64> = self.confusion.iter().enumerate().filter_map(recall).collect();
        recalls.iter().sum::<f64>() / recalls.len().max(1) as f64
    }

    /// Rows that are answered wrong.
    pub(super) fn wrong(&self) -> usize {
        self.sample.labels.iter().zip(&self.answers).filter(|(label, answer)| label != answer).count()
    }
}
