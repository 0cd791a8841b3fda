//! The classical PLA files against Berkeley Espresso's results on them.
//!
//! `reference.csv` lists the files and, for each, the terms and input literals of Berkeley's Espresso and the exact
//! minimum, or `timeout`. Every result must be valid; a bound or a proof that the reference contradicts is a defect.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use macchiato::minimize::{Options, minimize_pla, pla};
use serde::{Deserialize, Serialize};

use super::bar::{Bar, rounded};
use super::spot_check;

const COLUMNS: &str = "file,inputs,outputs,type,rows,berkeley_espresso_terms,berkeley_espresso_input_literals,exact_terms_or_empty";
/// "Minutes, not hours."
const MAX_SECONDS: f64 = 1800.0;
/// Files with more rows are left out of a quick run.
const QUICK_ROWS: usize = 130;

/// Results of the `pla` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) totals: Totals,
    pub(crate) files: Vec<File>,
}

/// Over the files that Berkeley's Espresso finished: terms, literals. Over all: the rest.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) files: usize,
    pub(crate) berkeley_finished: usize,
    pub(crate) terms: usize,
    pub(crate) berkeley_terms: usize,
    pub(crate) literals: usize,
    pub(crate) berkeley_literals: usize,
    pub(crate) worst_percent: f64,
    pub(crate) worst_file: String,
    pub(crate) fewer_terms: usize,
    pub(crate) more_terms: usize,
    pub(crate) proven_optimal: usize,
    pub(crate) proven_agree_with_exact: usize,
    pub(crate) contradict_reference: usize,
    pub(crate) invalid: usize,
    pub(crate) seconds: f64,
}

/// One file.
#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the results file calls a file's name `file`")]
pub(crate) struct File {
    pub(crate) file: String,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) terms: usize,
    pub(crate) literals: usize,
    pub(crate) berkeley_terms: Option<usize>,
    pub(crate) berkeley_literals: Option<usize>,
    pub(crate) exact_terms: Option<usize>,
    pub(crate) lower_bound: usize,
    pub(crate) proven_optimal: bool,
    pub(crate) valid: bool,
    pub(crate) seconds: f64,
}

impl File {
    /// Whether the reference knows better: a cover below our bound, or none as small as ours.
    fn contradicts_reference(&self) -> bool {
        let least_known = self.exact_terms.or(self.berkeley_terms);
        least_known.is_some_and(|least| self.lower_bound > least)
            || self.exact_terms.is_some_and(|exact| self.terms < exact)
    }

    /// Terms more than Berkeley's, in percent.
    fn percent_worse(&self) -> Option<f64> {
        self.berkeley_terms.map(|berkeley| 100.0 * (self.terms as f64 / berkeley as f64 - 1.0))
    }
}

/// The lines of `reference.csv` as fields, those of a quick run if so asked.
fn reference(folder: &Path, quick: bool) -> Result<Vec<Vec<String>>> {
    let path = folder.join("reference.csv");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines();
    ensure!(lines.next() == Some(COLUMNS), "{}: the columns should be {COLUMNS}", path.display());
    let mut all = Vec::new();
    for line in lines {
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        ensure!(fields.len() == 8, "{}: not eight fields: {line}", path.display());
        if !quick || fields[4].parse::<usize>().is_ok_and(|rows| rows <= QUICK_ROWS) {
            all.push(fields);
        }
    }
    Ok(all)
}

/// The benchmark files in the order of the reference.
pub(crate) fn files(data: &Path, quick: bool) -> Result<Vec<PathBuf>> {
    let folder = folder(data);
    Ok(reference(&folder, quick)?.iter().map(|fields| folder.join(&fields[0])).collect())
}

pub(crate) fn run(data: &Path, quick: bool) -> Result<Section> {
    let folder = folder(data);
    let mut files = Vec::new();
    for fields in reference(&folder, quick)? {
        let file = measure(&folder, &fields).with_context(|| fields[0].clone())?;
        eprintln!(
            "pla: {:<13}{:>5} terms, Berkeley {:>7}, at least {:>5}, {:>8.3} s{}",
            file.file,
            file.terms,
            fields[5],
            file.lower_bound,
            file.seconds,
            if file.valid { "" } else { "  INVALID" }
        );
        files.push(file);
    }
    let totals = totals(&files);
    Ok(Section { bars: bars(&totals), totals, files })
}

fn folder(data: &Path) -> PathBuf {
    let inner = data.join("pla");
    if inner.join("reference.csv").exists() { inner } else { data.to_owned() }
}

fn measure(folder: &Path, fields: &[String]) -> Result<File> {
    let bytes = fs::read(folder.join(&fields[0]))?;
    let pla = pla::read(bytes.as_slice(), &fields[0])?;
    let start = Instant::now();
    let answer = minimize_pla(&pla, &Options::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let cover = &answer.cover;
    Ok(File {
        file: fields[0].clone(),
        inputs: pla.shape().inputs(),
        outputs: pla.shape().outputs(),
        terms: cover.terms(),
        literals: cover.literals(),
        berkeley_terms: fields[5].parse().ok(),
        berkeley_literals: fields[6].parse().ok(),
        exact_terms: fields[7].parse().ok(),
        lower_bound: answer.lower_bound,
        proven_optimal: answer.proven_optimal(),
        valid: spot_check::passes(&pla, cover),
        seconds: rounded(seconds),
    })
}

fn totals(files: &[File]) -> Totals {
    let count = |of: fn(&File) -> bool| files.iter().filter(|file| of(file)).count();
    let mut totals = Totals {
        files: files.len(),
        berkeley_finished: count(|file| file.berkeley_terms.is_some()),
        fewer_terms: count(|file| file.berkeley_terms.is_some_and(|berkeley| file.terms < berkeley)),
        more_terms: count(|file| file.berkeley_terms.is_some_and(|berkeley| file.terms > berkeley)),
        proven_optimal: count(|file| file.proven_optimal),
        proven_agree_with_exact: count(|file| file.proven_optimal && file.exact_terms == Some(file.terms)),
        contradict_reference: count(File::contradicts_reference),
        invalid: count(|file| !file.valid),
        seconds: rounded(files.iter().map(|file| file.seconds).sum()),
        worst_percent: f64::NEG_INFINITY,
        ..Totals::default()
    };
    for file in files {
        let Some(worse) = file.percent_worse() else { continue };
        totals.terms += file.terms;
        totals.berkeley_terms += file.berkeley_terms.unwrap_or_default();
        totals.literals += file.literals;
        totals.berkeley_literals += file.berkeley_literals.unwrap_or_default();
        if worse > totals.worst_percent {
            totals.worst_percent = rounded(worse);
            totals.worst_file.clone_from(&file.file);
        }
    }
    totals
}

fn bars(totals: &Totals) -> Vec<Bar> {
    let finished = totals.berkeley_finished;
    let what = format!("terms over the {finished} PLA files that Berkeley Espresso finished");
    vec![
        Bar::at_most(what, totals.berkeley_terms as f64, totals.terms as f64),
        Bar::at_most("terms more than Berkeley's on the worst file, %", 3.0, totals.worst_percent),
        Bar::at_most("PLA results that are invalid", 0.0, totals.invalid as f64),
        Bar::at_most(
            "bounds and proofs that the reference contradicts",
            0.0,
            totals.contradict_reference as f64,
        ),
        Bar::at_most("seconds for all PLA files", MAX_SECONDS, totals.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(terms: usize, lower_bound: usize, berkeley: Option<usize>, exact: Option<usize>) -> File {
        File {
            file: format!("{terms}.pla"),
            inputs: 4,
            outputs: 1,
            terms,
            literals: 3 * terms,
            berkeley_terms: berkeley,
            berkeley_literals: berkeley.map(|terms| 3 * terms),
            exact_terms: exact,
            lower_bound,
            proven_optimal: terms == lower_bound,
            valid: true,
            seconds: 0.5,
        }
    }

    #[test]
    fn totals_leave_out_what_berkeley_did_not_finish() {
        let found =
            totals(&[file(9, 9, Some(10), Some(9)), file(11, 8, Some(10), None), file(50, 7, None, None)]);
        assert_eq!((found.terms, found.berkeley_terms, found.files), (20, 20, 3));
        assert_eq!((found.fewer_terms, found.more_terms, found.proven_agree_with_exact), (1, 1, 1));
        assert_eq!((found.worst_percent.round() as i64, found.worst_file.as_str()), (10, "11.pla"));
        assert_eq!(found.contradict_reference, 0);
    }

    #[test]
    fn contradictions_of_the_reference() {
        assert!(file(10, 10, Some(10), Some(9)).contradicts_reference());
        assert!(file(10, 9, Some(8), None).contradicts_reference());
        assert!(file(8, 8, Some(10), Some(9)).contradicts_reference());
        assert!(!file(10, 9, Some(9), Some(9)).contradicts_reference());
    }
}
