//! The paper's tables and figures in its order, ours beside each of its figures.

use std::fmt::Write;

use super::super::method::Method;
use super::super::outcome::NetworkCheck;
use super::super::view::{Figure, View};
use super::super::{CONFIGURATIONS, Configuration, STAGES, published};
use super::cells::{head, our_seconds, ours, paper_accuracy, paper_seconds, table};
use super::curve_file;

pub(super) fn sections(view: View<'_>) -> Vec<String> {
    vec![
        "## The paper's tables and figures\n".to_owned(),
        "### Table 1: configurations\n".to_owned(),
        configurations(),
        "### Table 2: accuracy beside flat Espresso\n".to_owned(),
        pairs(view, &[(Method::Paper, 1), (Method::Paper, 5), (Method::Paper, STAGES), (Method::FlatEspresso, STAGES)]),
        "### Table 3: run times beside flat Espresso\n\n\
         The paper's times are from its own machine and from Python; only their order of magnitude compares.\n"
            .to_owned(),
        run_times(view, &[Method::Paper, Method::FlatEspresso]),
        "### Figures: accuracy across residual stages\n\n\
         Bands are 95 % Student intervals for the mean over seeds.\n"
            .to_owned(),
        curves(view),
        "### Tables 4 and 6: influence selection beside random selection, stage 20\n".to_owned(),
        pairs(view, &[(Method::Paper, STAGES), (Method::RandomK, STAGES)]),
        run_times(view, &[Method::Paper, Method::RandomK]),
        "### Table 5: the exact ReLU network beside trained networks\n".to_owned(),
        pairs(view, &[(Method::Network, STAGES), (Method::Relu, STAGES), (Method::Sigmoid, STAGES)]),
        run_times(view, &[Method::Network, Method::Relu, Method::Sigmoid]),
        networks(view),
        "## Our columns\n".to_owned(),
        additions(view),
    ]
}

fn configurations() -> String {
    let titles = head(&["configuration", "target", "B", "T", "test rows", "K", "epochs of trained networks"]);
    let row = |configuration: &Configuration| {
        let Configuration { id, support, inputs, rows, test_rows, k, .. } = configuration;
        let test = test_rows.map_or_else(|| format!("all {}", 1usize << inputs), |rows| rows.to_string());
        let epochs = published::epochs(configuration).to_string();
        vec![
            id.to_string(),
            format!("{support}-junta"),
            inputs.to_string(),
            rows.to_string(),
            test,
            k.to_string(),
            epochs,
        ]
    };
    table(&titles, &CONFIGURATIONS.iter().map(row).collect::<Vec<_>>())
}

/// For each figure the paper's and ours.
fn pairs(view: View<'_>, figures: &[Figure]) -> String {
    let mut titles = head(&["configuration"]);
    for &(method, stage) in figures {
        let stage = if method == Method::Paper { format!(", stage {stage}") } else { String::new() };
        titles.push(format!("{}{stage}: paper", method.title()));
        titles.push("ours".to_owned());
    }
    let row = |configuration: &Configuration| {
        let mut cells = vec![configuration.id.to_string()];
        for &figure in figures {
            cells.push(paper_accuracy(configuration, figure));
            cells.push(ours(view, configuration, figure));
        }
        cells
    };
    table(&titles, &CONFIGURATIONS.iter().map(row).collect::<Vec<_>>())
}

fn run_times(view: View<'_>, methods: &[Method]) -> String {
    let mut titles = head(&["configuration"]);
    for method in methods {
        titles.push(format!("{}, time: paper", method.title()));
        titles.push("ours".to_owned());
    }
    let row = |configuration: &Configuration| {
        let mut cells = vec![configuration.id.to_string()];
        for &method in methods {
            cells.push(paper_seconds(configuration, method));
            cells.push(our_seconds(view, configuration.id, method));
        }
        cells
    };
    table(&titles, &CONFIGURATIONS.iter().map(row).collect::<Vec<_>>())
}

fn curves(view: View<'_>) -> String {
    let mut text = String::new();
    for Configuration { id, .. } in &CONFIGURATIONS {
        if view.accuracy(*id, (Method::Paper, 1)).is_some() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "![Configuration {id}, accuracy across stages]({})", curve_file(*id));
        }
    }
    text
}

/// Widths of the networks and what was checked.
fn networks(view: View<'_>) -> String {
    let titles = head(&[
        "configuration",
        "widths of seed 0",
        "test rows compared",
        "rows that differ",
        "certificates accepted",
    ]);
    let row = |configuration: &Configuration| {
        let checks: Vec<&NetworkCheck> = view
            .outcomes(configuration.id, Method::Network)
            .filter_map(|outcome| outcome.network.as_ref())
            .collect();
        let widths = checks.first().map_or(String::new(), |check| format!("{:?}", check.widths));
        let accepted = checks.iter().filter(|check| check.certificate == NetworkCheck::ACCEPTED).count();
        vec![
            configuration.id.to_string(),
            widths,
            checks.iter().map(|check| check.compared).sum::<usize>().to_string(),
            checks.iter().map(|check| check.different).sum::<usize>().to_string(),
            format!("{accepted} of {}", checks.len()),
        ]
    };
    table(&titles, &CONFIGURATIONS.iter().map(row).collect::<Vec<_>>())
}

fn additions(view: View<'_>) -> String {
    let methods = [Method::Auto, Method::AutoK, Method::FlatRows, Method::FlatEspresso, Method::Limit];
    let mut titles = head(&["configuration"]);
    titles.extend(methods.iter().map(|method| method.title().to_owned()));
    let row = |configuration: &Configuration| {
        let mut cells = vec![configuration.id.to_string()];
        cells.extend(methods.iter().map(|&method| ours(view, configuration, (method, STAGES))));
        cells
    };
    table(&titles, &CONFIGURATIONS.iter().map(row).collect::<Vec<_>>())
}
