//! Learning a model: the bits once, then the circuit of each class in turn over the same bits.

use super::accepted::{Accepting, Search};
use super::alternative::alternatives;
use super::{ClassCircuit, Examples, FitError, FitOptions, Method, Model, Target};
use crate::binarize::{Binarizer, Labels, Possible};
use crate::bits;
use crate::fit::{StageTrace, fit_paper_observed};
use crate::frame::{Columns, truth};
use crate::learn::Settings;
use crate::minimize::Budget;
use crate::rows::Rows;

/// The model, with the fronts that its circuits were picked from, where they were.
pub(super) fn learn<C: Columns + ?Sized>(
    train: &Examples<'_, C>,
    validation: Option<&Examples<'_, C>>,
    (options, wanted): (&FitOptions, Option<&Accepting<'_>>),
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<Model, FitError> {
    let target = train.target;
    target.check_rows()?;
    let positive = positive(target, options.positive.as_deref())?;
    observe("choosing cuts and levels");
    let labels = Labels { codes: target.codes(), classes: target.classes().len(), weights: train.weights };
    let (binarizer, columns) = Binarizer::learn_and_apply(train.columns, &labels, &options.binarize)?;
    let mut model = Model {
        method: options.method.clone().capped(binarizer.bits().len()),
        binarizer,
        target: target.name().to_owned(),
        classes: target.classes().to_vec(),
        class_type: None,
        positive,
        circuits: Vec::new(),
        holdout: None,
    };
    let possible = Possible::new(&model.binarizer);
    let learned = model.learned();
    let targets = model.circuit_targets();
    let (Some(&first), Some(name)) = (learned.first(), targets.first()) else {
        return Ok(model);
    };
    let mut asked = match validation {
        Some(validation) => Some(Asked::new(&model, validation, first, name)?),
        None => None,
    };
    let labels = is(target.codes(), first);
    let mut rows = rows(&model, columns, (train.columns.rows(), train.weights), name, labels)?;
    let settings = Settings { whole_front: options.whole_front, ..Settings::default() };
    for (done, &class) in learned.iter().enumerate() {
        if done > 0 {
            let labels = is(target.codes(), class);
            rows = rows.relabelled(targets[done].clone(), labels);
            asked = asked.map(|asked| asked.relabelled(&targets[done], class));
        }
        let say = |words: &str| match learned.len() {
            1 => observe(words),
            all => observe(&format!("class {} of {all}, {}: {words}", done + 1, model.classes[class])),
        };
        let budget = budget.share((learned.len() - done) as u32);
        let validation = asked.as_ref().map(|asked| &asked.rows);
        let (fit, front) = match &model.method {
            Method::Auto(params) => {
                let params = params.clone().check(&rows)?;
                let (binarizer, budget) = (&model.binarizer, &budget);
                let (rows, params, settings, possible) = (&rows, &params, &settings, &possible);
                let observe = &say;
                let search =
                    Search { rows, validation, params, settings, binarizer, possible, budget, observe };
                search.run(wanted)?
            }
            Method::Paper(params) => {
                let params = params.clone().check(&rows)?;
                let (mut t, m) = (0, params.get().m);
                let observe = |stage: &StageTrace| {
                    t += 1;
                    say(&format!("stage {t} of {m}: {} rows wrong", stage.errors_after));
                };
                (fit_paper_observed(&rows, &params, &budget, observe)?, None)
            }
        };
        let staged = matches!(model.method, Method::Paper(_));
        say(&format!("found a circuit with {} of {} rows wrong", fit.trace.errors, rows.len()));
        let mut circuit = ClassCircuit::new(fit, staged, &rows);
        if let Some(front) = front {
            circuit.alternatives = alternatives(&front, &circuit, &rows, &possible);
        }
        model.circuits.push(circuit);
    }
    Ok(model)
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
        (2, at) => {
            // Of yes and no, however spelled, yes.
            let truths = [truth(&classes[0]), truth(&classes[1])];
            Ok(Some(at.unwrap_or(usize::from(truths != [Some(true), Some(false)]))))
        }
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
    model: &Model,
    columns: Vec<Vec<u64>>,
    (rows, weights): (usize, Option<&[u64]>),
    target: &str,
    labels: Vec<u64>,
) -> Result<Rows, FitError> {
    let named = (model.binarizer.names(), target.to_owned());
    Ok(Rows::named(named, columns, labels, (rows, weights.map(<[u64]>::to_vec)))?)
}

/// The validation rows, with the classes numbered as those of the training rows.
struct Asked {
    rows: Rows,
    codes: Vec<u32>,
}

impl Asked {
    fn new<C: Columns + ?Sized>(
        model: &Model,
        examples: &Examples<'_, C>,
        class: usize,
        name: &str,
    ) -> Result<Self, FitError> {
        let target = examples.target;
        let known = |name: &String| model.classes.iter().position(|class| class == name);
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
        let columns = model.binarizer.apply(examples.columns)?;
        if codes.len() != examples.columns.rows() {
            let (found, rows) = (codes.len(), examples.columns.rows());
            return Err(crate::binarize::BinarizeError::Length { what: "labels", found, rows }.into());
        }
        let rows = rows(model, columns, (codes.len(), examples.weights), name, is(&codes, class))?;
        Ok(Self { rows, codes })
    }

    fn relabelled(self, target: &str, class: usize) -> Self {
        let labels = is(&self.codes, class);
        Self { rows: self.rows.relabelled(target.to_owned(), labels), codes: self.codes }
    }
}
