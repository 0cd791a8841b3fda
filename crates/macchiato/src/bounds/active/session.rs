//! Labels that come later: the question and the labels so far, and what follows from them.

use std::collections::BTreeMap;

use super::search::{self, Memory, Search};
use super::{Outcome, Question, QuestionError};

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
            points.retain(|point| !self.memory.contains_key(point));
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
            wanted.retain(|point| !self.memory.contains_key(point));
            if !wanted.is_empty() {
                return false;
            }
            search.step(&self.memory);
        }
    }
}
