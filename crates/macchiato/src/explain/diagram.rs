//! Decision diagrams over features of several values: a formula as a graph in which equal parts are one node, so that the points
//! on which it holds can be counted exactly (Bryant 1986; several values as in Kam and others 1998).
//!
//! A diagram stops at a number of nodes, and of steps in proportion: some circuits have no small diagram in any order. Features
//! stand in the order in which the stages read them. Costs four bytes for each branch of a node, and a cache of fixed size.

use num_bigint::BigUint;

use super::logic::{Logic, Stopped};
use super::space::Space;
use crate::minimize::Budget;

/// A node, or one of the two constants.
pub(super) type Node = u32;
const FALSE: Node = 0;
const TRUE: Node = 1;

/// Steps for each node that is allowed.
const STEPS_PER_NODE: usize = 16;
/// Features at most: recursion goes down one at a time.
const MAX_FEATURES: usize = 1024;
/// Entries of the cache.
const CACHE: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    And,
    Or,
    Xor,
}

/// All nodes of some formulas over one space.
pub(super) struct Diagram<'a> {
    /// The number of values of the feature at each level, and the level of each feature.
    values: Vec<usize>,
    levels: Vec<u32>,
    /// Level and first branch of each node; the branches follow. The constants are below all levels.
    nodes: Vec<(u32, u32)>,
    branches: Vec<Node>,
    /// The last node of each hash, and for each node the one before it.
    heads: Vec<Node>,
    chain: Vec<Node>,
    cache: Vec<(Operation, Node, Node, Node)>,
    budget: &'a Budget,
    most: usize,
    steps: usize,
}

impl<'a> Diagram<'a> {
    /// An empty diagram whose features are in this order, of at most `nodes`.
    pub(super) fn new(space: &Space, order: &[usize], nodes: usize, budget: &'a Budget) -> Self {
        let mut levels = vec![u32::MAX; space.features.len()];
        for (level, &feature) in order.iter().enumerate() {
            levels[feature] = level as u32;
        }
        let constant = (order.len() as u32, 0);
        Self {
            values: order.iter().map(|&feature| space.features[feature].values).collect(),
            levels,
            nodes: vec![constant; 2],
            branches: Vec::new(),
            heads: vec![FALSE; 1 << 12],
            chain: vec![FALSE; 2],
            cache: vec![(Operation::And, FALSE, FALSE, FALSE); CACHE],
            budget,
            most: if order.len() > MAX_FEATURES { 0 } else { nodes },
            steps: 0,
        }
    }

    /// Number of nodes, all told.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    fn branches(&self, node: Node) -> &[Node] {
        let (level, from) = self.nodes[node as usize];
        &self.branches[from as usize..from as usize + self.values[level as usize]]
    }

    /// The branch of a node for a value of the feature at `level`, which is not below the node's.
    fn branch(&self, node: Node, level: u32, value: usize) -> Node {
        let (own, from) = self.nodes[node as usize];
        if own == level { self.branches[from as usize + value] } else { node }
    }

    /// The node with these branches, made if there is none.
    fn node(&mut self, level: u32, branches: &[Node]) -> Result<Node, Stopped> {
        if branches.iter().all(|&branch| branch == branches[0]) {
            return Ok(branches[0]);
        }
        let hash = branches.iter().fold(mix(u64::from(level)), |hash, &branch| mix(hash ^ u64::from(branch)));
        let at = hash as usize % self.heads.len();
        let mut known = self.heads[at];
        while known != FALSE {
            if self.nodes[known as usize].0 == level && self.branches(known) == branches {
                return Ok(known);
            }
            known = self.chain[known as usize];
        }
        let room = u32::try_from(self.branches.len() + branches.len()).is_ok();
        if self.nodes.len() >= self.most || !room {
            return Err(Stopped);
        }
        let node = self.nodes.len() as Node;
        self.nodes.push((level, self.branches.len() as u32));
        self.branches.extend_from_slice(branches);
        self.chain.push(self.heads[at]);
        self.heads[at] = node;
        if self.nodes.len() > 2 * self.heads.len() {
            self.rehash();
        }
        Ok(node)
    }

    fn rehash(&mut self) {
        self.heads = vec![FALSE; 4 * self.heads.len()];
        for node in 2..self.nodes.len() as Node {
            let level = self.nodes[node as usize].0;
            let hash = self
                .branches(node)
                .iter()
                .fold(mix(u64::from(level)), |hash, &branch| mix(hash ^ u64::from(branch)));
            let at = hash as usize % self.heads.len();
            self.chain[node as usize] = self.heads[at];
            self.heads[at] = node;
        }
    }

    /// Counts the work, and stops where it is too much.
    fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps > self.most.saturating_mul(STEPS_PER_NODE)
            || self.steps.is_multiple_of(4096) && self.budget.spent()
        {
            return Err(Stopped);
        }
        Ok(())
    }

    fn apply(&mut self, operation: Operation, a: Node, b: Node) -> Result<Node, Stopped> {
        // All three are symmetric.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Ok(if operation == Operation::Xor { FALSE } else { a });
        }
        match (operation, a) {
            (Operation::And, FALSE) => return Ok(FALSE),
            (Operation::Or | Operation::Xor, FALSE) | (Operation::And, TRUE) => return Ok(b),
            (Operation::Or, TRUE) => return Ok(TRUE),
            _ => {}
        }
        let key = mix(u64::from(a) << 34 ^ u64::from(b) << 2 ^ operation as u64) as usize % CACHE;
        let (same, first, second, result) = self.cache[key];
        // An entry that was never written has `a` = 0, which does not come here.
        if (same, first, second) == (operation, a, b) {
            return Ok(result);
        }
        self.step()?;
        let level = self.nodes[a as usize].0.min(self.nodes[b as usize].0);
        let mut branches = Vec::with_capacity(self.values[level as usize]);
        for value in 0..self.values[level as usize] {
            let (left, right) = (self.branch(a, level, value), self.branch(b, level, value));
            branches.push(self.apply(operation, left, right)?);
        }
        let result = self.node(level, &branches)?;
        self.cache[key] = (operation, a, b, result);
        Ok(result)
    }

    /// Many at once, by halves: what is joined stays small for long.
    fn join(&mut self, operation: Operation, bits: &[Node]) -> Result<Node, Stopped> {
        match bits {
            [] => Ok(if operation == Operation::And { TRUE } else { FALSE }),
            [one] => Ok(*one),
            _ => {
                let (left, right) = bits.split_at(bits.len() / 2);
                let (left, right) = (self.join(operation, left)?, self.join(operation, right)?);
                self.apply(operation, left, right)
            }
        }
    }

    /// The nodes below some, themselves included, each after those that it leads to.
    fn below(&self, root: Node) -> Vec<Node> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if node > TRUE && !std::mem::replace(&mut seen[node as usize], true) {
                open.extend_from_slice(self.branches(node));
            }
        }
        // A node is made after its branches.
        (2..self.nodes.len() as Node).filter(|&node| seen[node as usize]).collect()
    }

    /// The formula with the value of one feature put in.
    fn restrict(&mut self, root: Node, level: u32, value: usize) -> Result<Node, Stopped> {
        let mut becomes: Vec<Node> = (0..self.nodes.len() as Node).collect();
        for node in self.below(root) {
            let own = self.nodes[node as usize].0;
            if own > level {
                continue;
            }
            self.step()?;
            becomes[node as usize] = if own == level {
                self.branch(node, level, value)
            } else {
                let branches: Vec<Node> =
                    self.branches(node).iter().map(|&branch| becomes[branch as usize]).collect();
                self.node(own, &branches)?
            };
        }
        Ok(becomes[root as usize])
    }

    /// Where another value of a feature, and nothing else, changes the formula.
    pub(super) fn sensitive(&mut self, root: Node, feature: usize) -> Result<Node, Stopped> {
        let level = self.levels[feature];
        let Some(&values) = self.values.get(level as usize) else { return Ok(FALSE) };
        let mut sides = Vec::with_capacity(values);
        for value in 0..values {
            let side = self.restrict(root, level, value)?;
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
        let mut changes = Vec::new();
        for &side in &sides[1..] {
            changes.push(self.apply(Operation::Xor, sides[0], side)?);
        }
        self.join(Operation::Or, &changes)
    }

    /// The points of the diagram's features on which a formula holds.
    pub(super) fn count(&self, root: Node) -> BigUint {
        // How many points the levels from each one on have.
        let mut points = vec![BigUint::from(1u8); self.values.len() + 1];
        for level in (0..self.values.len()).rev() {
            points[level] = &points[level + 1] * self.values[level];
        }
        let mut counts: Vec<Option<BigUint>> = vec![None; self.nodes.len()];
        // Over the features from `level` on.
        let from = |counts: &[Option<BigUint>], node: Node, level: usize| -> BigUint {
            let own = self.nodes[node as usize].0 as usize;
            match node {
                FALSE => BigUint::default(),
                TRUE => points[level].clone(),
                _ if own == level => counts[node as usize].clone().unwrap_or_default(),
                // The features between the two are free.
                _ => counts[node as usize].clone().unwrap_or_default() * (&points[level] / &points[own]),
            }
        };
        for node in self.below(root) {
            let level = self.nodes[node as usize].0 as usize;
            let sum = self.branches(node).iter().map(|&branch| from(&counts, branch, level + 1)).sum();
            counts[node as usize] = Some(sum);
        }
        from(&counts, root, 0)
    }
}

const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 29
}

impl Logic for Diagram<'_> {
    type Bit = Node;

    fn constant(&mut self, value: bool) -> Node {
        if value { TRUE } else { FALSE }
    }

    fn within(&mut self, feature: usize, values: &[bool]) -> Result<Node, Stopped> {
        let branches: Vec<Node> = values.iter().map(|&value| Node::from(value)).collect();
        match self.levels[feature] {
            u32::MAX => Err(Stopped),
            level => self.node(level, &branches),
        }
    }

    fn not(&mut self, bit: Node) -> Result<Node, Stopped> {
        self.apply(Operation::Xor, bit, TRUE)
    }

    fn and(&mut self, bits: &[Node]) -> Result<Node, Stopped> {
        // From the lowest level up: each step is one node.
        let mut bits = bits.to_vec();
        bits.sort_by_key(|&bit| std::cmp::Reverse(self.nodes[bit as usize].0));
        bits.into_iter().try_fold(TRUE, |product, bit| self.apply(Operation::And, product, bit))
    }

    fn or(&mut self, bits: &[Node]) -> Result<Node, Stopped> {
        self.join(Operation::Or, bits)
    }

    fn xor(&mut self, a: Node, b: Node) -> Result<Node, Stopped> {
        self.apply(Operation::Xor, a, b)
    }
}
