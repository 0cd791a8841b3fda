//! One ON point of one output, and what every prime that holds it must keep.
//!
//! A prime through a point x may drop a literal or assert a further output as long as it stays clear of every OFF cube.
//! Call the inputs and the further outputs *elements*, and those at which a prime follows x (the literal stays, the
//! output is not asserted) *kept*. Each OFF cube is an *edge*, the set of elements of which one must be kept; the primes
//! through x are the minimal sets of elements that meet every edge. Only the edges that hold no other edge count, and
//! they are few. So whether one prime holds x and other points is asked without listing a single prime.

use crate::cover::Cover;
use crate::cube::{Shape, contains, ones};

/// A point x and the output for which it must be covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) output: usize,
    /// Bit i is `x_i`; padding is 0.
    pub(super) inputs: Vec<u64>,
}

impl Point {
    /// The point as a cube of one output.
    pub(super) fn cube(&self, shape: Shape) -> Vec<u64> {
        let mut cube = shape.universe();
        let words = shape.input_words();
        for (w, &x) in self.inputs.iter().enumerate() {
            let used = used_inputs(shape, w);
            cube[w] &= !(x & used);
            cube[words + w] &= x | !used;
        }
        shape.output_part_mut(&mut cube).fill(0);
        shape.set_output(&mut cube, self.output, true);
        cube
    }

    /// Some point of a cube of input planes, for an output.
    pub(super) fn of(shape: Shape, planes: &[u64], output: usize) -> Self {
        let words = shape.input_words();
        // Free inputs are 0.
        Self { output, inputs: (0..words).map(|w| planes[words + w] & !planes[w]).collect() }
    }

    /// Whether some cube of `cover` holds the point.
    pub(super) fn is_in(&self, cover: &Cover) -> bool {
        let shape = cover.shape();
        let words = shape.input_words();
        cover.cubes().any(|cube| {
            shape.asserts(cube, self.output)
                && (0..words).all(|w| {
                    let x = self.inputs[w];
                    (x & !cube[words + w]) | (!x & !cube[w]) == 0
                })
        })
    }

    fn flipped(&self, shape: Shape, element: usize) -> Self {
        let mut other = self.clone();
        match element.checked_sub(64 * shape.input_words()) {
            None => other.inputs[element / 64] ^= 1 << (element % 64),
            Some(output) => other.output = output,
        }
        other
    }

    /// The elements that a cube with both points cannot keep.
    pub(super) fn apart(&self, other: &Self, shape: Shape, apart: &mut [u64]) {
        let words = shape.input_words();
        apart.fill(0);
        let inputs = self.inputs.iter().zip(&other.inputs);
        apart.iter_mut().zip(inputs).for_each(|(to, (a, b))| *to = a ^ b);
        if self.output != other.output {
            apart[words + other.output / 64] |= 1 << (other.output % 64);
        }
    }
}

/// The bits of word `w` that stand for inputs.
fn used_inputs(shape: Shape, w: usize) -> u64 {
    let left = shape.inputs() - 64 * w;
    if left >= 64 { u64::MAX } else { (1 << left) - 1 }
}

/// The minimal edges of a point.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    /// Words of one set of elements: those of one input plane, then those of the outputs.
    stride: usize,
    /// Elements that every prime through the point keeps: the edges of one element.
    fixed: Vec<u64>,
    /// The other minimal edges, those with the fewest inputs first.
    open: Vec<u64>,
}

impl Edges {
    /// Whether a prime may keep none of the elements `dropped`.
    pub(super) fn allow(&self, dropped: &[u64]) -> bool {
        self.fixed.iter().zip(dropped).all(|(fixed, dropped)| fixed & dropped == 0)
            && !self.open.chunks_exact(self.stride).any(|edge| contains(dropped, edge))
    }
}

/// Walks from `point` to points whose primes are among its own, and fewer: whoever covers those covers `point`. Points
/// that `fixed` holds need no cover and are not entered. `None` if the point is OFF.
pub(super) fn descend(point: &Point, off: &Cover, fixed: &Cover) -> Option<(Point, Edges)> {
    let shape = off.shape();
    let mut here = point.clone();
    let mut surroundings = Surroundings::new(&here, off)?;
    loop {
        let edges = surroundings.edges();
        let moves = surroundings.moves(&edges);
        let there =
            ones(&moves).map(|element| here.flipped(shape, element)).find(|there| !there.is_in(fixed));
        let next = there.and_then(|there| Some((Surroundings::new(&there, off)?, there)));
        let Some((further, there)) = next else {
            return Some((here, edges));
        };
        (here, surroundings) = (there, further);
    }
}

/// The OFF cubes as a point sees them.
struct Surroundings<'a> {
    off: &'a Cover,
    output: usize,
    words: usize,
    stride: usize,
    /// For each OFF cube the inputs on which it contradicts the point.
    conflicts: Vec<u64>,
    /// Their numbers, with the cubes: fewest first.
    order: Vec<(u32, u32)>,
    fixed: Vec<u64>,
}

impl<'a> Surroundings<'a> {
    /// `None` if the point is OFF.
    fn new(point: &Point, off: &'a Cover) -> Option<Self> {
        let shape = off.shape();
        let (words, stride) = (shape.input_words(), shape.input_words() + shape.output_words());
        let mut fixed = vec![0u64; stride];
        let mut conflicts = Vec::with_capacity(off.terms() * words);
        let mut order = Vec::new();
        for (at, cube) in off.cubes().enumerate() {
            let start = conflicts.len();
            let mut count = 0;
            for (w, &x) in point.inputs.iter().enumerate() {
                let conflict = (x & !cube[words + w]) | (!x & !cube[w]);
                count += conflict.count_ones();
                conflicts.push(conflict);
            }
            match (count, shape.asserts(cube, point.output)) {
                (0, true) => return None,
                (0, false) => {
                    fixed[words..].iter_mut().zip(shape.output_part(cube)).for_each(|(to, from)| *to |= from);
                }
                (1, true) => fixed.iter_mut().zip(&conflicts[start..]).for_each(|(to, from)| *to |= from),
                _ => {}
            }
            // Most cubes hold an edge of one element that is known by now; the nearest ones tell where to move all the same.
            let meets = conflicts[start..].iter().zip(&fixed).any(|(a, b)| a & b != 0);
            if count <= 2 || !meets {
                order.push((count, at as u32));
            }
        }
        order.sort_unstable();
        Some(Self { off, output: point.output, words, stride, conflicts, order, fixed })
    }

    fn conflict(&self, at: u32) -> &[u64] {
        &self.conflicts[at as usize * self.words..(at as usize + 1) * self.words]
    }

    fn edges(&self) -> Edges {
        let shape = self.off.shape();
        let (words, stride) = (self.words, self.stride);
        let mut open: Vec<u64> = Vec::new();
        for same in self.order.chunk_by(|a, b| a.0 == b.0) {
            // Of cubes with as many conflicts, those of the point's own output have the smaller edges.
            for own in [true, false] {
                for &(_, at) in same {
                    let (conflict, cube) = (self.conflict(at), self.off.cube(at as usize));
                    if shape.asserts(cube, self.output) != own
                        || conflict.iter().zip(&self.fixed).any(|(a, b)| a & b != 0)
                    {
                        continue;
                    }
                    let inside = |smaller: &&[u64]| contains(conflict, &smaller[..words]);
                    let plain = |edge: &[u64]| edge[words..].iter().all(|&word| word == 0);
                    if own {
                        if !open.chunks_exact(stride).any(|smaller| plain(smaller) && inside(&smaller)) {
                            open.extend_from_slice(conflict);
                            open.resize(open.len() + stride - words, 0);
                        }
                        continue;
                    }
                    let outputs = shape.output_part(cube).iter().zip(&self.fixed[words..]);
                    let mut outputs: Vec<u64> = outputs.map(|(all, fixed)| all & !fixed).collect();
                    // Outputs whose edge holds a smaller one are struck out; each that is left is an edge of its own.
                    for smaller in open.chunks_exact(stride).filter(inside) {
                        let all = if plain(smaller) { u64::MAX } else { 0 };
                        outputs.iter_mut().zip(&smaller[words..]).for_each(|(to, from)| *to &= !(from | all));
                    }
                    for output in ones(&outputs) {
                        let start = open.len();
                        open.extend_from_slice(conflict);
                        open.resize(start + stride, 0);
                        open[start + words + output / 64] |= 1 << (output % 64);
                    }
                }
            }
        }
        Edges { stride, fixed: self.fixed.clone(), open }
    }

    /// The elements at which the point may move so that its primes become fewer.
    ///
    /// Every edge must still hold an edge after the move: its own cube does not mention the element, or conflicts there now,
    /// or another cube's edge is as small but for this element. Of those, a move at an element of an open edge makes that
    /// edge smaller, so that primes are lost.
    fn moves(&self, edges: &Edges) -> Vec<u64> {
        let mut moves = vec![0u64; self.stride];
        for edge in edges.open.chunks_exact(self.stride) {
            moves.iter_mut().zip(edge).for_each(|(to, from)| *to |= from);
        }
        let mut single = vec![0u64; self.stride];
        for element in ones(&self.fixed) {
            if moves.iter().all(|&word| word == 0) {
                return moves;
            }
            single.fill(0);
            single[element / 64] |= 1 << (element % 64);
            self.keep_supported(&single, &mut moves);
        }
        for edge in edges.open.chunks_exact(self.stride) {
            if moves.iter().all(|&word| word == 0) {
                return moves;
            }
            self.keep_supported(edge, &mut moves);
        }
        moves
    }

    /// Strikes out the moves after which `edge` holds no edge any more.
    fn keep_supported(&self, edge: &[u64], moves: &mut [u64]) {
        let (shape, words) = (self.off.shape(), self.words);
        let size: u32 = edge[..words].iter().map(|word| word.count_ones()).sum();
        let further = edge[words..].iter().any(|&word| word != 0);
        let mut support = edge.to_vec();
        if further {
            support[words..].fill(u64::MAX);
        }
        let near = self.order.partition_point(|&(count, _)| count <= size + 1);
        for &(_, at) in &self.order[..near] {
            let (conflict, cube) = (self.conflict(at), self.off.cube(at as usize));
            let mut outside = conflict.iter().zip(edge).map(|(conflict, edge)| conflict & !edge);
            let count: u32 = outside.clone().map(u64::count_ones).sum();
            if count > 1 {
                continue;
            }
            let outputs = shape.output_part(cube);
            let shares = shape.asserts(cube, self.output)
                || further && outputs.iter().zip(&edge[words..]).any(|(a, b)| a & b != 0);
            if count == 0 && !further {
                support[words..].iter_mut().zip(outputs).for_each(|(to, from)| *to |= from);
            }
            if shares && count == 0 {
                for w in 0..words {
                    support[w] |= cube[w] & cube[words + w];
                }
            } else if shares {
                support[..words].iter_mut().for_each(|to| *to |= outside.next().unwrap_or(0));
            }
            if contains(&support, moves) {
                return;
            }
        }
        moves.iter_mut().zip(&support).for_each(|(to, from)| *to &= from);
    }
}
