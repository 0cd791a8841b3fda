//! Wide sums of products, learned from rows to predict new ones.
//!
//! A minimizer answers with the shortest sum of products that agrees with all rows; a learner with one that agrees
//! with the rows to come. Which way of learning does that depends on the function, so several are tried on held-out rows
//! ([`judge_trees`], [`judge_rules`], [`judge_taught`]):
//!
//! | way | good for | file |
//! |---|---|---|
//! | trees whose nodes test one or two inputs | comparators, carry chains | `tree` |
//! | rules grown one by one, of either label | control logic | `rules` |
//! | such a tree, taught by a vote of bagged trees | dividers, square roots | `forest`, `distill` |
//! | such rules, taught by boosted trees | images: many inputs that each say little | `boost`, `distill` |
//!
//! Each also with the literals and terms left out that its rows do not need (`simplify`).
//!
//! All counts are popcounts of bit columns that a sample lays out for any subset of its rows. Logarithms are integers, and
//! floating point is confined to + - * / in the boosted trees: one seed gives the same terms everywhere.

mod boost;
mod cube;
mod distill;
mod entropy;
mod forest;
mod learn;
mod rules;
mod sample;
mod simplify;
mod tree;

pub(crate) use boost::{Boosted, Boosting};
pub(crate) use cube::{Sop, without_contained};
pub(crate) use learn::{Judged, Student, grown, judge_first, judge_rules, judge_taught, judge_trees, learn};
pub(crate) use sample::Sample;
