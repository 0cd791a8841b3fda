//! Targets whose inputs are hard to find: among hundreds, under noise, without a signal of any single input.
//!
//! Noise flips training labels only; the 20,000 test rows are right.

use anyhow::Result;
use macchiato::generate::{Target, TestRows, sample_pair, with_noise};
use macchiato::stage::Stage;
use serde::{Deserialize, Serialize};

use super::trial::{self, Means, Trial};
use crate::bar::{Bar, mean, rounded};

const TEST_ROWS: usize = 20_000;

/// What the rows are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Junta,
    Parity,
    /// The XOR of two juntas.
    Two,
}

/// What must be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Goal {
    /// The inputs found in this share of the seeds.
    Found(f64),
    Accuracy(f64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Task {
    made: Made,
    support: usize,
    inputs: usize,
    rows: usize,
    noise: f64,
    goal: Goal,
}

const fn task(made: Made, (support, inputs): (usize, usize), rows: usize, noise: f64, goal: Goal) -> Task {
    Task { made, support, inputs, rows, noise, goal }
}

const TASKS: [Task; 6] = [
    task(Made::Junta, (8, 100), 1000, 0.0, Goal::Found(0.8)),
    task(Made::Junta, (8, 100), 2000, 0.0, Goal::Found(0.95)),
    task(Made::Junta, (8, 300), 2000, 0.1, Goal::Found(0.8)),
    task(Made::Parity, (10, 60), 200, 0.0, Goal::Found(1.0)),
    task(Made::Parity, (10, 60), 2000, 0.05, Goal::Found(0.8)),
    task(Made::Two, (6, 20), 8000, 0.0, Goal::Accuracy(0.99)),
];

/// Results of the `search` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) test_rows: usize,
    pub(crate) tasks: Vec<Kind>,
}

/// One task.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) what: String,
    pub(crate) inputs: usize,
    pub(crate) rows: usize,
    pub(crate) noise: f64,
    /// Share of seeds whose circuit has one stage for each block of the target, on its inputs; where there are blocks.
    pub(crate) one_stage_for_each_block: Option<f64>,
    pub(crate) measured: Means,
}

pub(super) fn run(seeds: u64) -> Result<Section> {
    let mut section = Section { bars: Vec::new(), test_rows: TEST_ROWS, tasks: Vec::new() };
    for task in &TASKS {
        let kind = measure(task, seeds)?;
        let Means { accuracy, found_support, seconds, most_seconds, .. } = kind.measured;
        eprintln!(
            "search: {}: inputs found {found_support:.2}, accuracy {accuracy:.4}, {seconds:.3} s (at most {most_seconds:.3})",
            kind.what
        );
        section.bars.push(match task.goal {
            Goal::Found(share) => {
                Bar::at_least(format!("share with the inputs found, {}", kind.what), share, found_support)
            }
            Goal::Accuracy(least) => Bar::at_least(format!("accuracy, {}", kind.what), least, accuracy),
        });
        section.tasks.push(Kind { measured: kind.measured.rounded(), ..kind });
    }
    Ok(section)
}

fn measure(task: &Task, seeds: u64) -> Result<Kind> {
    let (mut trials, mut in_blocks) = (Vec::new(), Vec::new());
    for seed in 0..seeds {
        let target = task.target(seed)?;
        let (train, test) = sample_pair(&target, task.rows, TestRows::Rows(TEST_ROWS), seed)?;
        let (fit, seconds) = trial::fit(&with_noise(train, task.noise, seed)?, None)?;
        in_blocks.push(f64::from(u8::from(is_one_stage_for_each(&target.blocks(), &fit.stages))));
        trials.push(Trial::new((&fit.circuit, &fit.stages), seconds, &target, &test));
    }
    Ok(Kind {
        what: task.name(),
        inputs: task.inputs,
        rows: task.rows,
        noise: task.noise,
        one_stage_for_each_block: (task.made == Made::Two).then(|| rounded(mean(in_blocks))),
        measured: Means::of(&trials),
    })
}

impl Task {
    fn target(&self, seed: u64) -> Result<Target> {
        Ok(match self.made {
            Made::Junta => Target::junta(self.inputs, self.support, seed)?,
            Made::Parity => Target::parity(self.inputs, self.support, seed)?,
            Made::Two => Target::juntas(self.inputs, 2, self.support, seed)?,
        })
    }

    fn name(&self) -> String {
        let Self { support, inputs, rows, noise, .. } = self;
        let of = match self.made {
            Made::Junta => format!("{support} of {inputs} inputs"),
            Made::Parity => format!("parity of {support} of {inputs} inputs"),
            Made::Two => format!("XOR of two functions of {support} of {inputs} inputs"),
        };
        let noise =
            if *noise > 0.0 { format!(", {:.0} % of labels wrong", 100.0 * noise) } else { String::new() };
        format!("{of}, {rows} rows{noise}")
    }
}

/// Whether the stages are on the inputs of the blocks, in whichever order.
fn is_one_stage_for_each(blocks: &[&[usize]], learned: &[Stage]) -> bool {
    let mut stages: Vec<&[usize]> = learned.iter().map(|stage| stage.inputs.as_slice()).collect();
    let mut blocks = blocks.to_vec();
    stages.sort_unstable();
    blocks.sort_unstable();
    stages == blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::minimize::{Options, Table, minimize_table};

    #[test]
    fn blocks_are_found_in_any_order_and_only_whole() {
        let cover = minimize_table(&Table::from_fn(2, |x| Some(x == 3)).unwrap(), &Options::default());
        let cover = cover.unwrap().cover;
        let circuit = |inputs: &[[usize; 2]]| -> Vec<Stage> {
            inputs.iter().map(|on| Stage { inputs: on.to_vec(), cover: cover.clone() }).collect()
        };
        let blocks: [&[usize]; 2] = [&[2, 5], &[0, 1]];
        assert!(is_one_stage_for_each(&blocks, &circuit(&[[0, 1], [2, 5]])));
        assert!(is_one_stage_for_each(&blocks, &circuit(&[[2, 5], [0, 1]])));
        for other in [&[[0, 1]][..], &[[0, 1], [2, 4]], &[[0, 1], [2, 5], [2, 5]]] {
            assert!(!is_one_stage_for_each(&blocks, &circuit(other)), "{other:?}");
        }
    }

    #[test]
    fn tasks_say_what_they_are() {
        let names: Vec<String> = TASKS.iter().map(Task::name).collect();
        assert_eq!(names[2], "8 of 300 inputs, 2000 rows, 10 % of labels wrong");
        assert_eq!(names[3], "parity of 10 of 60 inputs, 200 rows");
        assert_eq!(names[5], "XOR of two functions of 6 of 20 inputs, 8000 rows");
    }
}
