//! The ways to learn a sum of products, and how well each does on rows that it has not seen.
//!
//! Trees and rules come first: they take a fraction of a second. A teacher's students cost more and seldom know more than
//! it does, so there are some only if it predicts the held-out rows well enough itself.

use super::boost::{Boosted, Boosting};
use super::cube::Sop;
use super::distill::{Rehearsal, rehearse};
use super::forest::{Bagging, Forest};
use super::rules::{Induction, induce};
use super::sample::Sample;
use super::simplify::simplified;
use super::tree::{Growth, Tree};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// A way to learn a sum of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Learner {
    /// A decision tree; a leaf costs as much as `penalty` errors.
    Tree {
        /// Whether its nodes may test two inputs.
        pairs: bool,
        /// The price of a leaf.
        penalty: u64,
    },
    /// Rules grown from the rows themselves.
    Rules {
        /// Whether they describe the rows of label 0.
        negated: bool,
        /// New rows that each must cover.
        least_rows: usize,
    },
    /// A tree grown from rows that a teacher labelled.
    TaughtTree(Teaching),
    /// Rules grown from rows that a teacher labelled; `true` if they describe the rows of label 0.
    TaughtRules(Teaching, bool),
}

/// Who teaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Teaching {
    /// Boosted trees: many inputs that each matter a little.
    Boosted,
    /// Bagged trees: deep logic of few inputs.
    Forest,
}

impl Learner {
    /// In a few words.
    pub(crate) fn name(self) -> String {
        let of = |negated: bool| if negated { " for 0" } else { "" };
        match self {
            Self::Tree { pairs, penalty } => {
                format!("tree{}, pruned by {penalty}", if pairs { " of pairs" } else { "" })
            }
            Self::Rules { negated, least_rows } => {
                format!("rules{} of {least_rows} rows or more", of(negated))
            }
            Self::TaughtTree(teaching) => format!("tree taught by {}", teaching.name()),
            Self::TaughtRules(teaching, negated) => {
                format!("rules{} taught by {}", of(negated), teaching.name())
            }
        }
    }
}

impl Teaching {
    const fn name(self) -> &'static str {
        match self {
            Self::Boosted => "boosted trees",
            Self::Forest => "bagged trees",
        }
    }
}

/// A way to learn, and whether what it learned is simplified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Student {
    learner: Learner,
    simple: bool,
}

/// Prices of a leaf, in errors: from every row explained to the few that matter.
const PENALTIES: [u64; 7] = [0, 1, 2, 4, 8, 16, 32];

/// Rules as (of label 0, new rows that each must cover).
const RULES: [(bool, usize); 6] = [(false, 1), (false, 3), (false, 8), (true, 1), (true, 3), (true, 8)];

/// Trees and rules without a teacher, each with a number of its own below 100; as learned, and simplified where that leaves something out.
pub(crate) fn grown(sample: &Sample, seed: u64, budget: &Budget) -> Vec<(usize, Sop)> {
    let both = |number: usize, sop: Sop| {
        let fewer = simplified(&sop, sample, budget).filter(|fewer| fewer.literals() < sop.literals());
        [(2 * number, sop)].into_iter().chain(fewer.map(|fewer| (2 * number + 1, fewer)))
    };
    let trees = [false, true].into_par_iter().flat_map_iter(|pairs| {
        let growth = if pairs { paired(sample) } else { Growth::SINGLE };
        let tree = Tree::grow(sample, &growth, budget);
        PENALTIES.into_iter().enumerate().flat_map(move |(at, penalty)| {
            both(PENALTIES.len() * usize::from(pairs) + at, tree.pruned(penalty).sop())
        })
    });
    let rules = RULES.into_par_iter().enumerate().flat_map_iter(|(at, (negated, least_rows))| {
        let learner = Learner::Rules { negated, least_rows };
        both(2 * PENALTIES.len() + at, alone(sample, learner, seed, budget))
    });
    trees.chain(rules).collect()
}

impl Student {
    /// In a few words.
    pub(crate) fn name(self) -> String {
        format!("{}{}", self.learner.name(), if self.simple { ", simplified" } else { "" })
    }
}

/// A way to learn, what it learned, and how that did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) student: Student,
    /// What was judged: it stands if there is no time to learn it again from more rows.
    pub(crate) sop: Sop,
    /// Held-out rows that it predicted.
    pub(crate) right: usize,
}

/// Pairs of inputs cost their square for every row: as many inputs as 6400 rows of 512 inputs have.
const PAIR_WORK: usize = 6400 * 512 * 512;

fn paired(sample: &Sample) -> Growth {
    let paired_inputs = (PAIR_WORK / sample.len().max(1)).isqrt().max(16);
    Growth { paired_inputs, ..Growth::PAIRS }
}

/// Learns in one way.
pub(crate) fn learn(sample: &Sample, student: Student, seed: u64, budget: &Budget) -> Sop {
    let Student { learner, simple } = student;
    let finish = |sop: Sop, sample: &Sample| {
        let fewer = if simple { simplified(&sop, sample, budget) } else { None };
        fewer.unwrap_or(sop)
    };
    match learner {
        Learner::Tree { .. } | Learner::Rules { .. } => finish(alone(sample, learner, seed, budget), sample),
        Learner::TaughtTree(teaching) | Learner::TaughtRules(teaching, _) => {
            let teacher = Teacher::fit(sample, teaching, seed, budget);
            let rehearsed = teacher.rehearse(sample, seed, budget);
            finish(study(&rehearsed, learner, seed, budget), &rehearsed)
        }
    }
}

/// Learns without a teacher.
fn alone(sample: &Sample, learner: Learner, seed: u64, budget: &Budget) -> Sop {
    match learner {
        Learner::Tree { pairs, penalty } => {
            let growth = if pairs { paired(sample) } else { Growth::SINGLE };
            Tree::grow(sample, &growth, budget).pruned(penalty).sop()
        }
        Learner::Rules { negated, least_rows } => {
            induce(sample, &Induction { negated, least_rows, seed, ..Induction::default() }, budget)
        }
        Learner::TaughtTree(_) | Learner::TaughtRules(..) => study(sample, learner, seed, budget),
    }
}

/// How a small tree does that is grown whatever the budget says: where nothing else is learned in time, it stands.
pub(crate) fn judge_first(sample: &Sample, judges: &Sample) -> Judged {
    let learner = Learner::Tree { pairs: false, penalty: FIRST_PENALTY };
    let tree = Tree::grow(sample, &Growth::SINGLE, &Budget::unlimited());
    let sop = tree.pruned(FIRST_PENALTY).sop();
    let student = Student { learner, simple: false };
    Judged { student, right: right(judges, |row| sop.predict(row)), sop }
}

/// The price of a leaf of the first tree: the heaviest pruning that the others are tried with, for noise is likely.
const FIRST_PENALTY: u64 = 4;

/// How trees do on `judges` when they learn from `sample`.
pub(crate) fn judge_trees(sample: &Sample, judges: &Sample, budget: &Budget) -> Vec<Judged> {
    let trees = [false, true].into_par_iter().flat_map_iter(|pairs| {
        let growth = if pairs { paired(sample) } else { Growth::SINGLE };
        let tree = Tree::grow(sample, &growth, budget);
        [0, 1, 2, 4].into_iter().flat_map(move |penalty| {
            let learner = Learner::Tree { pairs, penalty };
            judged(judges, learner, tree.pruned(penalty).sop(), sample, budget)
        })
    });
    trees.collect()
}

/// How rules do.
pub(crate) fn judge_rules(sample: &Sample, judges: &Sample, seed: u64, budget: &Budget) -> Vec<Judged> {
    let rules = [(false, 1), (false, 8), (true, 1), (true, 8)].into_par_iter().flat_map_iter(
        |(negated, least_rows)| {
            let learner = Learner::Rules { negated, least_rows };
            judged(judges, learner, alone(sample, learner, seed, budget), sample, budget)
        },
    );
    rules.collect()
}

/// How a sum of products does as it was learned from `sample`, and simplified where that leaves something out.
fn judged(judges: &Sample, learner: Learner, sop: Sop, sample: &Sample, budget: &Budget) -> Vec<Judged> {
    let fewer = simplified(&sop, sample, budget).filter(|fewer| fewer.literals() < sop.literals());
    let judge = |simple: bool, sop: Sop| {
        let student = Student { learner, simple };
        Judged { student, right: right(judges, |row| sop.predict(row)), sop }
    };
    let fewer = fewer.map(|fewer| judge(true, fewer));
    [judge(false, sop)].into_iter().chain(fewer).collect()
}

/// How students of the better teacher do, if `worthy` says so of the number of rows that the teacher has right.
pub(crate) fn judge_taught(
    sample: &Sample,
    judges: &Sample,
    worthy: impl Fn(usize) -> bool,
    seed: u64,
    budget: &Budget,
) -> Vec<Judged> {
    let fit = |teaching| {
        let teacher = Teacher::fit(sample, teaching, seed, budget);
        let scores = teacher.scores(judges);
        let right = scores.iter().enumerate().filter(|&(r, &score)| (score > 0.0) == judges.label(r)).count();
        (right, teaching, teacher)
    };
    let (boosted, forest) = rayon::join(|| fit(Teaching::Boosted), || fit(Teaching::Forest));
    let (knows, teaching, teacher) = if forest.0 > boosted.0 { forest } else { boosted };
    if !worthy(knows) || budget.spent() {
        return Vec::new();
    }
    let rehearsed = teacher.rehearse(sample, seed, budget);
    let learners = [
        Learner::TaughtRules(teaching, false),
        Learner::TaughtRules(teaching, true),
        Learner::TaughtTree(teaching),
    ];
    let students = learners.into_par_iter().flat_map_iter(|learner| {
        judged(judges, learner, study(&rehearsed, learner, seed, budget), &rehearsed, budget)
    });
    students.collect()
}

/// Learns from rehearsed rows.
fn study(rehearsed: &Sample, learner: Learner, seed: u64, budget: &Budget) -> Sop {
    match learner {
        Learner::TaughtRules(_, negated) => {
            induce(rehearsed, &Induction { negated, least_rows: 2, seed, ..Induction::default() }, budget)
        }
        _ => Tree::grow(rehearsed, &Growth { paired_inputs: 64, ..Growth::PAIRS }, budget).pruned(2).sop(),
    }
}

/// A fitted teacher.
enum Teacher {
    Boosted(Boosted),
    Forest(Forest),
}

impl Teacher {
    fn fit(sample: &Sample, teaching: Teaching, seed: u64, budget: &Budget) -> Self {
        match teaching {
            Teaching::Boosted => {
                Self::Boosted(Boosted::fit(sample, &Boosting { seed, ..Boosting::default() }, budget))
            }
            Teaching::Forest => {
                Self::Forest(Forest::fit(sample, &Bagging { seed, ..Bagging::default() }, budget))
            }
        }
    }

    fn scores(&self, rows: &Sample) -> Vec<f64> {
        match self {
            Self::Boosted(boosted) => boosted.scores(rows),
            Self::Forest(forest) => forest.scores(rows),
        }
    }

    /// Labels where the teacher is sure enough: odds of about 7 to 1, or a clear vote.
    fn labels(&self, rows: &Sample) -> Vec<Option<bool>> {
        let least = match self {
            Self::Boosted(_) => 2.0,
            Self::Forest(_) => 0.4,
        };
        let label = |score: f64| (score.abs() >= least).then_some(score > 0.0);
        self.scores(rows).into_iter().map(label).collect()
    }

    /// The rows for its students: rules of many inputs take more than trees.
    fn rehearse(&self, sample: &Sample, seed: u64, budget: &Budget) -> Sample {
        let rows = match self {
            Self::Boosted(_) => 200_000,
            Self::Forest(_) => 60_000,
        };
        let rehearsal = Rehearsal { rows: rows.max(2 * sample.len()), seed, ..Rehearsal::default() };
        rehearse(sample, &rehearsal, |rows| self.labels(rows), budget)
    }
}

/// Rows whose label is predicted.
fn right(sample: &Sample, predict: impl Fn(&[u64]) -> bool) -> usize {
    (0..sample.len()).filter(|&r| predict(sample.row(r)) == sample.label(r)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    #[test]
    fn a_students_sum_is_better_than_an_untaught_one() {
        let majority = |row: &[u64]| (row[0] & 0xFFFF_FFFF).count_ones() > 16;
        let (train, test) = (random_rows(40, 1500, 3, majority), random_rows(40, 2000, 4, majority));
        let accuracy = |learner| {
            let sop = learn(&train, Student { learner, simple: false }, 0, &Budget::unlimited());
            right(&test, |row| sop.predict(row))
        };
        let rules = accuracy(Learner::Rules { negated: false, least_rows: 1 });
        let taught = accuracy(Learner::TaughtRules(Teaching::Boosted, false));
        assert!(taught > rules, "{taught} {rules}");
    }

    #[test]
    fn the_same_seed_gives_the_same_cubes() {
        let train = random_rows(24, 400, 5, |row| row[0].count_ones() > 12);
        for learner in [Learner::TaughtTree(Teaching::Forest), Learner::TaughtRules(Teaching::Boosted, true)]
        {
            for simple in [false, true] {
                let learned = || learn(&train, Student { learner, simple }, 7, &Budget::unlimited());
                assert_eq!(learned(), learned());
            }
        }
    }

    #[test]
    fn samples_of_few_rows_and_spent_budgets_have_answers() {
        let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
        for rows in 0..8 {
            let sample = random_rows(3, rows, 6, |row| row[0] & 1 == 1);
            for budget in [&Budget::unlimited(), &spent] {
                assert!(judge_trees(&sample, &sample, budget).len() >= 8);
                assert!(judge_rules(&sample, &sample, 0, budget).len() >= 4);
                judge_taught(&sample, &sample, |_| true, 0, budget);
            }
        }
    }
}
