//! A classifier: the tests that turn a table into bits, and one circuit for each class; its file is in `docs/classifier.md`.
//!
//! Two classes have one circuit, which is 1 where it predicts the positive class. More have one each, learned as that class
//! against the rest over the same bits. A target with a single class has none: that class is always the answer.
//!
//! Beside each circuit stand the counts of the training rows in its cells ([`Cells`]), from which probabilities follow; so
//! prediction needs no training rows.

mod cells;
mod check;
mod counted;
mod error;
mod file;
mod learn;
mod predict;
mod read;
mod target;

use std::collections::HashSet;
use std::io::{self, Read, Write};

use crate::binarize::{BinarizeError, BinarizeOptions, Binarizer};
use crate::frame::Columns;
use crate::minimize::Budget;
use crate::model::{Holdout, Method, Model, layout};
use crate::words::Words;

pub use cells::Cells;
pub(crate) use cells::Keys;
pub use counted::counted;
pub use error::{ClassifierError, ClassifierFault, FitError};
pub use target::{Target, TargetError};

use counted::Counted;

/// The value of the key `format`.
pub const FORMAT: &str = "macchiato-classifier";

/// The versions of the file that [`Classifier::read`] knows; [`Classifier::write`] writes the last one.
pub const VERSIONS: [u64; 1] = [1];

/// Rows with their classes.
#[derive(Debug)]
pub struct Examples<'a, C: Columns + ?Sized> {
    /// The inputs.
    pub columns: &'a C,
    /// What is to be predicted.
    pub target: &'a Target,
    /// Weight of each row in millionths, where the rows are weighted; they add up to at most [`i64::MAX`]. A row of weight 0
    /// counts as absent.
    pub weights: Option<&'a [u64]>,
}

/// How to learn a classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierOptions {
    /// How each circuit is learned. A `k` above the number of bits counts as that number.
    pub method: Method,
    /// How the bits are chosen.
    pub binarize: BinarizeOptions,
    /// The positive one of two classes, by default the last; with more classes there is none.
    pub positive: Option<String>,
}

/// A learned classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    binarizer: Binarizer,
    target: String,
    classes: Vec<String>,
    positive: Option<usize>,
    models: Vec<Model>,
    cells: Vec<Cells>,
    holdout: Option<Holdout>,
}

impl Classifier {
    /// Learns a classifier from training rows; `validation` rows, where there are any, decide between candidates (method
    /// `auto`). `observe` is told in a few words what is being done.
    ///
    /// When the budget is spent the best circuits so far stand, and their traces say so. Several classes share the time
    /// that is left.
    ///
    /// # Errors
    /// Columns, labels or parameters that cannot be used, each with its column and row.
    pub fn fit<C: Columns + ?Sized>(
        train: &Examples<'_, C>,
        validation: Option<&Examples<'_, C>>,
        options: &ClassifierOptions,
        budget: &Budget,
        observe: impl Fn(&str),
    ) -> Result<Self, FitError> {
        let (train, validation) = (Counted::new(train), validation.map(Counted::new));
        let examples = validation.as_ref().map(Counted::examples);
        let learned = learn::learn(&train.examples(), examples.as_ref(), options, budget, &observe);
        learned.map_err(|error| match &validation {
            Some(validation) => validation.placed(error),
            None => error,
        })
    }

    /// The tests that turn a table into bits.
    #[must_use]
    pub const fn binarizer(&self) -> &Binarizer {
        &self.binarizer
    }

    /// The name of what is predicted.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The classes, in order: by number where all are numbers, otherwise by text.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The number of the positive one of two classes.
    #[must_use]
    pub const fn positive(&self) -> Option<usize> {
        self.positive
    }

    /// The number of the class that is spelled `text`, or is the same number.
    #[must_use]
    pub fn class(&self, text: &str) -> Option<usize> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
        let same = |class: &String| class == text;
        self.classes.iter().position(same).or_else(|| {
            let wanted = number(text)?;
            self.classes.iter().position(|class| number(class) == Some(wanted))
        })
    }

    /// The circuits over the bits: that of the positive class, or one for each class, or none for a single class.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The counts of the training rows in each circuit's cells.
    #[must_use]
    pub fn cells(&self) -> &[Cells] {
        &self.cells
    }

    /// What rows said that were put aside before the fit, where there were any.
    #[must_use]
    pub const fn holdout(&self) -> Option<&Holdout> {
        self.holdout.as_ref()
    }

    /// The same classifier, with what held-out rows said of it.
    #[must_use]
    pub fn with_holdout(self, holdout: Holdout) -> Self {
        Self { holdout: Some(holdout), ..self }
    }

    /// What the inputs of the circuits are called.
    #[must_use]
    pub const fn words(&self) -> Words<'_> {
        Words::Bits(&self.binarizer)
    }

    /// The number of each row's class.
    ///
    /// Of two classes it is the positive one where the circuit is 1. Of more it is the one of greatest
    /// [probability](Self::predict_proba): the one whose circuit is 1, and where none or several are, the one with the highest
    /// smoothed frequency in its circuit's cell. Ties go to the first.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    pub fn predict(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<u32>, BinarizeError> {
        self.classes_of(columns)
    }

    /// The probability of each class, row by row: `classes().len()` numbers for each row, which add up to 1.
    ///
    /// A circuit's probability is that of its [`Cells`]: above one half where it is 1, below where it is 0. Of two classes the
    /// other one has the rest; of more, the circuits' probabilities are divided by their sum. The first greatest one is the
    /// class that [`Classifier::predict`] gives.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    pub fn predict_proba(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<f64>, BinarizeError> {
        self.probabilities_of(columns)
    }

    /// The classifier without the times of its steps, in which two runs on the same rows differ.
    #[must_use]
    pub fn without_timings(mut self) -> Self {
        self.models = self.models.into_iter().map(Model::without_timings).collect();
        self
    }

    /// Reads a classifier and checks all of it; `source` names it in messages.
    ///
    /// # Errors
    /// What cannot be read, is no JSON, or says something that no classifier can say.
    pub fn read(reader: impl Read, source: &str) -> Result<Self, ClassifierError> {
        read::read(reader, source)
    }

    /// Whether `bytes` are a file that calls itself a classifier, good or bad.
    #[must_use]
    pub fn is_classifier(bytes: &[u8]) -> bool {
        read::is_classifier(bytes)
    }

    /// Writes the classifier in the latest version.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let compact = serde_json::to_string(&file::Classifier::new(self))?;
        writer.write_all(layout::lay_out(&compact).as_bytes())?;
        writer.write_all(b"\n")
    }

    /// The classes that have a circuit, in the order of [`Classifier::models`].
    #[must_use]
    pub fn learned(&self) -> Vec<usize> {
        match (self.positive, self.classes.len()) {
            (Some(positive), _) => vec![positive],
            (None, 0 | 1) => Vec::new(),
            (None, classes) => (0..classes).collect(),
        }
    }

    /// The names of what the circuits predict: `target = class`, numbered where a bit has that name.
    fn circuit_targets(&self) -> Vec<String> {
        let names: HashSet<String> = self.binarizer.names().into_iter().collect();
        let target = |class: usize| {
            let name = format!("{} = {}", self.target, self.classes[class]);
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
            free.unwrap_or_default()
        };
        self.learned().into_iter().map(target).collect()
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // The greatest is one of them.
mod tests;
