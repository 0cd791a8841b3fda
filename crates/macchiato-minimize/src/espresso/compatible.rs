//! The covering problem of some ON points alone: which of them can one term hold together?
//!
//! Points are compatible if some prime holds them all, which their edges tell. The maximal compatible sets are the
//! columns: the traces of all primes on these points, though no prime is listed. Any choice of points gives a lower
//! bound on every cover; points in few primes give a good one. The sets can be exponentially many, so the work is
//! counted, and a point whose sets are too many is left out of the problem: the bound then holds still.

use super::point::{Edges, Point};
use crate::cube::Shape;

/// Sets of points that one term can hold, and the points that take part.
pub(super) struct Compatible {
    pub(super) sets: Vec<Vec<u32>>,
    /// Whether the point takes part.
    pub(super) counts: Vec<bool>,
    /// Unions tried.
    pub(super) work: usize,
}

/// The share of all work that the sets of one point may take.
const SHARE: usize = 50;

/// All maximal sets of compatible points, as far as `work` unions of their elements reach; `None` when `spent` says so.
pub(super) fn compatible(
    shape: Shape,
    points: &[(Point, Edges)],
    work: usize,
    spent: impl Fn() -> bool,
) -> Option<Compatible> {
    let neighbours = neighbours(shape, points, &spent)?;
    // Points with few neighbours first: each finds its sets among those that come later.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&at| (neighbours[at].len(), at));
    let mut rank = vec![0; points.len()];
    for (position, &at) in order.iter().enumerate() {
        rank[at] = position;
    }
    let mut left = work;
    let mut answer = Compatible { sets: Vec::new(), counts: vec![true; points.len()], work: 0 };
    for &first in &order {
        if spent() {
            return None;
        }
        let mut search =
            Search { edges: &points[first].1, first, sets: Vec::new(), work: left.min(work / SHARE) };
        let before = search.work;
        let (mut candidates, mut excluded) = (Vec::new(), Vec::new());
        for &at in &neighbours[first] {
            if !answer.counts[at as usize] {
                continue;
            }
            let mut apart = vec![0; shape.input_words() + shape.output_words()];
            points[first].0.apart(&points[at as usize].0, shape, &mut apart);
            let side = if rank[at as usize] > rank[first] { &mut candidates } else { &mut excluded };
            side.push(Other { at, apart });
        }
        let nothing = vec![0; shape.input_words() + shape.output_words()];
        match search.grow(Vec::new(), &nothing, candidates, excluded) {
            Some(()) => answer.sets.append(&mut search.sets),
            None => answer.counts[first] = false,
        }
        left -= before - search.work;
    }
    answer.work = work - left;
    Some(answer)
}

/// For each point the others that some prime holds with it.
fn neighbours(shape: Shape, points: &[(Point, Edges)], spent: &impl Fn() -> bool) -> Option<Vec<Vec<u32>>> {
    let mut apart = vec![0; shape.input_words() + shape.output_words()];
    let mut neighbours = vec![Vec::new(); points.len()];
    for (a, (point, edges)) in points.iter().enumerate() {
        if spent() {
            return None;
        }
        for (b, (other, _)) in points.iter().enumerate().skip(a + 1) {
            point.apart(other, shape, &mut apart);
            if edges.allow(&apart) {
                neighbours[a].push(b as u32);
                neighbours[b].push(a as u32);
            }
        }
    }
    Some(neighbours)
}

/// Another point, and the elements that a prime with it cannot keep.
#[derive(Clone)]
struct Other {
    at: u32,
    apart: Vec<u64>,
}

/// The maximal sets around one point.
struct Search<'a> {
    edges: &'a Edges,
    first: usize,
    sets: Vec<Vec<u32>>,
    work: usize,
}

impl Search<'_> {
    /// Adds the maximal sets that hold `chosen`, whose union of elements is `dropped`, and none of `excluded`. `None` when
    /// the work is used up.
    fn grow(
        &mut self,
        mut chosen: Vec<u32>,
        dropped: &[u64],
        candidates: Vec<Other>,
        mut excluded: Vec<Other>,
    ) -> Option<()> {
        let work = 1 + candidates.len() + excluded.len();
        if work > self.work {
            self.work = 0;
            return None;
        }
        self.work -= work;
        let mut left = Vec::with_capacity(candidates.len());
        for other in candidates {
            let union = union(dropped, &other.apart);
            if union == dropped {
                chosen.push(other.at);
            } else if self.edges.allow(&union) {
                left.push(other);
            }
        }
        excluded.retain(|other| self.edges.allow(&union(dropped, &other.apart)));
        let all = left.iter().fold(dropped.to_vec(), |all, other| union(&all, &other.apart));
        // An excluded point that fits even with all candidates fits with every set here: none of them is maximal.
        if excluded.iter().any(|other| self.edges.allow(&union(&all, &other.apart))) {
            return Some(());
        }
        if self.edges.allow(&all) {
            chosen.extend(left.iter().map(|other| other.at));
            chosen.push(self.first as u32);
            chosen.sort_unstable();
            self.sets.push(chosen);
            return Some(());
        }
        let Some(pick) = left.pop() else { return Some(()) };
        let with = union(dropped, &pick.apart);
        let mut taken = chosen.clone();
        taken.push(pick.at);
        self.grow(taken, &with, left.clone(), excluded.clone())?;
        excluded.push(pick);
        self.grow(chosen, dropped, left, excluded)
    }
}

fn union(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}
