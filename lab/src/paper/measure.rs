//! Runs one method on the rows of one seed: learns under the clock, evaluates outside of it.

use std::time::{Duration, Instant};

use anyhow::Result;
use macchiato::bits;
use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit::Circuit;
use macchiato::fit::Selection;
use macchiato::generate::Target;
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::Budget;
use macchiato::network::{CompileOptions, Compiled, compile, to_onnx};
use macchiato::rows::Rows;
use macchiato::stage::{self, Stage, prefixes};

use super::method::Method;
use super::outcome::{NetworkCheck, Outcome, Size};
use super::{Configuration, STAGES, flat};
use crate::accuracy::{accuracy, columns, share_right};

/// The rows that every method of a seed shares.
pub(crate) struct Data<'a> {
    pub(crate) configuration: &'a Configuration,
    pub(crate) seed: u64,
    pub(crate) train: Rows,
    pub(crate) test: Rows,
}

impl<'a> Data<'a> {
    pub(crate) fn draw(configuration: &'a Configuration, seed: u64) -> Result<Self> {
        let (train, test) = configuration.draw(seed)?;
        Ok(Self { configuration, seed, train, test })
    }

    /// Runs `method`; `budget` is for flat calls.
    pub(crate) fn measure(&self, method: Method, budget: Duration) -> Result<Outcome> {
        match method {
            Method::Paper => self.algorithm(method, Selection::Influence),
            Method::RandomK => self.algorithm(method, Selection::Random),
            Method::Network => self.network(),
            Method::Auto => self.auto(method, None),
            Method::AutoK => self.auto(method, Some(self.configuration.k)),
            Method::Limit => self.limit(),
            Method::FlatEspresso | Method::FlatRows => flat::measure(self, method, budget),
            Method::Relu | Method::Sigmoid => self.trained(method),
        }
    }

    pub(crate) fn outcome(&self, method: Method, seconds: f64, accuracy: Vec<f64>) -> Outcome {
        Outcome::new((self.configuration.id, method, self.seed), seconds, accuracy)
    }

    /// The outcome of a circuit without a curve.
    pub(crate) fn of_circuit(
        &self,
        method: Method,
        seconds: f64,
        circuit: &Circuit,
        stages: &[Stage],
    ) -> Outcome {
        let outcome = self.outcome(method, seconds, vec![accuracy(circuit, &self.test)]);
        Outcome { size: Some(size(stages)), ..outcome }
    }

    fn algorithm(&self, method: Method, selection: Selection) -> Result<Outcome> {
        let begun = Instant::now();
        let fit = self.configuration.fit(&self.train, selection, self.seed)?;
        let seconds = begun.elapsed().as_secs_f64();
        let outcome = self.outcome(method, seconds, curve(&fit.stages, &self.test));
        Ok(Outcome { size: Some(size(&fit.stages)), ..outcome })
    }

    fn auto(&self, method: Method, k: Option<usize>) -> Result<Outcome> {
        let params = AutoParams::with(|params| (params.k, params.m, params.seed) = (k, STAGES, self.seed))
            .check(&self.train)?;
        let begun = Instant::now();
        let fit = fit_auto(&self.train, None, &params, &Budget::unlimited())?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok(self.of_circuit(method, seconds, &fit.circuit, &fit.stages))
    }

    /// Algorithm 1, then Algorithm 2; the comparison with the circuit and the certificate are not part of the time.
    fn network(&self) -> Result<Outcome> {
        let begun = Instant::now();
        let fit = self.configuration.fit(&self.train, Selection::Influence, self.seed)?;
        let compiled = compile(&fit.circuit, &CompileOptions::paper())?;
        let seconds = begun.elapsed().as_secs_f64();
        let columns = columns(&self.test);
        let outputs: Vec<f32> = compiled.network.evaluate(&columns, self.test.len());
        let circuit = fit.circuit.evaluate(&columns, bits::words(self.test.len())).swap_remove(0);
        // Exactly 0 or exactly 1, in the arithmetic of the file: nothing is rounded here.
        let value = |row: usize| if bits::get(&circuit, row) { 1.0_f32 } else { 0.0 };
        let different = outputs
            .iter()
            .enumerate()
            .filter(|(row, output)| output.to_bits() != value(*row).to_bits())
            .count();
        let right = |(row, output): &(usize, &f32)| (**output != 0.0) == bits::get(self.test.labels(), *row);
        let right = outputs.iter().enumerate().filter(right).count();
        let outcome = self.outcome(Method::Network, seconds, vec![right as f64 / self.test.len() as f64]);
        let network = NetworkCheck {
            widths: compiled.network.widths(),
            compared: self.test.len(),
            different,
            certificate: certificate(&fit.circuit, &compiled),
        };
        Ok(Outcome { size: Some(size(&fit.stages)), network: Some(network), ..outcome })
    }

    /// A cell of the true support that no training row shows is a coin toss to every learner.
    fn limit(&self) -> Result<Outcome> {
        let Configuration { inputs, support, .. } = *self.configuration;
        let target = Target::junta(inputs, support, self.seed)?;
        let cell = |rows: &Rows, row: usize| {
            let bit =
                |(at, &input): (usize, &usize)| usize::from(bits::get(&rows.columns()[input], row)) << at;
            target.support().iter().enumerate().map(bit).sum::<usize>()
        };
        let mut seen = vec![false; 1 << support];
        for row in 0..self.train.len() {
            seen[cell(&self.train, row)] = true;
        }
        let known = (0..self.test.len()).filter(|&row| seen[cell(&self.test, row)]).count();
        let share = known as f64 / self.test.len() as f64;
        Ok(self.outcome(Method::Limit, 0.0, vec![f64::midpoint(share, 1.0)]))
    }

    #[cfg(feature = "mlp")]
    fn trained(&self, method: Method) -> Result<Outcome> {
        super::mlp::measure(self, method)
    }

    #[cfg(not(feature = "mlp"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    fn trained(&self, method: Method) -> Result<Outcome> {
        anyhow::bail!("{}: this build has no trained networks; use --features mlp", method.title())
    }
}

fn size(stages: &[Stage]) -> Size {
    Size { stages: stages.len(), terms: stage::terms(stages), literals: stage::literals(stages) }
}

fn certificate(circuit: &Circuit, compiled: &Compiled) -> String {
    let network = to_onnx(&compiled.network);
    match certify(circuit, compiled, NetworkFormat::Onnx, &network, None) {
        Ok(_) => NetworkCheck::ACCEPTED.to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Accuracy after each of the twenty stages; the last predictor is carried forward (Appendix D.4).
fn curve(stages: &[Stage], rows: &Rows) -> Vec<f64> {
    let (columns, words) = (columns(rows), bits::words(rows.len()));
    let mut after: Vec<f64> =
        prefixes(stages, &columns, words).map(|answers| share_right(&answers, rows)).collect();
    // Without stages the answer is 0.
    let last = after.last().copied().unwrap_or_else(|| share_right(&vec![0; words], rows));
    after.resize(STAGES, last);
    after
}

#[cfg(test)]
mod tests {
    use super::super::CONFIGURATIONS;
    use super::*;

    #[test]
    fn without_stages_the_answer_is_zero_at_every_stage() {
        let rows = Rows::new(vec![vec![0b0_1100]], vec![0b1_0110], 5).unwrap();
        assert_eq!(curve(&[], &rows), vec![0.4; STAGES]);
    }

    #[test]
    fn the_network_is_the_circuit_and_nothing_beats_the_limit_by_much() {
        let data = Data::draw(&CONFIGURATIONS[7], 0).unwrap();
        let measure = |method| data.measure(method, Duration::from_secs(30)).unwrap();
        let (paper, network) = (measure(Method::Paper), measure(Method::Network));
        assert!(network.network.as_ref().unwrap().holds(), "{network:?}");
        assert_eq!((paper.last(), paper.size), (network.last(), network.size));
        let (limit, auto) = (measure(Method::Limit).last().unwrap(), measure(Method::Auto).last().unwrap());
        assert!(limit <= 1.0 && auto <= limit + 0.03, "{auto} {limit}");
    }
}
