//! A model as a whole: its stages, what each corrected, and how much each input matters.

use anyhow::Context;
use macchiato::bits;
use macchiato::explain::{Data, ModelExplanation, Subject, Wording, explain_model};
use macchiato::frame::{Columns, Frame};
use macchiato::model::{Model, Target};

use super::Arguments;
use crate::output::json_line;
use crate::paint::Paint;
use crate::progress::Spinner;

/// Explains and says it.
pub(super) fn text(arguments: &Arguments, model: &Model, paint: Paint) -> anyhow::Result<String> {
    let (explanation, source) = match &arguments.data {
        None => (explain(arguments, model, None)?, None),
        Some(path) => {
            let frame = arguments.options.read(path, model, model.target())?;
            let inputs = model.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
            let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
            let labels = labels(model, &frame)?;
            let labels: Vec<&[u64]> = labels.iter().map(Vec::as_slice).collect();
            let rows = Data { columns: &inputs, labels: &labels, rows: frame.rows };
            (explain(arguments, model, Some(&rows))?, Some(frame.source.clone()))
        }
    };
    if arguments.json {
        return json_line(&explanation);
    }
    let wording = Wording::of(&Subject::of_model(model), arguments.options().symbols, &paint);
    Ok(explanation.text(source.as_deref(), &wording))
}

fn explain(
    arguments: &Arguments,
    model: &Model,
    data: Option<&Data<'_>>,
) -> anyhow::Result<ModelExplanation> {
    let budget = arguments.budget()?;
    let _spinner = Spinner::message("counting", arguments.options.data.quiet);
    Ok(explain_model(&Subject::of_model(model), data, &arguments.options(), &budget)?)
}

/// For each circuit the rows of its class, if the data have the target.
fn labels(model: &Model, frame: &Frame) -> anyhow::Result<Vec<Vec<u64>>> {
    let Some(at) = frame.names.iter().position(|name| name == model.target()) else {
        return Ok(Vec::new());
    };
    let values = frame.column(at)?;
    if (0..frame.rows).any(|row| values.is_missing(row)) {
        return Ok(Vec::new());
    }
    let target =
        Target::spelled(model.target(), &values, frame.rows).with_context(|| frame.source.clone())?;
    let of = |class: usize| {
        let mut column = bits::Column::default();
        for &code in target.codes() {
            column.push(model.class(&target.classes()[code as usize]) == Some(class));
        }
        column.into_words()
    };
    Ok(model.learned().into_iter().map(of).collect())
}
