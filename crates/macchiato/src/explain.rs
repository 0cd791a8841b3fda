//! Why a circuit answers what it answers: of a model, of one prediction, of the difference between two models.
//!
//! Everything said here is proven, by a SAT solver or by counting; nothing is sampled. What could not be proven within the
//! [`ExplainOptions`] or the [`Budget`](crate::minimize::Budget) says so, with the bounds that are proven.
//!
//! A [`Subject`] is a circuit and what its inputs mean. Explanations speak of *features*: the inputs of a model, or the columns of
//! a classifier's table. A feature has a few *values* that the circuit can tell apart, such as the stretches between the cuts
//! of a number; bits of one column take only the values that some cell of the table gives them, so every example is a row that
//! there can be. `docs/explain.md` says it at length.
//!
//! ```
//! use macchiato::explain::{ExplainOptions, Point, Subject, explain_prediction};
//! use macchiato::fit::PaperParams;
//! use macchiato::minimize::Budget;
//! use macchiato::model::{Method, Model};
//! use macchiato::rows::Rows;
//!
//! // y = x1 AND x2, all four rows.
//! let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b1000], 4)?;
//! let method = Method::Paper(PaperParams::new(2, 20));
//! let model = Model::of_rows(&rows, &method, &Budget::unlimited())?;
//!
//! let (subject, point) = (Subject::of_model(&model), Point::of_bits(&[false, true]));
//! let why = explain_prediction(&subject, &point, &ExplainOptions::default(), &Budget::unlimited())?;
//! assert_eq!(why.answer, "0");
//! assert_eq!(why.reason.conditions[0].text, "x1 = 0", "whatever x2 is");
//! assert!(why.reason.is_smallest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod at_most;
mod connectives;
mod count;
mod counterfactual;
mod diagram;
mod difference;
mod error;
mod logic;
mod monotone;
mod options;
mod overview;
mod point;
mod prediction;
mod question;
mod reason;
mod sat;
mod space;
mod subject;
mod text;
mod totalizer;

pub use count::Count;
pub use difference::{Difference, Disagreement, explain_difference};
pub use error::ExplainError;
pub use monotone::{Direction, MonotoneError, Monotony, Proof, fit_monotone, prove_monotone};
use num_bigint::BigUint;
pub use options::ExplainOptions;
pub use overview::{
    CircuitExplanation, Data, Errors, FeatureInfluence, Matters, ModelExplanation, StageExplanation,
    explain_model, row_influences,
};
pub use point::Point;
pub use prediction::{
    Change, CircuitAnswer, Condition, Counterfactual, GateAnswer, LiteralAnswer, PredictionExplanation,
    Reason, StageAnswer, TermAnswer, explain_prediction, explain_prediction_within,
};
pub use subject::Subject;
pub use text::{Emphasis, Plain, Wording};

#[cfg(test)]
mod tests;
