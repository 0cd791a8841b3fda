//! The paper's statistical theorems as functions that a person planning a study can call (Sections 4.1, A, F.1 and F.2).
//!
//! Every constant that the paper calls universal is a number here, taken from the proof, and every function says what it
//! assumes. Nothing in this module looks at a fitted circuit to make its promise better.

pub mod active;
pub mod binomial;
pub mod holdout;
#[cfg(test)]
mod simulation;
