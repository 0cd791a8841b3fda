//! Who wins where, by how much, at what cost in time and size.

use super::super::method::Method;
use super::super::view::View;
use super::super::{CONFIGURATIONS, Configuration, Published, STAGES, published};
use super::cells::{head, short, short_seconds, size, sizes, table};

/// Methods that hand back a predictor, in the order of the columns.
const CONTENDERS: [Method; 7] = [
    Method::Paper,
    Method::FlatEspresso,
    Method::FlatRows,
    Method::AutoK,
    Method::Auto,
    Method::Relu,
    Method::Sigmoid,
];
/// Those of them that are circuits: they have a size.
const CIRCUITS: usize = 5;
/// Means that the tables cannot tell apart.
const TIE: f64 = 0.0005;

pub(super) fn sections(view: View<'_>) -> Vec<String> {
    let measured: Vec<&Configuration> = CONFIGURATIONS
        .iter()
        .filter(|configuration| {
            CONTENDERS.iter().any(|&m| view.accuracy(configuration.id, (m, STAGES)).is_some())
        })
        .collect();
    vec![
        "## At a glance\n".to_owned(),
        verdict(view, &measured),
        "![Accuracy of every method on every configuration](paper-accuracy.svg)\n".to_owned(),
        accuracies(view, &measured),
        "Seconds of learning, mean over seeds:\n".to_owned(),
        costs(&measured, |id, method| short_seconds(view, id, method), CONTENDERS.len()),
        "Size of what is learned, terms / literals, mean over seeds:\n".to_owned(),
        costs(&measured, |id, method| size(view, id, method), CIRCUITS),
    ]
}

/// The best accuracy that the paper prints, and whose it is.
fn best_of_paper(configuration: &Configuration) -> Option<(f64, Method)> {
    let figures = CONTENDERS.into_iter().filter_map(|method| {
        published::accuracy(configuration, method, STAGES).map(|Published(mean, _)| (mean, method))
    });
    figures.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The greatest of our means, and every method that reaches it.
fn winners(view: View<'_>, id: usize) -> Option<(f64, Vec<Method>)> {
    let means: Vec<(f64, Method)> = CONTENDERS
        .into_iter()
        .filter_map(|method| view.accuracy(id, (method, STAGES)).map(|summary| (summary.mean, method)))
        .collect();
    let best = means.iter().map(|&(mean, _)| mean).max_by(f64::total_cmp)?;
    let reach = means.into_iter().filter(|&(mean, _)| mean >= best - TIE).map(|(_, method)| method);
    Some((best, reach.collect()))
}

fn verdict(view: View<'_>, measured: &[&Configuration]) -> String {
    let wins = |method| {
        let won = |configuration: &&&Configuration| {
            winners(view, configuration.id).is_some_and(|(_, methods)| methods.contains(&method))
        };
        measured.iter().filter(won).count()
    };
    let counts: Vec<String> = CONTENDERS
        .into_iter()
        .filter(|&method| wins(method) > 0)
        .map(|method| format!("{} {}", method.title(), wins(method)))
        .collect();
    format!(
        "Best mean accuracy, alone or tied, on {} configurations: {}.\n",
        measured.len(),
        counts.join(", ")
    )
}

fn accuracies(view: View<'_>, measured: &[&Configuration]) -> String {
    let mut titles = head(&["relevant of all inputs", "best in the paper"]);
    titles.extend(CONTENDERS.iter().map(|method| method.title().to_owned()));
    titles.extend(head(&["limit", "first, and its lead on the paper's best"]));
    let row = |configuration: &&Configuration| {
        let id = configuration.id;
        let best = best_of_paper(configuration);
        let winners = winners(view, id);
        let mut cells = vec![
            sizes(configuration),
            best.map_or(String::new(), |(mean, method)| format!("{mean:.3} {}", short_title(method))),
        ];
        cells.extend(CONTENDERS.iter().map(|&method| {
            let text = short(view, id, (method, STAGES));
            let first = winners.as_ref().is_some_and(|(_, methods)| methods.contains(&method));
            if first { format!("**{text}**") } else { text }
        }));
        cells.push(short(view, id, (Method::Limit, STAGES)));
        cells.push(winners.map_or(String::new(), |(mean, methods)| {
            let names: Vec<&str> = methods.into_iter().map(short_title).collect();
            let lead = best.map_or(String::new(), |(paper, _)| format!(" {:+.3}", mean - paper));
            format!("{}{lead}", names.join(", "))
        }));
        cells
    };
    table(&titles, &measured.iter().map(row).collect::<Vec<_>>())
}

fn short_title(method: Method) -> &'static str {
    match method {
        Method::FlatEspresso => "flat",
        Method::FlatRows => "flat rows",
        Method::AutoK => "`auto` K",
        Method::Relu => "ReLU",
        Method::Sigmoid => "sigmoid",
        other => other.title(),
    }
}

fn costs(measured: &[&Configuration], cell: impl Fn(usize, Method) -> String, columns: usize) -> String {
    let methods = &CONTENDERS[..columns];
    let mut titles = head(&["configuration"]);
    titles.extend(methods.iter().map(|method| method.title().to_owned()));
    let row = |configuration: &&Configuration| {
        let mut cells = vec![configuration.id.to_string()];
        cells.extend(methods.iter().map(|&method| cell(configuration.id, method)));
        cells
    };
    table(&titles, &measured.iter().map(row).collect::<Vec<_>>())
}
