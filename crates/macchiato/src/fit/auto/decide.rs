//! Which of the candidates becomes the model.
//!
//! Evidence decides where tables explain every row in far fewer nats than their labels have. Where it does not, tables and
//! wide sums of products are learned from most of the rows and judged by the others; the winner is learned again from all.
//! With validation rows, those judge.

use super::draft::Draft;
use super::explain::Effort;
use super::recipe::{Prefix, Recipe, WIDE_STAGES, row_by_row};
use super::sampling::Sampling;
use super::structure::{Structure, structure};
use crate::bits;
use crate::fit::trace::{Candidate, DecidedBy, Decision};
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::{NAT, Nats, Sample};
use crate::wide::{self, Judged};
use macchiato_minimize::{MinimizeError, Options};
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::cmp::Reverse;

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

/// More rows held out would tell candidates apart that differ by less than anyone cares for.
const MOST_HELD_OUT: usize = 1 << 16;

/// A teacher is asked while the best candidate leaves more than one in so many of the majority's errors.
const WORTH_A_TEACHER: usize = 200;

/// The generator's stream for holding out rows.
const HOLDING_OUT: u64 = 7;

/// The circuit, and what decided.
pub(super) fn decide<'a>(question: &Question<'a>) -> Result<(Draft<'a>, Decision), MinimizeError> {
    let Question { rows, effort, m, options, observe, .. } = *question;
    let sampling = Sampling::new(rows, effort, options.seed);
    let found = structure(rows, &sampling, &[], effort, m, options, observe);
    let by_evidence = if found.count.is_some() {
        Recipe::Count
    } else if found.evidence > found.constant {
        Recipe::Tables
    } else {
        Recipe::Majority
    };
    observe("minimizing");
    let draft = by_evidence.build(rows, &sampling, &found, m, options)?;
    let candidates = vec![candidate(by_evidence, &found, None)];
    let evidence = Decision { by: DecidedBy::Evidence, asked: 0, candidates };
    let few = question.validation.is_none() && rows.len() < HELD_OUT * FEWEST_HELD_OUT;
    if few || options.budget.spent() || conclusive(&draft, by_evidence, &found) {
        return Ok((draft, evidence));
    }
    let (by, held, mut judged) = if let Some(validation) = question.validation {
        (DecidedBy::Validation, validation.len(), judge(question, rows, &sampling, &found, validation)?)
    } else {
        let unread = sampling.unread(rows.len()).filter(|unread| unread.len() >= MOST_HELD_OUT);
        let (train, held) = hold_out(rows, unread.as_deref(), options.seed);
        let sampling = Sampling::new(&train, effort, options.seed);
        // What held-out rows say must not be in the structure: it stands if the search never read them. Otherwise its
        // first set is only where another search begins.
        let again = if unread.is_some() {
            None
        } else {
            let mut start = found.tables.first().map_or(Vec::new(), |blocks| blocks.concat());
            start.sort_unstable();
            Some(structure(&train, &sampling, &[start], effort, m, options, observe))
        };
        let found = again.as_ref().unwrap_or(&found);
        (DecidedBy::HeldOut, held.len(), judge(question, &train, &sampling, found, &held)?)
    };
    // Most rows right, then fewest literals; a sort that keeps the order of equals.
    judged.sort_by_key(|judged| (Reverse(judged.right), judged.literals));
    let winner = match judged.iter().position(|judged| judged.recipe == by_evidence) {
        // What evidence chose stays unless the rows speak clearly, by more than chance moves their number, or speak for
        // something shorter.
        Some(own)
            if !clearly(judged[0].right, judged[own].right, held)
                && (judged[0].right == judged[own].right || judged[own].literals <= judged[0].literals) =>
        {
            own
        }
        // Too few rows were left to find it again: it stays if it explains them all.
        None if draft.errors() == 0 || judged.is_empty() => return Ok((draft, evidence)),
        _ => much_shorter(&judged, held).unwrap_or(0),
    };
    judged[..=winner].rotate_right(1);
    let won = judged[0].recipe;
    let candidates =
        judged.iter().map(|judged| candidate(judged.recipe, &found, Some(judged.right))).collect();
    let decision = Decision { by, asked: held, candidates };
    if won == by_evidence || options.budget.spent() {
        return Ok((draft, decision));
    }
    observe(&format!("learning again from all rows: {}", won.name()));
    Ok((won.build(rows, &sampling, &found, m, options)?, decision))
}

/// Whether tables leave nothing to ask: no row is wrong, and their description is less than half that of the labels.
fn conclusive(draft: &Draft<'_>, recipe: Recipe, found: &Structure) -> bool {
    let evidence = match (recipe, &found.count) {
        (Recipe::Count, Some(count)) => count.evidence,
        _ => found.evidence,
    };
    draft.errors() == 0 && 2 * evidence > found.constant
}

/// A candidate, and what the rows that judge say of it.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    recipe: Recipe,
    right: usize,
    literals: usize,
}

/// Of the candidates that are right on almost as many rows as the first the shortest, if it has at most a quarter of the
/// first one's literals. Almost: one row in a thousand, or one at all of a hundred or more.
fn much_shorter(judged: &[Outcome], asked: usize) -> Option<usize> {
    let first = judged[0];
    let near = |judged: &Outcome| judged.right + (asked / 1000).max(usize::from(asked >= 100)) >= first.right;
    let shortest = (0..judged.len()).filter(|&at| near(&judged[at])).min_by_key(|&at| judged[at].literals);
    shortest.filter(|&at| 4 * judged[at].literals <= first.literals)
}

/// Whether `a` rows right are more than `b`, and by more than the standard deviation of the difference.
fn clearly(a: usize, b: usize, asked: usize) -> bool {
    let lead = a.saturating_sub(b);
    lead > 0 && lead * lead > 2 * asked - a - b
}

/// How each candidate does on `held` when its tables, trees and rules come from `rows`. Which inputs the tables have was
/// found from all rows; that choice was made by evidence, and what is in the tables is not.
fn judge(
    question: &Question<'_>,
    rows: &Rows,
    sampling: &Sampling,
    found: &Structure,
    held: &Rows,
) -> Result<Vec<Outcome>, MinimizeError> {
    let Question { m, options, observe, .. } = *question;
    let mut judged: Vec<Outcome> = Vec::new();
    for recipe in [Recipe::Majority, Recipe::Count] {
        if recipe == Recipe::Majority || found.count.is_some() {
            observe(&format!("trying {}", recipe.name()));
            let draft = recipe.build(rows, sampling, found, m, options)?;
            judged.push(Outcome { recipe, right: right(&draft, held), literals: draft.literals() });
        }
    }
    let plain = if found.linear.is_empty() { Prefix::Nothing } else { Prefix::Linear };
    let mut prefixes = vec![plain];
    if !found.tables.is_empty() {
        prefixes.push(Prefix::Tables);
    }
    // Trees first: they are quick, and where they are far behind, so are the others.
    let mut behind: Vec<Behind> = Vec::new();
    for prefix in prefixes {
        if options.budget.spent() {
            break;
        }
        observe(&format!("trying trees{}", prefix.behind()));
        let draft = prefix.build(rows, sampling, found, m, options)?;
        if prefix == Prefix::Tables {
            judged.push(Outcome {
                recipe: Recipe::Tables,
                right: right(&draft, held),
                literals: draft.literals(),
            });
        }
        if draft.stages().len() + WIDE_STAGES > m || draft.errors() == 0 {
            continue;
        }
        let sample = sampling.with(draft.residual().bits());
        let next = Behind {
            prefix,
            literals: draft.literals(),
            train: row_by_row(sampling.scout(&sample).as_ref().unwrap_or(&sample)),
            judges: row_by_row(&Sample::new(held.columns().to_vec(), wrong(&draft, held), held.len())),
        };
        next.record(wide::judge_trees(&next.train, &next.judges, &options.budget), &mut judged);
        behind.push(next);
    }
    let most = |judged: &[Outcome], wide: bool| {
        let asked = judged.iter().filter(|judged| matches!(judged.recipe, Recipe::Wide(..)) == wide);
        asked.map(|judged| judged.right).max().unwrap_or(0)
    };
    if clearly(most(&judged, false), most(&judged, true), held.len()) {
        return Ok(judged);
    }
    for next in &behind {
        if !options.budget.spent() {
            observe(&format!("trying rules{}", next.prefix.behind()));
            let rules = wide::judge_rules(&next.train, &next.judges, options.seed, &options.budget);
            next.record(rules, &mut judged);
        }
    }
    // A teacher sees more in the labels than in what tables leave of them.
    let (majority, most) = (judged[0].right, judged.iter().map(|judged| judged.right).max().unwrap_or(0));
    if let Some(next) = behind.iter().find(|next| next.prefix == plain)
        && WORTH_A_TEACHER * (held.len() - most) > held.len() - majority
        && !options.budget.spent()
    {
        observe(&format!("trying trees and rules with a teacher{}", plain.behind()));
        let worthy = |knows: usize| clearly(knows, majority, held.len()) && !clearly(most, knows, held.len());
        let taught = wide::judge_taught(&next.train, &next.judges, worthy, options.seed, &options.budget);
        next.record(taught, &mut judged);
    }
    Ok(judged)
}

/// What some stages leave to a wide one.
struct Behind {
    prefix: Prefix,
    literals: usize,
    train: wide::Sample,
    judges: wide::Sample,
}

impl Behind {
    fn record(&self, judged: Vec<Judged>, outcomes: &mut Vec<Outcome>) {
        outcomes.extend(judged.into_iter().map(|Judged { student, right, literals }| Outcome {
            recipe: Recipe::Wide(self.prefix, student),
            right,
            literals: self.literals + literals,
        }));
    }
}

fn right(draft: &Draft<'_>, rows: &Rows) -> usize {
    rows.len() - bits::count(&wrong(draft, rows))
}

/// The rows on which the circuit errs.
fn wrong(draft: &Draft<'_>, rows: &Rows) -> Vec<u64> {
    let mut residual = Residual::new(rows);
    for stage in draft.stages() {
        residual.correct(&stage.on(rows));
    }
    residual.bits().to_vec()
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

/// Rows to learn from and rows to judge by; the latter from among `unread` ones, if given.
fn hold_out(rows: &Rows, unread: Option<&[usize]>, seed: u64) -> (Rows, Rows) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(HOLDING_OUT);
    let among = unread.map_or(rows.len(), <[usize]>::len);
    let held = index::sample(&mut rng, among, (rows.len() / HELD_OUT).min(MOST_HELD_OUT)).into_iter();
    let mut held: Vec<usize> = held.map(|at| unread.map_or(at, |unread| unread[at])).collect();
    held.sort_unstable();
    let mut train: Vec<usize> = (0..rows.len()).filter(|row| held.binary_search(row).is_err()).collect();
    let most = (HELD_OUT - 1) * MOST_HELD_OUT;
    if train.len() > most {
        let mut chosen = index::sample(&mut rng, train.len(), most).into_vec();
        chosen.sort_unstable();
        train = chosen.into_iter().map(|at| train[at]).collect();
    }
    (rows.pick(&train), rows.pick(&held))
}
