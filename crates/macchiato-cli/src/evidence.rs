//! What the method `auto` says of its stages and of the choice between its candidates, in words.

use macchiato::fit::{Candidate, DecidedBy, Decision, Found, Shape, StageTrace};

use crate::summary::count;

/// More candidates are only counted.
const CANDIDATES_SHOWN: usize = 3;

/// What a stage of `auto` is, and the cells whose majority it does not follow; nothing for other methods.
pub(crate) fn of_stage(stage: &StageTrace) -> (Option<Shape>, Option<u64>) {
    match stage.found {
        Found::Evidence { shape, against } => (Some(shape), Some(against)),
        Found::Influence(_) => (None, None),
    }
}

/// The shape of a stage where its terms do not show it at a glance.
pub(crate) fn shape(stage: &StageTrace) -> Option<String> {
    let inputs = stage.inputs.len();
    match of_stage(stage).0? {
        Shape::Count if inputs > 1 => Some(format!("by how many of its {inputs} inputs are 1")),
        Shape::Wide => Some(format!("a few terms over {}", count(inputs, "input"))),
        Shape::Constant => Some("the same answer everywhere".to_owned()),
        _ => None,
    }
}

/// What decided, and how the candidates did; the first one won.
pub(crate) fn decided(decision: &Decision) -> String {
    let Decision { by, asked, candidates, .. } = decision;
    let (by, measure): (String, fn(&Candidate) -> Option<String>) = match by {
        DecidedBy::HeldOut => (format!("by {asked} held-out {}", rows(*asked)), right),
        DecidedBy::Validation => (format!("by {asked} validation {}", rows(*asked)), right),
        _ => ("by evidence".to_owned(), nats),
    };
    let one = |candidate: &Candidate| match measure(candidate) {
        Some(number) => format!("{} ({number})", candidate.name),
        None => candidate.name.clone(),
    };
    // A choice of one is none.
    if candidates.len() < 2 {
        return by;
    }
    // Of each kind the best, which comes first.
    let mut kinds: Vec<&Candidate> = Vec::new();
    for candidate in candidates {
        if kinds.len() < CANDIDATES_SHOWN && kinds.iter().all(|known| known.name != candidate.name) {
            kinds.push(candidate);
        }
    }
    let mut shown: Vec<String> = kinds.iter().map(|candidate| one(candidate)).collect();
    if candidates.len() > kinds.len() {
        shown.push(format!("and {} more", candidates.len() - kinds.len()));
    }
    // Names may have commas.
    format!("{by}: {}", shown.join("; "))
}

fn rows(number: usize) -> &'static str {
    if number == 1 { "row" } else { "rows" }
}

fn right(candidate: &Candidate) -> Option<String> {
    candidate.right.map(|right| right.to_string())
}

fn nats(candidate: &Candidate) -> Option<String> {
    candidate.nats.map(|nats| format!("{nats:.1} nats"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(by: DecidedBy, asked: usize, candidates: &[(&str, Option<f64>, Option<usize>)]) -> String {
        let candidate = |&(name, nats, right): &(&str, _, _)| Candidate {
            name: name.to_owned(),
            conditions: 3,
            nats,
            right,
        };
        let candidates = candidates.iter().map(candidate).collect();
        decided(&Decision { by, asked, candidates, cut_short: None })
    }

    #[test]
    fn a_decision_is_one_line() {
        let two = [("table", Some(71.25), Some(1270)), ("tree", None, Some(1201))];
        assert_eq!(
            decision(DecidedBy::HeldOut, 1280, &two),
            "by 1280 held-out rows: table (1270); tree (1201)"
        );
        assert_eq!(decision(DecidedBy::Evidence, 0, &two), "by evidence: table (71.2 nats); tree");
        assert_eq!(decision(DecidedBy::Evidence, 0, &two[..1]), "by evidence");
        assert_eq!(decision(DecidedBy::Validation, 1, &two[1..]), "by 1 validation row");
        let many = [("a", None, Some(1)); 6];
        assert_eq!(decision(DecidedBy::Validation, 9, &many), "by 9 validation rows: a (1); and 5 more");
    }
}
