//! Values of a feature in the words of the table: `x1 = 1`, `41.5 < age <= 60`, `job != cook`.

use super::cell::{Cell, Span};
use super::{Feature, Kind};
use crate::frame::shown;

/// A set of values; a gap is named, except where a level is only ruled out.
pub(super) fn of(feature: &Feature, values: &[bool]) -> String {
    let name = &feature.name;
    let within = |value: usize| values.get(value).copied().unwrap_or(false);
    let gap =
        feature.cells.iter().find(|(cell, _)| matches!(cell, Cell::Missing)).map(|&(_, value)| within(value));
    let parts = match feature.kind {
        Kind::Boolean => booleans(feature, within),
        Kind::Number => numbers(feature, within),
        Kind::Category => return levels(feature, within, gap),
    };
    match (parts.as_slice(), gap) {
        ([], _) => format!("{name} is missing"),
        (_, Some(true)) => format!("{} or missing", parts.join(" or ")),
        _ => parts.join(" or "),
    }
}

/// One value, without the name where it is a truth value, a number or a level.
pub(super) fn value(feature: &Feature, value: usize) -> String {
    let mut cells = feature.cells.iter().filter(|(_, other)| *other == value);
    match (cells.next(), cells.next()) {
        (Some((Cell::Boolean(truth), _)), None) => u8::from(*truth).to_string(),
        (Some((Cell::Level(level), _)), None) => level.clone(),
        (Some((Cell::Missing, _)), None) => "missing".to_owned(),
        (Some((Cell::Number(Span { low: Some((low, true)), high: Some((high, true)) }), _)), None)
            if low >= high =>
        {
            shown(*low)
        }
        _ => {
            let only: Vec<bool> = (0..feature.values).map(|other| other == value).collect();
            of(feature, &only)
        }
    }
}

fn booleans(feature: &Feature, within: impl Fn(usize) -> bool) -> Vec<String> {
    let truth = |(cell, value): &(Cell, usize)| match cell {
        Cell::Boolean(truth) if within(*value) => Some(format!("{} = {}", feature.name, u8::from(*truth))),
        _ => None,
    };
    feature.cells.iter().filter_map(truth).collect()
}

/// Neighbouring stretches as one; all numbers but one as `!=`.
fn numbers(feature: &Feature, within: impl Fn(usize) -> bool) -> Vec<String> {
    let mut spans: Vec<Span> = Vec::new();
    let mut left_out: Vec<Span> = Vec::new();
    let mut open = false;
    for (cell, value) in &feature.cells {
        let Cell::Number(span) = cell else { continue };
        match spans.last_mut() {
            Some(last) if open && within(*value) => last.high = span.high,
            _ if within(*value) => spans.push(*span),
            _ => left_out.push(*span),
        }
        open = within(*value);
    }
    let name = &feature.name;
    if let ([_, _], [Span { low: Some((number, true)), high: Some((_, true)) }]) =
        (spans.as_slice(), left_out.as_slice())
    {
        return vec![format!("{name} != {}", shown(*number))];
    }
    spans.iter().map(|span| stretch(name, *span)).collect()
}

fn stretch(name: &str, span: Span) -> String {
    let sign = |within: bool| if within { "<=" } else { "<" };
    match (span.low, span.high) {
        (Some((low, true)), Some((high, true))) if low >= high => format!("{name} = {}", shown(low)),
        (Some((low, low_in)), Some((high, high_in))) => {
            format!("{} {} {name} {} {}", shown(low), sign(low_in), sign(high_in), shown(high))
        }
        (Some((low, low_in)), None) => format!("{name} {} {}", if low_in { ">=" } else { ">" }, shown(low)),
        (None, Some((high, high_in))) => format!("{name} {} {}", sign(high_in), shown(high)),
        (None, None) => format!("{name} is a number"),
    }
}

/// The levels themselves, or those that it is not, whichever are fewer; levels that no row had can only be ruled in.
fn levels(feature: &Feature, within: impl Fn(usize) -> bool, gap: Option<bool>) -> String {
    let name = &feature.name;
    let (mut inside, mut outside): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut unseen = None;
    for (cell, value) in &feature.cells {
        match cell {
            Cell::Level(level) if within(*value) => inside.push(level),
            Cell::Level(level) => outside.push(level),
            Cell::Unseen => unseen = Some(within(*value)),
            _ => {}
        }
    }
    let ruled_out = match unseen {
        Some(true) => !(inside.is_empty() && outside.len() > 1),
        Some(false) => false,
        None => outside.len() < inside.len(),
    };
    let set = |levels: &[&str]| match levels {
        [level] => (*level).to_owned(),
        levels => format!("{{{}}}", levels.join(", ")),
    };
    if ruled_out {
        let text = match outside.as_slice() {
            [] => return format!("{name} is not missing"),
            [level] => format!("{name} != {level}"),
            levels => format!("{name} not in {}", set(levels)),
        };
        return if gap == Some(false) { format!("{text} and not missing") } else { text };
    }
    let text = match (inside.as_slice(), unseen) {
        ([], Some(true)) => format!("{name} is other"),
        ([], _) => return format!("{name} is missing"),
        ([level], _) => format!("{name} = {level}"),
        (levels, _) => format!("{name} in {}", set(levels)),
    };
    if gap == Some(true) { format!("{text} or missing") } else { text }
}
