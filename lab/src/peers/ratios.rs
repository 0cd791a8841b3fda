//! Each method against Macchiato, for each family of data.
//!
//! Only draws that both finished are compared, first averaged over the draws of a data set, so that each data set counts
//! once. Ratios are the peer's figure over Macchiato's; their mean is geometric, which makes 2 and 1/2 cancel.

use std::collections::BTreeMap;

use serde::Serialize;

use super::data::Family;
use super::method::Method;
use super::outcome::{Measured, Outcome};
use super::results::Run;
use crate::bar::{mean, rounded};

/// Accuracies that are closer than this count as equal.
pub(crate) const TIE: f64 = 0.001;

/// A method against Macchiato.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Ratio {
    pub(crate) family: Family,
    pub(crate) method: Method,
    /// Draws by what came of them.
    pub(crate) measured: usize,
    pub(crate) interrupted: usize,
    pub(crate) time_limit: usize,
    pub(crate) failed: usize,
    /// What the draws have in common, if there are any.
    #[serde(flatten)]
    pub(crate) paired: Option<Paired>,
}

/// Means over the data sets of which both finished a draw.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Paired {
    pub(crate) data_sets: usize,
    /// Of the method, on these data sets.
    pub(crate) accuracy: f64,
    /// Macchiato's accuracy less the method's.
    pub(crate) difference: f64,
    /// Data sets on which Macchiato is more accurate, as accurate, and less.
    pub(crate) wins: usize,
    pub(crate) ties: usize,
    pub(crate) losses: usize,
    pub(crate) fit: f64,
    pub(crate) predict: f64,
    pub(crate) rules: f64,
    pub(crate) literals: f64,
}

/// The methods that ran, family by family.
pub(crate) fn ratios(runs: &[Run]) -> Vec<Ratio> {
    let mut ratios = Vec::new();
    for family in Family::ALL {
        for method in Method::ALL {
            let own: Vec<&Run> =
                runs.iter().filter(|run| run.family == family && run.method == method).collect();
            if own.is_empty() {
                continue;
            }
            let count = |is: fn(&Outcome) -> bool| own.iter().filter(|run| is(&run.outcome)).count();
            ratios.push(Ratio {
                family,
                method,
                measured: count(|outcome| outcome.measured().is_some()),
                interrupted: count(|outcome| outcome.measured().is_some_and(|figures| figures.interrupted)),
                time_limit: count(|outcome| matches!(outcome, Outcome::TimeLimit)),
                failed: count(|outcome| matches!(outcome, Outcome::Failed { .. })),
                paired: paired(&pairs(runs, &own)),
            });
        }
    }
    ratios
}

/// Macchiato's figures and the method's.
type Pair<'a> = (&'a Measured, &'a Measured);

/// The draws that both finished, by data set.
fn pairs<'a>(runs: &'a [Run], own: &[&'a Run]) -> BTreeMap<&'a str, Vec<Pair<'a>>> {
    let mut ours = BTreeMap::new();
    for run in runs.iter().filter(|run| run.method == Method::Macchiato) {
        if let Some(figures) = run.measured() {
            ours.insert((run.family, run.data.as_str(), run.draw), figures);
        }
    }
    let mut pairs: BTreeMap<&str, Vec<Pair<'_>>> = BTreeMap::new();
    for run in own {
        let mine = ours.get(&(run.family, run.data.as_str(), run.draw));
        if let (Some(mine), Some(theirs)) = (mine, run.measured()) {
            pairs.entry(&run.data).or_default().push((mine, theirs));
        }
    }
    pairs
}

fn paired(pairs: &BTreeMap<&str, Vec<Pair<'_>>>) -> Option<Paired> {
    if pairs.is_empty() {
        return None;
    }
    let accuracies: Vec<(f64, f64)> = pairs.values().map(|pairs| means(pairs, |f| f.accuracy)).collect();
    let differences: Vec<f64> = accuracies.iter().map(|(mine, theirs)| mine - theirs).collect();
    let ratio = |figure: fn(&Measured) -> f64, least: f64| {
        let logarithms = pairs.values().map(|pairs| {
            let (mine, theirs) = means(pairs, figure);
            (theirs.max(least) / mine.max(least)).ln()
        });
        rounded(mean(logarithms).exp())
    };
    let count = |is: fn(f64) -> bool| differences.iter().filter(|&&difference| is(difference)).count();
    Some(Paired {
        data_sets: pairs.len(),
        accuracy: rounded(mean(accuracies.iter().map(|(_, theirs)| *theirs))),
        difference: rounded(mean(differences.iter().copied())),
        wins: count(|difference| difference >= TIE),
        ties: count(|difference| difference.abs() < TIE),
        losses: count(|difference| difference <= -TIE),
        fit: ratio(|figures| figures.fit_seconds, 1e-9),
        predict: ratio(|figures| figures.predict_seconds, 1e-9),
        // A constant has no rules: it counts as one.
        rules: ratio(|figures| figures.rules as f64, 1.0),
        literals: ratio(|figures| figures.literals as f64, 1.0),
    })
}

/// A figure's means over the draws of a data set.
fn means(pairs: &[Pair<'_>], figure: impl Fn(&Measured) -> f64) -> (f64, f64) {
    (mean(pairs.iter().map(|pair| figure(pair.0))), mean(pairs.iter().map(|pair| figure(pair.1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(data: &str, draw: usize, method: Method, figures: Option<(f64, f64, u64)>) -> Run {
        let outcome = figures.map_or(Outcome::TimeLimit, |(accuracy, seconds, rules)| {
            Outcome::Measured(Measured {
                accuracy,
                fit_seconds: seconds,
                predict_seconds: seconds / 100.0,
                rules,
                literals: 2 * rules,
                interrupted: false,
            })
        });
        Run { family: Family::Tables, data: data.to_owned(), draw, method, outcome }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-5
    }

    #[test]
    fn data_sets_count_once_and_ratios_are_geometric() {
        use Method::{Macchiato, Tree};
        let runs = [
            // Two draws of one data set: 0.1 better, half the time, a fourth of the rules.
            run("a", 0, Macchiato, Some((0.9, 1.0, 2))),
            run("a", 0, Tree, Some((0.7, 2.0, 8))),
            run("a", 1, Macchiato, Some((0.9, 1.0, 2))),
            run("a", 1, Tree, Some((0.9, 2.0, 8))),
            // One of another: 0.2 worse, twice the time.
            run("b", 0, Macchiato, Some((0.6, 2.0, 4))),
            run("b", 0, Tree, Some((0.8, 1.0, 4))),
        ];
        let ratios = ratios(&runs);
        let [own, tree] = &ratios[..] else { panic!("{ratios:?}") };
        assert_eq!((own.method, tree.method, tree.measured), (Macchiato, Tree, 3));
        let paired = tree.paired.as_ref().unwrap();
        assert_eq!((paired.data_sets, paired.wins, paired.ties, paired.losses), (2, 1, 0, 1));
        assert!(close(paired.accuracy, 0.8) && close(paired.difference, -0.05), "{paired:?}");
        assert!(close(paired.fit, 1.0) && close(paired.predict, 1.0), "{paired:?}");
        assert!(close(paired.rules, 2.0) && close(paired.literals, 2.0), "{paired:?}");
        let own = own.paired.as_ref().unwrap();
        assert!(close(own.difference, 0.0) && close(own.fit, 1.0) && own.ties == 2, "{own:?}");
    }

    #[test]
    fn draws_that_one_did_not_finish_are_not_compared() {
        use Method::{Forest, Macchiato};
        let runs = [
            run("a", 0, Macchiato, Some((0.9, 1.0, 2))),
            run("a", 0, Forest, None),
            run("a", 1, Forest, Some((0.1, 1.0, 2))),
            run("b", 0, Macchiato, Some((0.9, 1.0, 0))),
            run("b", 0, Forest, Some((0.8995, 1.0, 3))),
        ];
        let forest = &ratios(&runs)[1];
        assert_eq!((forest.measured, forest.time_limit, forest.failed), (2, 1, 0));
        let paired = forest.paired.as_ref().unwrap();
        assert_eq!((paired.data_sets, paired.ties), (1, 1));
        assert!(close(paired.accuracy, 0.8995) && close(paired.rules, 3.0), "{paired:?}");
    }

    #[test]
    fn nothing_in_common_has_no_ratio() {
        let runs = [run("a", 0, Method::Figs, Some((0.9, 1.0, 2)))];
        assert_eq!(ratios(&runs)[0].paired, None);
    }
}
