//! One answer: the stages, what forces it, and the nearest input with another one.

use std::fmt::Write;

use super::Wording;
use super::numbers::wrapped;
use crate::explain::{Change, CircuitAnswer, Condition, Counterfactual, PredictionExplanation, Reason};
use crate::words::{count, one_line};

/// Where the second column begins.
const INDENT: usize = 10;
/// More ones are only counted.
const LISTED: usize = 8;

/// The lines for a person.
pub(super) fn text(why: &PredictionExplanation, wording: &Wording<'_>) -> String {
    let mut text = format!("{} = {}\n", wording.bold(&why.target), wording.bold(&why.answer));
    for circuit in &why.circuits {
        text.push('\n');
        if wording.table {
            let says = if circuit.answer { "yes" } else { "no" };
            let _ = writeln!(text, "{}? {says}", wording.bold(&circuit.target));
        }
        text.push_str(&stages(circuit, wording));
    }
    text.push('\n');
    text.push_str(&because(&why.reason, wording));
    text.push_str(&unless(why, wording));
    text
}

/// The stages that fire, and how they come together.
fn stages(circuit: &CircuitAnswer, wording: &Wording<'_>) -> String {
    let mut text = String::new();
    if let Some(gate) = &circuit.gate {
        for (at, literal) in gate.literals.iter().enumerate() {
            let label = if at == 0 { "holds" } else { "" };
            let said = match literal.points {
                1 => literal.formula.clone(),
                points => format!("{points} * ({})", literal.formula),
            };
            let pad = INDENT.saturating_sub(label.len());
            let _ = writeln!(text, "{}{:pad$}{said}", wording.bold(label), "");
        }
        let what = if ["AND", "OR", "XOR"].contains(&gate.rule.as_str()) { "condition" } else { "point" };
        let hold = if gate.points == 1 { "holds" } else { "hold" };
        let held = count(gate.points as usize, what);
        let _ = writeln!(text, "together  {}: {held} {hold}, so {}", gate.rule, u8::from(circuit.answer));
    }
    if circuit.stages.is_empty() {
        if circuit.gate.is_none() {
            let _ = writeln!(text, "together  always {}", u8::from(circuit.answer));
        }
        return text;
    }
    let fired = circuit.stages.iter().filter(|stage| stage.fires).count();
    for stage in circuit.stages.iter().filter(|stage| stage.fires) {
        let label = format!("stage {}", stage.stage);
        let pad = INDENT.saturating_sub(label.len());
        for (at, term) in stage.terms.iter().enumerate() {
            let (label, pad) = if at == 0 { (label.as_str(), pad) } else { ("", INDENT) };
            let _ = writeln!(text, "{}{:pad$}{}", wording.bold(label), "", term.formula);
        }
    }
    let (answer, all) = (u8::from(circuit.answer), circuit.stages.len());
    let sum = match fired {
        0 => "no stage fires: 0".to_owned(),
        1 => format!("1 of {} fires: 1", count(all, "stage")),
        _ if fired <= LISTED => {
            let ones = vec!["1"; fired].join(&format!(" {} ", wording.symbols.xor));
            format!("{fired} of {all} stages fire: {ones} = {answer}")
        }
        _ => {
            let parity = if answer == 1 { "odd" } else { "even" };
            format!("{fired} of {all} stages fire, an {parity} number: {answer}")
        }
    };
    let _ = writeln!(text, "together  {sum}");
    text
}

fn because(reason: &Reason, wording: &Wording<'_>) -> String {
    let what = wording.feature();
    let Reason { conditions, minimal, at_least } = reason;
    if conditions.is_empty() {
        return format!("{}   whatever the {what}s are: proven\n", wording.bold("because"));
    }
    // A cell says more than its condition only in tables.
    let said = |condition: &Condition| {
        let Condition { text, value, feature } = condition;
        if *text == format!("{feature} = {value}") { text.clone() } else { format!("{text} ({value})") }
    };
    let said: Vec<String> = conditions.iter().map(said).collect();
    let proven = if reason.is_smallest() {
        format!("no fewer {what}s force it: proven")
    } else if *minimal {
        format!("none of the {} can be left out: proven; {at_least} or more are needed", conditions.len())
    } else {
        format!("some of the {} may not be needed; {at_least} or more are: proven", conditions.len())
    };
    let rest = format!("whatever the other {what}s are; {proven}");
    format!(
        "{}   {}\n{:INDENT$}{}\n",
        wording.bold("because"),
        wrapped(&said, INDENT),
        "",
        wording.dim(&rest)
    )
}

fn unless(why: &PredictionExplanation, wording: &Wording<'_>) -> String {
    let PredictionExplanation { counterfactual, target, actionable, .. } = why;
    let (what, arrow) = (wording.feature(), wording.arrow());
    let label = wording.bold("nearest");
    match counterfactual {
        Counterfactual::Impossible => match actionable {
            None => format!("{label}   no input has another answer: proven\n"),
            Some(names) => {
                let rest = format!(
                    "whatever they become while the other {what}s stay, {target} = {}: proven",
                    why.answer
                );
                let names: Vec<String> = names.iter().map(one_line).collect();
                format!(
                    "{label}   none by {}\n{:INDENT$}{}\n",
                    wrapped(&names, INDENT),
                    "",
                    wording.dim(&rest)
                )
            }
        },
        Counterfactual::Unknown { at_least } => {
            format!("{label}   no other answer was found; it takes {at_least} or more changes: proven\n")
        }
        Counterfactual::Found { changes, becomes, at_least } => {
            let said = |change: &Change| {
                let Change { feature, from, to } = change;
                let to = to.strip_prefix(&format!("{feature} = ")).unwrap_or(to);
                one_line(format!("{feature} {from} {arrow} {to}"))
            };
            let said: Vec<String> = changes.iter().map(said).collect();
            let proven = if counterfactual.is_nearest() {
                match changes.len() {
                    1 => format!("one {what} changes: proven nearest"),
                    number => format!("{} change, and no fewer do: proven", count(number, what)),
                }
            } else {
                format!("{} change; {at_least} or more must: proven", count(changes.len(), what))
            };
            let rest = format!("then {target} = {becomes}; {proven}");
            format!("{label}   {}\n{:INDENT$}{}\n", wrapped(&said, INDENT), "", wording.dim(&rest))
        }
    }
}
