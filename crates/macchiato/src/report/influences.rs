//! How much each input matters for the answer, as bars.

use super::view::View;

/// The section of the page.
pub(super) fn section(_out: &mut String, _view: &View<'_>) {}
