//! Which circuit of a front a reader wants.

/// Which circuit of a front is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Pick {
    /// The one that is worth most to a reader, unless another is clearly better.
    #[default]
    Score,
    /// The one that is right on most of the rows put aside, however long.
    Best,
    /// The shortest one whose rate on rows put aside is within this of the best one's.
    SimplestWithin(f64),
    /// The best one with at most so many conditions.
    MaxConditions(usize),
}

/// A pick that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no pick: give score, best, simplest-within=SHARE (such as 0.01) or max-conditions=N")]
pub struct PickError {
    /// What was given.
    pub text: String,
}

impl std::str::FromStr for Pick {
    type Err = PickError;

    /// `score`, `best`, `simplest-within=0.01` or `max-conditions=12`.
    fn from_str(text: &str) -> Result<Self, PickError> {
        let error = || PickError { text: text.to_owned() };
        match text.split_once('=') {
            None if text == "score" => Ok(Self::Score),
            None if text == "best" => Ok(Self::Best),
            Some(("simplest-within", share)) => {
                let share: f64 = share.parse().map_err(|_| error())?;
                if (0.0..=1.0).contains(&share) { Ok(Self::SimplestWithin(share)) } else { Err(error()) }
            }
            Some(("max-conditions", most)) => most.parse().map(Self::MaxConditions).map_err(|_| error()),
            _ => Err(error()),
        }
    }
}

impl std::fmt::Display for Pick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Score => f.write_str("score"),
            Self::Best => f.write_str("best"),
            Self::SimplestWithin(share) => write!(f, "simplest-within={share}"),
            Self::MaxConditions(most) => write!(f, "max-conditions={most}"),
        }
    }
}
