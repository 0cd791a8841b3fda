//! What scikit-learn's decision tree makes of a fold.

use serde::{Deserialize, Serialize};

use crate::bar::rounded;

/// One fit, with its figures on the test rows, as the Python program gives them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tree {
    pub(crate) accuracy: f64,
    pub(crate) fit_seconds: f64,
    /// Leaves that answer with the positive class: as a formula the tree is their OR.
    pub(crate) positive_rules: usize,
    /// The conditions on the ways to them.
    pub(crate) positive_literals: usize,
    /// All leaves, and the conditions on the ways to them, as `lab peers` counts.
    pub(crate) rules: usize,
    pub(crate) literals: usize,
}

impl Tree {
    /// As it goes into the results.
    pub(crate) fn rounded(self) -> Self {
        Self { accuracy: rounded(self.accuracy), fit_seconds: rounded(self.fit_seconds), ..self }
    }
}
