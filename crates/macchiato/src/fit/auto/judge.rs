//! How candidates do on rows that they were not learned from, and what each of them was when it was judged.

use super::draft::Draft;
use super::question::Question;
use super::recipe::{Prefix, Recipe, WIDE_STAGES, push_sop, row_by_row, settle};
use super::sampling::Sampling;
use super::split::Split;
use super::structure::Structure;
use crate::bits;
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::Sample;
use crate::wide::{self, Judged, Sop};
use macchiato_minimize::{MinimizeError, Options};

/// A teacher is asked while the best candidate leaves more than one in so many of the majority's errors.
const WORTH_A_TEACHER: usize = 200;

/// A candidate, and what the rows that judge say of it.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) recipe: Recipe,
    pub(super) right: usize,
    pub(super) literals: usize,
    /// The wide sum that was judged, of recipes that have one.
    pub(super) sop: Option<Sop>,
}

/// All candidates that were judged, and the stages in front of their wide sums.
#[derive(Debug)]
pub(super) struct Judgement<'a> {
    pub(super) outcomes: Vec<Outcome>,
    prefixes: Vec<(Prefix, Draft<'a>)>,
}

impl Judgement<'_> {
    /// A candidate as it was judged, on all rows. Tables without a wide sum and counts take next to no time, so they are
    /// fitted to all rows even now.
    pub(super) fn as_judged<'a>(
        &self,
        outcome: &Outcome,
        rows: &'a Rows,
        sampling: &Sampling,
        found: &Structure,
        m: usize,
        options: &'a Options,
    ) -> Result<Draft<'a>, MinimizeError> {
        let (Recipe::Wide(prefix, _), Some(sop)) = (outcome.recipe, &outcome.sop) else {
            return outcome.recipe.build(rows, sampling, found, m, options);
        };
        let mut draft = Draft::new(rows, options);
        if let Some((_, stages)) = self.prefixes.iter().find(|known| known.0 == prefix) {
            draft.push_all(stages);
        }
        push_sop(&mut draft, sop.clone());
        settle(&mut draft, rows, m);
        Ok(draft)
    }
}

/// Whether `a` rows right are more than `b`, and by more than the standard deviation of the difference.
pub(super) fn clearly(a: usize, b: usize, asked: usize) -> bool {
    let lead = a.saturating_sub(b);
    lead > 0 && lead * lead > 2 * asked - a - b
}

/// A small tree, grown before anything else and whatever the budget says; none where stages are too few for it.
pub(super) fn first(split: &Split<'_>, m: usize) -> Option<Outcome> {
    let sample = split.sampling().labels();
    let train = row_by_row(split.sampling().scout(sample).as_ref().unwrap_or(sample));
    let held = split.held();
    let judges = row_by_row(&Sample::new(held.columns().to_vec(), held.labels().to_vec(), held.len()));
    let tree = || outcome(Prefix::Nothing, 0, wide::judge_first(&train, &judges));
    (WIDE_STAGES <= m).then(tree)
}

/// How each candidate does on the rows that judge when its tables, trees and rules come from the others. `found` says
/// which inputs the tables have. Once the budget is spent, only what takes next to no time is tried.
pub(super) fn judge<'s>(
    question: &Question<'s>,
    split: &'s Split<'_>,
    found: &Structure,
) -> Result<Judgement<'s>, MinimizeError> {
    let Question { m, options, observe, .. } = *question;
    let (rows, held, sampling) = (split.train(), split.held(), split.sampling());
    let mut judged: Vec<Outcome> = Vec::new();
    let plainly = |recipe: Recipe, draft: &Draft<'_>| Outcome {
        recipe,
        right: right(draft, held),
        literals: draft.literals(),
        sop: None,
    };
    for recipe in [Recipe::Majority, Recipe::Count] {
        if recipe == Recipe::Majority || found.count.is_some() {
            observe(&format!("trying {}", recipe.name()));
            judged.push(plainly(recipe, &recipe.build(rows, sampling, found, m, options)?));
        }
    }
    let plain = if found.linear.is_empty() { Prefix::Nothing } else { Prefix::Linear };
    let mut prefixes = vec![plain];
    if !found.tables.is_empty() {
        prefixes.push(Prefix::Tables);
    }
    // Trees first: they are quick, and where they are far behind, so are the others.
    let mut behind: Vec<Behind<'s>> = Vec::new();
    for prefix in prefixes {
        observe(&format!("trying trees{}", prefix.behind()));
        let draft = prefix.build(rows, sampling, found, m, options)?;
        if prefix == Prefix::Tables {
            judged.push(plainly(Recipe::Tables, &draft));
        }
        if draft.stages().len() + WIDE_STAGES > m || draft.errors() == 0 || options.budget.spent() {
            continue;
        }
        let sample = sampling.with(draft.residual().bits());
        let next = Behind {
            prefix,
            train: row_by_row(sampling.scout(&sample).as_ref().unwrap_or(&sample)),
            judges: row_by_row(&Sample::new(held.columns().to_vec(), wrong(&draft, held), held.len())),
            draft,
        };
        next.record(wide::judge_trees(&next.train, &next.judges, &options.budget), &mut judged);
        behind.push(next);
    }
    let most = |judged: &[Outcome], wide: bool| {
        let asked = judged.iter().filter(|judged| matches!(judged.recipe, Recipe::Wide(..)) == wide);
        asked.map(|judged| judged.right).max().unwrap_or(0)
    };
    let hopeless = clearly(most(&judged, false), most(&judged, true), held.len());
    for next in &behind {
        if !hopeless && !options.budget.spent() {
            observe(&format!("trying rules{}", next.prefix.behind()));
            let rules = wide::judge_rules(&next.train, &next.judges, options.seed, &options.budget);
            next.record(rules, &mut judged);
        }
    }
    // A teacher sees more in the labels than in what tables leave of them.
    let (majority, most) = (judged[0].right, judged.iter().map(|judged| judged.right).max().unwrap_or(0));
    if let Some(next) = behind.iter().find(|next| next.prefix == plain)
        && !hopeless
        && WORTH_A_TEACHER * (held.len() - most) > held.len() - majority
        && !options.budget.spent()
    {
        observe(&format!("trying trees and rules with a teacher{}", plain.behind()));
        let worthy = |knows: usize| clearly(knows, majority, held.len()) && !clearly(most, knows, held.len());
        let taught = wide::judge_taught(&next.train, &next.judges, worthy, options.seed, &options.budget);
        next.record(taught, &mut judged);
    }
    let prefixes = behind.into_iter().map(|next| (next.prefix, next.draft)).collect();
    Ok(Judgement { outcomes: judged, prefixes })
}

/// What some stages leave to a wide one.
struct Behind<'a> {
    prefix: Prefix,
    draft: Draft<'a>,
    train: wide::Sample,
    judges: wide::Sample,
}

impl Behind<'_> {
    fn record(&self, judged: Vec<Judged>, outcomes: &mut Vec<Outcome>) {
        let before = self.draft.literals();
        outcomes.extend(judged.into_iter().map(|judged| outcome(self.prefix, before, judged)));
    }
}

/// A wide sum behind stages of so many literals.
fn outcome(prefix: Prefix, literals: usize, Judged { student, right, sop }: Judged) -> Outcome {
    let literals = literals + sop.literals();
    Outcome { recipe: Recipe::Wide(prefix, student), right, literals, sop: Some(sop) }
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
