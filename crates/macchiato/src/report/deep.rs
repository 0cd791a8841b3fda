//! Circuits that were not learned in stages: their gates by level from the inputs on, and a scorecard for every gate with points.
//!
//! A box is a gate with what it does, a dot inverts what is read; every piece carries the key of its gate, so that it lights up as all gates
//! do. Coordinates are whole numbers and widths of text are estimated, so that the same circuit gives the same bytes.

use std::fmt::Write as _;

use super::escape::{Text, count, shortened};
use super::view::{Shown, View};
use crate::circuit::{Gate, Literal, Source};
use crate::words::{self, Symbols};

/// Gates that are drawn.
const GATES: usize = 120;
/// Conditions of a scorecard that are listed.
const CONDITIONS: usize = 60;
/// The longest name at an input, in characters.
const LONGEST: usize = 28;
/// Distances.
const ROW: usize = 34;
const GAP: usize = 90;
const LEFT: usize = 20;

/// The drawing and the scorecards of one circuit.
pub(super) fn circuit(out: &mut String, view: &View<'_>, shown: &Shown<'_>) {
    let gates = shown.circuit.gates();
    if gates.len() > GATES {
        let _ = write!(
            out,
            "<p class=\"note\">The circuit of {} is too large to be drawn; the live panel and its check have all of it.</p>",
            count(gates.len(), "gate")
        );
    } else {
        Drawing::new(view, shown).draw(out, view, shown);
    }
    for (g, gate) in gates.iter().enumerate().filter(|(_, gate)| gate.has_points()) {
        scorecard(out, view, shown, (g, gate));
    }
}

/// A gate with points as a table: a condition, and what it is worth.
fn scorecard(out: &mut String, view: &View<'_>, shown: &Shown<'_>, (g, gate): (usize, &Gate)) {
    let name = gate.name().unwrap_or("score");
    let _ = write!(
        out,
        "<div class=\"scroll\"><table class=\"scorecard\" data-k=\"{}\"><caption>Scorecard: {} is {}</caption><thead><tr>\
         <th scope=\"col\">Condition</th><th scope=\"col\">Points</th></tr></thead><tbody>",
        shown.key(g),
        Text(name),
        Text(&words::rule(gate))
    );
    for literal in gate.literals.iter().take(CONDITIONS) {
        let text = view.words.circuit(&shown.circuit.with_output(literal.times(1)), Symbols::UNICODE).line();
        let key = if literal.positive || matches!(literal.source, Source::Input(_)) {
            format!(" data-k=\"{}\"", shown.literal_key(*literal))
        } else {
            String::new()
        };
        let _ =
            write!(out, "<tr{key}><th scope=\"row\">{}</th><td>{}</td></tr>", Text(&text), literal.weight);
    }
    if gate.literals.len() > CONDITIONS {
        let more = count(gate.literals.len() - CONDITIONS, "more condition");
        let _ = write!(out, "<tr><td colspan=\"2\" class=\"quiet\">and {more}</td></tr>");
    }
    out.push_str("</tbody></table></div>");
}

/// Where everything stands.
struct Drawing {
    inputs: Vec<usize>,
    /// The left edge of the gates of each level, and at the end that of the output; the width of their boxes.
    columns: Vec<(usize, usize)>,
    /// The level and the middle of each gate.
    places: Vec<(usize, usize)>,
    edge: usize,
    height: usize,
}

impl Drawing {
    fn new(view: &View<'_>, shown: &Shown<'_>) -> Self {
        let circuit = shown.circuit;
        let inputs = circuit.support();
        let label = |&input: &usize| view.literal((input, true)).chars().count().min(LONGEST) * 8;
        let edge = LEFT + inputs.iter().map(label).max().unwrap_or(0);
        let levels = circuit.levels();
        let deepest = levels.iter().copied().max().unwrap_or(0);
        let mut columns = Vec::with_capacity(deepest + 1);
        let (mut x, mut tallest) = (edge, inputs.len());
        for level in 1..=deepest {
            let of_level = circuit.gates().iter().zip(&levels).filter(|(_, own)| **own == level);
            let wide =
                of_level.clone().map(|(gate, _)| 7 * label_of(gate).chars().count() + 16).max().unwrap_or(0);
            columns.push((x + GAP, wide));
            x += GAP + wide;
            tallest = tallest.max(of_level.count());
        }
        columns.push((x + GAP, 0));
        let height = tallest.max(1) * ROW;
        let mut met = vec![0usize; deepest + 1];
        let all = |level: usize| levels.iter().filter(|own| **own == level).count();
        let place = |&level: &usize| {
            met[level] += 1;
            (level, (2 * met[level] - 1) * height / (2 * all(level)))
        };
        let places = levels.iter().map(place).collect();
        Self { inputs, columns, places, edge, height }
    }

    /// Where the wire of a source begins.
    fn end(&self, source: Source) -> (usize, usize) {
        match source {
            Source::Input(input) => {
                let at = self.inputs.partition_point(|&other| other < input);
                (self.edge, (2 * at + 1) * self.height / (2 * self.inputs.len().max(1)))
            }
            Source::Gate(gate) => {
                let (level, y) = self.places[gate];
                let (x, wide) = self.columns[level - 1];
                (x + wide, y)
            }
        }
    }

    fn draw(&self, out: &mut String, view: &View<'_>, shown: &Shown<'_>) {
        let circuit = shown.circuit;
        let end = self.columns.last().map_or(self.edge, |&(x, _)| x);
        let width = end + 20 + 9 * shown.target.chars().count().min(LONGEST);
        let _ = write!(
            out,
            "<div class=\"scroll drawing\"><svg class=\"gates\" width=\"{width}\" height=\"{0}\" viewBox=\"0 0 {width} {0}\" \
             data-rove role=\"group\" aria-label=\"The circuit’s gates\">",
            self.height
        );
        // What reads each source, so that its wires are part of it.
        let outputs = circuit.outputs().iter().map(|output| (output.literal, None));
        let reads: Vec<(Literal, Option<usize>)> = (0..circuit.gates().len())
            .flat_map(|g| circuit.gates()[g].literals.iter().map(move |&literal| (literal, Some(g))))
            .chain(outputs)
            .collect();
        let wires = |out: &mut String, source: Source| {
            let (x1, y1) = self.end(source);
            for (literal, to) in reads.iter().filter(|(literal, _)| literal.source == source) {
                let (x2, y2) = match *to {
                    Some(gate) => (self.columns[self.places[gate].0 - 1].0, self.places[gate].1),
                    None => (end, self.height / 2),
                };
                let middle = usize::midpoint(x1, x2);
                let _ = write!(
                    out,
                    "<path class=\"wire\" d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\"/>"
                );
                if !literal.positive {
                    let _ = write!(out, "<circle cx=\"{}\" cy=\"{y2}\" r=\"4\"/>", x2 - 4);
                }
            }
        };
        for &input in &self.inputs {
            let (x, y) = self.end(Source::Input(input));
            let name = shortened(&view.literal((input, true)), LONGEST);
            let _ = write!(out, "<g data-k=\"{}\">", shown.literal_key(Literal::input(input)));
            wires(out, Source::Input(input));
            let _ = write!(out, "<text class=\"end\" x=\"{}\" y=\"{y}\">{}</text></g>", x - 6, Text(&name));
        }
        for (g, gate) in circuit.gates().iter().enumerate() {
            let (level, y) = self.places[g];
            let (x, wide) = self.columns[level - 1];
            let _ = write!(out, "<g data-k=\"{}\">", shown.key(g));
            wires(out, Source::Gate(g));
            let _ = write!(
                out,
                "<path class=\"gate\" d=\"M{x} {}h{wide}v24h-{wide}z\"/><text class=\"middle\" x=\"{}\" y=\"{y}\">{}</text></g>",
                y - 12,
                x + wide / 2,
                Text(&label_of(gate))
            );
        }
        let _ = write!(
            out,
            "<g data-k=\"x{}\"><text class=\"name\" x=\"{}\" y=\"{}\">{}</text></g></svg></div>",
            shown.number + 1,
            end + 6,
            self.height / 2,
            Text(&shortened(shown.target, LONGEST))
        );
    }
}

/// What stands in a box.
fn label_of(gate: &Gate) -> String {
    let rule = words::rule(gate);
    gate.name().map_or(rule.clone(), |name| format!("{}: {rule}", shortened(name, LONGEST)))
}
