//! What each part of the learner earns: every search left out in turn and every setting moved, on data that decided none of them.
//!
//! The data are small public tables that no setting was chosen on, two of five folds each, and rules made here: known functions, every second one with
//! wrong labels, judged by fresh rows with right ones. Results go to `lab/results/ablate.json`, the page is made from that file alone.

mod rules;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use macchiato::learn::{self, AutoParams, Family, Front, Judged, Pick, Settings};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use crate::bar::{mean, rounded};
use crate::circuits::{fold_rows, right};
use crate::frame::{Benchmark, Output, ResultsFile, Text};
use crate::peers::data::files;
use crate::table::Table;

/// Rows of a table at most: every setting is tried on all of them.
const MOST_ROWS: usize = 1000;

/// Folds of a table that are measured.
const FOLDS: usize = 2;

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
    /// Nats that a condition cost in this run.
    reading: f64,
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
    each: Vec<[f64; 2]>,
}

/// A change of the settings, and the searches that look for something else under it.
struct Knob {
    what: &'static str,
    again: &'static [Family],
    change: fn(&mut Settings),
}

const GRAPHS: &[Family] = &[Family::Graph];
const RULES: &[Family] = &[Family::Rules];

const fn knob(what: &'static str, again: &'static [Family], change: fn(&mut Settings)) -> Knob {
    Knob { what, again, change }
}

const KNOBS: &[Knob] = &[
    knob("without chains", &[], |s| s.without.push(Family::Chain)),
    knob("without counts and points", &[], |s| s.without.extend([Family::Points, Family::Count])),
    knob("without tables", &[], |s| s.without.push(Family::Tables)),
    knob("without scorecards", &[], |s| s.without.push(Family::Scorecard)),
    knob("without rules that vote", &[], |s| s.without.push(Family::Rules)),
    knob("without sums of products", &[], |s| s.without.push(Family::Terms)),
    knob("without trees", &[], |s| s.without.push(Family::Tree)),
    knob("without graphs", &[], |s| s.without.push(Family::Graph)),
    knob("a condition costs 0.25 nats", &[], |s| s.reading = 0.25),
    knob("a condition costs 1 nat", &[], |s| s.reading = 1.0),
    knob("leaves of graphs are not joined", GRAPHS, |s| s.graph.joins = false),
    knob("words are not compared", GRAPHS, |s| s.graph.words = false),
    knob("one round of graphs", GRAPHS, |s| s.graph.rounds = 1),
    knob("one graph a round", GRAPHS, |s| s.graph.restarts = 1),
    knob("one lineage of graphs", GRAPHS, |s| s.graph.lineages = 1),
    knob("prior of leaves 0.5", GRAPHS, |s| s.graph.prior = 0.5),
    knob("tests of graphs are not shaken", GRAPHS, |s| s.graph.shake = 0.0),
    knob("no pairs of signals in graphs", GRAPHS, |s| s.graph.pairs = 0),
    knob("no triples of signals in graphs", GRAPHS, |s| s.graph.triples = 0),
    knob("rules of two conditions", RULES, |s| s.rules.conditions = 2),
    knob("rules of three conditions", RULES, |s| s.rules.conditions = 3),
    knob("50 trees suggest rules", RULES, |s| s.rules.trees = 50),
    knob("trees are added by a tenth", RULES, |s| s.rules.rate = 0.1),
    knob("no decks of rules added up", RULES, |s| s.rules.decks = 0),
];

/// Every search but the constant and the trees, which are always there.
const SEARCHES: [Family; 8] = [
    Family::Chain,
    Family::Count,
    Family::Points,
    Family::Graph,
    Family::Scorecard,
    Family::Rules,
    Family::Tables,
    Family::Terms,
];

/// Rows to learn from, rows that judge, and what was found.
struct Part {
    train: Rows,
    test: Rows,
    front: Option<Front>,
}

/// One table, or one rule.
struct Data {
    name: String,
    is_table: bool,
    parts: Vec<Part>,
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "ablate";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, path: &Path) -> Result<()> {
        let mut data = data(&self.data.join("tables2"))?;
        let names = |tables: bool| {
            data.iter().filter(|one| one.is_table == tables).map(|one| one.name.clone()).collect()
        };
        (results.tables, results.rules) = (names(true), names(false));
        "Accuracies on rows that were not learned from, at the default pick and at `--pick best`. A change of one search's settings does that search again, beside what the others found."
            .clone_into(&mut results.how_to_read);
        for one in &mut data {
            for part in &mut one.parts {
                part.front = Some(part.learn(&Settings::default(), &SEARCHES)?);
            }
            eprintln!("{}: learned", one.name);
        }
        results.usual = outcome(&knob("", &[], |_| {}), &data)?;
        results.reading = Settings::default().reading;
        results.changes.clear();
        for knob in KNOBS {
            let outcome = outcome(knob, &data)?;
            eprintln!("{}: {:?} {:?}", knob.what, outcome.tables, outcome.rules);
            results.changes.push(Change { what: knob.what.to_owned(), outcome });
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
            fold_rows(&train, &test).map(Part::new)
        });
        data.push(Data { name, is_table: true, parts: parts.collect::<Result<_>>()? });
    }
    ensure!(!data.is_empty(), "{}: no tables of at most {MOST_ROWS} rows", folder.display());
    for (name, parts) in rules::all()? {
        data.push(Data { name, is_table: false, parts: vec![Part::new(parts)] });
    }
    Ok(data)
}

impl Part {
    fn new((train, test): (Rows, Rows)) -> Self {
        Self { train, test, front: None }
    }

    /// What some of the searches find.
    fn learn(&self, settings: &Settings, searches: &[Family]) -> Result<Front> {
        let mut settings = settings.clone().whole_front();
        settings.without.extend(SEARCHES.iter().filter(|family| !searches.contains(family)));
        let params = AutoParams::default().check(&self.train)?;
        Ok(learn::learn(&self.train, None, &params, &settings, &Budget::unlimited(), &|_| {}).front)
    }

    /// The front under a change.
    fn changed(&self, knob: &Knob) -> Result<Front> {
        let mut settings = Settings::default();
        (knob.change)(&mut settings);
        let mut front = self.front.clone().context("learned first")?;
        let family = |judged: &Judged| judged.candidate.recipe.family;
        front.judged.retain(|judged| {
            !settings.without.contains(&family(judged)) && !knob.again.contains(&family(judged))
        });
        if !knob.again.is_empty() {
            let again = self.learn(&settings, knob.again)?;
            front
                .judged
                .extend(again.judged.into_iter().filter(|judged| knob.again.contains(&family(judged))));
        }
        front.reading = settings.reading;
        Ok(front)
    }
}

fn outcome(knob: &Knob, data: &[Data]) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut conditions = Vec::new();
    for one in data {
        let mut rates: [Vec<f64>; 2] = Default::default();
        for part in &one.parts {
            let front = part.changed(knob)?;
            for (rates, pick) in rates.iter_mut().zip([Pick::Score, Pick::Best]) {
                let picked = &front.pick(pick).context("a constant at least")?.candidate;
                rates.push(right(picked, &part.test));
                if one.is_table && pick == Pick::Score {
                    conditions.push(picked.conditions() as f64);
                }
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
         (two folds of five) and {} made rules, every second one with wrong labels, judged by fresh rows with right ones. Points of accuracy lost \
         against the learner as it is, at the default pick and at `--pick best`; what costs less than {EARNS} in all four columns is marked. In this run a condition cost {} nats.\n\n\
         | change | tables | best | rules | best | conditions of tables |\n|---|---|---|---|---|---|\n\
         | none: accuracy | {:.4} | {:.4} | {:.4} | {:.4} | {:.1} |\n",
        results.tables.len(),
        results.rules.len(),
        results.reading,
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
            "| {what}{} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} |",
            if little { " *" } else { "" },
            tables[0],
            tables[1],
            rules[0],
            rules[1],
            outcome.conditions,
        );
    }
    let _ = write!(text, "\nTables: {}. Rules: {}.\n", results.tables.join(", "), results.rules.join(", "));
    text
}
