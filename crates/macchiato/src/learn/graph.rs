//! Decision graphs: rules that look at signals one after the other and forget all but a state.
//!
//! A graph is grown by evidence, with joins and complemented edges ([`grow`]); what its joined nodes compute become
//! signals that the next round may test, like inputs. Restarts shake the choice of tests; the best by the score goes on. One graph costs about a
//! population of the rows for each pair of signals and level.

mod gates;
mod grow;
mod leaf;

use super::candidate::{Candidate, Family, Form, Recipe};
use super::net::{Net, Value};
use super::score::Evidence;
use super::words::{self, Words};
use crate::random::Stream;
use crate::rows::Rows;
use grow::{Graph, Growth, Slot, grow};
use macchiato_minimize::Budget;
use rand::RngExt;
use rayon::prelude::*;

/// Sizes at which the first round's graph is also kept, in nodes and leaves, for readers who want few conditions.
const SIZES: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// Rows for which graphs are looked for at length: of fewer, little is to be found; of more, chance hardly decides between tests, and a graph takes
/// its time.
const AT_LENGTH: std::ops::Range<usize> = 3000..12_000;

/// How graphs are looked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GraphParams {
    /// The prior of leaves: small expects leaves of one label.
    pub prior: f64,
    /// Lineages of graphs, each with rounds of its own: what one misses by chance another may find.
    pub lineages: usize,
    /// Rounds, each of which may test what the one before found.
    pub rounds: usize,
    /// Graphs of a round.
    pub restarts: usize,
    /// New signals of a round at most.
    pub derived: usize,
    /// How much of its gain a test may lose by chance in a restart.
    pub shake: f64,
    /// Signals among which pairs are looked for.
    pub pairs: usize,
    /// Signals among which triples are looked for.
    pub triples: usize,
    /// Triples are tried where nothing gains more nats than this.
    pub stuck: f64,
    /// Whether leaves are joined.
    pub joins: bool,
    /// Whether multiples of words are compared.
    pub words: bool,
}

impl Default for GraphParams {
    fn default() -> Self {
        Self {
            prior: 0.1,
            lineages: 5,
            rounds: 8,
            restarts: 8,
            derived: 40,
            shake: 0.2,
            pairs: 128,
            triples: 60,
            stuck: 8.0,
            joins: true,
            words: true,
        }
    }
}

/// The graphs of all lineages.
pub(super) fn graphs(rows: &Rows, params: &GraphParams, seed: u64, budget: &Budget) -> Vec<Candidate> {
    let evidence = Evidence::new(rows.len(), params.prior);
    let words = params.words.then(|| words::find(rows, &evidence)).flatten();
    let mut seeds = Stream::Graphs.of(seed);
    let at_length = AT_LENGTH.contains(&rows.len());
    let shorter = GraphParams {
        lineages: 1,
        rounds: params.rounds.div_ceil(2),
        restarts: (3 * params.restarts).div_ceil(4),
        ..*params
    };
    let params = if at_length { params } else { &shorter };
    let lineages = params.lineages.max(1);
    let mut seeds: Vec<(Start, u64)> = (0..lineages).map(|_| (Start::Shaken, seeds.random())).collect();
    seeds[0].0 = Start::Plain;
    if words.is_some() && at_length {
        seeds.push((Start::WholeWords, seeds[0].1));
    }
    let search = Search { rows, params, evidence: &evidence, words: words.as_ref(), budget };
    seeds.par_iter().flat_map_iter(|&(start, seed)| lineage(&search, start, seed)).collect()
}

/// How a lineage begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Its first graph is not shaken.
    Plain,
    Shaken,
    /// As the plain one, with comparisons of words that read as many bits as rows show.
    WholeWords,
}

/// What all lineages look at.
struct Search<'a> {
    rows: &'a Rows,
    params: &'a GraphParams,
    evidence: &'a Evidence,
    words: Option<&'a Words>,
    budget: &'a Budget,
}

/// Graphs whose rounds build on each other.
fn lineage(search: &Search<'_>, start: Start, seed: u64) -> Vec<Candidate> {
    let Search { rows, params, evidence, words, budget } = *search;
    let mut net = Net::new(rows);
    let mut signals: Vec<Value> = (0..rows.inputs()).map(Value::input).collect();
    let whole = start == Start::WholeWords;
    let compared = words.map_or_else(Vec::new, |words| words::signals(words, whole, rows, &mut net));
    signals.extend(&compared);
    let form = if whole { Form::WholeWords } else { Form::Whole };
    let mut seeds = Stream::Lineage.of(seed);
    let mut found: Vec<Candidate> = Vec::new();
    let mut scores: Vec<f64> = Vec::new();
    for round in 0..params.rounds {
        if round > 0 && budget.spent() {
            break;
        }
        let seeds: Vec<u64> = (0..params.restarts.max(1)).map(|_| seeds.random()).collect();
        let columns: Vec<&[u64]> = signals.iter().map(|&signal| column(&net, signal)).collect();
        let made: Vec<(Graph, Candidate)> = seeds
            .par_iter()
            .enumerate()
            .filter_map(|(restart, &seed)| {
                let growth = Growth {
                    pairs: params.pairs,
                    triples: params.triples,
                    stuck: params.stuck,
                    shake: if restart == 0 && (start != Start::Shaken || round > 0) {
                        0.0
                    } else {
                        params.shake
                    },
                    joins: params.joins,
                };
                let mut rng = Stream::Shaking.of(seed);
                let graph = grow(&columns, rows.labels(), rows.len(), evidence, &growth, &mut rng, budget);
                let mut net = net.clone();
                let root = gates::values(&graph, usize::MAX, &signals, &mut net)[0];
                let candidate = net
                    .candidate(Recipe { family: Family::Graph, form, size: round }, root)?
                    .described(net.description(root, &compared));
                Some((graph, candidate))
            })
            .collect();
        let Some(best) =
            (0..made.len()).max_by(|&a, &b| made[a].1.score().total_cmp(&made[b].1.score()).then(b.cmp(&a)))
        else {
            break;
        };
        if round == 0 && !whole {
            found.extend(SIZES.iter().filter_map(|&size| {
                let mut net = net.clone();
                let root = gates::values(&made[best].0, size, &signals, &mut net)[0];
                net.candidate(Recipe::new(Family::Graph, size), root)
            }));
        }
        let values = gates::values(&made[best].0, usize::MAX, &signals, &mut net);
        scores.push(made[best].1.score());
        let new = derived(&made[best].0, &values, &signals, params.derived);
        found.extend(made.into_iter().map(|(_, candidate)| candidate));
        if new.is_empty() || stalled(&scores) {
            break;
        }
        signals.extend(new);
    }
    found
}

/// Whether the last two rounds found nothing better than an earlier one.
fn stalled(scores: &[f64]) -> bool {
    let [earlier @ .., a, b] = scores else { return false };
    let best = earlier.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    best >= a.max(*b)
}

fn column<'a>(net: &'a Net<'_>, signal: Value) -> &'a [u64] {
    match signal {
        Value::Literal(literal) => net.column(literal.source),
        Value::Constant(_) => &[],
    }
}

/// What joined and split nodes compute, those with most rows first, without signs and what is known.
fn derived(graph: &Graph, values: &[Value], signals: &[Value], most: usize) -> Vec<Value> {
    let mut joined = vec![false; graph.slots.len()];
    for slot in &graph.slots {
        if let Slot::Joined(edge) = slot {
            joined[edge.slot] = true;
        }
    }
    let mut order: Vec<usize> = (1..graph.slots.len())
        .filter(|&at| joined[at] && matches!(graph.slots[at], Slot::Split(..)))
        .collect();
    order.sort_by_key(|&at| (usize::MAX - graph.rows[at], at));
    let mut new: Vec<Value> = Vec::new();
    for at in order {
        if let Value::Literal(literal) = values[at] {
            let value = Value::Literal(literal.signed(literal.positive));
            if new.len() < most && !signals.contains(&value) && !new.contains(&value) {
                new.push(value);
            }
        }
    }
    new
}
