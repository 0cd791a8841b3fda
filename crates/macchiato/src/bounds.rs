//! The paper's statistical theorems as functions that a person planning a study can call (Sections 4.1, A, F.1 and F.2).
//!
//! Every constant that the paper calls universal is a number here, taken from the proof, and every function says what it
//! assumes. Where a proof gives more than its statement keeps, the sharper number stands beside the paper's, with its proof.
//! `docs/theory.md` maps each statement to its function and its test.
//!
//! | module | answers |
//! |---|---|
//! | [`binomial`] | exact tails and confidence limits |
//! | [`counting`] | how many rules there are |
//! | [`recovery`] | how many paired samples show which inputs matter |
//! | [`accuracy`] | how many rows make the table over them right |
//! | [`measure`] | influences from paired samples, under any distribution |
//! | [`holdout`] | how often any model errs at most, by rows put aside |
//! | [`trace`] | what given rows say about the stages of a model |
//! | [`active`] | which labels to ask for |
//! | [`study`] | all of that for one study: "how many rows do I need?" |

pub mod accuracy;
pub mod active;
pub mod binomial;
pub mod counting;
mod error;
pub mod holdout;
pub mod measure;
pub mod recovery;
#[cfg(test)]
mod simulation;
pub mod study;
pub mod trace;
mod whole;

pub use error::BoundsError;
