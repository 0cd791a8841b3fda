//! Which inputs a stage works on: the paper's top-K by influence, the random-K ablation of Appendix D.7, and a search for
//! the set with the most evidence.
//!
//! Influences are compared as exact fractions and ties go to the smaller index, so the choice does not depend on
//! rounding. The threshold tau is a decimal, kept as an exact fraction too.

mod beam;
mod climb;
mod count;
mod parity;
mod partition;
mod sample;

use crate::influence::Influence;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

pub(crate) use crate::evidence::{Evidence, NAT, Nats};
pub(crate) use beam::{Limits, Scored, beam};
pub(crate) use climb::climb;
pub(crate) use count::{Count, count};
pub(crate) use parity::parity;
pub(crate) use sample::Sample;

/// The threshold tau: an input is active only if its influence is greater. A decimal in [0, 1), exactly.
///
/// ```
/// use macchiato::influence::Influence;
/// use macchiato::select::Threshold;
///
/// let tau: Threshold = "0.3".parse()?;
/// assert!(!tau.is_exceeded_by(Influence { differing: 3, pairs: 10 }));
/// assert!(tau.is_exceeded_by(Influence { differing: 31, pairs: 100 }));
/// # Ok::<(), macchiato::select::ThresholdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threshold {
    /// In units of 10^-18.
    units: u64,
}

const SCALE: u64 = 1_000_000_000_000_000_000;

/// Not a decimal in [0, 1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tau is {text:?}: give a decimal from 0 to below 1, such as 0 or 0.05, with at most 18 digits")]
pub struct ThresholdError {
    text: String,
}

impl Threshold {
    /// Whether the influence is greater than the threshold.
    #[must_use]
    pub fn is_exceeded_by(self, influence: Influence) -> bool {
        u128::from(influence.differing) * u128::from(SCALE)
            > u128::from(self.units) * u128::from(influence.pairs.max(1))
    }
}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Self, ThresholdError> {
        let error = || ThresholdError { text: text.to_owned() };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !whole.bytes().all(|byte| byte == b'0') {
            return Err(error());
        }
        if fraction.len() > 18 || !digits(fraction) {
            return Err(error());
        }
        let units = format!("{fraction:0<18}").parse().map_err(|_| error())?;
        Ok(Self { units })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:018}", self.units);
        match digits.trim_end_matches('0') {
            "" => f.write_str("0"),
            digits => write!(f, "0.{digits}"),
        }
    }
}

/// The inputs with the `k` greatest influences above `tau`, in increasing order: the paper's `J_t`; empty if no input is
/// active.
#[must_use]
pub fn top_k(influences: &[Influence], k: usize, tau: Threshold) -> Vec<usize> {
    let mut active: Vec<usize> =
        (0..influences.len()).filter(|&i| tau.is_exceeded_by(influences[i])).collect();
    active.sort_by(|&a, &b| match influences[b].compare(influences[a]) {
        Ordering::Equal => a.cmp(&b),
        order => order,
    });
    active.truncate(k);
    active.sort_unstable();
    active
}

#[cfg(test)]
mod tests;
