//! EXPAND: each cube grows to a prime that swallows as many others as it can.
//!
//! A cube c and an OFF cube r that shares an output must keep at least one input on which they contradict each other:
//! the conflicts of c with the OFF rows are a hitting-set problem. An input that is some row's only conflict must stay.
//! While some other cube can be covered by raising c to their supercube, the one that covers the most others is taken;
//! then inputs are raised that the remaining cubes want most, and last the fewest conflicts that hit every row stay.

use crate::cover::Cover;
use crate::cube::{Shape, contains, ones};

/// Whether outputs are raised before the last inputs are, or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Raise {
    InputsFirst,
    OutputsFirst,
}

/// Expands the cubes of `cover` in the given order into primes against `off`; cubes that another one has come to cover
/// are dropped. When `spent` says so the rest stays as it is: still a valid cover.
pub(super) fn expand(
    cover: &Cover,
    off: &Cover,
    order: &[usize],
    raise: Raise,
    spent: impl Fn() -> bool,
) -> Cover {
    let mut expanded = cover.clone();
    let mut covered = vec![false; cover.terms()];
    for &term in order {
        if covered[term] {
            continue;
        }
        if spent() {
            break;
        }
        let mut growth = Growth::new(expanded.cube(term).to_vec(), off);
        growth.swallow(&expanded, &covered, term, &spent);
        let prime = growth.finish(raise);
        for (at, cube) in expanded.cubes().enumerate() {
            if at != term && !covered[at] && contains(&prime, cube) {
                covered[at] = true;
            }
        }
        expanded.cube_mut(term).copy_from_slice(&prime);
    }
    expanded.filtered(|term| !covered[term])
}

/// Expands the inputs of one cube alone, its outputs as they are.
pub(super) fn inputs_over(cube: &[u64], off: &Cover) -> Vec<u64> {
    let mut growth = Growth::new(cube.to_vec(), off);
    growth.keep_fewest();
    growth.cube
}

/// Berkeley's order: cubes that share the fewest literals with the others first, as nobody else will cover them.
pub(super) fn order(cover: &Cover) -> Vec<usize> {
    let shape = cover.shape();
    let mut counts = vec![0usize; 64 * shape.words()];
    for cube in cover.cubes() {
        ones(cube).for_each(|bit| counts[bit] += 1);
    }
    let weight: Vec<usize> = cover.cubes().map(|cube| ones(cube).map(|bit| counts[bit]).sum()).collect();
    let mut order: Vec<usize> = (0..cover.terms()).collect();
    order.sort_by_key(|&term| (weight[term], term));
    order
}

/// One cube on its way to a prime.
struct Growth<'a> {
    shape: Shape,
    cube: Vec<u64>,
    off: &'a Cover,
    /// For each OFF row that shares an output: the inputs that still contradict it. Rows that a fixed input hits are gone.
    conflicts: Vec<u64>,
    /// Inputs whose literal must stay.
    fixed: Vec<u64>,
    /// OFF rows that share no output yet, with their conflicts; here too, rows that a fixed input hits are gone.
    apart: Vec<u32>,
    apart_conflicts: Vec<u64>,
}

impl<'a> Growth<'a> {
    fn new(cube: Vec<u64>, off: &'a Cover) -> Self {
        let shape = off.shape();
        let mut growth = Self {
            shape,
            cube,
            off,
            conflicts: Vec::new(),
            fixed: vec![0; shape.input_words()],
            apart: Vec::new(),
            apart_conflicts: Vec::new(),
        };
        let mut row = vec![0; shape.input_words()];
        for (at, off) in off.cubes().enumerate() {
            row.iter_mut().zip(conflict(shape, &growth.cube, off)).for_each(|(to, from)| *to = from);
            // Inputs fixed so far spare most rows a place in the lists.
            if row.iter().zip(&growth.fixed).any(|(row, fixed)| row & fixed != 0) {
                continue;
            }
            if !shape.outputs_meet(&growth.cube, off) {
                growth.apart.push(at as u32);
                growth.apart_conflicts.extend_from_slice(&row);
            } else if is_single(&row) {
                growth.fixed.iter_mut().zip(&row).for_each(|(fixed, row)| *fixed |= row);
            } else {
                growth.conflicts.extend_from_slice(&row);
            }
        }
        growth.drop_hit();
        growth
    }

    /// Fixes inputs that are some row's only conflict and drops the rows that fixed inputs hit.
    fn fix(&mut self) {
        let words = self.shape.input_words();
        let mut found = false;
        for row in self.conflicts.chunks_exact(words.max(1)) {
            if is_single(row) {
                self.fixed.iter_mut().zip(row).for_each(|(fixed, row)| *fixed |= row);
                found = true;
            }
        }
        if found {
            self.drop_hit();
        }
    }

    /// Drops the rows that fixed inputs hit: however the cube grows, it stays clear of them.
    fn drop_hit(&mut self) {
        let (words, fixed) = (self.shape.input_words(), &self.fixed);
        let open = |row: &[u64]| row.iter().zip(fixed).all(|(row, fixed)| row & fixed == 0);
        retain_chunks(&mut self.conflicts, words, open);
        let mut rows = self.apart_conflicts.chunks_exact(words.max(1));
        self.apart.retain(|_| rows.next().is_none_or(open));
        retain_chunks(&mut self.apart_conflicts, words, open);
    }

    /// Raises the cube to the supercube with `target`, which must be feasible.
    fn raise_to(&mut self, target: &[u64]) {
        let mut need = vec![0; self.shape.input_words()];
        self.need(target, &mut need);
        self.cube.iter_mut().zip(target).for_each(|(cube, target)| *cube |= target);
        self.after_raise(&need);
    }

    /// Brings the conflicts up to date once the inputs `raised` lost their literals or outputs joined.
    fn after_raise(&mut self, raised: &[u64]) {
        let words = self.shape.input_words();
        for rows in [&mut self.conflicts, &mut self.apart_conflicts] {
            for row in rows.chunks_exact_mut(words.max(1)) {
                row.iter_mut().zip(raised).for_each(|(row, raised)| *row &= !raised);
            }
        }
        self.join_outputs();
        self.fix();
    }

    /// Rows that share an output by now stop being apart.
    fn join_outputs(&mut self) {
        let words = self.shape.input_words();
        let mut to = 0;
        for from in 0..self.apart.len() {
            let (at, row) = (self.apart[from], words * from..words * (from + 1));
            if self.shape.outputs_meet(&self.cube, self.off.cube(at as usize)) {
                self.conflicts.extend_from_slice(&self.apart_conflicts[row]);
            } else {
                self.apart[to] = at;
                self.apart_conflicts.copy_within(row, words * to);
                to += 1;
            }
        }
        self.apart.truncate(to);
        self.apart_conflicts.truncate(words * to);
    }

    /// The inputs that must lose their literal for the cube to cover `target`.
    fn need(&self, target: &[u64], need: &mut [u64]) {
        let words = self.shape.input_words();
        for (w, need) in need.iter_mut().enumerate() {
            *need = (target[w] & !self.cube[w]) | (target[words + w] & !self.cube[words + w]);
        }
    }

    /// Whether the supercube with `target`, which needs the inputs `need`, hits no OFF row.
    fn feasible(&self, need: &[u64], target: &[u64]) -> bool {
        let words = self.shape.input_words();
        if need.iter().zip(&self.fixed).any(|(need, fixed)| need & fixed != 0) {
            return false;
        }
        let keeps = |row: &[u64]| row.iter().zip(need).any(|(row, need)| row & !need != 0);
        if !self.conflicts.chunks_exact(words.max(1)).all(keeps) {
            return false;
        }
        let (now, joined) = (self.shape.output_part(&self.cube), self.shape.output_part(target));
        if contains(now, joined) {
            return true;
        }
        self.apart.iter().zip(self.apart_conflicts.chunks_exact(words.max(1))).all(|(&at, conflict)| {
            // What is apart shares no output with the cube, so an output shared with the target is a new one.
            let row = self.shape.output_part(self.off.cube(at as usize));
            keeps(conflict) || row.iter().zip(joined).all(|(row, new)| row & new == 0)
        })
    }

    /// Covers other cubes while that is possible, then raises what the others want most. With very many others one cube can
    /// take minutes, so `spent` is asked for each of them.
    fn swallow(&mut self, cover: &Cover, covered: &[bool], term: usize, spent: &impl Fn() -> bool) {
        let shape = self.shape;
        let mut others: Vec<usize> = (0..cover.terms()).filter(|&at| at != term && !covered[at]).collect();
        let mut need = vec![0; shape.input_words()];
        loop {
            others.retain(|&at| {
                let other = cover.cube(at);
                self.need(other, &mut need);
                !spent() && self.feasible(&need, other) && !contains(&self.cube, other)
            });
            // The supercube that covers the most other feasible cubes, then the smallest one.
            let mut hull = self.cube.clone();
            let best = others.iter().take_while(|_| !spent()).max_by_key(|&&at| {
                hull.iter_mut().zip(&self.cube).zip(cover.cube(at)).for_each(|((to, a), b)| *to = a | b);
                let swallowed = others.iter().filter(|&&other| contains(&hull, cover.cube(other))).count();
                (swallowed, shape.literals(&hull), std::cmp::Reverse(at))
            });
            let Some(&best) = best else { break };
            self.raise_to(cover.cube(best));
        }
        if !spent() {
            self.raise_wanted(cover, covered, term);
        }
    }

    /// Raises single inputs that the most other cubes need and no fixed input forbids, while conflicts allow it.
    fn raise_wanted(&mut self, cover: &Cover, covered: &[bool], term: usize) {
        let shape = self.shape;
        let words = shape.input_words();
        let mut wanted = vec![0u32; 64 * words];
        let mut need = vec![0; words];
        // A cube that needs a fixed input goes on needing it.
        let mut others: Vec<&[u64]> = cover
            .cubes()
            .enumerate()
            .filter(|&(at, other)| at != term && !covered[at] && shape.outputs_meet(&self.cube, other))
            .map(|(_, other)| other)
            .collect();
        loop {
            wanted.fill(0);
            others.retain(|other| {
                self.need(other, &mut need);
                let possible = need.iter().zip(&self.fixed).all(|(need, fixed)| need & fixed == 0);
                if possible {
                    ones(&need).for_each(|i| wanted[i] += 1);
                }
                possible
            });
            let Some(best) = (0..64 * words).max_by_key(|&i| (wanted[i], std::cmp::Reverse(i))) else {
                return;
            };
            if wanted[best] == 0 {
                return;
            }
            self.raise_input(best);
        }
    }

    /// Raises one input that is not fixed.
    fn raise_input(&mut self, i: usize) {
        debug_assert!(self.fixed[i / 64] >> (i % 64) & 1 == 0);
        let words = self.shape.input_words();
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        self.cube[word] |= bit;
        self.cube[words + word] |= bit;
        let mut raised = vec![0; words];
        raised[word] = bit;
        self.after_raise(&raised);
    }

    /// Raises everything else that can be raised.
    fn finish(mut self, raise: Raise) -> Vec<u64> {
        if raise == Raise::OutputsFirst {
            self.raise_outputs();
        }
        self.keep_fewest();
        self.raise_outputs();
        self.cube
    }

    /// Keeps a small set of literals that hits every OFF row, greedily, and raises the others.
    fn keep_fewest(&mut self) {
        let words = self.shape.input_words();
        let mut rows = self.conflicts.clone();
        let mut left = rows.clone();
        let mut chosen = vec![0u64; words];
        let mut counts = vec![0u32; 64 * words];
        while !left.is_empty() {
            counts.fill(0);
            for row in left.chunks_exact(words) {
                ones(row).for_each(|i| counts[i] += 1);
            }
            let Some(best) = (0..64 * words).max_by_key(|&i| (counts[i], std::cmp::Reverse(i))) else {
                break;
            };
            chosen[best / 64] |= 1 << (best % 64);
            retain_chunks(&mut left, words, |row| row.iter().zip(&chosen).all(|(row, kept)| row & kept == 0));
        }
        // Greedy choices can make earlier ones needless: a chosen literal is dropped again if no row needs it.
        for i in ones(&chosen.clone()) {
            let (word, bit) = (i / 64, 1u64 << (i % 64));
            let alone = |row: &[u64]| {
                row[word] & chosen[word] == bit
                    && row
                        .iter()
                        .zip(&chosen)
                        .enumerate()
                        .all(|(w, (row, kept))| w == word || row & kept == 0)
            };
            if !rows.chunks_exact(words).any(alone) {
                chosen[word] &= !bit;
            }
        }
        let raised: Vec<u64> =
            self.fixed.iter().zip(&chosen).map(|(fixed, chosen)| !(fixed | chosen)).collect();
        for (w, raised) in raised.iter().enumerate() {
            self.cube[w] |= raised;
            self.cube[words + w] |= raised;
        }
        self.fixed.iter_mut().zip(&chosen).for_each(|(fixed, chosen)| *fixed |= chosen);
        rows.clear();
        self.conflicts = rows;
        for row in self.apart_conflicts.chunks_exact_mut(words.max(1)) {
            row.iter_mut().zip(&raised).for_each(|(row, raised)| *row &= !raised);
        }
        self.drop_hit();
    }

    /// Asserts every further output whose OFF rows the cube does not meet.
    fn raise_outputs(&mut self) {
        let shape = self.shape;
        let words = shape.input_words();
        let mut blocked = vec![0u64; shape.output_words()];
        for (&at, conflict) in self.apart.iter().zip(self.apart_conflicts.chunks_exact(words.max(1))) {
            if conflict.iter().all(|&word| word == 0) {
                let row = shape.output_part(self.off.cube(at as usize));
                blocked.iter_mut().zip(row).for_each(|(to, row)| *to |= row);
            }
        }
        let universe = shape.universe();
        let all = shape.output_part(&universe);
        let joined = all.iter().zip(&blocked).map(|(all, blocked)| all & !blocked);
        shape.output_part_mut(&mut self.cube).iter_mut().zip(joined).for_each(|(to, new)| *to |= new);
        self.join_outputs();
        self.fix();
    }
}

/// The inputs on which two cubes contradict each other.
fn conflict<'a>(shape: Shape, a: &'a [u64], b: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    let words = shape.input_words();
    (0..words).map(move |w| !((a[w] & b[w]) | (a[words + w] & b[words + w])))
}

/// Whether exactly one bit is set.
fn is_single(row: &[u64]) -> bool {
    let mut words = row.iter().filter(|&&word| word != 0);
    words.next().is_some_and(|word| word.is_power_of_two()) && words.next().is_none()
}

/// Keeps the chunks of `size` words that pass.
fn retain_chunks(words: &mut Vec<u64>, size: usize, keep: impl Fn(&[u64]) -> bool) {
    if size == 0 {
        return;
    }
    let mut to = 0;
    for from in (0..words.len()).step_by(size) {
        if keep(&words[from..from + size]) {
            words.copy_within(from..from + size, to);
            to += size;
        }
    }
    words.truncate(to);
}
