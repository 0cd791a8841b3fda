//! How long the rest will take, from what has been measured in this run.

use std::collections::BTreeMap;
use std::time::Duration;

use super::data::Family;
use super::method::Method;
use crate::bar::mean;

/// One method on one draw of a data set, yet to be run.
pub(crate) type Step = (Family, String, Method);

/// Seconds of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    seconds: BTreeMap<Step, Vec<f64>>,
}

impl Progress {
    pub(crate) fn took(&mut self, step: Step, time: Duration) {
        self.seconds.entry(step).or_default().push(time.as_secs_f64());
    }

    /// Seconds of the steps that are left: each as long as the method took on other draws of the data set, else on the family,
    /// else as long as a step takes; `None` before the first one.
    pub(crate) fn left(&self, steps: &[Step]) -> Option<f64> {
        let average = |wanted: &dyn Fn(&Step) -> bool| {
            let of: Vec<f64> = self
                .seconds
                .iter()
                .filter(|(step, _)| wanted(step))
                .flat_map(|(_, all)| all)
                .copied()
                .collect();
            (!of.is_empty()).then(|| mean(of))
        };
        let any = average(&|_| true)?;
        let mut known: BTreeMap<&Step, f64> = BTreeMap::new();
        let one = |step: &Step| {
            average(&|other| other == step)
                .or_else(|| average(&|other| (other.0, other.2) == (step.0, step.2)))
                .unwrap_or(any)
        };
        let each = steps.iter().map(|step| *known.entry(step).or_insert_with(|| one(step)));
        // The sum of nothing is -0 otherwise.
        Some(each.fold(0.0, |sum, seconds| sum + seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_known_time_counts() {
        let step = |data: &str, method| (Family::Tables, data.to_owned(), method);
        let mut progress = Progress::default();
        assert_eq!(progress.left(&[step("a", Method::Tree)]), None);
        progress.took(step("a", Method::Tree), Duration::from_secs(1));
        progress.took(step("b", Method::Tree), Duration::from_secs(3));
        progress.took(step("b", Method::Figs), Duration::from_secs(8));
        let left = |steps: &[Step]| progress.left(steps).unwrap();
        assert!((left(&[step("b", Method::Tree)]) - 3.0).abs() < 1e-9);
        assert!((left(&[step("c", Method::Tree)]) - 2.0).abs() < 1e-9);
        let elsewhere = (Family::Contest, "ex00".to_owned(), Method::Ripper);
        assert!((left(&[elsewhere.clone(), elsewhere]) - 8.0).abs() < 1e-9);
    }
}
