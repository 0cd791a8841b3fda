//! Two models: where they disagree.

use macchiato::explain::{Point, Subject, Wording, explain_difference};
use macchiato::model::Model;

use super::Arguments;
use crate::output::json_line;
use crate::paint::Paint;
use crate::progress::Spinner;

/// Compares and says how they differ.
pub(super) fn text(
    arguments: &Arguments,
    (model, other): (&Model, &Model),
    near: Option<&(Point, Option<Point>)>,
    paint: Paint,
) -> anyhow::Result<String> {
    let budget = arguments.budget()?;
    let spinner = Spinner::message("comparing", arguments.options.data.quiet);
    let near = near.and_then(|(first, second)| Some((first, second.as_ref()?)));
    let (first, second) = (Subject::of_model(model), Subject::of_model(other));
    let difference = explain_difference(&first, &second, near, &arguments.options(), &budget)?;
    drop(spinner);
    if arguments.json {
        return json_line(&difference);
    }
    let against = arguments.against.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let model = arguments.model.display().to_string();
    let wording = Wording::of(&first, arguments.options().symbols, &paint);
    Ok(difference.text([&model, &against], near.is_some(), &wording))
}
