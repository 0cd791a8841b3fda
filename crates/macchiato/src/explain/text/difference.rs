//! Two models: where they disagree.

use std::fmt::Write;

use super::Wording;
use super::numbers::{points, wrapped};
use crate::explain::{Condition, Difference};
use crate::words::{count, one_line};

/// The lines for a person.
pub(super) fn text(
    difference: &Difference,
    [one, two]: [&str; 2],
    near: bool,
    wording: &Wording<'_>,
) -> String {
    let what = wording.feature();
    let both = format!("{} and {}", wording.bold(one), wording.bold(two));
    let Some(example) = &difference.example else {
        return match difference.are_equal() {
            Some(true) => format!("{both} are equal everywhere: proven\n"),
            _ => format!(
                "{both}: neither a difference was found nor that there is none; an exact search goes on (--exact)\n"
            ),
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
    let answers = one_line(format!("{one} says {}, {two} says {}", example.first, example.second));
    let _ = writeln!(text, "\n{}   {place}\n          {answers}; {nearest}", wording.bold("example"));
    let _ = writeln!(
        text,
        "{}  {}\n          {}",
        wording.bold("wherever"),
        said(&example.region),
        wording.dim("holds, they disagree: proven")
    );
    text
}
