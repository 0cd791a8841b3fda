//! All accuracies in one picture: a line for each configuration, a dot for each method.

use super::super::method::Method;
use super::super::view::View;
use super::super::{CONFIGURATIONS, STAGES, published};
use super::{Svg, filled, hollow, plain};

const WIDTH: u32 = 900;
const LEFT: f64 = 280.0;
const RIGHT: f64 = 880.0;
const TOP: f64 = 58.0;
const STEP: f64 = 26.0;
/// Room for eleven lines and the axis.
const HEIGHT: u32 = 366;
const METHODS: [Method; 8] = [
    Method::RandomK,
    Method::Sigmoid,
    Method::Relu,
    Method::Paper,
    Method::FlatEspresso,
    Method::FlatRows,
    Method::AutoK,
    Method::Auto,
];

fn x(accuracy: f64) -> f64 {
    LEFT + (accuracy.max(0.5) - 0.5) / 0.5 * (RIGHT - LEFT)
}

pub(crate) fn overview(view: View<'_>) -> String {
    let bottom = TOP + STEP * CONFIGURATIONS.len() as f64;
    let mut svg = Svg::new(WIDTH, HEIGHT, "Accuracy of every method on every configuration");
    for (at, method) in METHODS.into_iter().enumerate() {
        let place = (20.0 + 145.0 * (at % 6) as f64, 16.0 + 16.0 * (at / 6) as f64);
        svg.dot((place.0, place.1 - 4.0), 5.0, &filled(method));
        svg.text((place.0 + 10.0, place.1), "start", &plain(method));
    }
    svg.dot((310.0 + 20.0, 28.0), 4.0, "fill=\"white\" stroke=\"black\"");
    svg.text((340.0, 32.0), "start", "the paper's mean");
    svg.line((455.0, 22.0), (455.0, 34.0), "stroke=\"black\" stroke-width=\"2\"");
    svg.text((462.0, 32.0), "start", "the most that the rows allow");
    for tenth in 5..=10 {
        let accuracy = f64::from(tenth) / 10.0;
        svg.line((x(accuracy), TOP - 10.0), (x(accuracy), bottom - 8.0), "stroke=\"#dddddd\"");
        svg.text((x(accuracy), bottom + 8.0), "middle", &format!("{accuracy:.1}"));
    }
    for (at, configuration) in CONFIGURATIONS.iter().enumerate() {
        let y = TOP + STEP * at as f64 + 5.0;
        let name = format!(
            "{}: {}-junta, {} inputs, {} rows, K = {}",
            configuration.id,
            configuration.support,
            configuration.inputs,
            configuration.rows,
            configuration.k
        );
        svg.text((LEFT - 12.0, y + 4.0), "end", &name);
        svg.line((LEFT, y), (RIGHT, y), "stroke=\"#eeeeee\"");
        if let Some(limit) = view.accuracy(configuration.id, (Method::Limit, STAGES)) {
            svg.line(
                (x(limit.mean), y - 9.0),
                (x(limit.mean), y + 9.0),
                "stroke=\"black\" stroke-width=\"2\"",
            );
        }
        for method in METHODS {
            if let Some(paper) = published::accuracy(configuration, method, STAGES) {
                svg.dot((x(paper.0), y), 4.0, &hollow(method));
            }
        }
        for method in METHODS {
            if let Some(ours) = view.accuracy(configuration.id, (method, STAGES)) {
                svg.dot((x(ours.mean), y), 5.0, &filled(method));
            }
        }
    }
    svg.end()
}
