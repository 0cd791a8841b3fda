//! The rows, the limits and the effort that everybody who has a part in a decision looks at.

use super::explain::Effort;
use crate::rows::Rows;
use macchiato_minimize::Options;

/// What a decision needs.
pub(super) struct Question<'a> {
    pub(super) rows: &'a Rows,
    pub(super) validation: Option<&'a Rows>,
    pub(super) effort: &'a Effort,
    pub(super) m: usize,
    pub(super) options: &'a Options,
    pub(super) observe: &'a dyn Fn(&str),
}
