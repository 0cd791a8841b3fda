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

mod search;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::binomial::Interval;
use search::{Memory, Search};

/// Most inputs of a question.
pub const MAX_INPUTS: usize = 4096;

/// What is to be certified, and how surely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Inputs of the function, the paper's B.
    pub inputs: usize,
    /// Inputs to select at most, the paper's K.
    pub k: usize,
    /// Only influences above this count, the paper's tau: from 0 to below 1.
    pub tau: f64,
    /// Below this influence an input may be left out; needed where tau is 0, unless all points are to be asked for.
    pub smallest: Option<f64>,
    /// The probability of a wrong answer that is accepted, the paper's delta: between 0 and 1.
    pub risk: f64,
    /// Seed of the points.
    pub seed: u64,
}

/// What is wrong with a question.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// No inputs, or too many.
    #[error("{inputs} inputs: there must be at least 1 and at most {MAX_INPUTS}")]
    Inputs {
        /// Their number.
        inputs: usize,
    },
    /// K outside 1..=B.
    #[error("K is {k}: at least 1 and at most the {inputs} inputs can be selected")]
    K {
        /// The K asked for.
        k: usize,
        /// The inputs.
        inputs: usize,
    },
    /// A threshold that no influence is compared with.
    #[error("tau is {tau}: give a number from 0 to below 1")]
    Tau {
        /// The threshold.
        tau: f64,
    },
    /// A smallest influence that is not above the threshold.
    #[error("the smallest influence that matters is {smallest}: it must be above tau = {tau} and at most 1")]
    Smallest {
        /// The influence.
        smallest: f64,
        /// The threshold.
        tau: f64,
    },
    /// No smallest influence where nothing else ends the questions.
    #[error(
        "with tau = 0 no number of labels shows that one of {inputs} inputs does nothing: say which influence is the smallest that matters, such as 0.05"
    )]
    Endless {
        /// The inputs.
        inputs: usize,
    },
    /// A risk that is no probability.
    #[error("the risk is {risk}: it must be between 0 and 1")]
    Risk {
        /// The risk.
        risk: f64,
    },
}

/// Most inputs for which asking for all points is a plan.
const CENSUS_INPUTS: usize = 16;

impl Question {
    /// Checks the question.
    ///
    /// # Errors
    /// Numbers outside their range; tau = 0 without a smallest influence and more inputs than can be asked for in full.
    pub fn check(&self) -> Result<(), QuestionError> {
        let Self { inputs, k, tau, smallest, risk, .. } = *self;
        if !(1..=MAX_INPUTS).contains(&inputs) {
            return Err(QuestionError::Inputs { inputs });
        }
        if !(1..=inputs).contains(&k) {
            return Err(QuestionError::K { k, inputs });
        }
        if !(0.0..1.0).contains(&tau) {
            return Err(QuestionError::Tau { tau });
        }
        if let Some(smallest) = smallest.filter(|smallest| !(*smallest > tau && *smallest <= 1.0)) {
            return Err(QuestionError::Smallest { smallest, tau });
        }
        if tau == 0.0 && smallest.is_none() && inputs > CENSUS_INPUTS {
            return Err(QuestionError::Endless { inputs });
        }
        if !(risk > 0.0 && risk < 1.0) {
            return Err(QuestionError::Risk { risk });
        }
        Ok(())
    }
}

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
        search.retain_unknown(&mut wanted, &memory);
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

/// A question whose labels come later, in any order: what `macchiato ask` keeps in a file.
///
/// Which points are wanted follows from the question and the labels alone, so nothing else is kept.
///
/// ```
/// use macchiato::bounds::active::{Question, Session};
///
/// let question = Question { inputs: 8, k: 2, tau: 0.0, smallest: Some(0.2), risk: 0.05, seed: 1 };
/// let mut session = Session::new(question)?;
/// while !session.outcome().certified {
///     for x in session.wanted(50) {
///         session.answer(&x, x[3] | x[5]).expect("one label for each point");
///     }
/// }
/// assert_eq!(session.outcome().selected(), [3, 5]);
/// # Ok::<(), macchiato::bounds::active::QuestionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    question: Question,
    memory: Memory,
}

/// A label that contradicts an earlier one, so that the labels are no function of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this point was answered {earlier} before: labels must be a function of the inputs")]
pub struct Contradiction {
    /// What it was.
    pub earlier: u8,
}

impl Session {
    /// A question without labels.
    ///
    /// # Errors
    /// A question that cannot be asked.
    pub fn new(question: Question) -> Result<Self, QuestionError> {
        question.check()?;
        Ok(Self { question, memory: Memory::new() })
    }

    /// What is asked.
    #[must_use]
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// Takes a label, of a point that was wanted or of any other.
    ///
    /// # Errors
    /// The opposite of what was said before of the same point.
    ///
    /// # Panics
    /// If the point has another number of inputs than the question.
    pub fn answer(&mut self, x: &[bool], label: bool) -> Result<(), Contradiction> {
        assert_eq!(x.len(), self.question.inputs, "inputs of the point and of the question");
        match self.memory.insert(search::pack(x), label) {
            Some(earlier) if earlier != label => {
                self.memory.insert(search::pack(x), earlier);
                Err(Contradiction { earlier: earlier.into() })
            }
            _ => Ok(()),
        }
    }

    /// The labels so far, by point.
    pub fn answers(&self) -> impl Iterator<Item = (Vec<bool>, bool)> + '_ {
        let inputs = self.question.inputs;
        self.memory.iter().map(move |(point, &label)| (search::unpack(point, inputs), label))
    }

    /// What the labels say so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let mut search = Search::new(&self.question);
        self.replay(&mut search);
        search.outcome(&self.memory)
    }

    /// The next points whose labels are wanted, at most `limit` of them and at most those up to the next look; none if every input
    /// has its place.
    #[must_use]
    pub fn wanted(&self, limit: usize) -> Vec<Vec<bool>> {
        let mut search = Search::new(&self.question);
        if self.replay(&mut search) {
            return Vec::new();
        }
        let mut wanted: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
        loop {
            let mut points = search.wanted();
            search.retain_unknown(&mut points, &self.memory);
            for point in points {
                let next = wanted.len();
                if next < limit {
                    wanted.entry(point).or_insert(next);
                }
            }
            // Every point that exists may be wanted by now, and the next look may change what is wanted.
            if wanted.len() >= limit || search.skip() {
                break;
            }
        }
        let mut wanted: Vec<(usize, Vec<u64>)> = wanted.into_iter().map(|(point, at)| (at, point)).collect();
        wanted.sort_unstable();
        wanted.into_iter().map(|(_, point)| search.bits(&point)).collect()
    }

    /// Goes on as far as the labels reach; whether every input has its place then.
    fn replay(&self, search: &mut Search) -> bool {
        loop {
            if search.done(&self.memory) {
                return true;
            }
            let mut wanted = search.wanted();
            search.retain_unknown(&mut wanted, &self.memory);
            if !wanted.is_empty() {
                return false;
            }
            search.step(&self.memory);
        }
    }
}

#[cfg(test)]
mod tests;
