//! A circuit of a model as a sentence: the answer of two that its formula names without a negation, or that there is no rule.

use super::{ClassCircuit, Model};
use crate::words::Said;

impl Model {
    /// What a circuit of this model says, where `said` is it in words and `target` what it is to be called: `risk = high if age > 41.5`,
    /// `risk = low if job = cook` where the formula is a negation, `no rule: always low (70.0 %)` where it is constant, with the share of training
    /// rows.
    #[must_use]
    pub fn equation(&self, class: &ClassCircuit, said: &Said, target: &str) -> String {
        let Some(positive) = self.positive else { return said.equation(target) };
        if let Some(always) = said.constant() {
            let answer = if always { positive } else { 1 - positive };
            let data = &class.trace().data;
            let right = if always { data.positive } else { data.rows - data.positive };
            let share = 100.0 * right as f64 / data.rows.max(1) as f64;
            return format!("no rule: always {} ({share:.1} %)", self.classes[answer]);
        }
        match self.opposite() {
            Some(other) => said.equation_of_two(target, &other),
            None => said.equation(target),
        }
    }

    /// The equation of the class that is not the positive one of two; none where the model is plain.
    #[must_use]
    pub fn opposite(&self) -> Option<String> {
        let positive = self.positive.filter(|_| !self.is_plain())?;
        Some(format!("{} = {}", self.target, self.classes[1 - positive]))
    }
}
