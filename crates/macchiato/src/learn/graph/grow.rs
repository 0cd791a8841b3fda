//! A decision graph grown by evidence: the leaf with most to gain is joined with another one, plain or complemented, where one description
//! serves both, and split otherwise.
//!
//! A join of leaves L and M gains LE(L+M) + G(L+M) - LE(L) - G(L) - LE(M) - G(M) less the nats that name it, where G is the gain of the best test: what
//! both could learn together. Joins make the graph a graph: carries, parities and states need them, and no tree that repeats them would have
//! rows enough to learn them twice.

use super::super::score::Evidence;
use super::leaf::{Leaf, REMEMBERED, Test, World};
use macchiato_minimize::Budget;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Nodes at most: no labels at hand pay for more.
const MOST_NODES: usize = 3000;

/// How a graph is grown.
#[derive(Debug, Clone)]
pub(super) struct Growth {
    /// Signals among which pairs are looked for.
    pub(super) pairs: usize,
    /// The same for triples.
    pub(super) triples: usize,
    /// Triples are tried where nothing gains more than this.
    pub(super) stuck: f64,
    /// How much of its gain a test may lose by chance, so that restarts differ.
    pub(super) shake: f64,
    pub(super) joins: bool,
}

/// Where a branch leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) slot: usize,
    pub(super) flip: bool,
}

/// What has become of a leaf.
#[derive(Debug, Clone)]
pub(super) enum Slot {
    /// Split by a test, one edge for each cell; cells without rows lead nowhere.
    Split(Vec<usize>, Vec<Option<Edge>>),
    /// Joined with another.
    Joined(Edge),
    /// The majority of its rows.
    Answer,
}

/// A grown graph: slot 0 is its root.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    pub(super) slots: Vec<Slot>,
    /// Rows that came to each slot.
    pub(super) rows: Vec<usize>,
    /// The majority of its rows.
    pub(super) majority: Vec<bool>,
}

/// Grows a graph for labels over signals.
pub(super) fn grow(
    signals: &[&[u64]],
    labels: &[u64],
    rows: usize,
    evidence: &Evidence,
    growth: &Growth,
    rng: &mut ChaCha8Rng,
    budget: &Budget,
) -> Graph {
    let world =
        World { signals, evidence, pairs: growth.pairs, triples: growth.triples, stuck: growth.stuck };
    let mut graph = Graph { slots: vec![Slot::Answer], rows: vec![rows], majority: Vec::new() };
    let root = Leaf::new(0, (0..rows as u32).collect(), labels.to_vec(), &world);
    graph.majority.push(root.ones > root.zeros);
    let mut frontier = vec![root];
    while graph.slots.len() < MOST_NODES && !budget.spent() {
        let Some(at) = best(&frontier) else { break };
        let leaf = frontier.swap_remove(at);
        if growth.joins
            && let Some((with, flip)) = join(&leaf, &frontier, &world)
        {
            let other = frontier.swap_remove(with);
            let slot = graph.slots.len();
            let (rows, labels) = leaf.union(&other, flip);
            graph.rows.push(rows.len());
            let both = Leaf::new(slot, rows, labels, &world);
            graph.slots.push(Slot::Answer);
            graph.majority.push(both.ones > both.zeros);
            graph.slots[leaf.slot] = Slot::Joined(Edge { slot, flip: false });
            graph.slots[other.slot] = Slot::Joined(Edge { slot, flip });
            frontier.push(both);
            continue;
        }
        let test = choose(&leaf.tests, growth.shake, rng);
        let majority = leaf.ones > leaf.zeros;
        let mut edges = Vec::with_capacity(test.cells());
        for (rows, labels) in leaf.split(&test, &world) {
            if rows.is_empty() {
                edges.push(None);
                continue;
            }
            let slot = graph.slots.len();
            graph.rows.push(rows.len());
            let child = Leaf::new(slot, rows, labels, &world);
            graph.slots.push(Slot::Answer);
            graph.majority.push(if child.ones == child.zeros { majority } else { child.ones > child.zeros });
            edges.push(Some(Edge { slot, flip: false }));
            frontier.push(child);
        }
        graph.slots[leaf.slot] = Slot::Split(test.signals().collect(), edges);
    }
    graph
}

/// The leaf with most to gain; none where nothing gains.
fn best(frontier: &[Leaf]) -> Option<usize> {
    let at = (0..frontier.len()).max_by(|&a, &b| {
        frontier[a].gain().total_cmp(&frontier[b].gain()).then(frontier[b].slot.cmp(&frontier[a].slot))
    })?;
    (frontier[at].gain() > 0.0).then_some(at)
}

/// One of the tests: the best, where nothing is shaken.
fn choose(tests: &[(f64, Test)], shake: f64, rng: &mut ChaCha8Rng) -> Test {
    let mut chosen = (f64::NEG_INFINITY, tests[0].1);
    for &(gain, test) in tests.iter().filter(|test| test.0 > 0.0) {
        let gain = if shake > 0.0 { gain * (1.0 - shake * rng.random::<f64>()) } else { gain };
        if gain > chosen.0 {
            chosen = (gain, test);
        }
    }
    chosen.1
}

/// The best leaf to join with, and whether complemented.
fn join(leaf: &Leaf, frontier: &[Leaf], world: &World<'_>) -> Option<(usize, bool)> {
    let price = libm::log(2.0 * (frontier.len() + 1) as f64);
    let own: Vec<_> = leaf.tests.iter().map(|(_, test)| leaf.cells(test, world)).collect();
    let mut found: Option<(f64, usize, bool)> = None;
    for (at, other) in frontier.iter().enumerate() {
        if other.rows.len() < 2 {
            continue;
        }
        let apart = leaf.evidence + leaf.gain() + other.evidence + other.gain() + price;
        let mut tests = Vec::with_capacity(2 * REMEMBERED);
        for ((_, test), cells) in leaf.tests.iter().zip(&own) {
            tests.push((*test, *cells, other.cells(test, world)));
        }
        for (_, test) in &other.tests {
            if leaf.tests.iter().all(|(_, own)| own != test) {
                tests.push((*test, leaf.cells(test, world), other.cells(test, world)));
            }
        }
        for flip in [false, true] {
            let turned = |[zeros, ones]: [u32; 2]| if flip { [ones, zeros] } else { [zeros, ones] };
            let add = |a: [u32; 2], b: [u32; 2]| {
                let b = turned(b);
                world.evidence.cell(a[0] + b[0], a[1] + b[1])
            };
            let whole = add([leaf.zeros, leaf.ones], [other.zeros, other.ones]);
            let together = tests
                .iter()
                .map(|(test, a, b)| {
                    let cells: f64 = a.iter().zip(b).take(test.cells()).map(|(&a, &b)| add(a, b)).sum();
                    cells - world.price(test.size())
                })
                .fold(whole, f64::max);
            let gain = together - apart;
            if gain > found.map_or(0.0, |found| found.0) {
                found = Some((gain, at, flip));
            }
        }
    }
    found.map(|(_, at, flip)| (at, flip))
}
