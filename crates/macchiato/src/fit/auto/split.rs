//! The rows that candidates learn from while they are compared, and those that judge them.

use super::question::Question;
use super::sampling::Sampling;
use crate::draw;
use crate::fit::trace::DecidedBy;
use crate::random::Stream;
use crate::rows::Rows;

/// One of this many rows is held out.
const HELD_OUT: usize = 5;

/// With fewer rows held out, chance decides: then evidence does.
const FEWEST_HELD_OUT: usize = 20;

/// More rows held out would tell candidates apart that differ by less than anyone cares for.
const MOST_HELD_OUT: usize = 1 << 16;

/// Rows that teach and rows that judge.
#[derive(Debug)]
pub(super) struct Split<'a> {
    /// Which rows judge.
    pub(super) by: DecidedBy,
    /// The search over all rows has not read the rows that judge.
    pub(super) unread: bool,
    rows: &'a Rows,
    validation: Option<&'a Rows>,
    whole: &'a Sampling,
    /// Rows to learn from with their sampling, and rows to judge by, where there are no validation rows.
    parts: Option<(Rows, Sampling, Rows)>,
}

impl<'a> Split<'a> {
    /// Validation rows judge if there are any, else some of the rows; none where these would be too few.
    pub(super) fn new(question: &Question<'a>, whole: &'a Sampling) -> Option<Self> {
        let Question { rows, validation, effort, options, .. } = *question;
        if validation.is_some() {
            return Some(Self {
                by: DecidedBy::Validation,
                unread: true,
                rows,
                validation,
                whole,
                parts: None,
            });
        }
        if rows.len() < HELD_OUT * FEWEST_HELD_OUT {
            return None;
        }
        let unread = whole.unread(rows.len()).filter(|unread| unread.len() >= MOST_HELD_OUT);
        let (train, held) = hold_out(rows, unread.as_deref(), options.seed);
        let sampling = Sampling::new(&train, effort, options.seed);
        let parts = Some((train, sampling, held));
        Some(Self { by: DecidedBy::HeldOut, unread: unread.is_some(), rows, validation, whole, parts })
    }

    /// The rows to learn from.
    pub(super) fn train(&self) -> &Rows {
        self.parts.as_ref().map_or(self.rows, |parts| &parts.0)
    }

    /// Which of them are read.
    pub(super) fn sampling(&self) -> &Sampling {
        self.parts.as_ref().map_or(self.whole, |parts| &parts.1)
    }

    /// The rows that judge.
    pub(super) fn held(&self) -> &Rows {
        self.parts.as_ref().map_or_else(|| self.validation.unwrap_or(self.rows), |parts| &parts.2)
    }
}

/// Rows to learn from and rows to judge by; the latter from among `unread` ones, if given.
fn hold_out(rows: &Rows, unread: Option<&[usize]>, seed: u64) -> (Rows, Rows) {
    let mut rng = Stream::HoldingOut.of(seed);
    let among = unread.map_or(rows.len(), <[usize]>::len);
    let held = draw::some(&mut rng, among, (rows.len() / HELD_OUT).min(MOST_HELD_OUT)).into_iter();
    let held: Vec<usize> = held.map(|at| unread.map_or(at, |unread| unread[at])).collect();
    let mut train: Vec<usize> = (0..rows.len()).filter(|row| held.binary_search(row).is_err()).collect();
    let most = (HELD_OUT - 1) * MOST_HELD_OUT;
    if train.len() > most {
        train = draw::some(&mut rng, train.len(), most).into_iter().map(|at| train[at]).collect();
    }
    (rows.pick(&train), rows.pick(&held))
}
