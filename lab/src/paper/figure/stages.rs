//! Accuracy after each stage of one configuration: the paper's figures "test accuracy across residual stages".

use super::super::method::Method;
use super::super::statistics::Summary;
use super::super::view::View;
use super::super::{Configuration, STAGES, published};
use super::{Svg, colour, filled, hollow, plain};

const WIDTH: u32 = 440;
const HEIGHT: u32 = 330;
/// The frame of the curve: left, right, top, bottom.
const FRAME: (f64, f64, f64, f64) = (40.0, 425.0, 28.0, 250.0);
/// Accuracies of the bottom and the top of the frame.
const LOW: f64 = 0.45;
const HIGH: f64 = 1.01;

fn x(stage: f64) -> f64 {
    FRAME.0 + (stage - 1.0) / (STAGES - 1) as f64 * (FRAME.1 - FRAME.0 - 10.0) + 5.0
}

fn y(accuracy: f64) -> f64 {
    FRAME.3 - (accuracy.clamp(LOW, HIGH) - LOW) / (HIGH - LOW) * (FRAME.3 - FRAME.2)
}

/// The picture; `None` without results.
pub(crate) fn stages(view: View<'_>, configuration: &Configuration) -> Option<String> {
    view.accuracy(configuration.id, (Method::Paper, 1))?;
    let Configuration { id, support, inputs, rows, k, .. } = configuration;
    let title = format!("Configuration {id}: {support}-junta of {inputs} inputs, {rows} rows, K = {k}");
    let mut svg = Svg::new(WIDTH, HEIGHT, &title);
    svg.text((f64::from(WIDTH) / 2.0, 16.0), "middle", &title);
    axes(&mut svg);
    for method in [Method::Limit, Method::FlatEspresso, Method::FlatRows, Method::AutoK, Method::Auto] {
        if let Some(Summary { mean, .. }) = view.accuracy(*id, (method, STAGES)) {
            let dash = if method == Method::Limit { "1 3" } else { "6 3" };
            let style =
                format!("stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\"", colour(method));
            svg.line((FRAME.0, y(mean)), (FRAME.1, y(mean)), &style);
        }
    }
    for method in [Method::RandomK, Method::Paper] {
        let curve: Vec<Summary> =
            (1..=STAGES).filter_map(|stage| view.accuracy(*id, (method, stage))).collect();
        draw(&mut svg, &curve, method);
        for stage in [1, 5, STAGES] {
            if let Some(paper) = published::accuracy(configuration, method, stage) {
                svg.dot((x(stage as f64), y(paper.0)), 4.0, &hollow(method));
            }
        }
    }
    legend(&mut svg);
    Some(svg.end())
}

fn axes(svg: &mut Svg) {
    let grey = "stroke=\"#dddddd\"";
    for tenth in 5..=10 {
        let accuracy = f64::from(tenth) / 10.0;
        svg.line((FRAME.0, y(accuracy)), (FRAME.1, y(accuracy)), grey);
        svg.text((FRAME.0 - 5.0, y(accuracy) + 4.0), "end", &format!("{accuracy:.1}"));
    }
    for stage in [1, 5, 10, 15, 20] {
        svg.text((x(f64::from(stage)), FRAME.3 + 15.0), "middle", &stage.to_string());
    }
    svg.text((f64::midpoint(FRAME.0, FRAME.1), FRAME.3 + 29.0), "middle", "stage");
}

/// The band, then the means.
fn draw(svg: &mut Svg, curve: &[Summary], method: Method) {
    let point = |at: usize, accuracy: f64| format!("{:.1},{:.1}", x((at + 1) as f64), y(accuracy));
    let upper = curve.iter().enumerate().map(|(at, s)| point(at, s.mean + s.half_interval()));
    let lower = curve.iter().enumerate().rev().map(|(at, s)| point(at, s.mean - s.half_interval()));
    let band: Vec<String> = upper.chain(lower).collect();
    let means: Vec<String> = curve.iter().enumerate().map(|(at, s)| point(at, s.mean)).collect();
    let colour = colour(method);
    svg.push(format_args!("<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.2\"/>", band.join(" ")));
    svg.push(format_args!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        means.join(" ")
    ));
}

fn legend(svg: &mut Svg) {
    let methods = [
        Method::Paper,
        Method::RandomK,
        Method::FlatEspresso,
        Method::FlatRows,
        Method::Auto,
        Method::AutoK,
        Method::Limit,
    ];
    let place = |at: usize| (12.0 + 145.0 * (at % 3) as f64, 294.0 + 14.0 * (at / 3) as f64);
    for (at, method) in methods.into_iter().enumerate() {
        let (x, y) = place(at);
        svg.dot((x, y - 4.0), 4.0, &filled(method));
        svg.text((x + 9.0, y), "start", &plain(method));
    }
    let (x, y) = place(methods.len());
    svg.dot((x, y - 4.0), 4.0, "fill=\"white\" stroke=\"black\"");
    svg.text((x + 9.0, y), "start", "the paper's mean");
}
