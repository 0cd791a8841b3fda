//! A lower bound on every cover, and covers on the way, from a growing choice of ON points.
//!
//! The points alone are a covering problem (`compatible`), whose bound holds for the whole function. Its solution is a
//! set of terms; where they leave an ON point open that point joins, and so on: where nothing is open the solution is a
//! cover, and if its size meets the bound, a smallest one. Points are moved to where the fewest primes are before they
//! join, so that one of them stands for many. This is constraint generation, as in implicit hitting sets; the points
//! with fewest primes are those of the essential signature cubes of Espresso-Signature (`McGeer`, Sanghavi, Brayton and
//! Sangiovanni-Vincentelli, 1993). No list of primes is made, and no diagram of them either.

use super::compatible::compatible;
use super::point::{Edges, Point, descend};
use super::witness::uncovered;
use crate::cover::Cover;
use crate::covering::{Covering, Effort};
use std::collections::BTreeSet;

/// Points that join in one round: more of them tell little before the next solution.
const NEW_POINTS: usize = 100;

/// Points after which the work of all of them is foreseen.
const TRIAL: usize = 16;
/// What a pair of points and a union of elements cost, in comparisons of an OFF cube: measured on the classical files.
const PAIR: usize = 1;
const UNION: usize = 4;

/// The points so far.
pub(super) struct Bound<'a> {
    off: &'a Cover,
    /// What is covered anyway: don't-cares and essentials.
    fixed: &'a Cover,
    points: Vec<(Point, Edges)>,
    known: BTreeSet<Point>,
    /// Comparisons made so far.
    work: usize,
}

/// What the points say.
pub(super) struct Solved {
    /// Besides what is fixed, every cover has at least so many terms.
    pub(super) lower_bound: usize,
    /// For each set of the smallest choice found, the smallest cube with its points.
    pub(super) terms: Cover,
}

impl<'a> Bound<'a> {
    pub(super) fn new(off: &'a Cover, fixed: &'a Cover) -> Self {
        Self { off, fixed, points: Vec::new(), known: BTreeSet::new(), work: 0 }
    }

    /// Comparisons made so far: a measure of time that is the same on every machine.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// How many points there were so far, those that left again included.
    pub(super) fn known(&self) -> usize {
        self.known.len()
    }

    /// Adds a point of each term of a cover that no other term covers; `false`, and soon, if that would take more than `work`
    /// comparisons.
    pub(super) fn add_own_points(&mut self, cover: &Cover, work: usize, spent: impl Fn() -> bool) -> bool {
        for (term, cube) in cover.cubes().enumerate() {
            let foreseen = self.work / term.max(1) * cover.terms();
            if spent() || (term >= TRIAL && foreseen > work) {
                return false;
            }
            let own = uncovered(cube, cover, Some(term), self.fixed).next();
            if let Some((output, planes)) = own {
                self.add(&planes, output);
            }
        }
        true
    }

    /// Whether `cover` covers `on`; if not, points join that it leaves open, of each cube of `on` and for each output.
    pub(super) fn add_open_points(&mut self, on: &Cover, cover: &Cover, spent: impl Fn() -> bool) -> bool {
        let enough = self.points.len() + NEW_POINTS;
        let mut covers = true;
        for cube in on.cubes() {
            if self.points.len() > enough || spent() {
                return false;
            }
            for (output, planes) in uncovered(cube, cover, None, self.fixed) {
                self.add(&planes, output);
                covers = false;
            }
        }
        covers
    }

    fn add(&mut self, planes: &[u64], output: usize) {
        let point = Point::of(self.off.shape(), planes, output);
        if let Some((point, edges)) = descend(&point, self.off, self.fixed, &mut self.work)
            && self.known.insert(point.clone())
        {
            self.points.push((point, edges));
        }
    }

    /// Solves the covering problem of the points with `work` unions of elements. Points whose sets are too many leave. `None`
    /// if the budget was spent.
    pub(super) fn solve(&mut self, work: usize, effort: &Effort) -> Option<Solved> {
        let shape = self.off.shape();
        let sets = compatible(shape, &self.points, work, || effort.budget.spent())?;
        self.work += PAIR * self.points.len().pow(2) / 2 + UNION * sets.work;
        let mut row_of = vec![None; self.points.len()];
        let mut rows = 0;
        for (row, _) in row_of.iter_mut().zip(&sets.counts).filter(|(_, counts)| **counts) {
            *row = Some(rows);
            rows += 1;
        }
        let mut covering = Covering::new(rows as usize);
        for set in &sets.sets {
            covering.push_column(set.iter().filter_map(|&at| row_of[at as usize]), 1);
        }
        let solution = covering.solve(effort);
        let mut terms = Cover::new(shape);
        for &column in &solution.columns {
            let mut hull = vec![0; shape.words()];
            for &at in &sets.sets[column] {
                let cube = self.points[at as usize].0.cube(shape);
                hull.iter_mut().zip(&cube).for_each(|(to, from)| *to |= from);
            }
            terms.push_words(&hull);
        }
        let mut counts = sets.counts.iter();
        self.points.retain(|_| counts.next() == Some(&true));
        Some(Solved { lower_bound: solution.lower_bound, terms })
    }
}
