//! A drawing in four columns: literals, the AND of each term, the OR of each stage, the XOR.
//!
//! Coordinates are whole numbers and widths of text are estimated, so that the same circuit gives the same bytes
//! without a font. Colours follow the reader's light or dark scheme. A term of one literal is a bare wire. A long name
//! is cut, and whole in its tooltip.

use super::formula::Formula;
use super::names;
use crate::stage::Signed;
use std::fmt::Write;

/// Height of a row, and the size of a gate.
const ROW: usize = 30;
const GATE: [usize; 2] = [44, 22];
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
  .and rect { fill: #ddf4ff; } .or rect { fill: #dafbe1; } .xor rect { fill: #fff8c5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    path { stroke: #7d8590; }
    rect { stroke: #8b949e; }
    .and rect { fill: #0c2d6b; } .or rect { fill: #033a16; } .xor rect { fill: #4b2900; }
  }
</style>
";

/// A point of the drawing.
type Point = (usize, usize);

pub(super) fn file(formula: &Formula<'_>) -> String {
    let layout = Layout::new(formula);
    let (wires, gates) = circuit(formula, &layout);
    let output = (right(layout.xor()).0 + 24, layout.xor().1);
    let target = shorten(&names::visible(formula.target));
    let (width, height) = (output.0 + 6 + width(&target) + MARGIN, 2 * MARGIN + layout.rows * ROW);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n{STYLE}{wires}",
        xml(&format!("{}: an XOR of sums of products", names::visible(formula.target)))
    );
    wire(&mut out, right(layout.xor()), output);
    out.push_str(&gates);
    for (at, &literal) in layout.literals.iter().enumerate() {
        let (x, y) = (layout.columns[0], layout.row(at, layout.literals.len()));
        let name = &formula.inputs[literal.0];
        text(&mut out, (x - 6, y), " text-anchor=\"end\"", &literal_label(name, literal.1), name);
    }
    text(&mut out, (output.0 + 6, output.1), "", &target, formula.target);
    out.push_str("</svg>\n");
    out
}

/// Where everything stands.
struct Layout {
    /// The literals that some term reads, in order.
    literals: Vec<Signed>,
    /// Rows of the AND column: one for each term, and for each stage without terms.
    slots: usize,
    rows: usize,
    /// The right edge of the literals, then the middles of the gates.
    columns: [usize; 4],
}

impl Layout {
    fn new(formula: &Formula<'_>) -> Self {
        let mut literals: Vec<Signed> = formula.stages.iter().flatten().flatten().copied().collect();
        literals.sort_unstable();
        literals.dedup();
        let label = |&(input, positive): &Signed| width(&literal_label(&formula.inputs[input], positive));
        let names = MARGIN + literals.iter().map(label).max().unwrap_or(0) + 8;
        let slots: usize = formula.stages.iter().map(|terms| terms.len().max(1)).sum();
        let rows = slots.max(literals.len()).max(1);
        let [gate, _] = GATE;
        let and = names + GAP + gate / 2;
        Self { literals, slots, rows, columns: [names, and, and + GAP + gate, and + 2 * (GAP + gate)] }
    }

    /// The height of place `at` of `of` in a column.
    const fn row(&self, at: usize, of: usize) -> usize {
        MARGIN + (2 * at + 1) * self.rows * ROW / (2 * of)
    }

    fn literal(&self, literal: Signed) -> Point {
        let at = self.literals.partition_point(|&other| other < literal);
        (self.columns[0], self.row(at, self.literals.len()))
    }

    const fn xor(&self) -> Point {
        (self.columns[3], MARGIN + self.rows * ROW / 2)
    }
}

/// The wires and the gates that they join.
fn circuit(formula: &Formula<'_>, layout: &Layout) -> (String, String) {
    let (mut wires, mut gates) = (String::new(), String::new());
    let mut slot = 0;
    for terms in &formula.stages {
        let row = |at: usize| layout.row(at, layout.slots);
        let last = slot + terms.len().max(1) - 1;
        let or = (layout.columns[2], usize::midpoint(row(slot), row(last)));
        for (term, at) in terms.iter().zip(slot..) {
            let and = (layout.columns[1], row(at));
            let (input, output) = if term.len() == 1 { (and, and) } else { (left(and), right(and)) };
            for &literal in term {
                wire(&mut wires, layout.literal(literal), input);
            }
            wire(&mut wires, output, left(or));
            if term.len() != 1 {
                gate(&mut gates, and, "and", if term.is_empty() { "1" } else { "AND" });
            }
        }
        wire(&mut wires, right(or), left(layout.xor()));
        gate(&mut gates, or, "or", if terms.is_empty() { "0" } else { "OR" });
        slot = last + 1;
    }
    gate(&mut gates, layout.xor(), "xor", if formula.stages.is_empty() { "0" } else { "XOR" });
    (wires, gates)
}

const fn left((x, y): Point) -> Point {
    (x - GATE[0] / 2, y)
}

const fn right((x, y): Point) -> Point {
    (x + GATE[0] / 2, y)
}

fn wire(out: &mut String, (x1, y1): Point, (x2, y2): Point) {
    let middle = usize::midpoint(x1, x2);
    let _ = writeln!(out, "<path d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\"/>");
}

fn gate(out: &mut String, (x, y): Point, class: &str, label: &str) {
    let [width, height] = GATE;
    let (x0, y0) = (x - width / 2, y - height / 2);
    let _ = writeln!(
        out,
        "<g class=\"gate {class}\"><rect x=\"{x0}\" y=\"{y0}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
         <text x=\"{x}\" y=\"{y}\">{label}</text></g>"
    );
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
