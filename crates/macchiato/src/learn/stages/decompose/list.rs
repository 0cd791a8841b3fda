//! The codeword nearest to a weighted table, by recursive list decoding of a monomial code.
//!
//! A code spanned by monomials splits on its highest variable into words (u | u + v), where the monomials without the
//! variable span u and the others, divided by it, span v: Plotkin's construction, by which Reed-Muller codes are decoded
//! (Dumer and Shabunov) and polar codes quantize a random source. v is decoded first from the sums of both halves, then
//! u from both halves together; the `breadth` cheapest choices are followed side by side. A belief of 0 is an unseen
//! cell, so erasures, votes of any weight and codes of any size need no case of their own.
//! Costs about breadth * s * 2^s integer operations; no floats, so all platforms decide alike.

/// The belief in the sum of two bits: the weaker of the two.
fn sum(a: i32, b: i32) -> i32 {
    let size = a.abs().min(b.abs());
    if (a < 0) == (b < 0) { size } else { -size }
}

/// What it costs to set all bits of a block to 0: the beliefs in 1.
///
/// The costs of a path so add up to the weight of the cells where its word differs from the hard decisions.
fn zeros(block: &[i32]) -> i64 {
    block.iter().map(|&belief| i64::from((-belief).max(0))).sum()
}

/// The words that are followed side by side: `bits` holds `len` bytes for each.
struct Paths {
    /// Which path of the caller each continues.
    parents: Vec<usize>,
    costs: Vec<i64>,
    bits: Vec<bool>,
}

/// A monomial code over 2^s cells, ready to decode.
pub(super) struct Decoder {
    /// How many monomials below each one are in the span.
    below: Vec<u32>,
    breadth: usize,
}

impl Decoder {
    /// `span[monomial]`: whether the monomial of these variables is in the code.
    pub(super) fn new(span: &[bool], breadth: usize) -> Self {
        let mut below = Vec::with_capacity(span.len() + 1);
        below.push(0);
        for &inside in span {
            below.push(below[below.len() - 1] + u32::from(inside));
        }
        Self { below, breadth }
    }

    /// A word near the beliefs, positive for 0 and negative for 1; the beliefs' sizes must add up to an `i32`.
    pub(super) fn decode(&self, beliefs: &[i32]) -> Vec<bool> {
        let len = beliefs.len();
        debug_assert!(
            beliefs.iter().map(|belief| i64::from(belief.abs())).sum::<i64>() <= i64::from(i32::MAX)
        );
        let paths = self.follow(0, len, beliefs, &[0]);
        let cheapest = (0..paths.costs.len()).min_by_key(|&path| paths.costs[path]).unwrap_or(0);
        paths.bits[cheapest * len..][..len].to_vec()
    }

    /// Continues each path, of `costs` so far, through the block of `len` monomials at `start`.
    fn follow(&self, start: usize, len: usize, beliefs: &[i32], costs: &[i64]) -> Paths {
        let inside = (self.below[start + len] - self.below[start]) as usize;
        if inside == 0 {
            return Paths {
                parents: (0..costs.len()).collect(),
                costs: beliefs.chunks(len).zip(costs).map(|(block, &before)| before + zeros(block)).collect(),
                bits: vec![false; beliefs.len()],
            };
        }
        if inside == len {
            return self.follow_free(len, beliefs, costs);
        }
        if inside == 1 && self.below[start + 1] > self.below[start] {
            return self.follow_constant(len, beliefs, costs);
        }
        let half = len / 2;
        let mut sums = Vec::with_capacity(beliefs.len() / 2);
        for block in beliefs.chunks(len) {
            let (low, high) = block.split_at(half);
            sums.extend(low.iter().zip(high).map(|(&a, &b)| sum(a, b)));
        }
        let v = self.follow(start + half, half, &sums, costs);
        let mut both = sums;
        both.clear();
        for (&parent, bits) in v.parents.iter().zip(v.bits.chunks(half)) {
            let (low, high) = beliefs[parent * len..][..len].split_at(half);
            let sum = |((&a, &b), &bit): ((&i32, &i32), &bool)| if bit { a - b } else { a + b };
            both.extend(low.iter().zip(high).zip(bits).map(sum));
        }
        let u = self.follow(start, half, &both, &v.costs);
        let mut bits = Vec::with_capacity(u.bits.len() * 2);
        for (&parent, low) in u.parents.iter().zip(u.bits.chunks(half)) {
            bits.extend_from_slice(low);
            bits.extend(low.iter().zip(&v.bits[parent * half..][..half]).map(|(&a, &b)| a ^ b));
        }
        Paths { parents: u.parents.iter().map(|&parent| v.parents[parent]).collect(), costs: u.costs, bits }
    }

    /// A block of which only the constant is in the code.
    fn follow_constant(&self, len: usize, beliefs: &[i32], costs: &[i64]) -> Paths {
        let mut choices = Vec::with_capacity(costs.len() * 2);
        for (parent, (block, &cost)) in beliefs.chunks(len).zip(costs).enumerate() {
            let zeros = zeros(block);
            let ones = zeros + block.iter().map(|&belief| i64::from(belief)).sum::<i64>();
            choices.push((cost + zeros, parent, 0));
            choices.push((cost + ones, parent, 1));
        }
        self.keep(len, choices, |_, choice, bits| bits.resize(bits.len() + len, choice == 1))
    }

    /// A block that is free: follow the beliefs, or flip one or both of the two weakest.
    fn follow_free(&self, len: usize, beliefs: &[i32], costs: &[i64]) -> Paths {
        let mut choices = Vec::with_capacity(costs.len() * 4);
        let mut weakest = Vec::with_capacity(costs.len());
        for (parent, (block, &cost)) in beliefs.chunks(len).zip(costs).enumerate() {
            let mut pair = [(i32::MAX, usize::MAX); 2];
            for (at, belief) in block.iter().enumerate() {
                let here = (belief.abs(), at);
                if here < pair[0] {
                    pair = [here, pair[0]];
                } else if here < pair[1] {
                    pair[1] = here;
                }
            }
            weakest.push(pair.map(|(_, at)| at));
            let [first, second] = pair.map(|(size, _)| i64::from(size));
            choices.push((cost, parent, 0));
            choices.push((cost + first, parent, 1));
            if len > 1 {
                choices.push((cost + second, parent, 2));
                choices.push((cost + first + second, parent, 3));
            }
        }
        self.keep(len, choices, |parent, choice, bits| {
            let from = bits.len();
            bits.extend(beliefs[parent * len..][..len].iter().map(|&belief| belief < 0));
            for (flip, &at) in weakest[parent].iter().enumerate() {
                if choice >> flip & 1 == 1 {
                    bits[from + at] ^= true;
                }
            }
        })
    }

    /// The cheapest of `(cost, parent, choice)`, each written out by `write`.
    fn keep(
        &self,
        len: usize,
        mut choices: Vec<(i64, usize, u8)>,
        write: impl Fn(usize, u8, &mut Vec<bool>),
    ) -> Paths {
        choices.sort_unstable();
        choices.truncate(self.breadth);
        let mut bits = Vec::with_capacity(choices.len() * len);
        for &(_, parent, choice) in &choices {
            write(parent, choice, &mut bits);
        }
        Paths {
            parents: choices.iter().map(|&(_, parent, _)| parent).collect(),
            costs: choices.iter().map(|&(cost, _, _)| cost).collect(),
            bits,
        }
    }
}
