//! A drawing: literals of inputs, a column for each level of gates, outputs. A gate with points has a port for each literal, with its
//! points; a dot inverts a gate where it is read.
//!
//! Coordinates are whole numbers and widths of text are estimated, so that the same circuit gives the same bytes
//! without a font. Colours follow the reader's light or dark scheme. An AND of one literal is a bare wire. A long name
//! is cut, and whole in its tooltip.

use super::formula::{Formula, Place};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use crate::words;
use std::fmt::Write;

/// Height of a row, and the size of a gate.
const ROW: usize = 30;
const GATE: [usize; 2] = [44, 22];
/// Height of a port, and width of its points.
const PORT: usize = 16;
const POINTS: usize = 36;
/// Room between columns, and around the drawing.
const GAP: usize = 130;
const MARGIN: usize = 16;
/// The longest name that is shown whole, in characters.
const LONGEST: usize = 40;

const STYLE: &str = "\
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328; dominant-baseline: central; }
  .gate text { font-size: 11px; text-anchor: middle; }
  path { fill: none; stroke: #8c959f; }
  rect { stroke: #57606a; }
  .and rect { fill: #ddf4ff; } .or rect { fill: #dafbe1; } .xor rect { fill: #fff8c5; } .count rect { fill: #fbefff; }
  circle { fill: #8c959f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    path { stroke: #7d8590; }
    rect { stroke: #8b949e; }
    .and rect { fill: #0c2d6b; } .or rect { fill: #033a16; } .xor rect { fill: #4b2900; } .count rect { fill: #3c1e70; }
    circle { fill: #7d8590; }
  }
</style>
";

/// A point of the drawing.
type Point = (usize, usize);

pub(super) fn file(formula: &Formula<'_>) -> String {
    let layout = Layout::new(formula);
    let (mut wires, mut gates, mut names) = (String::new(), String::new(), String::new());
    for &g in &layout.drawn {
        let at = &layout.boxes[g];
        let read = operands(formula, g);
        let points = formula.gates[g].has_points();
        for (k, literal) in read.iter().enumerate() {
            let port = at.port(if points { Some((k, read.len())) } else { None });
            wire(&mut wires, layout.end(*literal), port);
            invert(&mut wires, *literal, port);
        }
        gate(&mut gates, at, &formula.gates[g], if points { &read } else { &[] });
    }
    for (row, &(input, positive)) in layout.literals.iter().enumerate() {
        let (x, y) = layout.literal(row);
        let name = &formula.inputs[input];
        text(&mut names, (x - 6, y), " text-anchor=\"end\"", &literal_label(name, positive), name);
    }
    let mut widest = 0;
    for (o, output) in formula.outputs.iter().enumerate() {
        let end = (layout.end_of_gates, spread(o, formula.outputs.len(), layout.height));
        let label = shorten(&names::visible(&output.name));
        wire(&mut wires, layout.end(output.literal), end);
        invert(&mut wires, output.literal, end);
        text(&mut names, (end.0 + 6, end.1), "", &label, &output.name);
        widest = widest.max(width(&label));
    }
    let (width, height) = (layout.end_of_gates + 6 + widest + MARGIN, 2 * MARGIN + layout.height);
    let titles: Vec<String> = formula.outputs.iter().map(|output| names::visible(&output.name)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n{STYLE}{wires}{gates}{names}</svg>\n",
        xml(&format!("{}: {}", titles.join(", "), formula.shape()))
    )
}

/// Where everything stands.
struct Layout {
    /// The literals of inputs that something reads, in order.
    literals: Vec<(usize, bool)>,
    /// Their right edge.
    edge: usize,
    /// The gates that are drawn, in order, and the box of each gate.
    drawn: Vec<usize>,
    boxes: Vec<Frame>,
    end_of_gates: usize,
    height: usize,
}

/// The middle of a gate and its size.
#[derive(Clone, Copy, Default)]
struct Frame {
    middle: Point,
    width: usize,
    height: usize,
}

impl Frame {
    fn new(gate: &Gate) -> Self {
        let points = gate.has_points();
        let label = 7 * words(gate).chars().count() + 12 + if points { POINTS } else { 0 };
        let rows = if points { gate.literals.len() } else { 1 };
        Self { middle: (0, 0), width: label.max(GATE[0]), height: (PORT * rows).max(GATE[1]) }
    }

    /// Where a wire ends: in the middle, or at place k of n.
    const fn port(&self, place: Option<(usize, usize)>) -> Point {
        let ((x, y), left) = (self.middle, self.middle.0 - self.width / 2);
        match place {
            None => (left, y),
            Some((k, n)) => (x - self.width / 2, y - self.height / 2 + (2 * k + 1) * self.height / (2 * n)),
        }
    }
}

impl Layout {
    fn new(formula: &Formula<'_>) -> Self {
        let bare = |g: usize| formula.places[g] == Place::Inside && formula.gates[g].literals.len() == 1;
        let is_drawn = |&g: &usize| formula.places[g] != Place::Nowhere && !bare(g);
        let drawn: Vec<usize> = (0..formula.gates.len()).filter(is_drawn).collect();
        let boxes = formula.gates.iter().map(Frame::new).collect();
        let mut layout = Self { literals: vec![], edge: 0, drawn, boxes, end_of_gates: 0, height: 0 };
        let read = layout.drawn.iter().flat_map(|&g| operands(formula, g));
        let read = read.chain(formula.outputs.iter().map(|output| output.literal));
        let of_input = |literal: Literal| match literal.source {
            Source::Input(input) => Some((input, literal.positive)),
            Source::Gate(_) => None,
        };
        let mut literals: Vec<(usize, bool)> = read.filter_map(of_input).collect();
        literals.sort_unstable();
        literals.dedup();
        let label =
            |&(input, positive): &(usize, bool)| width(&literal_label(&formula.inputs[input], positive));
        layout.edge = MARGIN + literals.iter().map(label).max().unwrap_or(0) + 8;
        layout.literals = literals;
        layout.place(formula);
        layout
    }

    /// A column for each level of gates; in a column they stand in the order of the middles of what they read.
    fn place(&mut self, formula: &Formula<'_>) {
        let mut levels = vec![0; formula.gates.len()];
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for &g in &self.drawn {
            let level = |literal: &Literal| match literal.source {
                Source::Input(_) => 0,
                Source::Gate(gate) => levels[gate] + 1,
            };
            levels[g] = operands(formula, g).iter().map(level).max().unwrap_or(0);
            columns.resize(columns.len().max(levels[g] + 1), Vec::new());
            columns[levels[g]].push(g);
        }
        let room = |layout: &Self, g: usize| layout.boxes[g].height + ROW - GATE[1];
        let tall = |column: &Vec<usize>| column.iter().map(|&g| room(self, g)).sum::<usize>();
        let rows = self.literals.len().max(formula.outputs.len()).max(1);
        self.height = columns.iter().map(tall).max().unwrap_or(0).max(rows * ROW);
        let mut x = self.edge;
        for mut column in columns {
            let middle = |g: usize| {
                let read = operands(formula, g);
                read.iter().map(|&literal| self.end(literal).1).sum::<usize>() / read.len().max(1)
            };
            column.sort_by_cached_key(|&g| (middle(g), g));
            let all: usize = column.iter().map(|&g| room(self, g)).sum();
            let widest = column.iter().map(|&g| self.boxes[g].width).max().unwrap_or(0);
            let mut above = 0;
            for &g in &column {
                let own = room(self, g);
                let y = MARGIN + (2 * above + own) * self.height / (2 * all);
                self.boxes[g].middle = (x + GAP + widest / 2, y);
                above += own;
            }
            x += GAP + widest;
        }
        self.end_of_gates = x + 24;
    }

    fn literal(&self, row: usize) -> Point {
        (self.edge, spread(row, self.literals.len(), self.height))
    }

    /// Where the wire of a literal begins.
    fn end(&self, literal: Literal) -> Point {
        match literal.source {
            Source::Input(input) => {
                self.literal(self.literals.partition_point(|&other| other < (input, literal.positive)))
            }
            Source::Gate(gate) => {
                let Frame { middle: (x, y), width, .. } = self.boxes[gate];
                (x + width / 2, y)
            }
        }
    }
}

/// The literals of a gate; an AND of one that stands in an OR is that one.
fn operands(formula: &Formula<'_>, g: usize) -> Vec<Literal> {
    let through = |&literal: &Literal| match formula.inside(literal) {
        Some(&[one]) => one,
        _ => literal,
    };
    formula.gates[g].literals.iter().map(through).collect()
}

/// The height of place `at` of `of` in a column.
const fn spread(at: usize, of: usize, height: usize) -> usize {
    MARGIN + (2 * at + 1) * height / (2 * of)
}

fn wire(out: &mut String, (x1, y1): Point, (x2, y2): Point) {
    let middle = usize::midpoint(x1, x2);
    let _ = writeln!(out, "<path d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\"/>");
}

/// A dot where a gate is read inverted; an inverted input says so in its name.
fn invert(out: &mut String, literal: Literal, (x, y): Point) {
    if !literal.positive && matches!(literal.source, Source::Gate(_)) {
        let _ = writeln!(out, "<circle cx=\"{}\" cy=\"{y}\" r=\"3\"/>", x - 3);
    }
}

fn words(gate: &Gate) -> String {
    let words = words::rule(gate);
    gate.name().map_or(words.clone(), |role| format!("{}: {words}", shorten(&names::visible(role))))
}

fn gate(out: &mut String, at: &Frame, gate: &Gate, points: &[Literal]) {
    let Frame { middle: (x, y), width, height } = *at;
    let (x0, y0) = (x - width / 2, y - height / 2);
    let class = match gate.rule {
        Rule::And => "and",
        Rule::Or => "or",
        Rule::Xor => "xor",
        Rule::AtLeast(_) | Rule::Counts(_) | Rule::Sum => "count",
    };
    let _ = write!(
        out,
        "<g class=\"gate {class}\"><rect x=\"{x0}\" y=\"{y0}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
    );
    for (k, literal) in points.iter().enumerate() {
        let port = at.port(Some((k, points.len())));
        let _ =
            write!(out, "<text x=\"{}\" y=\"{}\">+{}</text>", port.0 + POINTS / 2, port.1, literal.weight);
    }
    let x = if points.is_empty() { x } else { x + POINTS / 2 };
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text></g>", xml(&words(gate)));
}

fn text(out: &mut String, (x, y): Point, attributes: &str, label: &str, name: &str) {
    let (label, name) = (xml(label), xml(&names::visible(name)));
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{attributes}>{label}<title>{name}</title></text>");
}

fn literal_label(name: &str, positive: bool) -> String {
    let name = shorten(&names::visible(name));
    if positive { name } else { format!("\u{ac}{name}") }
}

fn shorten(name: &str) -> String {
    let mut characters = name.chars();
    let head: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() { format!("{head}\u{2026}") } else { head }
}

/// Pixels of a text, as a generous guess.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 8 } else { 14 }).sum()
}

fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
