//! The learner on typed tables: five folds, the binarizer's bits, accuracy and conditions at several picks.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
use macchiato::bits;
use macchiato::learn::{self, AutoParams, CheckedAutoParams, Family, Pick, Settings};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use super::{Outcome, outcome, right};
use crate::bar::{mean, rounded};
use crate::folds::FOLDS;
use crate::peers::data::files;
use crate::table::{Part, Table};

/// The picks that are measured.
const PICKS: [(&str, Pick); 3] =
    [("default", Pick::Score), ("best", Pick::Best), ("max-conditions=12", Pick::MaxConditions(12))];

/// All tables.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Results {
    seconds: f64,
    picks: Vec<Means>,
    tables: Vec<OneTable>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Means {
    pick: String,
    accuracy: f64,
    median_conditions: f64,
    most_conditions: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct OneTable {
    name: String,
    seconds: f64,
    /// For each pick, its folds.
    picks: Vec<Vec<Outcome>>,
}

impl OneTable {
    fn accuracy(&self, pick: usize) -> f64 {
        mean(self.picks[pick].iter().map(|fold| fold.accuracy))
    }

    fn conditions(&self, pick: usize) -> f64 {
        mean(self.picks[pick].iter().map(|fold| fold.conditions as f64))
    }
}

/// Measures the tables of a folder; with `candidates` every candidate is printed, learned from all rows of the fold.
pub(super) fn measure(folder: &Path, names: &[String], candidates: bool) -> Result<Results> {
    let mut tables = Vec::new();
    for (name, path) in files(folder, ".tsv")? {
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        let table = Table::read(&path)?;
        let begin = Instant::now();
        let mut picks: Vec<Vec<Outcome>> = vec![Vec::new(); PICKS.len()];
        for fold in 0..FOLDS {
            let (train, test) = table.fold(fold)?;
            let (train, test) = rows(&train, &test)?;
            let (params, settings) =
                (AutoParams::default().check(&train)?, Settings::default().whole_front());
            let learned = learn::learn(&train, None, &params, &settings, &Budget::unlimited(), &|_| {});
            if candidates {
                print(&format!("{name};{fold}"), &learned, (&train, &test), &params, &settings);
            }
            for (outcomes, (_, pick)) in picks.iter_mut().zip(PICKS) {
                let candidate = match pick {
                    Pick::Score => learned.candidate.clone(),
                    _ => {
                        learn::follow(&learned.front, pick, &train, &params, &settings, &Budget::unlimited())
                    }
                };
                outcomes.push(outcome(&candidate, &test)?);
            }
        }
        let table = OneTable { name, seconds: rounded(begin.elapsed().as_secs_f64()), picks };
        let said: Vec<String> = (0..PICKS.len())
            .map(|pick| format!("{:.4} with {:.1}", table.accuracy(pick), table.conditions(pick)))
            .collect();
        eprintln!("{}: {} conditions; {:.1} s", table.name, said.join(", "), table.seconds);
        tables.push(table);
    }
    let means = PICKS.iter().enumerate().map(|(pick, (name, _))| {
        let mut conditions: Vec<f64> = tables.iter().map(|table| table.conditions(pick)).collect();
        conditions.sort_by(f64::total_cmp);
        let middle = conditions.len() / 2;
        let upper = conditions.get(middle).copied().unwrap_or(0.0);
        let lower =
            if conditions.len().is_multiple_of(2) && middle > 0 { conditions[middle - 1] } else { upper };
        Means {
            pick: (*name).to_owned(),
            accuracy: rounded(mean(tables.iter().map(|table| table.accuracy(pick)))),
            median_conditions: rounded(f64::midpoint(lower, upper)),
            most_conditions: tables
                .iter()
                .flat_map(|table| &table.picks[pick])
                .map(|fold| fold.conditions)
                .max()
                .unwrap_or(0),
        }
    });
    let picks: Vec<Means> = means.collect();
    for pick in &picks {
        println!(
            "{}: {:.4}, median of {:.1} conditions, at most {}",
            pick.pick, pick.accuracy, pick.median_conditions, pick.most_conditions
        );
    }
    Ok(Results { seconds: rounded(tables.iter().map(|table| table.seconds).sum()), picks, tables })
}

/// Both parts of a fold as bits, by the tests that the first one suggests.
pub(crate) fn rows(train: &Part, test: &Part) -> Result<(Rows, Rows)> {
    let labels = Labels { codes: train.target.codes(), classes: train.target.classes().len(), weights: None };
    let (binarizer, columns) =
        Binarizer::learn_and_apply(&train.frame, &labels, &BinarizeOptions::default())?;
    let positive = train.target.classes().last();
    let part = |part: &Part, columns: Vec<Vec<u64>>| -> Result<Rows> {
        let mut labels = bits::Column::default();
        for &code in part.target.codes() {
            labels.push(part.target.classes().get(code as usize) == positive);
        }
        Ok(Rows::new(columns, labels.into_words(), part.frame.rows)?)
    };
    let applied = binarizer.apply(&test.frame)?;
    Ok((part(train, columns)?, part(test, applied)?))
}

fn print(
    what: &str,
    learned: &learn::Learned,
    (train, test): (&Rows, &Rows),
    params: &CheckedAutoParams,
    settings: &Settings,
) {
    let Some(best) = learned.front.pick(Pick::Best) else { return };
    let mut again: Vec<(Family, Vec<learn::Candidate>)> = Vec::new();
    for judged in &learned.front.judged {
        let mut candidate = judged.candidate.clone();
        if learned.front.rows != train.len() {
            let family = candidate.recipe.family;
            if again.iter().all(|known| known.0 != family) {
                again.push((family, learn::search(family, train, params, settings, &Budget::unlimited())));
            }
            let known = again.iter().filter(|known| known.0 == family).flat_map(|known| &known.1);
            candidate = known
                .into_iter()
                .find(|known| known.recipe == candidate.recipe)
                .cloned()
                .unwrap_or(candidate);
        }
        println!(
            "{what};{};{:.2};{:.2};{};{};{};{:.5};{:?}",
            candidate.recipe,
            candidate.evidence,
            candidate.description,
            candidate.conditions(),
            judged.hits,
            learned.front.held,
            right(&candidate, test),
            judged.against(best),
        );
    }
}
