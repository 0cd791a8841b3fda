//! Learning a classifier: the bits once, then the circuit of each class in turn over the same bits.

use super::cells::Cells;
use super::{Classifier, ClassifierOptions, Examples, FitError, Target};
use crate::binarize::{Binarizer, Labels};
use crate::bits;
use crate::fit::{fit_auto_observed, fit_paper_observed};
use crate::frame::Columns;
use crate::minimize::Budget;
use crate::model::{Method, Model};
use crate::rows::Rows;
use crate::table::Table;

pub(super) fn learn<C: Columns + ?Sized>(
    train: &Examples<'_, C>,
    validation: Option<&Examples<'_, C>>,
    options: &ClassifierOptions,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<Classifier, FitError> {
    let target = train.target;
    let positive = positive(target, options.positive.as_deref())?;
    observe("choosing cuts and levels");
    let labels = Labels { codes: target.codes(), classes: target.classes().len(), weights: train.weights };
    let (binarizer, columns) = Binarizer::learn_and_apply(train.columns, &labels, &options.binarize)?;
    let mut classifier = Classifier {
        binarizer,
        target: target.name().to_owned(),
        classes: target.classes().to_vec(),
        positive,
        models: Vec::new(),
        cells: Vec::new(),
        holdout: None,
    };
    let learned = classifier.learned();
    let targets = classifier.circuit_targets();
    let (Some(&first), Some(name)) = (learned.first(), targets.first()) else { return Ok(classifier) };
    let mut asked = match validation {
        Some(validation) => Some(Asked::new(&classifier, validation, first, name)?),
        None => None,
    };
    let labels = is(target.codes(), first);
    let mut rows = rows(&classifier, columns, (train.columns.rows(), train.weights), name, labels)?;
    for (done, &class) in learned.iter().enumerate() {
        if done > 0 {
            let labels = is(target.codes(), class);
            rows = rows.relabelled(targets[done].clone(), labels);
            asked = asked.map(|asked| asked.relabelled(&targets[done], class));
        }
        let say = |words: &str| match learned.len() {
            1 => observe(words),
            all => observe(&format!("class {} of {all}, {}: {words}", done + 1, classifier.classes[class])),
        };
        let budget = budget.share((learned.len() - done) as u32);
        let validation = asked.as_ref().map(|asked| &asked.rows);
        let model = circuit(&rows, validation, &options.method, &budget, &say)?;
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let cells = Cells::new(&model, &columns, rows.labels(), (rows.len(), rows.weights()));
        classifier.models.push(model);
        classifier.cells.push(cells);
    }
    Ok(classifier)
}

/// One circuit; inputs of a stage are at most those that there are.
fn circuit(
    rows: &Rows,
    validation: Option<&Rows>,
    method: &Method,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<Model, FitError> {
    match method {
        Method::Auto(params) => {
            let mut params = params.clone();
            params.k = params.k.map(|k| k.min(rows.inputs()));
            let params = params.check(rows)?;
            let fit = fit_auto_observed(rows, validation, &params, budget, observe)?;
            Ok(Model::new(fit, Method::Auto(params.get().clone()), rows))
        }
        Method::Paper(params) => {
            let mut params = params.clone();
            params.k = params.k.min(rows.inputs());
            let params = params.check(rows)?;
            let (mut t, m) = (0, params.get().m);
            let fit = fit_paper_observed(rows, &params, budget, |stage| {
                t += 1;
                observe(&format!("stage {t} of {m}: {} rows wrong", stage.errors_after));
            })?;
            Ok(Model::new(fit, Method::Paper(params.get().clone()), rows))
        }
    }
}

/// The number of the positive class, where there are two.
fn positive(target: &Target, wanted: Option<&str>) -> Result<Option<usize>, FitError> {
    let classes = target.classes();
    let at = match wanted {
        Some(wanted) => {
            Some(classes.iter().position(|class| class == wanted).ok_or_else(|| FitError::NoPositive {
                target: target.name().to_owned(),
                positive: wanted.to_owned(),
                classes:
                    classes.iter().take(12).map(|class| format!("{class:?}")).collect::<Vec<_>>().join(", "),
            })?)
        }
        None => None,
    };
    match (classes.len(), at) {
        (2, at) => Ok(Some(at.unwrap_or(1))),
        (1, _) | (_, None) => Ok(None),
        (classes, Some(_)) => Err(FitError::PositiveOfMany { target: target.name().to_owned(), classes }),
    }
}

/// The bit column of the rows of one class.
fn is(codes: &[u32], class: usize) -> Vec<u64> {
    let mut column = vec![0u64; bits::words(codes.len())];
    for (row, _) in codes.iter().enumerate().filter(|&(_, &code)| code as usize == class) {
        bits::set(&mut column, row);
    }
    column
}

/// Rows with these labels.
fn rows(
    classifier: &Classifier,
    mut columns: Vec<Vec<u64>>,
    (rows, weights): (usize, Option<&[u64]>),
    target: &str,
    labels: Vec<u64>,
) -> Result<Rows, FitError> {
    let mut names = classifier.binarizer.names();
    names.push(target.to_owned());
    columns.push(labels);
    let table =
        Table { source: "rows".to_owned(), names, columns, rows, weights: weights.map(<[u64]>::to_vec) };
    Ok(Rows::from_table(table, None)?)
}

/// The validation rows, with the classes numbered as those of the training rows.
struct Asked {
    rows: Rows,
    codes: Vec<u32>,
}

impl Asked {
    fn new<C: Columns + ?Sized>(
        classifier: &Classifier,
        examples: &Examples<'_, C>,
        class: usize,
        name: &str,
    ) -> Result<Self, FitError> {
        let target = examples.target;
        let known = |name: &String| classifier.classes.iter().position(|class| class == name);
        let places: Vec<Option<usize>> = target.classes().iter().map(known).collect();
        let code = |(row, &code): (usize, &u32)| match places[code as usize] {
            Some(place) => Ok(place as u32),
            None => Err(FitError::UnknownClass {
                target: target.name().to_owned(),
                row,
                class: target.classes()[code as usize].clone(),
            }),
        };
        let codes: Vec<u32> = target.codes().iter().enumerate().map(code).collect::<Result<_, _>>()?;
        let columns = classifier.binarizer.apply(examples.columns)?;
        if codes.len() != examples.columns.rows() {
            let (found, rows) = (codes.len(), examples.columns.rows());
            return Err(crate::binarize::BinarizeError::Length { what: "labels", found, rows }.into());
        }
        let rows = rows(classifier, columns, (codes.len(), examples.weights), name, is(&codes, class))?;
        Ok(Self { rows, codes })
    }

    fn relabelled(self, target: &str, class: usize) -> Self {
        let labels = is(&self.codes, class);
        Self { rows: self.rows.relabelled(target.to_owned(), labels), codes: self.codes }
    }
}
