//! A model: the tests that turn a table into bits, one circuit for each class over them, and how they were learned; its file is in
//! `docs/model.md`.
//!
//! Two classes have one circuit, which is 1 where it predicts the positive class. More have one each, learned as that class
//! against the rest over the same bits. A target with a single class has none: that class is always the answer.
//!
//! A table of 0 and 1 is a table like others: each of its columns is its own test, and its classes are 0 and 1.
//!
//! The file is JSON with a version that a person can read. Reading checks everything that the file says and names the first thing that
//! is wrong by its path. Writing what was read gives the same bytes again; without times ([`Model::without_timings`]) the same rows,
//! parameters and seed give the same bytes on every machine.

mod accepted;
mod alternative;
mod cells;
mod check;
mod class_circuit;
mod class_type;
mod class_weight;
mod counted;
mod equation;
mod error;
mod fault;
pub(crate) mod file;
pub(crate) mod gates;
mod holdout;
pub(crate) mod layout;
mod learn;
mod method;
pub(crate) mod object;
mod of_rows;
mod options;
mod possible;
mod predict;
mod read;
mod target;

use std::collections::HashSet;
use std::io::{self, Read, Write};

use crate::binarize::{BinarizeError, Binarizer};
use crate::bits;
use crate::circuit::{Circuit, CircuitError};
use crate::frame::{Columns, Frame};
use crate::minimize::Budget;
use crate::rows::Rows;
use crate::words::Words;

#[cfg(feature = "explain")]
pub(crate) use accepted::Accepting;
pub use alternative::Alternative;
pub use cells::Cells;
pub(crate) use cells::Keys;
pub use class_circuit::ClassCircuit;
pub use class_type::{ClassType, ClassTypeError};
pub use class_weight::{ClassWeight, ClassWeightError};
pub use counted::counted;
pub use error::{FitError, ModelError};
pub use fault::Fault;
pub use holdout::{Confidence, ConfidenceError, Holdout};
pub use method::Method;
pub use options::FitOptions;
pub use target::{Target, TargetError};

use class_weight::Factors;
use counted::Counted;

/// The value of the key `format`.
const FORMAT: &str = "macchiato-model";

/// The versions of the file that [`Model::read`] knows; [`Model::write`] writes the last one.
pub const VERSIONS: [u64; 1] = [1];

/// The longest file that is read, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

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

impl<'a, C: Columns + ?Sized> Examples<'a, C> {
    /// The same rows with these weights, where there are some.
    fn weighing<'b>(&self, weights: Option<&'b [u64]>) -> Examples<'b, C>
    where
        'a: 'b,
    {
        Examples { columns: self.columns, target: self.target, weights: weights.or(self.weights) }
    }
}

/// What is learned from a table, with all that is known about it.
///
/// ```
/// use macchiato::fit::PaperParams;
/// use macchiato::minimize::Budget;
/// use macchiato::model::{Method, Model};
/// use macchiato::rows::Rows;
///
/// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
/// let method = Method::Paper(PaperParams::new(2, 20));
/// let model = Model::of_rows(&rows, &method, &Budget::unlimited())?.without_timings();
///
/// let mut file = Vec::new();
/// model.write(&mut file)?;
/// assert_eq!(Model::read(file.as_slice(), "xor.json")?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    binarizer: Binarizer,
    target: String,
    classes: Vec<String>,
    /// Where the classes do not say it themselves.
    class_type: Option<ClassType>,
    positive: Option<usize>,
    method: Method,
    circuits: Vec<ClassCircuit>,
    holdout: Option<Holdout>,
}

impl Model {
    /// Learns a model from training rows; `validation` rows, where there are any, decide between candidates (method
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
        options: &FitOptions,
        budget: &Budget,
        observe: impl Fn(&str),
    ) -> Result<Self, FitError> {
        Self::fit_accepting(train, validation, (options, None), budget, &observe)
    }

    /// The same among circuits of which something is proven.
    pub(crate) fn fit_accepting<C: Columns + ?Sized>(
        train: &Examples<'_, C>,
        validation: Option<&Examples<'_, C>>,
        options: (&FitOptions, Option<&accepted::Accepting<'_>>),
        budget: &Budget,
        observe: &dyn Fn(&str),
    ) -> Result<Self, FitError> {
        let factors =
            options.0.class_weight.as_ref().map(|wanted| Factors::new(wanted, train)).transpose()?;
        let weights = |examples: &Examples<'_, C>| match &factors {
            Some(factors) => factors.weights(examples),
            None => Ok(None),
        };
        let own = (weights(train)?, validation.map(weights).transpose()?.flatten());
        let train = Counted::new(&train.weighing(own.0.as_deref()));
        let validation = validation.map(|examples| Counted::new(&examples.weighing(own.1.as_deref())));
        let examples = validation.as_ref().map(Counted::examples);
        let learned = learn::learn(&train.examples(), examples.as_ref(), options, budget, observe);
        learned.map_err(|error| match &validation {
            Some(validation) => validation.placed(error),
            None => error,
        })
    }

    /// Learns to predict one column of a table from the others: the last one, or the one called `target`.
    ///
    /// # Errors
    /// No such column, and those of [`Model::fit`].
    pub fn of_frame(
        mut frame: Frame,
        target: Option<&str>,
        options: &FitOptions,
        budget: &Budget,
    ) -> Result<Self, FitError> {
        let name = target.or(frame.names.last().map(String::as_str)).unwrap_or_default().to_owned();
        let Some(values) = frame.take(&name) else { return Err(FitError::NoTarget { target: name }) };
        let target = Target::spelled(&name, &values, frame.rows)?;
        let train = Examples { columns: &frame, target: &target, weights: frame.weights.as_deref() };
        Self::fit(&train, None, options, budget, |_| {})
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

    /// What the classes are in the program that learned them.
    #[must_use]
    pub fn class_type(&self) -> ClassType {
        self.class_type.unwrap_or_else(|| ClassType::of(&self.classes))
    }

    /// The same model with classes of this type; nothing is changed where they cannot be.
    #[must_use]
    pub fn with_class_type(self, class_type: ClassType) -> Self {
        let said = !class_type.fits(&self.classes) || class_type == ClassType::of(&self.classes);
        Self { class_type: (!said).then_some(class_type), ..self }
    }

    /// The number of the positive one of two classes.
    #[must_use]
    pub const fn positive(&self) -> Option<usize> {
        self.positive
    }

    /// The number of the class that is spelled `text`, or is the same number.
    #[must_use]
    pub fn class(&self, text: &str) -> Option<usize> {
        target::class(&self.classes, text)
    }

    /// How its circuits were learned.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// The circuits over the bits: that of the positive class, or one for each class, or none for a single class.
    #[must_use]
    pub fn circuits(&self) -> &[ClassCircuit] {
        &self.circuits
    }

    /// All circuits as one, with an output for each. Equal gates of several are shared, but for the paper's method.
    ///
    /// # Errors
    /// A model of a single class, which has no circuit.
    pub fn circuit(&self) -> Result<Circuit, CircuitError> {
        let circuits: Vec<&Circuit> = self.circuits.iter().map(ClassCircuit::circuit).collect();
        let all = Circuit::beside(&circuits)?;
        let paper = matches!(self.method, Method::Paper(_));
        Ok(if paper || circuits.len() == 1 { all } else { all.shortened() })
    }

    /// The same with the stages of those that have some as the paper writes them.
    ///
    /// # Errors
    /// As [`Model::circuit`].
    pub fn stages_circuit(&self) -> Result<Circuit, CircuitError> {
        let circuits: Vec<Circuit> = self.circuits.iter().map(ClassCircuit::gates).collect();
        Circuit::beside(&circuits.iter().collect::<Vec<_>>())
    }

    /// What rows said that were put aside before the fit, where there were any.
    #[must_use]
    pub const fn holdout(&self) -> Option<&Holdout> {
        self.holdout.as_ref()
    }

    /// The same model, with what held-out rows said of it.
    #[must_use]
    pub fn with_holdout(self, holdout: Holdout) -> Self {
        Self { holdout: Some(holdout), ..self }
    }

    /// Whether it reads 0 and 1 and answers 0 or 1: every column is its own test, and the classes are 0 and 1.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.positive == Some(1) && self.classes == ["0", "1"] && self.binarizer.is_plain()
    }

    /// What the inputs of the circuits are called.
    #[must_use]
    pub fn words(&self) -> Words<'_> {
        match self.circuits.first() {
            Some(circuit) if self.is_plain() => Words::Names(circuit.inputs()),
            _ => Words::Bits(&self.binarizer),
        }
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
    /// class that [`Model::predict`] gives.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    pub fn predict_proba(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<f64>, BinarizeError> {
        self.probabilities_of(columns)
    }

    /// The rows of a table as circuit number `circuit` sees them: its tests, and whether a row is of its class. `classes` has the number of
    /// each row's class, none where that is another one than the model's.
    ///
    /// # Errors
    /// A column that is not there or of another type, lengths that disagree, weights that cannot be counted with.
    ///
    /// # Panics
    /// If there are not that many circuits.
    pub fn rows(
        &self,
        circuit: usize,
        columns: &(impl Columns + ?Sized),
        classes: &[Option<u32>],
        weights: Option<&[u64]>,
    ) -> Result<Rows, FitError> {
        let (class, target) = (self.learned()[circuit], self.circuits[circuit].target());
        let mut labels = bits::Column::default();
        for &of in classes {
            labels.push(of == Some(class as u32));
        }
        let names = (self.binarizer.names(), target.to_owned());
        let weights = weights.map(<[u64]>::to_vec);
        let columns = (self.binarizer.apply(columns)?, columns.rows());
        Ok(Rows::named(names, columns.0, labels.into_words(), (columns.1, weights))?)
    }

    /// The model without the times of its steps, in which two runs on the same rows differ.
    #[must_use]
    pub fn without_timings(mut self) -> Self {
        self.circuits = self.circuits.into_iter().map(ClassCircuit::without_timings).collect();
        self
    }

    /// Reads a model and checks all of it; `source` names it in messages.
    ///
    /// # Errors
    /// What cannot be read, is no JSON, or says something that no model can say.
    pub fn read(reader: impl Read, source: &str) -> Result<Self, ModelError> {
        read::read(reader, source)
    }

    /// Writes the model in the latest version.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let compact = serde_json::to_string(&file::File::new(self))?;
        writer.write_all(layout::lay_out(&compact).as_bytes())?;
        writer.write_all(b"\n")
    }

    /// The classes that have a circuit, in the order of [`Model::circuits`].
    #[must_use]
    pub fn learned(&self) -> Vec<usize> {
        match (self.positive, self.classes.len()) {
            (Some(positive), _) => vec![positive],
            (None, 0 | 1) => Vec::new(),
            (None, classes) => (0..classes).collect(),
        }
    }

    /// The names of what the circuits predict: `target = class`, or the target alone where the model is plain; numbered where a bit has
    /// that name.
    fn circuit_targets(&self) -> Vec<String> {
        let names: HashSet<String> = self.binarizer.names().into_iter().collect();
        let target = |class: usize| {
            let name = if self.is_plain() {
                self.target.clone()
            } else {
                format!("{} = {}", self.target, self.classes[class])
            };
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
