//! Results as the tables and figures ask for them: summaries over seeds, and differences from the paper.

use super::method::Method;
use super::outcome::{Ended, Outcome};
use super::results::Results;
use super::statistics::Summary;
use super::{Configuration, STAGES, published};

/// A mean that is further than this from the paper's is marked and discussed.
pub(crate) const FAR: f64 = 0.04;

/// A figure of the paper's tables: a method, after a stage.
pub(crate) type Figure = (Method, usize);

/// Every accuracy that the paper prints.
pub(crate) const FIGURES: [Figure; 8] = [
    (Method::Paper, 1),
    (Method::Paper, 5),
    (Method::Paper, STAGES),
    (Method::RandomK, STAGES),
    (Method::Network, STAGES),
    (Method::FlatEspresso, STAGES),
    (Method::Relu, STAGES),
    (Method::Sigmoid, STAGES),
];

#[derive(Clone, Copy)]
pub(crate) struct View<'a>(pub(crate) &'a Results);

impl<'a> View<'a> {
    pub(crate) fn outcomes(self, configuration: usize, method: Method) -> impl Iterator<Item = &'a Outcome> {
        self.0.outcomes.range((configuration, method, 0)..=(configuration, method, u64::MAX)).map(|(_, o)| o)
    }

    /// Accuracy after a stage, of the seeds that have a predictor.
    pub(crate) fn accuracy(self, configuration: usize, (method, stage): Figure) -> Option<Summary> {
        Summary::new(self.outcomes(configuration, method).filter_map(|outcome| outcome.at(stage)))
    }

    pub(crate) fn seconds(self, configuration: usize, method: Method) -> Option<Summary> {
        Summary::new(self.outcomes(configuration, method).map(|outcome| outcome.seconds))
    }

    /// Mean terms and literals.
    pub(crate) fn size(self, configuration: usize, method: Method) -> Option<(f64, f64)> {
        let sizes = || self.outcomes(configuration, method).filter_map(|outcome| outcome.size);
        let terms = Summary::new(sizes().map(|size| size.terms as f64))?;
        let literals = Summary::new(sizes().map(|size| size.literals as f64))?;
        Some((terms.mean, literals.mean))
    }

    /// How far our mean is from the paper's, where both exist.
    pub(crate) fn difference(self, configuration: &Configuration, figure: Figure) -> Option<f64> {
        let published = published::accuracy(configuration, figure.0, figure.1)?;
        Some(self.accuracy(configuration.id, figure)?.mean - published.0)
    }

    /// The difference, where it is to be discussed.
    pub(crate) fn far(self, configuration: &Configuration, figure: Figure) -> Option<f64> {
        // The paper prints three decimals: a difference of 0.040 is not more than 0.04.
        self.difference(configuration, figure).filter(|difference| difference.abs() > FAR + 5e-7)
    }

    /// Outcomes that ended in some way, and all.
    pub(crate) fn count(
        self,
        configuration: usize,
        method: Method,
        ended: fn(&Ended) -> bool,
    ) -> (usize, usize) {
        let outcomes = || self.outcomes(configuration, method);
        (outcomes().filter(|outcome| ended(&outcome.ended)).count(), outcomes().count())
    }

    /// The most seeds that any figure has.
    pub(crate) fn seeds(self) -> usize {
        let most = self.0.outcomes.keys().map(|&(_, _, seed)| seed + 1).max();
        most.unwrap_or(0) as usize
    }
}
