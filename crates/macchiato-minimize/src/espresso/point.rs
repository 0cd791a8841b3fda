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
    /// Words of one input plane.
    words: usize,
    /// Words of one set of elements: those of one input plane, then those of the outputs.
    stride: usize,
    /// Elements that every prime through the point keeps: the edges of one element.
    fixed: Vec<u64>,
    /// The other edges of inputs alone.
    plain: Vec<u64>,
    /// Inputs and outputs: with each of the outputs the inputs are an edge.
    further: Vec<u64>,
}

impl Edges {
    /// Whether a prime may keep none of the elements `dropped`.
    pub(super) fn allow(&self, dropped: &[u64]) -> bool {
        let (inputs, outputs) = dropped.split_at(self.words);
        if self.fixed.iter().zip(dropped).any(|(fixed, dropped)| fixed & dropped != 0)
            || self.plain.chunks_exact(self.words.max(1)).any(|edge| contains(inputs, edge))
        {
            return false;
        }
        let meets = |edge: &[u64]| outputs.iter().zip(edge).any(|(a, b)| a & b != 0);
        let hit = |edge: &[u64]| contains(inputs, &edge[..self.words]) && meets(&edge[self.words..]);
        outputs.iter().all(|&word| word == 0) || !self.further.chunks_exact(self.stride).any(hit)
    }
}

impl Edges {
    fn count(&self) -> usize {
        self.plain.len() / self.words.max(1) + self.further.len() / self.stride.max(1)
    }
}

/// Walks from `point` to points whose primes are among its own, and fewer: whoever covers those covers `point`. Points
/// that `fixed` holds need no cover and are not entered. `None` if the point is OFF.
/// `work` grows by the OFF cubes compared.
pub(super) fn descend(point: &Point, off: &Cover, fixed: &Cover, work: &mut usize) -> Option<(Point, Edges)> {
    let shape = off.shape();
    let mut here = point.clone();
    let mut surroundings = Surroundings::new(&here, off)?;
    loop {
        let edges = surroundings.edges();
        // Every cube in sight was compared with half of the edges.
        *work += off.terms() + surroundings.order.len() * edges.count() / 2;
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
        let (inputs, outputs) = fixed.split_at(words);
        order.retain(|&(count, at)| {
            let (conflict, cube) =
                (&conflicts[at as usize * words..(at as usize + 1) * words], off.cube(at as usize));
            let open = || conflict.iter().zip(inputs).all(|(a, b)| a & b == 0);
            let new = || shape.asserts(cube, point.output) || !contains(outputs, shape.output_part(cube));
            count <= 2 || open() && new()
        });
        order.sort_unstable();
        Some(Self { off, output: point.output, words, stride, conflicts, order, fixed })
    }

    fn conflict(&self, at: u32) -> &[u64] {
        &self.conflicts[at as usize * self.words..(at as usize + 1) * self.words]
    }

    fn edges(&self) -> Edges {
        let shape = self.off.shape();
        let (words, stride) = (self.words, self.stride);
        let (mut plain, mut further): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut outputs = vec![0; stride - words];
        for same in self.order.chunk_by(|a, b| a.0 == b.0) {
            // Of cubes with as many conflicts, those of the point's own output have the smaller edges.
            for own in [true, false] {
                for &(_, at) in same {
                    let (conflict, cube) = (self.conflict(at), self.off.cube(at as usize));
                    if shape.asserts(cube, self.output) != own
                        || conflict.iter().zip(&self.fixed).any(|(a, b)| a & b != 0)
                        || plain.chunks_exact(words.max(1)).any(|smaller| contains(conflict, smaller))
                    {
                        continue;
                    }
                    if own {
                        plain.extend_from_slice(conflict);
                        continue;
                    }
                    let open = shape.output_part(cube).iter().zip(&self.fixed[words..]);
                    outputs.iter_mut().zip(open).for_each(|(to, (all, fixed))| *to = all & !fixed);
                    for smaller in further.chunks_exact(stride) {
                        if contains(conflict, &smaller[..words]) {
                            outputs.iter_mut().zip(&smaller[words..]).for_each(|(to, from)| *to &= !from);
                        }
                    }
                    if outputs.iter().any(|&word| word != 0) {
                        further.extend_from_slice(conflict);
                        further.extend_from_slice(&outputs);
                    }
                }
            }
        }
        Edges { words, stride, fixed: self.fixed.clone(), plain, further }
    }

    /// The elements at which the point may move so that its primes become fewer.
    ///
    /// Every edge must still hold an edge after the move: its own cube does not mention the element, or conflicts there now,
    /// or another cube's edge is as small but for this element. Of those, a move at an element of an open edge makes that
    /// edge smaller, so that primes are lost.
    fn moves(&self, edges: &Edges) -> Vec<u64> {
        let mut moves = vec![0u64; self.stride];
        let add =
            |moves: &mut [u64], edge: &[u64]| moves.iter_mut().zip(edge).for_each(|(to, from)| *to |= from);
        edges.plain.chunks_exact(self.words.max(1)).for_each(|edge| add(&mut moves, edge));
        edges.further.chunks_exact(self.stride).for_each(|edge| add(&mut moves, edge));
        let mut edge = vec![0u64; self.stride];
        for element in ones(&self.fixed) {
            edge.fill(0);
            edge[element / 64] |= 1 << (element % 64);
            if !self.keep_supported(&self.order, &edge, &mut moves) {
                return moves;
            }
        }
        // Only cubes that conflict at a possible move, or are edges themselves, can support the open edges.
        let mut rows = self.order.clone();
        rows.retain(|&(count, at)| {
            let conflict = self.conflict(at);
            count <= 1
                || conflict.iter().zip(&moves).any(|(a, b)| a & b != 0)
                || edges.plain.chunks_exact(self.words).any(|edge| edge == conflict)
                || edges.further.chunks_exact(self.stride).any(|edge| edge[..self.words] == *conflict)
        });
        edge.fill(0);
        for plain in edges.plain.chunks_exact(self.words.max(1)) {
            edge[..self.words].copy_from_slice(plain);
            if !self.keep_supported(&rows, &edge, &mut moves) {
                return moves;
            }
        }
        for edge in edges.further.chunks_exact(self.stride) {
            if !self.keep_supported(&rows, edge, &mut moves) {
                return moves;
            }
        }
        moves
    }

    /// Strikes out the moves after which `edge` holds no edge any more, as far as `rows` tell; whether any are left.
    fn keep_supported(&self, rows: &[(u32, u32)], edge: &[u64], moves: &mut [u64]) -> bool {
        let (shape, words) = (self.off.shape(), self.words);
        let size: u32 = edge[..words].iter().map(|word| word.count_ones()).sum();
        let further = edge[words..].iter().any(|&word| word != 0);
        let mut support = edge.to_vec();
        if further {
            support[words..].fill(u64::MAX);
        }
        let near = rows.partition_point(|&(count, _)| count <= size + 1);
        for &(_, at) in &rows[..near] {
            let (conflict, cube) = (self.conflict(at), self.off.cube(at as usize));
            let mut outside = conflict.iter().zip(edge).map(|(conflict, edge)| conflict & !edge);
            let mut left = outside.clone().filter(|&word| word != 0);
            let first = left.next();
            if first.is_some_and(|word| !word.is_power_of_two()) || left.next().is_some() {
                continue;
            }
            let outputs = shape.output_part(cube);
            let shares = shape.asserts(cube, self.output) || further && contains(outputs, &edge[words..]);
            if first.is_none() && !further {
                support[words..].iter_mut().zip(outputs).for_each(|(to, from)| *to |= from);
            }
            if shares && first.is_none() {
                for w in 0..words {
                    support[w] |= cube[w] & cube[words + w];
                }
            } else if shares {
                support[..words].iter_mut().for_each(|to| *to |= outside.next().unwrap_or(0));
            }
            if contains(&support, moves) {
                return true;
            }
        }
        moves.iter_mut().zip(&support).for_each(|(to, from)| *to &= from);
        moves.iter().any(|&word| word != 0)
    }
}
