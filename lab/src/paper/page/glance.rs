//! Who wins where, by how much, at what cost in time and size.

use super::super::method::Method;
use super::super::outcome::Ended;
use super::super::view::View;
use super::super::{CONFIGURATIONS, Configuration, Published, STAGES, published};
use super::cells::{NONE, head, short, short_seconds, size, sizes, table};
use crate::bar::mean as mean_of;

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
        against(view, &measured),
        FULL_CUBES.to_owned(),
        "![Accuracy of every method on every configuration](paper-accuracy.svg)\n".to_owned(),
        accuracies(view, &measured),
        "Time of learning, mean over seeds:\n".to_owned(),
        costs(&measured, |id, method| short_seconds(view, id, method), CONTENDERS.len()),
        "Size of what is learned, terms / literals, mean over seeds:\n".to_owned(),
        costs(&measured, |id, method| size(view, id, method), CIRCUITS),
    ]
}

/// Why accuracy alone says little about two of the configurations.
const FULL_CUBES: &str = "In configurations 10 and 11 the training rows are the whole cube, so the mere list of the ON rows is right \
    everywhere: what the Espresso engine has at the end of its budget is little more than that list.\n";

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
    let lead = |configuration: &&Configuration| {
        let (ours, _) = winners(view, configuration.id)?;
        Some(ours - best_of_paper(configuration)?.0)
    };
    let leads: Vec<f64> = measured.iter().filter_map(lead).collect();
    let most = leads.iter().copied().fold(0.0, f64::max);
    let first = measured.iter().filter(|configuration| {
        winners(view, configuration.id).is_some_and(|(_, methods)| methods.contains(&Method::Auto))
    });
    format!(
        "`auto` has the best mean accuracy, alone or tied, on {} of {} configurations. The best of the paper's methods, as the paper \
         reports it, is behind by up to {most:.3}.\n",
        first.count(),
        measured.len()
    )
}

/// Every other method beside `auto`, over the configurations that both have.
fn against(view: View<'_>, measured: &[&Configuration]) -> String {
    let titles = head(&[
        "beside `auto`",
        "`auto` wins, ties, loses",
        "its lead, mean",
        "time, theirs over its",
        "literals, theirs over its",
        "cut short at the budget",
    ]);
    let others = CONTENDERS.into_iter().filter(|&method| method != Method::Auto);
    let row = |method: Method| {
        let mean = |id, method| view.accuracy(id, (method, STAGES)).map(|summary| summary.mean);
        let leads: Vec<f64> = measured
            .iter()
            .filter_map(|configuration| {
                Some(mean(configuration.id, Method::Auto)? - mean(configuration.id, method)?)
            })
            .collect();
        if leads.is_empty() {
            return None;
        }
        let (wins, losses) = (
            leads.iter().filter(|&&lead| lead > TIE).count(),
            leads.iter().filter(|&&lead| lead < -TIE).count(),
        );
        let seconds = |id, method| view.seconds(id, method).map(|summary| summary.mean);
        let literals = |id, method| view.size(id, method).map(|(_, literals)| literals);
        let cut = measured.iter().map(|configuration| {
            view.count(configuration.id, method, |ended| matches!(ended, Ended::Budget)).0
        });
        Some(vec![
            method.title().to_owned(),
            format!("{wins}, {}, {losses}", leads.len() - wins - losses),
            format!("{:+.3}", mean_of(leads)),
            ratio(measured, method, seconds),
            ratio(measured, method, literals),
            match cut.sum::<usize>() {
                0 => String::new(),
                calls => format!("{calls} calls"),
            },
        ])
    };
    table(&titles, &others.filter_map(row).collect::<Vec<_>>())
}

/// The geometric mean of a method's figure over that of `auto`.
fn ratio(
    measured: &[&Configuration],
    method: Method,
    figure: impl Fn(usize, Method) -> Option<f64>,
) -> String {
    let ratio = |configuration: &&Configuration| {
        Some((figure(configuration.id, method)? / figure(configuration.id, Method::Auto)?).ln())
    };
    let ratios: Vec<f64> = measured.iter().filter_map(ratio).collect();
    if ratios.is_empty() {
        return NONE.to_owned();
    }
    match mean_of(ratios).exp() {
        ratio if ratio < 0.995 => format!("{ratio:.2}"),
        ratio if ratio < 9.95 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.0}"),
    }
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
