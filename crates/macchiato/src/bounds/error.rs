//! What a question about a study can get wrong.

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BoundsError {
    /// A probability, an accuracy or an influence that must lie strictly between 0 and 1.
    #[error("{name} is {value}: give a number above 0 and below 1")]
    Share {
        /// Which quantity.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// An influence threshold outside (0, 1].
    #[error("the influence is {value}: give a number above 0 and at most 1")]
    Influence {
        /// What was given.
        value: f64,
    },
    /// No inputs.
    #[error("there are no inputs: give at least 1")]
    NoInputs,
    /// More inputs than are counted.
    #[error("{inputs} inputs: at most {most} are counted; leave out the inputs that cannot matter")]
    Inputs {
        /// What was given.
        inputs: u64,
        /// The most.
        most: u64,
    },
    /// A junta of more inputs than there are, or of none.
    #[error("a rule of {support} out of {inputs} inputs: give a number from 1 to {most}")]
    Support {
        /// Inputs of the rule.
        support: u64,
        /// Inputs there are.
        inputs: u64,
        /// The most that can be asked for.
        most: u64,
    },
    /// A stage narrower than the rule that it must hold.
    #[error("a stage of {width} inputs cannot hold a rule of {support}: give a width of at least {support}")]
    Width {
        /// Inputs of a stage.
        width: u64,
        /// Inputs of the rule.
        support: u64,
    },
    /// No stages.
    #[error("there are no stages: give at least 1")]
    NoStages,
    /// Fewer rows than stages to share them.
    #[error("{rows} rows shared among {stages} stages: give at least {stages} rows, or fewer stages")]
    Rows {
        /// Rows at hand.
        rows: u64,
        /// Stages that share them.
        stages: u64,
    },
    /// A number that no study reaches.
    #[error("the answer is above 10^18: allow more error, or a rule of fewer inputs")]
    TooMany,
    /// The logarithm of a count that is no number.
    #[error("the logarithm of the number of functions is {value}: give a finite number, at least 0")]
    Functions {
        /// What was given.
        value: f64,
    },
    /// Bounds of a density ratio that cannot be.
    #[error("a density ratio between {low} and {high}: it averages to 1, so give 0 <= low <= 1 <= high")]
    Ratio {
        /// The smallest ratio.
        low: f64,
        /// The greatest ratio.
        high: f64,
    },
    /// A weight that is negative, not finite or above the greatest that was declared.
    #[error(
        "weight {weight}: weights are from 0 to the declared greatest weight {most}; declare a greater one"
    )]
    Weight {
        /// The weight.
        weight: f64,
        /// The declared greatest weight.
        most: f64,
    },
    /// A pair of an input that is not there.
    #[error("a pair of input {input}, but inputs go from 0 to {last}: number them from 0")]
    PairInput {
        /// The input named.
        input: usize,
        /// The last input.
        last: usize,
    },
}

/// `value` if it lies strictly between 0 and 1.
pub(super) fn share(name: &'static str, value: f64) -> Result<f64, BoundsError> {
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err(BoundsError::Share { name, value }) }
}
