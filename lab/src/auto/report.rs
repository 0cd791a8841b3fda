//! The results for people: the tables of `docs/results.md`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::configurations::{self, Kind};
use super::results::Results;
use super::{contest, search};

/// The tables; a section that is not there has none.
pub(crate) fn markdown(results: &Results) -> String {
    let mut parts = Vec::new();
    if results.configurations.is_some() || results.capped.is_some() {
        parts.push(configurations_table(results.configurations.as_ref(), results.capped.as_ref()));
    }
    parts.extend(results.search.as_ref().map(search_table));
    parts.extend(results.contest.as_ref().map(contest_table));
    let source = "Made from [lab/results/auto.json](../lab/results/auto.json), which \
                  `cargo run --release -p lab -- auto` writes.\n";
    parts.push(source.to_owned());
    parts.join("\n")
}

/// One row for each configuration of either section.
fn configurations_table(
    free: Option<&configurations::Section>,
    capped: Option<&configurations::Section>,
) -> String {
    let mut rows: BTreeMap<usize, (Option<&Kind>, Option<&Kind>)> = BTreeMap::new();
    kinds(free).for_each(|kind| rows.entry(kind.id).or_default().0 = Some(kind));
    kinds(capped).for_each(|kind| rows.entry(kind.id).or_default().1 = Some(kind));
    let seeds = kinds(free).chain(kinds(capped)).map(|kind| kind.measured.seeds).max().unwrap_or(0);
    let mut text = format!(
        "| Accuracy, mean of {seeds} targets | K free | with the paper's K | the paper, stage 20 | limit of the rows | \
         inputs found, K free | seconds (slowest) |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
    );
    for (free, capped) in rows.into_values() {
        let Some(Kind { id, support, inputs, rows, paper_accuracy, limit, .. }) = free.or(capped) else {
            continue;
        };
        let accuracy = free.map_or(String::new(), |kind| format!("{:.3}", kind.measured.accuracy));
        let with_k = capped.map_or(String::new(), |kind| {
            let k = kind.k.map_or(String::new(), |k| format!(" (K = {k})"));
            format!("{:.3}{k}", kind.measured.accuracy)
        });
        let found = free.map_or(String::new(), |kind| percent(kind.measured.found_support));
        let seconds =
            free.map_or(String::new(), |kind| seconds(kind.measured.seconds, kind.measured.most_seconds));
        let _ = writeln!(
            text,
            "| {id}: {support} of {inputs} inputs matter, {rows} rows | {accuracy} | {with_k} | {paper_accuracy:.3} | \
             {limit:.3} | {found} | {seconds} |"
        );
    }
    text
}

fn kinds(section: Option<&configurations::Section>) -> impl Iterator<Item = &Kind> {
    section.into_iter().flat_map(|section| &section.configurations)
}

fn search_table(section: &search::Section) -> String {
    let mut text = String::from(
        "| Inputs that are hard to find | inputs found | accuracy | seconds (slowest) |\n|---|---:|---:|---:|\n",
    );
    for kind in &section.tasks {
        let means = &kind.measured;
        let stages = kind
            .one_stage_for_each_block
            .map_or(String::new(), |share| format!(" (a stage for each function: {})", percent(share)));
        let _ = writeln!(
            text,
            "| {} | {}{stages} | {:.3} | {} |",
            kind.what,
            percent(means.found_support),
            means.accuracy,
            seconds(means.seconds, means.most_seconds)
        );
    }
    text
}

fn contest_table(section: &contest::Section) -> String {
    let mut text = format!(
        "| {} functions of the IWLS 2020 contest | mean accuracy, rows not seen | seconds for all |\n\
         |---|---:|---:|\n\
         | the more frequent label | {:.3} | |\n",
        section.functions.len(),
        section.mean_majority
    );
    for anchor in &section.anchors {
        let _ = writeln!(text, "| {}, as reported | {:.3} | |", anchor.who, anchor.mean_accuracy);
    }
    let _ =
        writeln!(text, "| Macchiato, nothing set | {:.4} | {:.0} |", section.mean_accuracy, section.seconds);
    text
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn seconds(mean: f64, most: f64) -> String {
    format!("{mean:.2} ({most:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto::trial::Means;

    fn means() -> Means {
        Means {
            seeds: 20,
            accuracy: 0.9937,
            least_accuracy: 0.98,
            found_support: 0.95,
            seconds: 0.034,
            most_seconds: 0.118,
            stages: 1.0,
            widest_stage: 8,
            terms: 40.0,
            literals: 200.0,
        }
    }

    fn section(k: Option<usize>) -> configurations::Section {
        let kind = Kind {
            id: 1,
            support: 8,
            inputs: 12,
            rows: 1000,
            test_rows: 4096,
            k,
            paper_accuracy: 0.842,
            limit: 0.994,
            published_limit: 0.994,
            measured: means(),
        };
        configurations::Section { bars: Vec::new(), configurations: vec![kind] }
    }

    #[test]
    fn both_ways_share_a_row_and_either_may_be_missing() {
        let row = |results: &Results| {
            let text = markdown(results);
            text.lines().find(|line| line.starts_with("| 1:")).map(str::to_owned)
        };
        let mut results = Results::default();
        assert_eq!((row(&results), markdown(&results).lines().count()), (None, 1));
        results.capped = Some(section(Some(6)));
        let begin = "| 1: 8 of 12 inputs matter, 1000 rows";
        assert_eq!(row(&results).unwrap(), format!("{begin} |  | 0.994 (K = 6) | 0.842 | 0.994 |  |  |"));
        results.configurations = Some(section(None));
        let whole = format!("{begin} | 0.994 | 0.994 (K = 6) | 0.842 | 0.994 | 95 % | 0.03 (0.12) |");
        assert_eq!(row(&results).unwrap(), whole);
        let back: Results = serde_json::from_str(&serde_json::to_string(&results).unwrap()).unwrap();
        assert_eq!(markdown(&back), markdown(&results));
    }

    #[test]
    fn a_file_without_a_section_is_read() {
        let results: Results = serde_json::from_str(r#"{"how_to_read": "", "cpus": 2}"#).unwrap();
        assert!(results.contest.is_none() && results.bars().next().is_none());
    }

    #[test]
    fn blocks_are_named_where_there_are_any() {
        let kind = |one_stage_for_each_block| search::Kind {
            what: "a task".to_owned(),
            inputs: 20,
            rows: 8000,
            noise: 0.0,
            one_stage_for_each_block,
            measured: means(),
        };
        let tasks = vec![kind(None), kind(Some(0.9))];
        let text = search_table(&search::Section { bars: Vec::new(), test_rows: 20_000, tasks });
        assert!(text.contains("| a task | 95 % | 0.994 | 0.03 (0.12) |"), "{text}");
        assert!(text.contains("| 95 % (a stage for each function: 90 %) |"), "{text}");
    }
}
