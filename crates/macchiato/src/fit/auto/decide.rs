//! Which of the candidates becomes the model.
//!
//! Evidence decides where tables explain every row in far fewer nats than their labels have. Where it does not, tables and
//! wide sums of products are learned from most of the rows and judged by the others; the winner is learned again from all.
//! With validation rows, those judge.

use super::draft::Draft;
use super::explain::Effort;
use super::recipe::{Prefix, Recipe};
use super::sampling::Sampling;
use super::structure::{Structure, structure};
use crate::bits;
use crate::circuit::Circuit;
use crate::fit::trace::{Candidate, DecidedBy, Decision};
use crate::rows::Rows;
use crate::select::{NAT, Nats};
use crate::wide::Learner;
use macchiato_minimize::{MinimizeError, Options};
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What a decision needs.
pub(super) struct Question<'a> {
    pub(super) rows: &'a Rows,
    pub(super) validation: Option<&'a Rows>,
    pub(super) effort: &'a Effort,
    pub(super) m: usize,
    pub(super) options: &'a Options,
    pub(super) observe: &'a dyn Fn(&str),
}

/// One of this many rows is held out.
const HELD_OUT: usize = 5;

/// With fewer rows held out, chance decides: then evidence does.
const FEWEST_HELD_OUT: usize = 20;

/// The generator's stream for holding out rows.
const HOLDING_OUT: u64 = 7;

/// The circuit, and what decided.
pub(super) fn decide<'a>(question: &Question<'a>) -> Result<(Draft<'a>, Decision), MinimizeError> {
    let Question { rows, effort, m, options, observe, .. } = *question;
    let found = structure(rows, &[], effort, m, options, observe)?;
    let sampling = Sampling::new(rows, effort.rows, options.seed);
    let by_evidence = if found.count.is_some() {
        Recipe::Count
    } else if found.evidence > found.constant {
        Recipe::Tables
    } else {
        Recipe::Majority
    };
    observe("minimizing");
    let draft = by_evidence.build(rows, &sampling, &found, m, options)?;
    let few = question.validation.is_none() && rows.len() < HELD_OUT * FEWEST_HELD_OUT;
    if few || options.budget.spent() || conclusive(&draft, by_evidence, &found) {
        return Ok((
            draft,
            Decision {
                by: DecidedBy::Evidence,
                asked: 0,
                candidates: vec![candidate(by_evidence, &found, None)],
            },
        ));
    }
    let (by, train, held) = match question.validation {
        Some(validation) => (DecidedBy::Validation, None, validation.clone()),
        None => {
            let (train, held) = hold_out(rows, options.seed);
            (DecidedBy::HeldOut, Some(train), held)
        }
    };
    let judged = match &train {
        None => judge(question, rows, &sampling, &found, &held)?,
        Some(train) => {
            let starts: Vec<Vec<usize>> =
                found.tables.first().map(|blocks| blocks.concat()).into_iter().collect();
            let starts: Vec<Vec<usize>> = starts.into_iter().map(sorted).collect();
            let again = structure(train, &starts, effort, m, options, observe)?;
            judge(question, train, &Sampling::new(train, effort.rows, options.seed), &again, &held)?
        }
    };
    let (mut winner, mut most) = (by_evidence, 0);
    for &(recipe, right) in &judged {
        if right > most {
            (winner, most) = (recipe, right);
        }
    }
    let mut candidates: Vec<Candidate> =
        judged.iter().map(|&(recipe, right)| candidate(recipe, &found, Some(right))).collect();
    candidates.sort_by_key(|candidate| std::cmp::Reverse((candidate.name == winner.name(), candidate.right)));
    let decision = Decision { by, asked: held.len(), candidates };
    if winner == by_evidence || options.budget.spent() {
        return Ok((draft, decision));
    }
    observe(&format!("learning again from all rows: {}", winner.name()));
    Ok((winner.build(rows, &sampling, &found, m, options)?, decision))
}

/// Whether tables leave nothing to ask: no row is wrong, and their description is less than half that of the labels.
fn conclusive(draft: &Draft<'_>, recipe: Recipe, found: &Structure) -> bool {
    let evidence = match (recipe, &found.count) {
        (Recipe::Count, Some(count)) => count.evidence,
        _ => found.evidence,
    };
    draft.errors() == 0 && 2 * evidence > found.constant
}

/// Rows that each candidate gets right among `held`.
fn judge(
    question: &Question<'_>,
    rows: &Rows,
    sampling: &Sampling,
    found: &Structure,
    held: &Rows,
) -> Result<Vec<(Recipe, usize)>, MinimizeError> {
    let Question { m, options, observe, .. } = *question;
    let mut judged: Vec<(Recipe, usize)> = Vec::new();
    let mut ask = |recipe: Recipe| -> Result<usize, MinimizeError> {
        observe(&format!("trying {}", recipe.name()));
        let draft = recipe.build(rows, sampling, found, m, options)?;
        let right = right(&draft, held);
        judged.push((recipe, right));
        Ok(right)
    };
    ask(Recipe::Majority)?;
    if found.evidence > found.constant {
        ask(Recipe::Tables)?;
    }
    if found.count.is_some() {
        ask(Recipe::Count)?;
    }
    let mut prefixes = vec![Prefix::Nothing];
    if !found.linear.is_empty() {
        prefixes.push(Prefix::Linear);
    }
    if !found.tables.is_empty() {
        prefixes.push(Prefix::Tables);
    }
    // What goes best before one learner goes best before the others.
    let mut best = (Prefix::Nothing, 0);
    for prefix in prefixes {
        if options.budget.spent() {
            break;
        }
        let right = ask(Recipe::Wide(prefix, Learner::FIRST))?;
        if right > best.1 {
            best = (prefix, right);
        }
    }
    for learner in Learner::OTHERS {
        if options.budget.spent() {
            break;
        }
        ask(Recipe::Wide(best.0, learner))?;
    }
    Ok(judged)
}

fn right(draft: &Draft<'_>, rows: &Rows) -> usize {
    let circuit = Circuit { inputs: Vec::new(), target: String::new(), stages: draft.stages().to_vec() };
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let words = bits::words(rows.len());
    let mut wrong = circuit.evaluate(&columns, words);
    wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
    if let Some(last) = wrong.last_mut() {
        *last &= bits::last_mask(rows.len());
    }
    rows.len() - bits::count(&wrong)
}

/// What is recorded of a candidate.
pub(super) fn candidate(recipe: Recipe, found: &Structure, right: Option<usize>) -> Candidate {
    let thousandths = |evidence: Nats| (-evidence as f64 / NAT * 1000.0).round() / 1000.0;
    let nats = match recipe {
        Recipe::Majority => Some(thousandths(found.constant)),
        Recipe::Tables => Some(thousandths(found.evidence)),
        Recipe::Count => found.count.as_ref().map(|count| thousandths(count.evidence)),
        Recipe::Wide(..) => None,
    };
    Candidate { name: recipe.name(), nats, right }
}

fn hold_out(rows: &Rows, seed: u64) -> (Rows, Rows) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(HOLDING_OUT);
    let mut held = vec![false; rows.len()];
    for row in index::sample(&mut rng, rows.len(), rows.len() / HELD_OUT) {
        held[row] = true;
    }
    let pick =
        |wanted: bool| rows.pick(&(0..rows.len()).filter(|&row| held[row] == wanted).collect::<Vec<_>>());
    (pick(false), pick(true))
}

fn sorted(mut inputs: Vec<usize>) -> Vec<usize> {
    inputs.sort_unstable();
    inputs
}
