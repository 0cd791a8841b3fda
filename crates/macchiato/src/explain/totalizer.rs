//! Weighted counts as formulas: where the points of the bits that hold add up to at least so many.
//!
//! A generalized totalizer: bits are halved again and again, and a half's sums are those that its bits can reach. Only the thresholds that are
//! asked for are built, each once; "at least v here" is an OR over how much the left part has. For n bits of one point each this is
//! n^2 gates at most, in clauses or in a diagram alike.

use super::connectives::{Logic, Stopped};
use std::collections::{BTreeSet, HashMap};

/// A tree over bits.
pub(super) struct Totalizer<B> {
    nodes: Vec<Node<B>>,
    /// The thresholds built so far, by node and points.
    known: HashMap<(usize, u64), B>,
}

struct Node<B> {
    part: Inside<B>,
    /// The sums above 0 that its bits can have, in increasing order.
    sums: Vec<u64>,
}

#[derive(Clone, Copy)]
enum Inside<B> {
    Leaf(B),
    Both(usize, usize),
}

impl<B: Copy> Totalizer<B> {
    /// The tree over bits with their points.
    pub(super) fn new(bits: &[(B, u64)]) -> Self {
        let mut tree = Self { nodes: Vec::new(), known: HashMap::new() };
        if !bits.is_empty() {
            tree.grow(bits);
        }
        tree
    }

    fn grow(&mut self, bits: &[(B, u64)]) -> usize {
        let node = if let &[(bit, points)] = bits {
            Node { part: Inside::Leaf(bit), sums: vec![points] }
        } else {
            let (left, right) = bits.split_at(bits.len() / 2);
            let (left, right) = (self.grow(left), self.grow(right));
            let own = |node: usize| std::iter::once(0).chain(self.nodes[node].sums.iter().copied());
            let sums: BTreeSet<u64> = own(left).flat_map(|a| own(right).map(move |b| a + b)).collect();
            Node { part: Inside::Both(left, right), sums: sums.into_iter().filter(|&sum| sum > 0).collect() }
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Where the sum is at least `least`.
    pub(super) fn at_least<L: Logic<Bit = B>>(&mut self, logic: &mut L, least: u64) -> Result<B, Stopped> {
        match self.nodes.len() {
            0 => Ok(logic.constant(least == 0)),
            nodes => self.threshold(logic, nodes - 1, least),
        }
    }

    /// Where the sum is `from` to `to`.
    pub(super) fn within<L: Logic<Bit = B>>(
        &mut self,
        logic: &mut L,
        (from, to): (u64, u64),
    ) -> Result<B, Stopped> {
        let (enough, above) = (self.at_least(logic, from)?, self.at_least(logic, to.saturating_add(1))?);
        let not = logic.not(above)?;
        logic.and(&[enough, not])
    }

    fn threshold<L: Logic<Bit = B>>(&mut self, logic: &mut L, node: usize, least: u64) -> Result<B, Stopped> {
        if least == 0 {
            return Ok(logic.constant(true));
        }
        // All thresholds between two sums are the same one.
        let Some(&least) = self.nodes[node].sums.iter().find(|&&sum| sum >= least) else {
            return Ok(logic.constant(false));
        };
        if let Some(&bit) = self.known.get(&(node, least)) {
            return Ok(bit);
        }
        let bit = match self.nodes[node].part {
            Inside::Leaf(bit) => bit,
            Inside::Both(left, right) => {
                let lefts: Vec<u64> =
                    std::iter::once(0).chain(self.nodes[left].sums.iter().copied()).collect();
                let (mut ways, mut before) = (Vec::new(), None);
                for have in lefts {
                    // The right need have nothing any more.
                    if before == Some(0) {
                        break;
                    }
                    let rest = least.saturating_sub(have);
                    let sums = &self.nodes[right].sums;
                    let needed =
                        if rest == 0 { Some(0) } else { sums.iter().copied().find(|&sum| sum >= rest) };
                    // With more on the left and no less to ask of the right, there is nothing new.
                    let Some(needed) = needed.filter(|&needed| before != Some(needed)) else { continue };
                    before = Some(needed);
                    let both = [self.threshold(logic, left, have)?, self.threshold(logic, right, needed)?];
                    ways.push(logic.and(&both)?);
                }
                logic.or(&ways)?
            }
        };
        self.known.insert((node, least), bit);
        Ok(bit)
    }
}
