//! How a circuit was learned: a name and its parameters.

use super::file;
use crate::fit::{PaperParams, Selection};
use crate::learn::{AutoParams, Gates, Pick};
use serde::{Serialize, Serializer};
use std::fmt;

/// How a circuit was learned. Serialized as in the model file, displayed in a few words.
///
/// ```
/// use macchiato::fit::PaperParams;
/// use macchiato::learn::AutoParams;
/// use macchiato::model::Method;
///
/// let method = Method::Paper(PaperParams::default());
/// assert_eq!(method.to_string(), "paper (K = 6, m = 20, tau = 0)");
/// let method = Method::Auto(AutoParams::default());
/// assert_eq!(method.to_string(), "auto (m = 20, effort = 5)");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Algorithm 1.
    Paper(PaperParams),
    /// Circuits of every shape, which compete in nats.
    Auto(AutoParams),
}

impl Method {
    /// The names of all methods.
    pub const NAMES: [&'static str; 2] = ["paper", "auto"];

    /// The same for so many inputs: a `k` above their number counts as that number.
    #[must_use]
    pub(super) fn capped(self, inputs: usize) -> Self {
        match self {
            Self::Paper(params) => Self::Paper(PaperParams { k: params.k.min(inputs), ..params }),
            Self::Auto(params) => Self::Auto(AutoParams { k: params.k.map(|k| k.min(inputs)), ..params }),
        }
    }

    /// The method's name, as on the command line and in the file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::Auto(_) => "auto",
        }
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Paper(params) => file::Paper::new(params).serialize(serializer),
            Self::Auto(params) => file::Auto::new(params).serialize(serializer),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.name())?;
        let seed = match self {
            Self::Paper(params) => {
                write!(f, "K = {}, m = {}, tau = {}", params.k, params.m, params.tau)?;
                if params.selection == Selection::Random {
                    f.write_str(", random inputs")?;
                }
                if params.split {
                    f.write_str(", fresh rows for each stage")?;
                }
                if params.stop_when_stuck {
                    f.write_str(", stop when stuck")?;
                }
                params.seed
            }
            Self::Auto(params) => {
                if let Some(k) = params.k {
                    write!(f, "K = {k}, ")?;
                }
                write!(f, "m = {}, effort = {}", params.m, params.effort)?;
                if params.pick != Pick::default() {
                    write!(f, ", pick {}", params.pick)?;
                }
                if params.gates != Gates::default() {
                    write!(f, ", gates {}", params.gates)?;
                }
                params.seed
            }
        };
        if seed != 0 {
            write!(f, ", seed {seed}")?;
        }
        f.write_str(")")
    }
}
