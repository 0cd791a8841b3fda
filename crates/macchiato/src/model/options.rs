//! What a fit is told besides the rows.

use super::{ClassWeight, Method};
use crate::binarize::BinarizeOptions;
use crate::learn::AutoParams;

/// How to learn a model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FitOptions {
    /// How each circuit is learned. A `k` above the number of bits counts as that number.
    pub method: Method,
    /// How the bits are chosen.
    pub binarize: BinarizeOptions,
    /// The positive one of two classes, by default the last; with more classes there is none.
    pub positive: Option<String>,
    /// How much the rows of each class count, besides their own weights.
    pub class_weight: Option<ClassWeight>,
    /// With the method `auto`: look for circuits of every size, even where the rule has been found.
    pub whole_front: bool,
}

impl Default for FitOptions {
    /// The method `auto` with its usual parameters.
    fn default() -> Self {
        let method = Method::Auto(AutoParams::default());
        Self {
            method,
            binarize: BinarizeOptions::default(),
            positive: None,
            class_weight: None,
            whole_front: false,
        }
    }
}

impl FitOptions {
    /// The usual options with another method.
    #[must_use]
    pub fn by(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}
