//! What each part of the learner earns: every search left out in turn and every setting moved, on data that decided none of them.
//!
//! The data are small public tables that no setting was chosen on, three of five folds each, and rules made here: known functions, every second one with
//! wrong labels, judged by fresh rows with right ones. Results go to `lab/results/ablate.json`, the page is made from that file alone.

mod rules;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use macchiato::learn::{self, AutoParams, Family, Pick, Settings};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use crate::bar::{mean, rounded};
use crate::circuits::{fold_rows, right};
use crate::frame::{Benchmark, Output, ResultsFile, Text};
use crate::peers::data::files;
use crate::tables::table::Table;

/// Rows of a table at most: every setting is tried on all of them.
const MOST_ROWS: usize = 2000;

/// Folds of a table that are measured.
const FOLDS: usize = 3;

/// What earns less than this, in points, is not worth its lines.
const EARNS: f64 = 0.1;

/// Measure what each search and setting of the learner earns.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder that holds `tables2/NAME.tsv`.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    how_to_read: String,
    tables: Vec<String>,
    rules: Vec<String>,
    usual: Outcome,
    changes: Vec<Change>,
}

/// One change with what came of it.
#[derive(Debug, Serialize, Deserialize)]
struct Change {
    what: String,
    outcome: Outcome,
}

/// Accuracies by data set, and means.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Outcome {
    /// At the default pick, then at `best`.
    tables: [f64; 2],
    rules: [f64; 2],
    /// Conditions at the default pick, of tables.
    conditions: f64,
    /// Of a run beside whatever else ran: to see what is slow, not to compare closely.
    seconds: f64,
    each: Vec<[f64; 2]>,
}

/// A name and what it changes.
type Knob = (&'static str, fn(&mut Settings));

const KNOBS: &[Knob] = &[
    ("without chains", |s| s.without.push(Family::Chain)),
    ("without counts and points", |s| s.without.push(Family::Points)),
    ("without tables", |s| s.without.push(Family::Tables)),
    ("without scorecards", |s| s.without.push(Family::Scorecard)),
    ("without rules that vote", |s| s.without.push(Family::Rules)),
    ("without sums of products", |s| s.without.push(Family::Terms)),
    ("without graphs", |s| s.without.push(Family::Graph)),
    ("without votes of graphs", |s| s.without.push(Family::Vote)),
    ("a condition costs 0.25 nats", |s| s.reading = 0.25),
    ("a condition costs 1 nat", |s| s.reading = 1.0),
    ("leaves of graphs are not joined", |s| s.graph.joins = false),
    ("words are not compared", |s| s.graph.words = false),
    ("one round of graphs", |s| s.graph.rounds = 1),
    ("one graph a round", |s| s.graph.restarts = 1),
    ("one lineage of graphs", |s| s.graph.lineages = 1),
    ("prior of leaves 0.5", |s| s.graph.prior = 0.5),
    ("tests of graphs are not shaken", |s| s.graph.shake = 0.0),
    ("no pairs of signals in graphs", |s| s.graph.pairs = 0),
    ("no triples of signals in graphs", |s| s.graph.triples = 0),
    ("rules of two conditions", |s| s.rules.conditions = 2),
    ("rules of three conditions", |s| s.rules.conditions = 3),
    ("50 trees suggest rules", |s| s.rules.trees = 50),
    ("trees are added by a tenth", |s| s.rules.rate = 0.1),
    ("no decks of rules added up", |s| s.rules.decks = 0),
];

/// Rows to learn from and rows that judge.
struct Data {
    name: String,
    is_table: bool,
    parts: Vec<(Rows, Rows)>,
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "ablate";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, path: &Path) -> Result<()> {
        let data = data(&self.data.join("tables2"))?;
        let names = |tables: bool| {
            data.iter().filter(|one| one.is_table == tables).map(|one| one.name.clone()).collect()
        };
        (results.tables, results.rules) = (names(true), names(false));
        "Accuracies on rows that were not learned from, at the default pick and at `--pick best`. Seconds are not comparable closely."
            .clone_into(&mut results.how_to_read);
        results.usual = outcome(&Settings::default(), &data)?;
        eprintln!("as it is: {:?}", results.usual);
        results.changes.clear();
        for (what, change) in KNOBS {
            let mut settings = Settings::default();
            change(&mut settings);
            let outcome = outcome(&settings, &data)?;
            eprintln!("{what}: {:?} {:?} {:.1} s", outcome.tables, outcome.rules, outcome.seconds);
            results.changes.push(Change { what: (*what).to_owned(), outcome });
            results.write(path)?;
        }
        Ok(())
    }

    fn closing(results: &Results) -> String {
        page(results)
    }

    fn text(results: &Results) -> Text {
        Text::Page(page(results))
    }
}

/// The tables that are small enough, and the rules.
fn data(folder: &Path) -> Result<Vec<Data>> {
    let mut data = Vec::new();
    for (name, path) in files(folder, ".tsv")? {
        let table = Table::read(&path)?;
        if table.rows() > MOST_ROWS {
            continue;
        }
        let parts = (0..FOLDS).map(|fold| {
            let (train, test) = table.fold(fold)?;
            fold_rows(&train, &test)
        });
        data.push(Data { name, is_table: true, parts: parts.collect::<Result<_>>()? });
    }
    ensure!(!data.is_empty(), "{}: no tables of at most {MOST_ROWS} rows", folder.display());
    for (name, parts) in rules::all()? {
        data.push(Data { name, is_table: false, parts: vec![parts] });
    }
    Ok(data)
}

fn outcome(settings: &Settings, data: &[Data]) -> Result<Outcome> {
    let begin = Instant::now();
    let mut outcome = Outcome::default();
    let mut conditions = Vec::new();
    for one in data {
        let mut rates: [Vec<f64>; 2] = Default::default();
        for (train, test) in &one.parts {
            let (params, budget) = (AutoParams::default().check(train)?, Budget::unlimited());
            let learned = learn::learn(train, None, &params, settings, &budget, &|_| {});
            let best = learn::follow(&learned.front, Pick::Best, train, &params, settings, &budget);
            rates[0].push(right(&learned.candidate, test));
            rates[1].push(right(&best, test));
            if one.is_table {
                conditions.push(learned.candidate.conditions() as f64);
            }
        }
        outcome.each.push(rates.map(|rates| rounded(mean(rates))));
    }
    let of = |tables: bool, pick: usize| {
        let each = data.iter().zip(&outcome.each).filter(|(one, _)| one.is_table == tables);
        rounded(mean(each.map(|(_, rates)| rates[pick])))
    };
    outcome.tables = [of(true, 0), of(true, 1)];
    outcome.rules = [of(false, 0), of(false, 1)];
    outcome.conditions = rounded(mean(conditions));
    outcome.seconds = rounded(begin.elapsed().as_secs_f64());
    Ok(outcome)
}

/// What each change costs, in points of accuracy.
fn page(results: &Results) -> String {
    let usual = &results.usual;
    let mut text = String::from("# What the parts of the learner earn\n\n");
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "Made by `lab ablate` from `ablate.json`. Every search is left out in turn and every setting moved, on data that decided none of them: {} public tables \
         (three folds of five) and {} made rules, every second one with wrong labels, judged by fresh rows with right ones. Points of accuracy lost \
         against the learner as it is, at the default pick and at `--pick best`; what costs less than {EARNS} in all four columns is marked.\n\n\
         | change | tables | best | rules | best | conditions of tables | times as long |\n|---|---|---|---|---|---|---|\n\
         | none: accuracy | {:.4} | {:.4} | {:.4} | {:.4} | {:.1} | 1 |\n",
        results.tables.len(),
        results.rules.len(),
        usual.tables[0],
        usual.tables[1],
        usual.rules[0],
        usual.rules[1],
        usual.conditions,
    );
    for Change { what, outcome } in &results.changes {
        let lost = |now: [f64; 2], then: [f64; 2]| [100.0 * (then[0] - now[0]), 100.0 * (then[1] - now[1])];
        let [tables, rules] = [lost(outcome.tables, usual.tables), lost(outcome.rules, usual.rules)];
        let little = tables.iter().chain(&rules).all(|&lost| lost < EARNS);
        let _ = writeln!(
            text,
            "| {what}{} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.2} |",
            if little { " *" } else { "" },
            tables[0],
            tables[1],
            rules[0],
            rules[1],
            outcome.conditions,
            outcome.seconds / usual.seconds.max(1e-9),
        );
    }
    let _ = write!(text, "\nTables: {}. Rules: {}.\n", results.tables.join(", "), results.rules.join(", "));
    text
}
