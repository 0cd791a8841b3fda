//! Two-level logic minimization: the smallest OR of ANDs that agrees with what is specified.
//!
//! Give it a truth table, labelled rows, or covers, and get back a [`Cover`] that is 1 on every ON point, 0 on every
//! OFF point and whatever is shortest elsewhere, with a proven lower bound on the number of terms.
//!
//! | you have | call | engine |
//! |---|---|---|
//! | a table of up to 16 inputs | [`minimize_table`] | all primes, then a Lagrangian cover |
//! | ON and OFF rows of any width | [`minimize_rows`] | expand against OFF rows, cover the ON rows |
//! | covers of ON, OFF, don't-care, several outputs | [`minimize_function`] | the Espresso loop, pooled |
//! | a PLA file | [`pla::read`], then [`minimize_pla`] | the one that fits |
//! | a cover, and want gates of several levels | [`factor`] | shared divisors, then kernels |
//! | sets, of which each is to be met | [`hitting_set`] | the Lagrangian cover alone |
//!
//! ```
//! use macchiato_minimize::{Options, Table, minimize_table};
//!
//! // Majority of three, with the cell 000 left open.
//! let table = Table::from_fn(3, |x| (x != 0).then(|| x.count_ones() >= 2))?;
//! let answer = minimize_table(&table, &Options::default())?;
//! assert_eq!(answer.cover.terms(), 3);
//! assert!(answer.proven_optimal());
//! # Ok::<(), macchiato_minimize::MinimizeError>(())
//! ```
//!
//! Every engine stops at the [`Budget`]'s deadline or cancel flag with its best cover so far; every cover is verified
//! against its input before it is returned; the same input, options and seed give the same bytes.
//!
//! The modules, in the order in which they use each other: [`Budget`]; cubes, [`Cover`]; the inputs [`Table`], [`Rows`],
//! [`Function`]; the unate covering problem; primes; the three engines; [`pla`]
//! files; [`factored`] forms.

// A module uses only those above it.
pub mod bits;

mod budget;

mod cube;

mod cover;

mod outcome;

mod table;

mod rows;

mod function;

mod covering;

mod hitting;

mod primes;

mod verify;

mod row_engine;

mod table_engine;

mod espresso;

pub mod pla;

mod minimize;

pub mod factored;

pub use budget::{Budget, Progress};
pub use cover::Cover;
pub use cube::{Literal, Shape};
pub use factored::{Factored, factor};
pub use function::Function;
pub use hitting::{HittingSet, hitting_set};
pub use minimize::{agrees, minimize_function, minimize_pla, off_set};
pub use outcome::{Engine, MinimizeError, Minimized, Note, Options};
pub use row_engine::minimize_rows;
pub use rows::Rows;
pub use table::Table;
pub use table_engine::minimize_table;

/// The examples in Rust of this crate's README and of its users' page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/people/logic-designer.md")]
struct Readme;
