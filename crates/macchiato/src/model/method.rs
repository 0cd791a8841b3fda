//! How a circuit was learned: a name and its parameters.

use super::file;
use crate::fit::{PaperParams, Selection};
use serde::{Serialize, Serializer};
use std::fmt;

/// How a circuit was learned. Serialized as in the model file, displayed in a few words.
///
/// ```
/// use macchiato::fit::PaperParams;
/// use macchiato::model::Method;
///
/// let method = Method::Paper(PaperParams::default());
/// assert_eq!(method.to_string(), "paper (K = 6, m = 20, tau = 0)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Algorithm 1.
    Paper(PaperParams),
}

impl Method {
    /// The names of all methods.
    pub const NAMES: [&'static str; 1] = ["paper"];

    /// The method's name, as on the command line and in the file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
        }
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Paper(params) => file::Paper::new(params).serialize(serializer),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Paper(params) = self;
        write!(f, "{} (K = {}, m = {}, tau = {}", self.name(), params.k, params.m, params.tau)?;
        if params.selection == Selection::Random {
            f.write_str(", random inputs")?;
        }
        if params.split {
            f.write_str(", fresh rows for each stage")?;
        }
        if params.stop_when_stuck {
            f.write_str(", stop when stuck")?;
        }
        if params.seed != 0 {
            write!(f, ", seed {}", params.seed)?;
        }
        f.write_str(")")
    }
}
