//! Two models: where they disagree.

use std::fmt::Write;

use macchiato::explain::{Condition, Difference, Point, explain_difference};
use serde::Serialize;

use super::words::{feature, points, wrapped};
use super::{Arguments, json, subject};
use crate::learned::Learned;
use crate::paint::Paint;
use crate::progress::Spinner;
use crate::summary::count;

/// The fields of `--json`.
#[derive(Serialize)]
struct Compared<'a> {
    /// True or false where that is proven, null otherwise.
    equal: Option<bool>,
    #[serde(flatten)]
    difference: &'a Difference,
}

/// Compares and says how they differ.
pub(super) fn text(
    arguments: &Arguments,
    (learned, other): (&Learned, &Learned),
    near: Option<&(Point, Option<Point>)>,
    paint: Paint,
) -> anyhow::Result<String> {
    let budget = arguments.budget()?;
    let spinner = Spinner::message("comparing", arguments.quiet);
    let near = near.and_then(|(first, second)| Some((first, second.as_ref()?)));
    let (first, second) = (subject(learned), subject(other));
    let difference = explain_difference(&first, &second, near, &arguments.options(), &budget)?;
    drop(spinner);
    if arguments.json {
        return json(&Compared { equal: difference.are_equal(), difference: &difference });
    }
    let against = arguments.against.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let names = [arguments.model.display().to_string(), against];
    Ok(lines(&difference, &names, (feature(learned), near.is_some()), paint))
}

fn lines(
    difference: &Difference,
    [one, two]: &[String; 2],
    (what, near): (&str, bool),
    paint: Paint,
) -> String {
    let both = format!("{} and {}", paint.bold(one), paint.bold(two));
    let Some(example) = &difference.example else {
        return match difference.are_equal() {
            Some(true) => format!("{both} are equal everywhere: proven\n"),
            _ => format!("{both}: neither a difference was found nor that there is none; --exact goes on\n"),
        };
    };
    let mut text = format!("{both} disagree on {}\n", points(&difference.points));
    let said = |conditions: &[Condition]| match conditions {
        [] => "everywhere".to_owned(),
        _ => wrapped(&conditions.iter().map(|condition| condition.text.clone()).collect::<Vec<_>>(), 10),
    };
    let from = match (near, what) {
        (true, _) => "the row",
        (false, "input") => "all inputs 0",
        (false, _) => "the lowest values",
    };
    let distance = example.from_reference.len();
    let nearest = match (distance, distance == example.at_least) {
        (0, _) => "no disagreement is nearer to it".to_owned(),
        (_, true) => format!("{} away from {from}: proven nearest", count(distance, what)),
        (_, false) => {
            format!("{} away from {from}; {} or more are: proven", count(distance, what), example.at_least)
        }
    };
    let place = if distance == 0 { from.to_owned() } else { said(&example.from_reference) };
    let answers = format!("{one} says {}, {two} says {}", example.first, example.second);
    let _ = writeln!(text, "\n{}   {place}\n          {answers}; {nearest}", paint.bold("example"));
    let _ = writeln!(
        text,
        "{}  {}\n          {}",
        paint.bold("wherever"),
        said(&example.region),
        paint.dim("holds, they disagree: proven")
    );
    text
}
