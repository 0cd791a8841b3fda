//! How to learn, as Python says it.

use macchiato::binarize::Cuts;
use macchiato::explain::{Direction, Monotony};
use macchiato::fit::PaperParams;
use macchiato::learn::AutoParams;
use macchiato::model::{ClassWeight, FitOptions, Method};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How much the rows of each class count: `"balanced"`, or the weight of some classes.
#[derive(FromPyObject)]
enum ClassWeights {
    Spelled(String),
    Of(Vec<(String, f64)>),
}

/// How to learn: the entries of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    method: String,
    max_inputs: Option<usize>,
    max_stages: usize,
    /// A decimal, as text: the threshold is exact.
    tau: String,
    effort: u8,
    seed: u64,
    /// Which circuit of the front, and which gates, as the command spells them.
    pick: String,
    gates: String,
    cuts: String,
    /// Of the cuts at quantiles.
    quantiles: usize,
    /// Names of columns.
    exclude: Vec<String>,
    class_weight: Option<ClassWeights>,
    /// Columns, and whether the answer may only rise with them; otherwise it may only fall.
    monotone: Vec<(String, bool)>,
    pub(crate) threads: usize,
    pub(crate) time_limit: Option<f64>,
}

impl Options {
    pub(crate) fn monotone(&self) -> Vec<Monotony> {
        let direction = |rising| if rising { Direction::Rising } else { Direction::Falling };
        let asked = self.monotone.iter().cloned();
        asked.map(|(column, rising)| Monotony { column, direction: direction(rising) }).collect()
    }

    pub(crate) fn read(&self) -> PyResult<FitOptions> {
        let (m, seed) = (self.max_stages, self.seed);
        let method = match self.method.as_str() {
            "auto" => {
                let mut params = AutoParams::default();
                (params.k, params.m, params.effort, params.seed) = (self.max_inputs, m, self.effort, seed);
                params.pick = self.pick.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
                params.gates =
                    self.gates.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
                Method::Auto(params)
            }
            "paper" => {
                let mut params = PaperParams::default();
                params.k = self.max_inputs.unwrap_or(params.k);
                params.tau = self.tau.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
                (params.m, params.seed) = (m, seed);
                Method::Paper(params)
            }
            other => return Err(PyValueError::new_err(format!("no method {other:?}"))),
        };
        let cuts = match self.cuts.as_str() {
            "auto" => Cuts::Auto,
            "evidence" => Cuts::Evidence,
            "quantile" => Cuts::Quantile(self.quantiles),
            other => return Err(PyValueError::new_err(format!("no way to cut: {other:?}"))),
        };
        let mut options = FitOptions::by(method);
        options.binarize = cuts.into();
        options.binarize.exclude.clone_from(&self.exclude);
        options.class_weight = match &self.class_weight {
            None => None,
            Some(ClassWeights::Spelled(text)) => {
                Some(text.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?)
            }
            Some(ClassWeights::Of(weights)) => Some(ClassWeight::Of(weights.clone())),
        };
        Ok(options)
    }
}
