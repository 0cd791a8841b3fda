//! The tests of a column of numbers, chosen on the rows of a sample.
//!
//! Cuts lie between neighbouring values that occur. By evidence: the cut that describes the classes best is taken if it saves
//! more nats than it takes to name it among its rivals, and both sides are cut again, the greatest saving first. At quantiles:
//! cuts that part the rows evenly, for what tells classes apart only together with other columns. A column of few whole numbers
//! has every cut and a test for every value that repeats; one of more, tests for the values that describe the classes by themselves.
//!
//! Costs one sort of the sample, and a pass over a stretch of it for each cut by evidence that is considered.

use super::{Cuts, Test};
use crate::evidence::{Evidence, Nats, one_of};

/// Values of a column that may be a coded category, and so gets a test for each.
const FEW: usize = 16;
/// Values of a column of whole numbers that gets tests for those values that tell classes apart by themselves.
const MANY: usize = 256;
/// Cuts by evidence at most.
const BY_EVIDENCE: usize = 16;
/// Tests for single values at most, where there are more than [`FEW`].
const SINGLE: usize = 16;
/// Cuts at quantiles of the method `auto`.
const QUANTILES: usize = 8;

/// The tests that the column deserves, the most important ones first.
pub(super) fn tests(values: &[f64], classes: &[u32], cuts: Cuts, evidence: &Evidence) -> Vec<Test> {
    let sample = Sorted::new(values, classes);
    let distinct = sample.starts.len();
    let whole = sample.starts.iter().all(|&at| sample.values[at].fract() == 0.0);
    let every = || 1..distinct;
    let chosen: Vec<usize> = match cuts {
        Cuts::Auto if whole && distinct <= FEW => every().collect(),
        Cuts::Auto => union(sample.by_evidence(evidence), sample.quantiles(QUANTILES)),
        Cuts::Evidence => sample.by_evidence(evidence),
        Cuts::Quantile(n) => sample.quantiles(n),
    };
    let singles: Vec<usize> = match cuts {
        // Of two values, the greater one is what is there.
        Cuts::Auto if whole && distinct == 2 => vec![1],
        // What occurs once is a measure, or rare.
        Cuts::Auto if whole && distinct <= FEW => {
            (0..distinct).filter(|&group| sample.rows(group, group + 1).len() > 1).collect()
        }
        Cuts::Auto | Cuts::Evidence if whole && distinct <= MANY => sample.singles(evidence),
        _ => Vec::new(),
    };
    let above = |&group: &usize| Test::Above(between(sample.value(group - 1), sample.value(group)));
    let equals = |&group: &usize| Test::Equals(sample.value(group));
    chosen.iter().map(above).chain(singles.iter().map(equals)).collect()
}

fn union(mut first: Vec<usize>, second: Vec<usize>) -> Vec<usize> {
    for item in second {
        if !first.contains(&item) {
            first.push(item);
        }
    }
    first
}

/// The rows of the sample that have a value, in its order.
struct Sorted {
    values: Vec<f64>,
    classes: Vec<u32>,
    /// Where each group of equal values begins.
    starts: Vec<usize>,
}

/// A stretch of groups and the best cut in it.
struct Stretch {
    groups: (usize, usize),
    cut: usize,
    saving: Nats,
}

impl Sorted {
    fn new(values: &[f64], classes: &[u32]) -> Self {
        // 0 and -0 are one value.
        let mut rows: Vec<(f64, u32)> = values
            .iter()
            .zip(classes)
            .filter(|(value, _)| !value.is_nan())
            .map(|(value, &class)| (value + 0.0, class))
            .collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (values, classes): (Vec<f64>, Vec<u32>) = rows.into_iter().unzip();
        let begins = |&at: &usize| at == 0 || values[at - 1] < values[at];
        let starts = (0..values.len()).filter(begins).collect();
        Self { values, classes, starts }
    }

    fn value(&self, group: usize) -> f64 {
        self.values[self.starts[group]]
    }

    /// The rows of the groups `from..to`.
    fn rows(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let end = |group: usize| self.starts.get(group).copied().unwrap_or(self.values.len());
        end(from)..end(to)
    }

    /// The groups that begin above a cut by evidence, the greatest saving first.
    fn by_evidence(&self, evidence: &Evidence) -> Vec<usize> {
        let mut open: Vec<Stretch> = self.stretch(evidence, 0, self.starts.len()).into_iter().collect();
        let mut cuts = Vec::new();
        while cuts.len() < BY_EVIDENCE {
            // Ties go to the stretch that was found first.
            let best = (0..open.len()).rev().max_by_key(|&s| open[s].saving);
            let Some(Stretch { groups: (from, to), cut, .. }) = best.map(|best| open.remove(best)) else {
                break;
            };
            cuts.push(cut);
            open.extend(self.stretch(evidence, from, cut));
            open.extend(self.stretch(evidence, cut, to));
        }
        cuts
    }

    /// The best cut of the groups `from..to`, if it saves anything.
    fn stretch(&self, evidence: &Evidence, from: usize, to: usize) -> Option<Stretch> {
        if to - from < 2 {
            return None;
        }
        let mut right = evidence.cell_of(&self.classes[self.rows(from, to)]);
        let mut left = evidence.empty();
        let whole = evidence.beside(&[&right]);
        let mut best: Option<(Nats, usize)> = None;
        for cut in from + 1..to {
            for &class in &self.classes[self.rows(cut - 1, cut)] {
                left.add(evidence, class);
                right.remove(evidence, class);
            }
            let nats = evidence.beside(&[&left, &right]);
            if best.is_none_or(|(most, _)| nats > most) {
                best = Some((nats, cut));
            }
        }
        let (nats, cut) = best?;
        let saving = nats - whole - one_of(to - from - 1);
        (saving > 0).then_some(Stretch { groups: (from, to), cut, saving })
    }

    /// The groups that begin above `n` cuts that part the rows as evenly as the values allow.
    fn quantiles(&self, n: usize) -> Vec<usize> {
        let rows = self.values.len();
        let mut cuts: Vec<usize> = Vec::new();
        for i in 1..=n {
            let row = (i as u128 * rows as u128 / (n as u128 + 1)) as usize;
            // The boundary nearest to the row; of two, the lower one.
            let above = self.starts.partition_point(|&start| start < row);
            let nearest = match (above.checked_sub(1), self.starts.get(above)) {
                (Some(below), Some(&start)) if row - self.starts[below] > start - row => above,
                (Some(below), _) => below,
                (None, _) => above,
            };
            let cut = nearest.clamp(1, self.starts.len().saturating_sub(1).max(1));
            if cut < self.starts.len() && cuts.last() != Some(&cut) {
                cuts.push(cut);
            }
        }
        cuts
    }

    /// The values that describe the classes better as cells of their own, the greatest saving first.
    fn singles(&self, evidence: &Evidence) -> Vec<usize> {
        let all = evidence.cell_of(&self.classes);
        let whole = evidence.beside(&[&all]) + one_of(self.starts.len());
        let saving = |group: usize| {
            let mut rest = all.clone();
            let mut own = evidence.empty();
            for &class in &self.classes[self.rows(group, group + 1)] {
                own.add(evidence, class);
                rest.remove(evidence, class);
            }
            evidence.beside(&[&own, &rest]) - whole
        };
        let mut singles: Vec<(Nats, usize)> = (0..self.starts.len())
            .map(|group| (saving(group), group))
            .filter(|&(nats, _)| nats > 0)
            .collect();
        singles.sort_unstable_by_key(|&(nats, group)| (std::cmp::Reverse(nats), group));
        singles.into_iter().map(|(_, group)| group).take(SINGLE).collect()
    }
}

/// A cut between `a` and `b`, near the middle, with few digits: it keeps a tenth of the gap from both where a number does.
pub(super) fn between(a: f64, b: f64) -> f64 {
    let middle = a / 2.0 + b / 2.0;
    let fits = |cut: f64| a < cut && cut < b && (cut - middle).abs() <= 0.4 * b - 0.4 * a;
    if fits(0.0) {
        return 0.0;
    }
    let rounded = |digits: usize| format!("{middle:.digits$e}").parse::<f64>().unwrap_or(middle);
    // Neighbours that no number parts are parted by the lower one itself.
    (0..17).map(rounded).find(|&cut| fits(cut)).unwrap_or(if a < middle && middle < b { middle } else { a })
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Cuts are exact.
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_have_few_digits() {
        for (a, b, cut) in [
            (41.0, 42.0, 41.5),
            (-1.0, 2.0, 0.0),
            (-3.0, 2.0, 0.0),
            (1234.5, 5678.9, 3000.0),
            (0.1, 0.2, 0.15),
            (9.9, 20.0, 15.0),
            (0.0, f64::from_bits(1), 0.0),
            (1.0, 1.0 + f64::EPSILON, 1.0),
            (f64::MIN, f64::MAX, 0.0),
        ] {
            assert_eq!(between(a, b), cut, "{a} {b}");
        }
    }

    #[test]
    fn evidence_finds_the_step_and_nothing_in_noise() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let step: Vec<u32> = (0..400).map(|row| u32::from(row >= 137)).collect();
        let evidence = Evidence::of_classes(400, 2);
        assert_eq!(tests(&values, &step, Cuts::Evidence, &evidence), [Test::Above(136.5)]);
        let noise: Vec<u32> = (0..400u32).map(|row| row.wrapping_mul(0x9e37_79b9) >> 31).collect();
        assert_eq!(tests(&values, &noise, Cuts::Evidence, &evidence), []);
    }

    #[test]
    fn quantiles_part_the_rows_evenly() {
        let values: Vec<f64> = (0..90).map(f64::from).collect();
        let evidence = Evidence::of_classes(90, 1);
        let cuts = tests(&values, &[0; 90], Cuts::Quantile(2), &evidence);
        assert_eq!(cuts, [Test::Above(29.5), Test::Above(59.5)]);
        // Nine of ten values are 0: there is one place to cut.
        let values: Vec<f64> = (0..90).map(|row| f64::from(row % 10 / 9)).collect();
        assert_eq!(tests(&values, &[0; 90], Cuts::Quantile(8), &evidence), [Test::Above(0.5)]);
        assert_eq!(tests(&[3.0; 90], &[0; 90], Cuts::Quantile(8), &evidence), []);
        assert_eq!(tests(&[], &[], Cuts::Auto, &evidence), []);
    }

    proptest! {
        #[test]
        fn a_cut_parts_its_neighbours(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite() && a != b);
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            let cut = between(a, b);
            prop_assert!(a <= cut && cut < b, "{a} {cut} {b}");
        }
    }
}
