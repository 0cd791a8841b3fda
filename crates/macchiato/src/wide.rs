//! Wide sums of products, learned from rows to predict new ones.
//!
//! A minimizer answers with the shortest sum of products that agrees with all rows; a learner with one that agrees
//! with the rows to come. Which way of learning does that depends on the function, so there are several:
//!
//! | way | good for | file |
//! |---|---|---|
//! | trees whose nodes test one or two inputs | comparators, carry chains | `tree` |
//! | rules grown one by one, of either label | control logic | `rules` |
//! | boosted trees, whose paths are rules that vote | images: many inputs that each say little | `boost` |
//!
//! Each also with the literals and terms left out that its rows do not need (`simplify`).
//!
//! All counts are popcounts of bit columns that a sample lays out for any subset of its rows. Logarithms are integers, and
//! floating point is confined to + - * / in the boosted trees: one seed gives the same terms everywhere.

mod boost;
mod cube;
mod entropy;
mod learn;
mod rules;
mod sample;
mod simplify;
mod tree;

pub(crate) use boost::{Boosted, Boosting};
pub(crate) use cube::{Sop, without_contained};
pub(crate) use learn::{pairs_and_rules, trees};
pub(crate) use sample::Sample;
