//! Learn a Boolean rule from labelled rows.
//!
//! Today this crate carries the two-level minimizer, [`minimize`], on which the learner stands.

pub use macchiato_minimize as minimize;
