//! Weights of classes: they shift the balance between the classes, never the amount of evidence.
//!
//! Takes the target and the weights that the rows already have, gives the weights to learn with. However the classes weigh against each
//! other, all rows together weigh what they did before: a rule is worth its conditions for what so many rows say, and a factor of 1000
//! must not pass for a thousand times as many rows.

use std::str::FromStr;

use super::{Examples, Target};
use crate::frame::Columns;
use crate::rows::WEIGHT_UNIT;

/// How much a row of each class counts.
///
/// ```
/// use macchiato::model::ClassWeight;
///
/// assert_eq!("balanced".parse(), Ok(ClassWeight::Balanced));
/// assert_eq!("no=1,yes=12.5".parse(), Ok(ClassWeight::Of(vec![("no".into(), 1.0), ("yes".into(), 12.5)])));
/// assert_eq!("yes".parse::<ClassWeight>().unwrap_err().to_string(),
///     r#""yes" is no weight of a class: write balanced, or class=weight as in yes=10,no=1"#);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ClassWeight {
    /// All classes weigh the same together: the rarer one is, the more each of its rows counts.
    Balanced,
    /// Rows of these classes count so many times; those of others once.
    Of(Vec<(String, f64)>),
}

/// Why classes cannot be weighted like that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassWeightError {
    /// No `class=weight`.
    #[error("{text:?} is no weight of a class: write balanced, or class=weight as in yes=10,no=1")]
    Text {
        /// What was written.
        text: String,
    },
    /// A weight that is no number to count with.
    #[error("the class {class:?} has the weight {weight}: give a number from 0 on")]
    Weight {
        /// The class.
        class: String,
        /// Its weight.
        weight: String,
    },
    /// A class twice.
    #[error("the class {class:?} has two weights: leave one out")]
    Twice {
        /// The class.
        class: String,
    },
    /// A class that no row has.
    #[error("no row of the target {target:?} is {class:?}, which has a weight: the classes are {classes}")]
    Unknown {
        /// The target's name.
        target: String,
        /// The class that was named.
        class: String,
        /// The classes there are.
        classes: String,
    },
    /// Nothing is left.
    #[error(
        "every row is of a class of weight 0, so there is nothing to learn from: give one of them a weight above 0"
    )]
    Nothing,
}

impl FromStr for ClassWeight {
    type Err = ClassWeightError;

    fn from_str(text: &str) -> Result<Self, ClassWeightError> {
        if text == "balanced" {
            return Ok(Self::Balanced);
        }
        let mut weights: Vec<(String, f64)> = Vec::new();
        let mut before = String::new();
        for part in text.split(',') {
            let Some((class, weight)) = part.rsplit_once('=') else {
                // The comma is one of the class's name.
                before += part;
                before.push(',');
                continue;
            };
            let class = std::mem::take(&mut before) + class;
            let weight = weight.trim().parse();
            weights.push((class, weight.map_err(|_| ClassWeightError::Text { text: part.to_owned() })?));
        }
        match before.strip_suffix(',') {
            Some(rest) => Err(ClassWeightError::Text { text: rest.to_owned() }),
            None => Ok(Self::Of(weights)),
        }
    }
}

/// What the rows of each class are multiplied with.
pub(super) struct Factors(Vec<(String, f64)>);

impl Factors {
    /// Those of the training rows, which decide what is balanced.
    pub(super) fn new<C: Columns + ?Sized>(
        wanted: &ClassWeight,
        train: &Examples<'_, C>,
    ) -> Result<Self, ClassWeightError> {
        let classes = train.target.classes();
        let factors = match wanted {
            ClassWeight::Balanced => {
                // A class without rows has nothing to multiply.
                totals(train.target, train.weights)
                    .iter()
                    .map(|&total| if total > 0.0 { 1.0 / total } else { 0.0 })
                    .collect()
            }
            ClassWeight::Of(weights) => of_classes(weights, train.target)?,
        };
        Ok(Self(classes.iter().cloned().zip(factors).collect()))
    }

    /// The weights to learn with; none where rows and classes disagree in number, for others to say.
    pub(super) fn weights<C: Columns + ?Sized>(
        &self,
        examples: &Examples<'_, C>,
    ) -> Result<Option<Vec<u64>>, ClassWeightError> {
        let (target, codes) = (examples.target, examples.target.codes());
        if examples.weights.is_some_and(|weights| weights.len() != codes.len()) {
            return Ok(None);
        }
        let factor =
            |class: &String| self.0.iter().find(|(name, _)| name == class).map_or(1.0, |&(_, factor)| factor);
        let factors: Vec<f64> = target.classes().iter().map(factor).collect();
        let totals = totals(target, examples.weights);
        let weighted: f64 = totals.iter().zip(&factors).map(|(total, factor)| total * factor).sum();
        if weighted <= 0.0 {
            return Err(ClassWeightError::Nothing);
        }
        let scale = totals.iter().sum::<f64>() / weighted;
        #[allow(clippy::cast_sign_loss, reason = "weights and factors are from 0 on")]
        let weigh = |(row, &code): (usize, &u32)| {
            let (own, factor) = (own(examples.weights, row), factors[code as usize]);
            // What counts at all is not rounded away.
            let least = u64::from(own > 0 && factor > 0.0);
            ((own as f64 * factor * scale).round() as u64).max(least)
        };
        Ok(Some(codes.iter().enumerate().map(weigh).collect()))
    }
}

/// What a row weighs by itself, in millionths.
fn own(weights: Option<&[u64]>, row: usize) -> u64 {
    weights.map_or(WEIGHT_UNIT, |weights| weights.get(row).copied().unwrap_or(0))
}

/// What the rows of each class weigh together.
fn totals(target: &Target, weights: Option<&[u64]>) -> Vec<f64> {
    let mut totals = vec![0.0; target.classes().len()];
    for (row, &code) in target.codes().iter().enumerate() {
        totals[code as usize] += own(weights, row) as f64;
    }
    totals
}

/// The weight of each class of a target.
fn of_classes(weights: &[(String, f64)], target: &Target) -> Result<Vec<f64>, ClassWeightError> {
    let classes = target.classes();
    let mut found: Vec<Option<f64>> = vec![None; classes.len()];
    for (name, weight) in weights {
        if !(weight.is_finite() && *weight >= 0.0) {
            return Err(ClassWeightError::Weight { class: name.clone(), weight: weight.to_string() });
        }
        let Some(class) = target.class(name) else {
            let shown: Vec<String> = classes.iter().take(12).map(|class| format!("{class:?}")).collect();
            let (target, class) = (target.name().to_owned(), name.clone());
            return Err(ClassWeightError::Unknown { target, class, classes: shown.join(", ") });
        };
        if found[class].replace(*weight).is_some() {
            return Err(ClassWeightError::Twice { class: name.clone() });
        }
    }
    Ok(found.into_iter().map(|weight| weight.unwrap_or(1.0)).collect())
}
