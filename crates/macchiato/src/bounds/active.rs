//! Labels that can be asked for: which of them certify the top-K selection, and what they certify.
//!
//! **What is certified.** With probability at least 1 - risk over the points that are drawn, every input that is called *in* is
//! in the paper's `J*` (the at most K inputs of greatest influence above tau, `ass:thresholded-topk-gap`), and every input that
//! is called *out* is not. Assumed: the labels are a function of the inputs. No gap is assumed; a narrow one costs labels.
//!
//! **How.** A point x is drawn uniformly, and its label is asked for together with that of x with input i flipped, for every input
//! i whose place is still open: n open inputs get n pairs for n + 1 labels, where pairs of their own would cost 2n. Pairs of
//! different inputs share x and so depend on each other, but no argument here needs that they do not: whether x and its
//! neighbour differ is, for each input, an independent draw with its influence as probability, whatever was asked before.
//!
//! **Looking often.** Limits are computed when 8, 10, 12, 15, ... points are in, each number about a quarter above the last,
//! and the r-th look at an input gets the risk `risk * 6 / (pi^2 r^2) / B`. These add up to at most the risk over all looks and
//! inputs, so all limits hold at once with probability at least 1 - risk, and stopping when they suffice is allowed. An input is
//!
//! * *in* if its lower limit is above tau and the upper limits of at most K - 1 others reach it: whatever the influences are
//!   within their limits, it is among the K greatest and above tau;
//! * *out* if its upper limit is at most tau, or the lower limits of K others are above its upper limit.
//!
//! **The smallest influence that matters.** No number of agreeing pairs shows that an influence is 0, so with tau = 0 an input that does
//! nothing could never be called out. `smallest` says below which influence an input may be called out as well: the selection is then `J*`
//! provided that no influence is above tau and below `smallest`; without this proviso it still holds that inputs called in are among the
//! K greatest and above tau, and that no input of `J*` with an influence of `smallest` or more was called out.
//!
//! **Few inputs.** No label is asked for twice, and once all 2^B are known, influences are counted instead of estimated.

mod question;
mod search;
mod session;

use serde::Serialize;

use super::binomial::Interval;
use search::{Memory, Search};

pub use question::{MAX_INPUTS, Question, QuestionError};
pub use session::{Contradiction, Session};

/// Where an input stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Place {
    /// Certainly selected.
    In,
    /// Certainly not.
    Out,
    /// Not known yet.
    Open,
}

/// What the labels say so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Where each input stands.
    pub places: Vec<Place>,
    /// Limits for each influence, all of them at once; the same number twice where it was counted.
    pub intervals: Vec<Interval>,
    /// Labels that are known.
    pub labels: usize,
    /// Pairs that were compared, over all inputs.
    pub pairs: u64,
    /// Whether every input has its place.
    pub certified: bool,
    /// Whether all points are known, so that nothing is left to chance.
    pub census: bool,
}

impl Outcome {
    /// The inputs that are in, in increasing order.
    #[must_use]
    pub fn selected(&self) -> Vec<usize> {
        (0..self.places.len()).filter(|&input| self.places[input] == Place::In).collect()
    }
}

/// Asks until every input has its place, or `max_labels` labels are known.
///
/// ```
/// use macchiato::bounds::active::{Question, certify_selection};
///
/// // x1 XOR (x2 AND x3) among 30 inputs: influences 1, 1/2, 1/2 and 27 times 0.
/// let question = Question { inputs: 30, k: 3, tau: 0.0, smallest: Some(0.1), risk: 0.05, seed: 1 };
/// let oracle = |x: &[bool]| Ok::<_, std::convert::Infallible>(x[0] ^ (x[1] & x[2]));
/// let outcome = certify_selection(&question, oracle, 100_000).expect("a question that can be asked");
/// assert!(outcome.certified);
/// assert_eq!(outcome.selected(), [0, 1, 2]);
/// ```
///
/// # Errors
/// A question that cannot be asked, or the first error of the oracle.
pub fn certify_selection<E>(
    question: &Question,
    mut oracle: impl FnMut(&[bool]) -> Result<bool, E>,
    max_labels: usize,
) -> Result<Outcome, AskError<E>> {
    question.check().map_err(AskError::Question)?;
    let mut memory = Memory::new();
    let mut search = Search::new(question);
    loop {
        let mut wanted = search.wanted();
        wanted.retain(|point| !memory.contains_key(point));
        if memory.len() + wanted.len() > max_labels {
            return Ok(search.outcome(&memory));
        }
        for point in wanted {
            let label = oracle(&search.bits(&point)).map_err(AskError::Oracle)?;
            memory.insert(point, label);
        }
        if search.step(&memory) {
            return Ok(search.outcome(&memory));
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError<E> {
    /// The question.
    #[error(transparent)]
    Question(QuestionError),
    /// Whoever knows the labels failed.
    #[error("no label: {0}")]
    Oracle(E),
}

#[cfg(test)]
mod tests;
