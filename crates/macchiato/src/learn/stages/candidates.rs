//! Every circuit of stages that the rows suggest, for a judge who compares them with circuits of other shapes.
//!
//! The structure is searched for once: tables by evidence, a count, and sums of products over many inputs, alone, behind linear inputs or behind the
//! tables. Each has a size of its recipe, so that the same can be done on other rows.

use super::super::candidate::{Candidate, Family, Recipe};
use super::super::gates::Gates;
use super::super::made::Made;
use super::super::params::MAX_TABLE_INPUTS;
use super::draft::Draft;
use super::explain::Effort;
use super::recipe::{Prefix, WIDE_STAGES, push_count, push_sop, row_by_row, settle};
use super::sampling::Sampling;
use super::structure::{Structure, structure};
use crate::rows::Rows;
use crate::select::{NAT, Nats};
use crate::wide::{self, Sop};
use macchiato_minimize::{Budget, MinimizeError, Options};

/// Tables alone.
const TABLES: usize = 1;

/// A count alone.
const COUNT: usize = 2;

/// The first of the sums of products, of those behind linear inputs, and of those behind tables.
const TERMS: [usize; 3] = [100, 200, 300];

/// Rows times inputs that a tree reads which is grown whatever the budget says: a fraction of a second.
const FIRST_CELLS: usize = 1 << 23;

/// What the rows suggest, and how it was searched for.
pub(in super::super) struct Searched<'a> {
    rows: &'a Rows,
    sampling: Sampling,
    found: Structure,
    options: Options,
    m: usize,
    gates: Gates,
}

impl<'a> Searched<'a> {
    /// Searches for tables by evidence, unless their structure on these rows is known.
    pub(in super::super) fn new(
        rows: &'a Rows,
        (effort, m, seed, gates): (u8, usize, u64, Gates),
        budget: &Budget,
        known: Option<Structure>,
    ) -> Self {
        let mut options = Options::default();
        options.seed = seed;
        options.budget = budget.clone();
        let effort = Effort::new(effort, MAX_TABLE_INPUTS);
        let sampling = Sampling::new(rows, &effort, seed);
        let found = known.unwrap_or_else(|| structure(rows, &sampling, &[], &effort, m, &options, &|_| {}));
        Self { rows, sampling, found, options, m, gates }
    }

    /// The structure, for another search on the same rows.
    pub(in super::super) const fn structure(&self) -> &Structure {
        &self.found
    }

    /// Tables, and a count, where there is evidence for them: described by it where that is shorter.
    pub(in super::super) fn tables(&self) -> Vec<Candidate> {
        let mut made = Vec::new();
        if self.found.evidence > self.found.constant {
            made.extend(self.stages(Prefix::Tables).ok().map(|draft| (TABLES, draft, self.found.evidence)));
        }
        if let Some(count) = &self.found.count {
            let mut draft = Draft::new(self.rows, &self.options);
            // A cover that the minimizer cannot verify is a defect of it, and no candidate.
            let pushed = push_count(&mut draft, self.rows, count).is_ok();
            made.extend(pushed.then_some((COUNT, draft, count.evidence)));
        }
        made.into_iter()
            .map(|(size, draft, evidence)| {
                let candidate = self.candidate(Family::Tables, size, draft);
                // The sample's evidence, as if it were that of all rows.
                let share = self.rows.len() as f64 / self.sampling.labels().rows().max(1) as f64;
                let nats = candidate.evidence - nats(evidence) * share;
                candidate.described(nats.max(0.0))
            })
            .collect()
    }

    /// Sums of products, alone and behind what was found.
    pub(in super::super) fn terms(&self) -> Vec<Candidate> {
        let linear = (!self.found.linear.is_empty()).then_some((Prefix::Linear, TERMS[1]));
        let tables = (!self.found.tables.is_empty()).then_some((Prefix::Tables, TERMS[2]));
        let mut found = Vec::new();
        for (prefix, first) in [(Prefix::Nothing, TERMS[0])].into_iter().chain(linear).chain(tables) {
            let Ok(draft) = self.stages(prefix) else { continue };
            let budget = &self.options.budget;
            if draft.errors() == 0 || draft.stages().len() + WIDE_STAGES > self.m || budget.spent() {
                continue;
            }
            let sample = row_by_row(&self.sampling.with(draft.residual().bits()));
            let trees = if prefix == Prefix::Nothing { Vec::new() } else { wide::trees(&sample, budget) };
            for (number, sop) in
                trees.into_iter().chain(wide::pairs_and_rules(&sample, self.options.seed, budget))
            {
                found.push(self.candidate(Family::Terms, first + number, pushed(draft.clone(), sop)));
            }
        }
        found
    }

    fn stages(&self, prefix: Prefix) -> Result<Draft<'_>, MinimizeError> {
        prefix.build(self.rows, &self.sampling, &self.found, self.m, &self.options)
    }

    fn candidate(&self, family: Family, size: usize, mut draft: Draft<'_>) -> Candidate {
        settle(&mut draft, self.rows, self.m);
        of_draft(family, size, &draft, self.rows, self.gates)
    }
}

/// Trees of single inputs in at most `m` stages, which take next to no time: what stands before anything else does.
pub(in super::super) fn trees(rows: &Rows, gates: Gates, m: usize, seed: u64) -> Vec<Candidate> {
    let mut options = Options::default();
    options.seed = seed;
    let most = FIRST_CELLS / rows.inputs().max(1);
    let sampling = Sampling::of_at_most(rows, most.max(1), seed);
    let sample = row_by_row(sampling.labels());
    let candidate = |(number, sop): (usize, Sop)| {
        let mut draft = pushed(Draft::new(rows, &options), sop);
        settle(&mut draft, rows, m);
        (draft.stages().len() <= m).then(|| of_draft(Family::Tree, number + 1, &draft, rows, gates))
    };
    wide::trees(&sample, &Budget::unlimited()).into_iter().filter_map(candidate).collect()
}

fn pushed(mut draft: Draft<'_>, sop: Sop) -> Draft<'_> {
    push_sop(&mut draft, sop);
    draft
}

fn of_draft(family: Family, size: usize, draft: &Draft<'_>, rows: &Rows, gates: Gates) -> Candidate {
    let made = Made { stages: draft.stages().to_vec(), known: draft.known().to_vec() };
    Candidate::of_stages(Recipe::new(family, size), made, rows, gates)
}

fn nats(evidence: Nats) -> f64 {
    evidence as f64 / NAT
}
