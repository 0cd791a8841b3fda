//! The results for people: the tables of `docs/results.md`.

use std::fmt::Write;

use super::accuracy::{Figure, Kind};
use super::results::Results;
use super::{accuracy, peer, scaling, speed};

/// The tables.
pub(crate) fn markdown(results: &Results) -> String {
    let mut parts = Vec::new();
    parts.extend(results.accuracy.as_ref().map(accuracy_table));
    if let Some(section) = &results.speed {
        parts.push(speed_table(section, results.peer.as_ref()));
    }
    parts.extend(results.scaling.as_ref().map(scaling_table));
    let source = "Made from [lab/results/learn.json](../lab/results/learn.json), which \
                  `cargo run --release -p lab -- learn` writes.\n";
    parts.push(source.to_owned());
    parts.join("\n")
}

fn accuracy_table(section: &accuracy::Section) -> String {
    let seeds = section.configurations.iter().map(|kind| kind.seeds).max().unwrap_or(0);
    let mut text = format!(
        "| Accuracy, mean of {seeds} targets (the paper's mean) | after stage 1 | 5 | 20 | 20, random inputs |\n\
         |---|---:|---:|---:|---:|\n"
    );
    for kind in &section.configurations {
        let Kind { id, support, inputs, rows, k, .. } = kind;
        let _ = write!(text, "| {id}: {support} of {inputs} inputs matter, {rows} rows, K = {k} |");
        for Figure { mean, paper_mean, .. } in kind.influence.iter().chain([&kind.random]) {
            let _ = write!(text, " {mean:.3} ({paper_mean:.3}) |");
        }
        text.push('\n');
    }
    text
}

fn speed_table(section: &speed::Section, peer: Option<&peer::Section>) -> String {
    let mut text = String::from(
        "| Time of a fit, 20 stages | the paper's, on its machine | NumPy + PyEDA, here | Macchiato, here |\n\
         |---|---:|---:|---:|\n",
    );
    for kind in &section.configurations {
        let peer = peer.filter(|peer| peer.configuration == kind.id).map_or(String::new(), |peer| {
            let seconds: Vec<String> = peer
                .peers
                .iter()
                .map(|way| format!("{:.2} s (pairs as {})", way.median_seconds, way.pairs))
                .collect();
            seconds.join(", ")
        });
        let _ = writeln!(
            text,
            "| configuration {}: {} rows of {} inputs | {:.0} s | {peer} | {:.3} s |",
            kind.id, kind.rows, kind.inputs, kind.paper_seconds, kind.median_seconds
        );
    }
    for large in section.large.iter().filter(|large| large.stages > 0) {
        let _ = writeln!(
            text,
            "| {} random rows of {} inputs, {} selection | | | {:.1} s, {:.0} MiB |",
            large.rows, large.inputs, large.selection, large.seconds, large.peak_mebibytes
        );
    }
    text
}

fn scaling_table(section: &scaling::Section) -> String {
    let (mut head, mut rule, mut row) = (
        format!("| Rows of {} inputs, K = {} |", section.inputs, section.k),
        String::from("|---|"),
        String::from("| ns per row and stage |"),
    );
    for size in &section.sizes {
        let _ = write!(head, " 2^{} |", size.rows.ilog2());
        rule.push_str("---:|");
        let _ = write!(row, " {:.1} |", size.nanoseconds);
    }
    format!("{head}\n{rule}\n{row}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_column_for_each_size() {
        let size = |rows| scaling::Size {
            rows,
            stages: 20,
            median_seconds: 1.0,
            nanoseconds: 2.25,
            nanoseconds_for_pairs: 1.0,
        };
        let sizes = vec![size(1024), size(4096)];
        let section = scaling::Section { bars: Vec::new(), inputs: 30, k: 8, sizes };
        let results = Results { scaling: Some(section), ..Results::default() };
        let expected = "| Rows of 30 inputs, K = 8 | 2^10 | 2^12 |\n|---|---:|---:|\n| ns per row and stage | 2.2 | 2.2 |\n";
        assert!(markdown(&results).starts_with(expected), "{}", markdown(&results));
        let text = serde_json::to_string(&results).unwrap();
        let back: Results = serde_json::from_str(&text).unwrap();
        assert_eq!(markdown(&back), markdown(&results));
    }
}
