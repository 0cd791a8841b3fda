//! A model as a whole: its stages, what each corrected, and how much each input matters.

use anyhow::Context;
use macchiato::bits;
use macchiato::classifier::{Classifier, Target};
use macchiato::explain::{Data, ModelExplanation, Wording, explain_model};
use macchiato::frame::{Columns, Frame};
use macchiato::model::Model;

use super::{Arguments, subject};
use crate::data::Data as Table;
use crate::learned::Learned;
use crate::output::json_line;
use crate::paint::Paint;
use crate::progress::Spinner;

/// Explains and says it.
pub(super) fn text(arguments: &Arguments, learned: &Learned, paint: Paint) -> anyhow::Result<String> {
    let (explanation, source) = match (&arguments.data, learned) {
        (None, _) => (explain(arguments, learned, None)?, None),
        (Some(path), Learned::Model(model)) => {
            let data = arguments.options.read(path, arguments.quiet)?;
            let inputs = data.inputs(model, model.target(), arguments.ignore_extra)?;
            let labels: Vec<&[u64]> = labels(&data, model).into_iter().collect();
            let rows = Data { columns: &inputs, labels: &labels, rows: data.table.rows };
            (explain(arguments, learned, Some(&rows))?, Some(data.table.source.clone()))
        }
        (Some(path), Learned::Classifier(classifier)) => {
            let extra = (classifier.target(), arguments.ignore_extra);
            let frame = arguments.options.read_for(path, arguments.quiet, classifier, extra)?;
            let inputs = classifier.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
            let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
            let labels = class_labels(classifier, &frame)?;
            let labels: Vec<&[u64]> = labels.iter().map(Vec::as_slice).collect();
            let rows = Data { columns: &inputs, labels: &labels, rows: frame.rows };
            (explain(arguments, learned, Some(&rows))?, Some(frame.source.clone()))
        }
    };
    if arguments.json {
        return json_line(&explanation);
    }
    let wording = Wording::of(&subject(learned), arguments.options().symbols, &paint);
    Ok(explanation.text(source.as_deref(), &wording))
}

fn explain(
    arguments: &Arguments,
    learned: &Learned,
    data: Option<&Data<'_>>,
) -> anyhow::Result<ModelExplanation> {
    let budget = arguments.budget()?;
    let _spinner = Spinner::message("counting", arguments.quiet);
    Ok(explain_model(&subject(learned), data, &arguments.options(), &budget)?)
}

/// The target's column, if the data have it.
fn labels<'a>(data: &'a Table, model: &Model) -> Option<&'a [u64]> {
    data.labels(model, model.target()).ok()
}

/// For each circuit the rows of its class, if the data have the target.
fn class_labels(classifier: &Classifier, frame: &Frame) -> anyhow::Result<Vec<Vec<u64>>> {
    let Some(at) = frame.names.iter().position(|name| name == classifier.target()) else {
        return Ok(Vec::new());
    };
    let values = frame.column(at)?;
    if (0..frame.rows).any(|row| values.is_missing(row)) {
        return Ok(Vec::new());
    }
    let target =
        Target::new(classifier.target(), &values, frame.rows).with_context(|| frame.source.clone())?;
    let of = |class: usize| {
        let mut column = bits::Column::default();
        for &code in target.codes() {
            column.push(classifier.class(&target.classes()[code as usize]) == Some(class));
        }
        column.into_words()
    };
    Ok(classifier.learned().into_iter().map(of).collect())
}
