//! The network, layer by layer, every neuron with the key of the gate that it is part of.
//!
//! Up to [`DRAWN`] neurons of each layer are drawn, the first ones, with the weights between them: solid where positive, dashed where
//! negative. The script writes each neuron's value into it.

use std::fmt::Write as _;

use super::escape::{Text, shortened, thousands};
use super::view::{Drawn, View};
use crate::circuit::Rule;
use crate::network::Placed;

/// Neurons of a layer that are drawn.
const DRAWN: usize = 32;
/// Distances.
const COLUMN: usize = 150;
const ROW: usize = 30;
const TOP: usize = 58;
const LONGEST: usize = 24;
/// Past so many, lines are drawn faintly.
const DENSE: usize = 600;

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    let Some(network) = &view.network else { return };
    let widths = network.compiled.network.widths();
    let _ = write!(
        out,
        "<section id=\"network\" aria-labelledby=\"network-h\"><h2 id=\"network-h\">Network</h2>\
         <p>The compiled ReLU network: {} neurons in layers of {}, every weight a whole number. Inside a neuron stands its value for \
         the input in the live panel. Lines are weights, dashed where negative. Each neuron is part of one gate; point at it, or go \
         through them with the arrow keys, to see which.</p>",
        thousands(widths.iter().sum::<usize>()),
        widths.iter().map(|&width| thousands(width)).collect::<Vec<_>>().join(", ")
    );
    let read = view.read();
    if widths.iter().chain([&read.len()]).any(|&width| width > DRAWN) {
        let _ = write!(
            out,
            "<p class=\"note\">The first {DRAWN} of each layer are drawn; the live panel and its check compute them all, and \
             the list below has every value.</p>"
        );
    }
    draw(out, view, network, &read);
    out.push_str(
        "<details id=\"values\"><summary>Every neuron’s value</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Values of all neurons\"></div></details></section>",
    );
}

/// What the gates of a layer are.
fn kind(network: &Drawn, layer: usize) -> &'static str {
    let rule = |placed: &Placed| placed.gate.map(|gate| &network.circuit.gates()[gate].rule);
    let mut of_layer = network.compiled.gates.iter().filter(|placed| placed.layer == layer);
    match of_layer.clone().find_map(rule) {
        Some(Rule::And) => "ANDs",
        Some(Rule::Or) => "ORs",
        Some(Rule::Xor) => "XORs",
        Some(_) => "counts",
        None if of_layer.next().is_some() && layer < network.keys.len() => "relays",
        None => "answer",
    }
}

fn draw(out: &mut String, view: &View<'_>, network: &Drawn, read: &[usize]) {
    let layers = &network.compiled.network.layers;
    let shown = |width: usize| width.min(DRAWN);
    let tallest =
        layers.iter().map(|layer| shown(layer.width())).chain([shown(read.len())]).max().unwrap_or(0);
    let names: Vec<String> =
        read.iter().take(DRAWN).map(|&input| shortened(&view.literal((input, true)), LONGEST)).collect();
    let left = 30 + names.iter().map(|name| name.chars().count()).max().unwrap_or(0) * 7;
    let (width, height) = (left + layers.len() * COLUMN + 60, TOP + tallest * ROW + 10);
    let x = |layer: usize| left + layer * COLUMN;
    let y = |at: usize, of: usize| TOP + (tallest - shown(of)) * ROW / 2 + at * ROW + ROW / 2;
    let lines: usize = layers.iter().flat_map(|layer| layer.weights.iter().take(DRAWN)).map(Vec::len).sum();
    let dense = if lines > DENSE { " class=\"dense\"" } else { "" };
    let _ = write!(
        out,
        "<div class=\"scroll drawing\"><svg id=\"neurons\"{dense} width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         data-rove role=\"group\" aria-label=\"The network’s neurons\">"
    );
    let head = |out: &mut String, layer: usize, name: &str, width: usize| {
        let some = if width > DRAWN { format!("{DRAWN} of {}", thousands(width)) } else { width.to_string() };
        let _ = write!(
            out,
            "<text class=\"head\" x=\"{0}\" y=\"16\">{name}</text><text class=\"small middle\" x=\"{0}\" y=\"34\">{some}</text>",
            x(layer)
        );
    };
    head(out, 0, "inputs", read.len());
    for (at, layer) in layers.iter().enumerate() {
        head(out, at + 1, kind(network, at + 1), layer.width());
    }
    // Weights first, so that neurons lie over them.
    for (at, layer) in layers.iter().enumerate() {
        let before = if at == 0 { read.len() } else { layers[at - 1].width() };
        for (n, weights) in layer.weights.iter().enumerate().take(DRAWN) {
            let (mut plus, mut minus) = (String::new(), String::new());
            for &(from, weight) in weights {
                let from = if at == 0 {
                    read.partition_point(|&input| input < from as usize)
                } else {
                    from as usize
                };
                if from < DRAWN {
                    let line = if weight > 0 { &mut plus } else { &mut minus };
                    let _ =
                        write!(line, "M{} {}L{} {}", x(at), y(from, before), x(at + 1), y(n, layer.width()));
                }
            }
            let _ = write!(out, "<g class=\"edges\" data-e=\"{}.{n}\">", at + 1);
            for (class, line) in [("plus", plus), ("minus", minus)] {
                if !line.is_empty() {
                    let _ = write!(out, "<path class=\"{class}\" d=\"{line}\"/>");
                }
            }
            out.push_str("</g>");
        }
    }
    for (at, (&input, name)) in read.iter().zip(&names).enumerate() {
        let (x, y) = (x(0), y(at, read.len()));
        let _ = write!(
            out,
            "<text class=\"end\" x=\"{}\" y=\"{y}\">{}</text><g class=\"input\" data-k=\"i{input}\"><rect x=\"{}\" y=\"{}\" width=\"22\" \
             height=\"22\" rx=\"4\"/><text class=\"value\" x=\"{x}\" y=\"{y}\"></text></g>",
            x - 18,
            Text(name),
            x - 11,
            y - 11
        );
    }
    for (at, keys) in network.keys.iter().enumerate() {
        for (n, key) in keys.iter().enumerate().take(DRAWN) {
            let (x, y) = (x(at + 1), y(n, keys.len()));
            let _ = write!(
                out,
                "<g class=\"neuron\" data-k=\"{key}\" data-n=\"{}.{n}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"13\"/><text class=\"value\" x=\"{x}\" y=\"{y}\"></text></g>",
                at + 1
            );
        }
    }
    out.push_str("</svg></div>");
}
