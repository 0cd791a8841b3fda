//! Test accuracy on the paper's configurations, beside the paper's means.
//!
//! The paper's targets and samples are not published, ours are drawn anew: means over 20 seeds should land near the
//! paper's, not on them. Where a fit ends before a stage, its last predictor counts there, as in Appendix D.4.

use anyhow::Result;
use macchiato::bits;
use macchiato::fit::Selection;
use macchiato::rows::Rows;
use macchiato::stage::{Stage, prefixes};
use serde::{Deserialize, Serialize};

use crate::accuracy::share_right;
use crate::bar::{Bar, mean, rounded};
use crate::configurations::{Configuration, Published, STAGES};

/// The stages that the paper reports.
const REPORTED: [usize; 3] = [1, 5, STAGES];
/// How far a mean may be from the paper's.
const BAR: f64 = 0.04;
const RANDOM_BAR: f64 = 0.06;

/// Results of the `accuracy` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) configurations: Vec<Kind>,
}

/// One configuration.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) id: usize,
    pub(crate) support: usize,
    pub(crate) inputs: usize,
    pub(crate) rows: usize,
    pub(crate) test_rows: usize,
    pub(crate) k: usize,
    pub(crate) seeds: usize,
    /// Stages that were fitted, on average: the others carry the last predictor forward.
    pub(crate) mean_stages: f64,
    pub(crate) influence: Vec<Figure>,
    pub(crate) random: Figure,
}

/// Test accuracy after a stage.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) stage: usize,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    pub(crate) paper_mean: f64,
    pub(crate) paper_deviation: f64,
    pub(crate) difference: f64,
    pub(crate) bar: f64,
    pub(crate) met: bool,
}

pub(crate) fn run(configurations: &[Configuration], seeds: u64) -> Result<Section> {
    let mut section = Section { bars: Vec::new(), configurations: Vec::new() };
    for configuration in configurations {
        let kind = measure(configuration, seeds)?;
        let figures = kind.influence.iter().map(|figure| (figure, ""));
        for (figure, selection) in figures.chain([(&kind.random, ", random inputs")]) {
            let what = format!(
                "accuracy from the paper's, configuration {}, stage {}{selection}",
                kind.id, figure.stage
            );
            section.bars.push(Bar::at_most(what, figure.bar, figure.difference.abs()));
        }
        section.configurations.push(kind);
    }
    Ok(section)
}

fn measure(configuration: &Configuration, seeds: u64) -> Result<Kind> {
    let mut influence: [Vec<f64>; 3] = Default::default();
    let (mut random, mut stages) = (Vec::new(), Vec::new());
    let mut test_rows = 0;
    for seed in 0..seeds {
        let (train, test) = configuration.draw(seed)?;
        test_rows = test.len();
        let fit = configuration.fit(&train, Selection::Influence, seed)?;
        for (of_stage, accuracy) in influence.iter_mut().zip(accuracies(&fit.stages, &test)) {
            of_stage.push(accuracy);
        }
        stages.push(fit.stages.len() as f64);
        let fit = configuration.fit(&train, Selection::Random, seed)?;
        random.push(accuracies(&fit.stages, &test)[2]);
    }
    let published = REPORTED.into_iter().zip(&influence).zip(configuration.influence);
    let kind = Kind {
        id: configuration.id,
        support: configuration.support,
        inputs: configuration.inputs,
        rows: configuration.rows,
        test_rows,
        k: configuration.k,
        seeds: stages.len(),
        mean_stages: rounded(mean(stages)),
        influence: published.map(|((stage, all), paper)| figure(stage, all, paper, BAR)).collect(),
        random: figure(STAGES, &random, configuration.random, RANDOM_BAR),
    };
    let means: Vec<String> = kind
        .influence
        .iter()
        .chain([&kind.random])
        .map(|figure| format!("{:.3} ({:+.3})", figure.mean, figure.difference))
        .collect();
    eprintln!("accuracy: configuration {}: {}", kind.id, means.join(", "));
    Ok(kind)
}

fn figure(stage: usize, accuracies: &[f64], paper: Published, bar: f64) -> Figure {
    let centre = mean(accuracies.iter().copied());
    let squares: f64 = accuracies.iter().map(|accuracy| (accuracy - centre).powi(2)).sum();
    let difference = centre - paper.0;
    Figure {
        stage,
        mean: rounded(centre),
        deviation: rounded((squares / (accuracies.len().max(2) - 1) as f64).sqrt()),
        paper_mean: paper.0,
        paper_deviation: paper.1,
        difference: rounded(difference),
        bar,
        met: difference.abs() <= bar,
    }
}

/// Accuracy after each reported stage.
pub(crate) fn accuracies(stages: &[Stage], rows: &Rows) -> [f64; 3] {
    let columns = crate::accuracy::columns(rows);
    let words = bits::words(rows.len());
    // Stage 0 answers 0.
    let mut after = vec![share_right(&vec![0; words], rows)];
    after.extend(prefixes(stages, &columns, words).map(|answers| share_right(&answers, rows)));
    REPORTED.map(|stage| after[stage.min(after.len() - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_stages_the_answer_is_zero_at_every_stage() {
        let rows = Rows::new(vec![vec![0b0_1100]], vec![0b1_0110], 5).unwrap();
        assert!(accuracies(&[], &rows).iter().all(|accuracy| (accuracy - 0.4).abs() < 1e-12));
    }

    #[test]
    fn deviations_are_those_of_samples() {
        let figure = figure(1, &[0.7, 0.8, 0.9], Published(0.83, 0.1), 0.04);
        assert!(
            (figure.deviation - 0.1).abs() < 1e-6 && (figure.difference + 0.03).abs() < 1e-6 && figure.met
        );
    }
}
