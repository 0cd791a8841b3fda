//! One method on the rows of one seed of one configuration: what `paper.json` keeps.

use serde::{Deserialize, Serialize};

use super::STAGES;
use super::method::Method;
use crate::bar::rounded;

/// Which measurement: a configuration, a method and a seed.
pub(crate) type Piece = (usize, Method, u64);

/// How a measurement ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ended {
    Finished,
    /// The budget was spent; the figures are of the best cover until then.
    Budget,
    /// There is no predictor, and why.
    Failed(String),
}

/// What was checked about a compiled network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NetworkCheck {
    /// Neurons of each layer.
    pub(crate) widths: Vec<usize>,
    /// Test rows on which network and circuit were compared, in float32.
    pub(crate) compared: usize,
    /// Test rows on which they differ.
    pub(crate) different: usize,
    /// What the independent checker said of the certificate.
    pub(crate) certificate: String,
}

impl NetworkCheck {
    pub(crate) const ACCEPTED: &'static str = "accepted";

    pub(crate) fn holds(&self) -> bool {
        self.different == 0 && self.certificate == Self::ACCEPTED
    }
}

/// One measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) configuration: usize,
    pub(crate) method: Method,
    pub(crate) seed: u64,
    pub(crate) ended: Ended,
    /// On the test rows: after stage 1, 2, ..., 20, or one value for methods without stages; none if it failed.
    pub(crate) accuracy: Vec<f64>,
    /// Wall-clock time of learning, evaluation left out.
    pub(crate) seconds: f64,
    /// Stages, terms and literals, of circuits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<Size>,
    /// Of flat calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) budget_seconds: Option<f64>,
    /// Of the exact network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) network: Option<NetworkCheck>,
}

/// How much there is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) stages: usize,
    pub(crate) terms: usize,
    pub(crate) literals: usize,
}

impl Outcome {
    pub(crate) fn new((configuration, method, seed): Piece, seconds: f64, accuracy: Vec<f64>) -> Self {
        Self {
            configuration,
            method,
            seed,
            ended: Ended::Finished,
            accuracy: accuracy.into_iter().map(rounded).collect(),
            seconds: rounded(seconds),
            size: None,
            budget_seconds: None,
            network: None,
        }
    }

    pub(crate) fn failed(piece: Piece, seconds: f64, why: &str) -> Self {
        Self { ended: Ended::Failed(why.to_owned()), ..Self::new(piece, seconds, Vec::new()) }
    }

    pub(crate) fn piece(&self) -> Piece {
        (self.configuration, self.method, self.seed)
    }

    /// Accuracy after a stage; the last predictor counts from where the stages end.
    pub(crate) fn at(&self, stage: usize) -> Option<f64> {
        self.accuracy.get(stage - 1).or(self.accuracy.last()).copied()
    }

    /// Accuracy of what the method hands back.
    pub(crate) fn last(&self) -> Option<f64> {
        self.at(STAGES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_predictor_is_carried_forward() {
        let outcome = Outcome::new((1, Method::Paper, 0), 0.1, vec![0.6, 0.7]);
        assert_eq!((outcome.at(1), outcome.at(2), outcome.last()), (Some(0.6), Some(0.7), Some(0.7)));
        assert_eq!(Outcome::failed((1, Method::FlatEspresso, 0), 30.0, "no cover").last(), None);
    }
}
