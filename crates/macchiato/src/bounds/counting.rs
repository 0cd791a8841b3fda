//! How many rules there are: `|J_{B,S}|`, the functions of B inputs that need at most S of them, and the influential ones.
//!
//! `lem:junta-cardinality` and `prop:influential-junta-count`. Counts are exact integers where those can be written down, and
//! logarithms everywhere. A logarithm is rounded up by a relative 10^-12, far more than its arithmetic errs, so that
//! what follows from it stays true. For S = 20 the integers have a million bits and take milliseconds.

use super::binomial::{ln_choose, ln_tail_at_least, ln_tail_at_most};
use super::error::BoundsError;
use super::whole::part;
use crate::natural::Natural;
use num_bigint::{BigInt, BigUint};
use std::f64::consts::LN_2;

/// Inputs of a rule up to which its count is an exact integer (of 2^24 bits).
pub const EXACT_SUPPORT: u64 = 24;
/// The same for the influential ones, whose count sums half as many binomial coefficients as there are cells.
pub const EXACT_INFLUENTIAL_SUPPORT: u64 = 15;
/// Most inputs of a rule: beyond, not even the logarithm is a float.
pub const MOST_SUPPORT: u64 = 1000;
/// Most inputs: beyond, binomial coefficients in logarithms lose their digits.
pub const MOST_INPUTS: u64 = 1_000_000_000_000;

/// The number of S-juntas on B inputs, and what `lem:junta-cardinality` says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct JuntaCount {
    /// `|J_{B,S}|`, for S up to [`EXACT_SUPPORT`].
    pub exact: Option<Natural>,
    /// `ln |J_{B,S}|`, rounded up; past [`EXACT_SUPPORT`] it is the lemma's sum.
    pub ln: f64,
    /// The lemma's first bound: `ln sum_s C(B,s) 2^(2^s)`, which counts a function once for each set that holds its inputs.
    pub ln_lemma_sum: f64,
    /// The lemma's second bound: `ln 2^(2^S) (eB/S)^S`.
    pub ln_lemma_closed: f64,
}

/// Counts the functions of `inputs` inputs that need at most `support` of them: the paper's `J_{B,S}`.
///
/// A function that needs exactly the inputs of a set of s is one of the `D(s)` functions of s inputs that need them all, and
/// by inclusion and exclusion `D(s) = sum_k (-1)^(s-k) C(s,k) 2^(2^k)`; so `|J_{B,S}| = sum_s C(B,s) D(s)`.
/// The lemma's bounds (`lem:junta-cardinality`) stand beside it.
///
/// # Errors
/// `support` outside `1..=inputs` or above [`MOST_SUPPORT`]; more inputs than [`MOST_INPUTS`].
///
/// ```
/// use macchiato::bounds::counting::juntas;
///
/// // Constants, three inputs and their negations.
/// assert_eq!(juntas(3, 1)?.exact, Some(8.into()));
/// // All functions of three inputs.
/// assert_eq!(juntas(3, 3)?.exact, Some(256.into()));
/// let large = juntas(10_000, 20)?;
/// assert!(large.ln <= large.ln_lemma_sum && large.ln_lemma_sum <= large.ln_lemma_closed);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn juntas(inputs: u64, support: u64) -> Result<JuntaCount, BoundsError> {
    check(inputs, support)?;
    let exact = (support <= EXACT_SUPPORT).then(|| exact_count(inputs, support));
    let sizes = 0..=support;
    let ln_lemma_sum = up(ln_sum(sizes.map(|s| ln_choose(inputs, s) + ln_tables(s))));
    let (b, s) = (inputs as f64, support as f64);
    let ln_lemma_closed = up(ln_tables(support) + s * (1.0 + libm::log(b / s)));
    let ln = exact.as_ref().map_or(ln_lemma_sum, |count| up(ln_big(count)));
    // The first two agree to all digits when S is large: rounding must not turn them around.
    Ok(JuntaCount {
        exact: exact.map(Natural::new),
        ln,
        ln_lemma_sum: ln_lemma_sum.max(ln),
        ln_lemma_closed: ln_lemma_closed.max(ln_lemma_sum).max(ln),
    })
}

/// `ln |J_{B,S}|`, rounded up, also for `support` 0 (the two constants) and above `inputs` (all functions).
///
/// # Errors
/// Those of [`juntas`].
pub fn ln_juntas(inputs: u64, support: u64) -> Result<f64, BoundsError> {
    match support.min(inputs) {
        0 => Ok(up(LN_2)),
        support => juntas(inputs, support).map(|count| count.ln),
    }
}

/// Bounds on the number of S-juntas whose every relevant input has influence at least rho.
#[derive(Debug, Clone, PartialEq)]
pub struct InfluentialCount {
    /// The lower bound, for S up to [`EXACT_INFLUENTIAL_SUPPORT`].
    pub lower: Option<Natural>,
    /// The upper bound, for S up to [`EXACT_INFLUENTIAL_SUPPORT`].
    pub upper: Option<Natural>,
    /// The lower bound's logarithm, rounded down.
    pub ln_lower: f64,
    /// The upper bound's logarithm, rounded up.
    pub ln_upper: f64,
}

/// `prop:influential-junta-count`: bounds on the number of functions of `inputs` inputs that need at most `support` of them,
/// each with influence at least `influence` under the uniform distribution.
///
/// With `n = 2^(s-1)` edges in a direction, of which fewer than `q = ceil(rho n)` differ for `2^n sum_{k<q} C(n,k)`
/// functions, a set of s inputs has at most `2^(2^s) - 2^n sum` and at least `2^(2^s) - s 2^n sum` such functions. Divided by
/// `2^(2^s)` the sum is the tail `P(Bin(n, 1/2) < q)`, which is how the logarithms are found where integers are too long:
/// the tail is right to a relative 10^-9.
///
/// # Errors
/// Those of [`juntas`]; an `influence` outside (0, 1].
///
/// ```
/// use macchiato::bounds::counting::influential_juntas;
///
/// // Only parities change with every input everywhere: 2 constants, 2 for each of 3 + 3 + 1 sets. The upper bound asks
/// // that of one input only.
/// let count = influential_juntas(3, 3, 1.0)?;
/// assert_eq!(count.upper, Some((2 + 3 * 2 + 3 * 4 + 16).into()));
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn influential_juntas(
    inputs: u64,
    support: u64,
    influence: f64,
) -> Result<InfluentialCount, BoundsError> {
    check(inputs, support)?;
    if !(influence > 0.0 && influence <= 1.0) {
        return Err(BoundsError::Influence { value: influence });
    }
    let mut upper_terms = vec![LN_2];
    let mut lower_terms = vec![LN_2];
    for s in 1..=support {
        let sets = ln_choose(inputs, s) + ln_tables(s);
        let (all_high, one_low) = ln_shares(s, influence);
        upper_terms.push(sets + all_high);
        let missing = s as f64 * libm::exp(one_low);
        if missing < 1.0 {
            lower_terms.push(sets + libm::log1p(-missing));
        }
    }
    let exact = support <= EXACT_INFLUENTIAL_SUPPORT;
    let (lower, upper) = match exact.then(|| exact_influential(inputs, support, influence)) {
        Some((lower, upper)) => (Some(lower), Some(upper)),
        None => (None, None),
    };
    let ln = |exact: &Option<BigUint>, terms: Vec<f64>| {
        exact.as_ref().map_or_else(|| ln_sum(terms.into_iter()), ln_big)
    };
    let (ln_lower, ln_upper) = (ln(&lower, lower_terms), ln(&upper, upper_terms));
    let slack = if exact { 1e-12 } else { 1e-8 };
    Ok(InfluentialCount {
        lower: lower.map(Natural::new),
        upper: upper.map(Natural::new),
        ln_lower: ln_lower * (1.0 - slack),
        ln_upper: ln_upper * (1.0 + slack),
    })
}

/// `ln P(Bin(n, 1/2) >= q)` and `ln P(Bin(n, 1/2) < q)` for `n = 2^(s-1)`, `q = ceil(rho n)`.
fn ln_shares(s: u64, influence: f64) -> (f64, f64) {
    // Tails over more edges take long; leaving nothing out above and everything below stays true.
    if s > 40 {
        return (0.0, 0.0);
    }
    let edges = 1u64 << (s - 1);
    // A power of two times a float is exact.
    let q = part((influence * edges as f64).ceil());
    (ln_tail_at_least(edges, 0.5, q), ln_tail_at_most(edges, 0.5, q - 1))
}

/// Whether there are such juntas to count.
pub(super) fn check(inputs: u64, support: u64) -> Result<(), BoundsError> {
    if inputs == 0 {
        return Err(BoundsError::NoInputs);
    }
    if inputs > MOST_INPUTS {
        return Err(BoundsError::Inputs { inputs, most: MOST_INPUTS });
    }
    let most = inputs.min(MOST_SUPPORT);
    if support == 0 || support > most {
        return Err(BoundsError::Support { support, inputs, most });
    }
    Ok(())
}

fn exact_count(inputs: u64, support: u64) -> BigUint {
    let mut sets = BigUint::from(1u32);
    let mut total = BigUint::from(0u32);
    for s in 0..=support {
        total += &sets * needing_all(s);
        sets = sets * (inputs - s) / (s + 1);
    }
    total
}

/// Functions of s inputs that need them all: `D(s)`.
fn needing_all(s: u64) -> BigUint {
    let mut choices = BigUint::from(1u32);
    let mut signed = BigInt::from(0);
    for k in 0..=s {
        let functions = BigInt::from(&choices << (1u64 << k));
        if (s - k).is_multiple_of(2) {
            signed += functions;
        } else {
            signed -= functions;
        }
        choices = choices * (s - k) / (k + 1);
    }
    signed.to_biguint().unwrap_or_default()
}

/// The two sums of the proposition as integers.
fn exact_influential(inputs: u64, support: u64, influence: f64) -> (BigUint, BigUint) {
    let (mut lower, mut upper) = (BigUint::from(2u32), BigUint::from(2u32));
    let mut sets = BigUint::from(1u32);
    for s in 1..=support {
        sets = sets * (inputs - s + 1) / s;
        let edges = 1u64 << (s - 1);
        let q = part((influence * edges as f64).ceil());
        let (mut choices, mut sum) = (BigUint::from(1u32), BigUint::from(0u32));
        for k in 0..q {
            sum += &choices;
            choices = choices * (edges - k) / (k + 1);
        }
        let low = sum << edges;
        let all = BigUint::from(1u32) << (1u64 << s);
        upper += &sets * (&all - &low);
        let low = low * s;
        if low < all {
            lower += &sets * (all - low);
        }
    }
    (lower, upper)
}

/// `ln 2^(2^s)`.
fn ln_tables(s: u64) -> f64 {
    libm::exp2(s as f64) * LN_2
}

/// The natural logarithm of a positive integer, from its first 64 bits and its length.
fn ln_big(value: &BigUint) -> f64 {
    let shift = value.bits().saturating_sub(64);
    let first = (value >> shift).iter_u64_digits().next().unwrap_or(0);
    libm::log(first as f64) + shift as f64 * LN_2
}

/// `ln sum exp`.
fn ln_sum(terms: impl Iterator<Item = f64>) -> f64 {
    let terms: Vec<f64> = terms.collect();
    let greatest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    greatest + libm::log(terms.iter().map(|term| libm::exp(term - greatest)).sum())
}

/// Rounded up, by more than the arithmetic above errs.
fn up(ln: f64) -> f64 {
    ln * (1.0 + 1e-12)
}

#[cfg(test)]
mod tests;
