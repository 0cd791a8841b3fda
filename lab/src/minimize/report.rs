//! The results for people: the tables of `docs/results.md`.

use std::fmt::Write;

use super::results::Results;
use super::tables::DONT_CARE;
use super::{factored, juntas, peer, pla, tables};

/// The tables.
pub(crate) fn markdown(results: &Results) -> String {
    let mut parts = Vec::new();
    parts.extend(results.pla.as_ref().map(pla_table));
    parts.extend(results.factored.as_ref().map(factored_table));
    parts.extend(results.tables.as_ref().map(|section| tables_table(section, results.peer.as_ref())));
    parts.extend(results.juntas.as_ref().map(juntas_table));
    let source = "Made from [lab/results/minimize.json](../lab/results/minimize.json), which \
                  `cargo run --release -p lab -- minimize` writes.\n";
    parts.push(source.to_owned());
    parts.join("\n")
}

fn pla_table(section: &pla::Section) -> String {
    let t = &section.totals;
    let fewer = format!("fewer terms on {} files, more on {}", t.fewer_terms, t.more_terms);
    let mut text = String::from("| Classical PLA files | Berkeley Espresso | Macchiato |\n|---|---:|---:|\n");
    let _ = writeln!(text, "| terms, {} files | {} | {} |", t.berkeley_finished, t.berkeley_terms, t.terms);
    let _ = writeln!(text, "| literals | {} | {} |", t.berkeley_literals, t.literals);
    let _ = writeln!(text, "| against each other | | {fewer} |");
    let _ = writeln!(text, "| worst file | | {:+.1} % terms |", t.worst_percent);
    let _ = writeln!(text, "| proven minimal | | {} of {} files |", t.proven_optimal, t.files);
    let _ = writeln!(text, "| time for all | | {:.0} s |", t.seconds);
    text
}

fn factored_table(section: &factored::Section) -> String {
    let factored::Totals { files, ours, abc, smaller, larger, .. } = &section.totals;
    let head = format!(
        "| Several levels, {files} covers of those files | ABC: `fx; strash; dch; map` | Macchiato: `--factored` |"
    );
    let mut text = format!("{head}\n|---|---:|---:|\n");
    let _ = writeln!(text, "| literals, each program's own count | {} | {} |", abc.literals, ours.literals);
    let _ = writeln!(text, "| AND nodes, `strash` | {} | {} |", abc.and_nodes, ours.and_nodes);
    let _ = writeln!(text, "| area, `dch; map` | {:.0} | {:.0} |", abc.area, ours.area);
    let _ = writeln!(text, "| against each other | | smaller area on {smaller} files, larger on {larger} |");
    text
}

fn tables_table(section: &tables::Section, peer: Option<&peer::Section>) -> String {
    let levels = DONT_CARE.map(|percent| percent.to_string()).join(" / ");
    let mut text = format!(
        "| Random tables: mean terms at {levels} % don't-care | Espresso, published | PyEDA, same tables | Macchiato, same tables | proven: at least | times PyEDA's speed |\n\
         |---|---:|---:|---:|---:|---:|\n"
    );
    for kinds in [&section.kinds, &section.large_samples] {
        for row in kinds.chunk_by(|a, b| a.inputs == b.inputs) {
            tables_row(&mut text, row, peer);
        }
    }
    text
}

/// One number of inputs, all don't-care levels; the peer's columns are empty where it did not have the same tables.
fn tables_row(text: &mut String, row: &[tables::Kind], peer: Option<&peer::Section>) {
    let Some(tables::Kind { inputs, instances, .. }) = row.first() else { return };
    let slashed = |of: fn(&tables::Kind) -> f64, digits: usize| {
        row.iter().map(|kind| format!("{:.digits$}", of(kind))).collect::<Vec<_>>().join(" / ")
    };
    let of_peer = |of: fn(&peer::Kind) -> f64, digits: usize| {
        let all = peer.iter().flat_map(|peer| &peer.kinds);
        let row = all.filter(|kind| kind.inputs == *inputs && kind.instances == *instances);
        row.map(|kind| format!("{:.digits$}", of(kind))).collect::<Vec<_>>().join(" / ")
    };
    let digits = if *inputs > 8 { 1 } else { 2 };
    let _ = writeln!(
        text,
        "| {inputs} inputs, {instances} tables | {} | {} | {} | {} | {} |",
        slashed(|kind| kind.espresso_mean_terms, digits),
        of_peer(|kind| kind.peer_mean_terms, digits),
        slashed(|kind| kind.mean_terms, digits),
        slashed(|kind| kind.mean_lower_bound, digits),
        of_peer(|kind| kind.times_faster, 1)
    );
}

fn juntas_table(section: &juntas::Section) -> String {
    let mut text = String::from(
        "| Rows of a function of 8 of its inputs | bar | accuracy on the whole cube | terms | seconds |\n|---|---:|---:|---:|---:|\n",
    );
    for kind in &section.kinds {
        let _ = writeln!(
            text,
            "| {} inputs, {} rows | {:.3} | {:.4} | {:.1} | {:.2} |",
            kind.inputs, kind.rows, kind.accuracy_bar, kind.mean_accuracy, kind.mean_terms, kind.mean_seconds
        );
    }
    text
}

#[cfg(test)]
mod tests;
