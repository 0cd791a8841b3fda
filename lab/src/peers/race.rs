//! The race itself: which draws are to be measured, and each of them with every method in turn.
//!
//! Results are written after each draw. The first draw of every data set comes first, so that the time left is soon known.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};

use super::data::DataSet;
use super::method::Method;
use super::ours::Task;
use super::progress::{Progress, Step};
use super::results::{Results, Run, Settings, Shape};
use super::{process, report};
use crate::duration::duration;
use crate::frame::ResultsFile;

/// One draw of a data set and the methods that are to learn it.
pub(crate) struct Item<'a> {
    data: &'a DataSet,
    draw: usize,
    methods: Vec<Method>,
}

impl Item<'_> {
    fn step(&self, method: Method) -> Step {
        (self.data.family, self.data.name.clone(), method)
    }
}

/// What the results lack: first draws first.
pub(crate) fn plan<'a>(data: &'a [DataSet], methods: &[Method], results: &Results) -> Vec<Item<'a>> {
    let draws = data.iter().map(|data| data.draws).max().unwrap_or(0);
    let mut plan = Vec::new();
    for draw in 0..draws {
        for data in data.iter().filter(|data| draw < data.draws) {
            let lacks = |method: &&Method| {
                // Algorithm 1 needs rows that differ in one input, which one-hot bits and the contest's samples do not have.
                (**method != Method::Paper || data.k().is_some())
                    && !results.has(data.family, &data.name, draw, **method)
            };
            let methods: Vec<Method> = methods.iter().filter(lacks).copied().collect();
            if !methods.is_empty() {
                plan.push(Item { data, draw, methods });
            }
        }
    }
    plan
}

/// What every item is run with.
pub(crate) struct Race {
    pub(crate) python: PathBuf,
    pub(crate) settings: Settings,
    pub(crate) out: PathBuf,
}

impl Race {
    /// Measures every item of `plan`.
    pub(crate) fn run(&self, mut plan: Vec<Item<'_>>, results: &mut Results) -> Result<()> {
        let all = plan.len();
        eprintln!("peers: {all} draws to measure, {} runs at hand", results.runs.len());
        let begun = Instant::now();
        let mut progress = Progress::default();
        plan.reverse();
        while let Some(item) = plan.pop() {
            let name = format!("{} {} {}", item.data.name, item.data.family.draw(), item.draw);
            let figures = self.item(&item, results, &mut progress).with_context(|| name.clone())?;
            results.write(&self.out)?;
            let steps: Vec<Step> =
                plan.iter().flat_map(|item| item.methods.iter().map(|&method| item.step(method))).collect();
            eprintln!(
                "peers: {} of {all}: {name}: {figures}; {} so far, about {} left",
                all - plan.len(),
                duration(begun.elapsed().as_secs_f64()),
                progress.left(&steps).map_or("?".to_owned(), duration)
            );
        }
        Ok(())
    }

    /// Runs the methods of an item; gives their accuracies in words.
    fn item(&self, item: &Item<'_>, results: &mut Results, progress: &mut Progress) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let (train, test) = (folder.path().join("train.npy"), folder.path().join("test.npy"));
        let (train_rows, test_rows) = item.data.draw(item.draw)?;
        let known = |shape: &Shape| (shape.family, &shape.name) == (item.data.family, &item.data.name);
        if !results.data.iter().any(known) {
            results.data.push(Shape {
                family: item.data.family,
                name: item.data.name.clone(),
                inputs: train_rows.inputs(),
                rows: train_rows.len(),
                test_rows: test_rows.len(),
            });
        }
        process::write_rows(train_rows, &train)?;
        process::write_rows(test_rows, &test)?;
        let mut figures = Vec::new();
        for &method in &item.methods {
            let (seed, k) = (item.draw as u64, item.data.k().unwrap_or_default());
            let (train, test) = (train.clone(), test.clone());
            let task = Task { method, train, test, seed, seconds: self.settings.budget, k };
            let begun = Instant::now();
            let outcome = process::run(&task, &self.python, self.settings.threads, folder.path())?;
            progress.took(item.step(method), begun.elapsed());
            figures.push(report::short(method, &outcome));
            let (family, data) = (item.data.family, item.data.name.clone());
            results.runs.push(Run { family, data, draw: item.draw, method, outcome });
        }
        Ok(figures.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::data::Family;
    use crate::peers::outcome::Outcome;

    #[test]
    fn the_plan_is_what_the_results_lack() {
        let data = DataSet::of(Family::Configurations, 2, None).unwrap();
        let mut results = Results::default();
        let methods = [Method::Macchiato, Method::Paper, Method::Tree];
        assert_eq!(plan(&data, &methods, &results).len(), 22);
        for method in methods {
            let (family, data) = (Family::Configurations, "c01".to_owned());
            results.runs.push(Run { family, data, draw: 0, method, outcome: Outcome::TimeLimit });
        }
        results.runs.pop();
        let plan = plan(&data, &methods, &results);
        assert_eq!((plan.len(), plan[0].methods.as_slice()), (22, &[Method::Tree][..]));
        assert!(plan[..11].iter().all(|item| item.draw == 0));
    }
}
