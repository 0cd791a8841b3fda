//! EXPAND: a cube of ON rows grows to a prime that keeps clear of every OFF row and holds many ON rows.
//!
//! Each OFF row must be stopped by one of the cube's literals, so the terms that contain the cube are the hitting sets of
//! its conflicts, and primes the minimal ones. Literals are chosen greedily by what they stop against what they lose
//! ([`Gain`]), then redundant ones are dropped in the order that wins most ON rows, then single literals are swapped
//! while that wins rows. Cost: literals chosen times inputs times the words of a view (see `field`), plus a few passes
//! over the columns of the term's literals.

use std::cmp::Reverse;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::columns::{Code, Side};
use super::field::Field;
use super::instance::Instance;
use super::sparse::Sparse;

/// How a literal is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gain {
    /// FOIL's gain: ON rows kept times the bits by which their share grows.
    Foil,
    /// Bits of OFF rows stopped for each bit of ON rows lost.
    Ratio,
    /// Most OFF rows stopped: short terms.
    Stop,
}

/// One way to expand; restarts take turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) gain: Gain,
    /// Scores are multiplied by a random factor of up to 1 + noise.
    pub(super) noise: f64,
    /// Swap literals at the end.
    pub(super) swap: bool,
}

/// A prime implicant that contains the cube `candidates`, as sorted literals.
///
/// `focus` are the ON rows that count, the cube's own among them. `work` grows by the word operations done.
pub(super) fn expand(
    instance: &Instance,
    candidates: &[Code],
    focus: &[u64],
    style: Style,
    rng: &mut ChaCha8Rng,
    work: &mut u64,
) -> Vec<Code> {
    let mut term = choose(instance, candidates, focus, style, rng, work);
    make_prime(instance, &mut term, focus, work);
    if style.swap {
        while swap(instance, &mut term, candidates, focus, work) {
            make_prime(instance, &mut term, focus, work);
        }
    }
    term.sort_unstable();
    term
}

/// Literals that stop every OFF row, best score first.
fn choose(
    instance: &Instance,
    candidates: &[Code],
    focus: &[u64],
    style: Style,
    rng: &mut ChaCha8Rng,
    work: &mut u64,
) -> Vec<Code> {
    let mut off = Field::new(&instance.off, instance.off.all());
    let mut on = Field::new(&instance.on, focus.to_vec());
    let mut open = candidates.to_vec();
    let mut term = Vec::new();
    while off.left() > 0 {
        let (a0, k0) = (off.left() as f64, on.left() as f64);
        let mut best: Option<(f64, usize)> = None;
        for (at, &literal) in open.iter().enumerate() {
            let a1 = off.passing(literal);
            if a1 >= a0 {
                continue;
            }
            let k1 = on.passing(literal);
            let noise = if style.noise > 0.0 { 1.0 + style.noise * rng.random::<f64>() } else { 1.0 };
            let score = noise * score(style.gain, (a0, a1), (k0, k1));
            if best.is_none_or(|(top, _)| score > top) {
                best = Some((score, at));
            }
        }
        *work += (open.len() * (off.view_words() + on.view_words())) as u64;
        // No literal stops a row of the view only if the cube meets an OFF row, which `Instance` excludes.
        let Some((_, at)) = best else { break };
        let literal = open.remove(at);
        term.push(literal);
        off.choose(literal);
        on.choose(literal);
    }
    *work += off.work + on.work;
    term
}

/// The worth of a literal that leaves a1 of a0 OFF rows and k1 of k0 ON rows; larger is better.
fn score(gain: Gain, (a0, a1): (f64, f64), (k0, k1): (f64, f64)) -> f64 {
    let (k0, k1) = (k0 + 0.5, k1 + 0.5);
    match gain {
        // Shifted so that it is positive: noise multiplies.
        Gain::Foil => k1 * (log2((k0 + a0) / k0) + 1.0 - log2((k1 + a1) / k1)).max(1e-9),
        Gain::Ratio => log2((a0 + 0.5) / (a1 + 0.5)) / (log2(k0 / k1).max(0.0) + 0.05),
        Gain::Stop => (a0 - a1) + k1 / (k0 + 1.0),
    }
}

/// The base-2 logarithm from IEEE operations alone: the library's differs between platforms in its last bit.
fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as f64 - 1023.0;
    let mantissa = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000);
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let z2 = z * z;
    let series = 1.0 + z2 * (1.0 / 3.0 + z2 * (1.0 / 5.0 + z2 * (1.0 / 7.0 + z2 / 9.0)));
    exponent + 2.0 * std::f64::consts::LOG2_E * z * series
}

/// What a term leaves of some rows: those inside it, and those that one literal alone stops.
struct Edge {
    inside: Sparse,
    outside_by_one: Sparse,
}

impl Edge {
    fn new(side: &Side, term: &[Code], among: &[u64], work: &mut u64) -> Self {
        let (mut once, mut twice) = (vec![0; side.words()], vec![0; side.words()]);
        for &literal in term {
            side.columns().tally(literal, &mut once, &mut twice);
        }
        *work += (2 * term.len() * side.words()) as u64;
        Self {
            inside: Sparse::new(among.iter().zip(&once).map(|(among, once)| among & !once)),
            outside_by_one: Sparse::new(
                among.iter().zip(&once).zip(&twice).map(|((among, once), twice)| among & once & !twice),
            ),
        }
    }
}

/// Drops literals until each stops some OFF row that no other does, the one that wins most rows of `focus` first.
fn make_prime(instance: &Instance, term: &mut Vec<Code>, focus: &[u64], work: &mut u64) {
    let (on, off) = (instance.on.columns(), instance.off.columns());
    let off_rows = instance.off.all();
    loop {
        let stops = Edge::new(&instance.off, term, &off_rows, work).outside_by_one;
        let redundant: Vec<usize> = (0..term.len()).filter(|&at| off.passes_all(&stops, term[at])).collect();
        let best = match redundant[..] {
            [] => return,
            [only] => only,
            _ => {
                let loses = Edge::new(&instance.on, term, focus, work).outside_by_one;
                let won = |&at: &usize| (Reverse(on.count_sparse(&loses, term[at])), Reverse(at));
                redundant.iter().copied().max_by_key(won).unwrap_or_default()
            }
        };
        term.remove(best);
    }
}

/// Exchanges one literal for another where the term then holds more rows of `focus`: the best such pair.
fn swap(instance: &Instance, term: &mut [Code], candidates: &[Code], focus: &[u64], work: &mut u64) -> bool {
    let (on, off) = (instance.on.columns(), instance.off.columns());
    let stops = Edge::new(&instance.off, term, &instance.off.all(), work).outside_by_one;
    let edge = Edge::new(&instance.on, term, focus, work);
    let held = edge.inside.size();
    let mut best = (held, None);
    for (at, &literal) in term.iter().enumerate() {
        let needed = off.stopped(&stops, literal);
        let won = on.stopped(&edge.outside_by_one, literal);
        if held + won.size() <= best.0 {
            continue;
        }
        for &other in candidates {
            if term.contains(&other) || !off.stops_all(&needed, other) {
                continue;
            }
            let rows = on.count_sparse(&edge.inside, other) + on.count_sparse(&won, other);
            *work += (edge.inside.words() + won.words()) as u64;
            if rows > best.0 {
                best = (rows, Some((at, other)));
            }
        }
        *work += (candidates.len() * 4) as u64;
    }
    if let Some((at, other)) = best.1 {
        term[at] = other;
    }
    best.1.is_some()
}
