//! The circuits as gates, drawn like a programmable array: a line down for each literal, a line across for each term with a
//! dot on what it reads, then its AND, the OR of its stage and the XOR of the stages.
//!
//! Coordinates are whole numbers and widths of text are estimated, so that the same circuit gives the same bytes. A term of
//! one literal is a bare wire, as is a stage of one term. Every piece carries the key of its gate.

use std::fmt::Write as _;

use super::deep;
use super::escape::{Text, count, shortened};
use super::view::{Shown, View, literal_key, term_key};
use crate::stage::Signed;

/// Terms and literals that are drawn.
const TERMS: usize = 120;
const LITERALS: usize = 96;
/// The longest name at a literal, in characters.
const LONGEST: usize = 28;
/// Distances.
const COLUMN: usize = 26;
const ROW: usize = 30;
const LEFT: usize = 20;
/// The width that a drawing should have.
const WIDE: usize = 1000;

/// One term that is drawn: its stage and place from 1, and its literals.
struct Term {
    stage: usize,
    at: usize,
    literals: Vec<Signed>,
    y: usize,
}

/// Where a stage, or the XOR of a circuit, stands.
struct Place {
    /// Numbered through, for its key, and among the stages of its circuit.
    number: usize,
    at: usize,
    y: usize,
    /// What it joins.
    arity: usize,
    left_out: usize,
}

struct GateDrawing {
    literals: Vec<Signed>,
    terms: Vec<Term>,
    stages: Vec<Place>,
    /// The places of each circuit's stages, and its target.
    circuits: Vec<(std::ops::Range<usize>, usize, (usize, String))>,
    top: usize,
    bottom: usize,
    left_out: usize,
}

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    if view.circuits.is_empty() {
        return;
    }
    let (staged, deep): (Vec<Shown<'_>>, Vec<Shown<'_>>) =
        view.circuits.iter().copied().partition(|circuit| !circuit.stages.is_empty());
    let plan = GateDrawing::new(view, &staged);
    let how = if staged.is_empty() {
        "Gates stand by level, from the inputs on; a dot inverts what is read."
    } else {
        "A line down for each literal, a line across for each term, with a dot on what it reads."
    };
    let _ = write!(
        out,
        "<section id=\"circuit\" aria-labelledby=\"circuit-h\"><h2 id=\"circuit-h\">Circuit</h2>\
         <p>{how} Lines are bold where they are 1 for the input in the live panel. Point at a gate, or go through them with the \
         arrow keys, to see it everywhere on the page.</p>",
    );
    if plan.left_out > 0 {
        let _ = write!(
            out,
            "<p class=\"note\">{} of {} are drawn; the live panel and its check have them all.</p>",
            plan.terms.len(),
            count(staged.iter().map(Shown::terms).sum(), "term"),
        );
    }
    if !staged.is_empty() {
        plan.draw(out, view);
    }
    for circuit in &deep {
        if view.circuits.len() > 1 {
            let _ = write!(out, "<h3>{}</h3>", Text(circuit.target));
        }
        deep::circuit(out, view, circuit);
    }
    out.push_str("</section>");
}

impl GateDrawing {
    fn new(view: &View<'_>, circuits: &[Shown<'_>]) -> Self {
        let sizes: Vec<usize> =
            circuits.iter().flat_map(|circuit| circuit.stages).map(|stage| stage.cover.terms()).collect();
        // The most terms of each stage with which all of them fit.
        let fits = |cap: &usize| sizes.iter().map(|size| size.min(cap)).sum::<usize>() <= TERMS;
        let cap = (1..=TERMS).rev().find(fits).unwrap_or(1);
        let longest =
            view.read().into_iter().map(|input| view.literal((input, false)).chars().count().min(LONGEST));
        let top = 44 + longest.max().unwrap_or(0) * 6;
        let mut plan = Self {
            literals: Vec::new(),
            terms: Vec::new(),
            stages: Vec::new(),
            circuits: Vec::new(),
            top,
            bottom: top,
            left_out: 0,
        };
        let mut number = 0;
        for circuit in circuits {
            let first = plan.stages.len();
            for (at, stage) in circuit.stages.iter().enumerate() {
                number += 1;
                plan.stage((number, at + 1), &stage.terms().collect::<Vec<_>>(), cap);
            }
            let stages = first..plan.stages.len();
            let y = match &plan.stages[stages.clone()] {
                [] => {
                    plan.bottom += ROW;
                    plan.bottom - ROW / 2
                }
                [place, .., last] => usize::midpoint(place.y, last.y),
                [place] => place.y,
            };
            plan.circuits.push((stages, y, (circuit.number, circuit.target.to_owned())));
            plan.bottom += ROW / 2;
        }
        plan
    }

    fn stage(&mut self, (number, at): (usize, usize), terms: &[Vec<Signed>], cap: usize) {
        if self.stages.len() >= TERMS {
            self.left_out += terms.len().max(1);
            return;
        }
        let from = self.bottom;
        let mut drawn = 0;
        for (p, literals) in terms.iter().enumerate().take(cap) {
            let new = literals.iter().filter(|literal| !self.literals.contains(literal)).count();
            if self.literals.len() + new > LITERALS {
                continue;
            }
            for literal in literals {
                if !self.literals.contains(literal) {
                    self.literals.push(*literal);
                }
            }
            self.terms.push(Term {
                stage: number,
                at: p + 1,
                literals: literals.clone(),
                y: self.bottom + ROW / 2,
            });
            self.bottom += ROW;
            drawn += 1;
        }
        self.literals.sort_unstable_by_key(|&(input, positive)| (input, !positive));
        if drawn == 0 {
            self.bottom += ROW;
        }
        self.left_out += terms.len() - drawn;
        let y = usize::midpoint(from, self.bottom);
        self.stages.push(Place { number, at, y, arity: terms.len(), left_out: terms.len() - drawn });
        self.bottom += 8;
    }

    fn x(&self, literal: Signed) -> usize {
        let key = |&(input, positive): &Signed| (input, !positive);
        let at = self.literals.partition_point(|other| key(other) < key(&literal));
        LEFT + at * COLUMN + COLUMN / 2
    }

    fn draw(&self, out: &mut String, view: &View<'_>) {
        let and = LEFT + self.literals.len() * COLUMN + 40;
        let or = and + 110;
        let xor = or + 120;
        let label = self
            .circuits
            .iter()
            .map(|(_, _, (_, target))| target.chars().count().min(LONGEST))
            .max()
            .unwrap_or(0);
        let (width, height) = (xor + 60 + label * 9, self.bottom + 4);
        // A small circuit is drawn larger, in percent.
        let scale = (WIDE * 100 / width).clamp(100, 150);
        let _ = write!(
            out,
            "<div class=\"scroll drawing\"><svg id=\"gates\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
             data-rove role=\"group\" aria-label=\"The circuit’s gates\">",
            width * scale / 100,
            height * scale / 100
        );
        for &literal in &self.literals {
            let (x, name) = (self.x(literal), view.literal(literal));
            let y = self.top - 12;
            let _ = write!(
                out,
                "<g data-k=\"{}\"><path class=\"wire\" d=\"M{x} {}V{}\"/><text x=\"{}\" y=\"{y}\" transform=\"rotate(-60 {x} {y})\">{}</text></g>",
                literal_key(literal),
                self.top - 6,
                self.bottom - ROW / 2,
                x + 2,
                Text(&shortened(&name, LONGEST)),
            );
        }
        for term in &self.terms {
            let Some(stage) = self.stages.iter().find(|stage| stage.number == term.stage) else { continue };
            self.term(out, term, stage, (and, or));
        }
        for (stages, y, _) in &self.circuits {
            for stage in &self.stages[stages.clone()] {
                draw_stage(out, stage, (or, xor), (*y, stages.len()));
            }
        }
        for (stages, y, (c, target)) in &self.circuits {
            if stages.is_empty() {
                let _ = write!(out, "<text x=\"{}\" y=\"{y}\" class=\"end\">0</text>", xor - 8);
            }
            let _ = write!(out, "<g data-k=\"x{}\">", c + 1);
            if stages.len() > 1 {
                let _ = write!(
                    out,
                    "<path class=\"back\" d=\"M{} {}q8 13 0 26\"/><path class=\"gate\" d=\"{}\"/>",
                    xor - 22,
                    y - 13,
                    or_gate(xor, *y)
                );
            }
            let _ = write!(
                out,
                "<path class=\"wire\" d=\"M{} {y}H{}\"/><text class=\"name\" x=\"{}\" y=\"{y}\">{}</text></g>",
                if stages.len() > 1 { xor + 18 } else { xor - 2 },
                xor + 40,
                xor + 46,
                Text(&shortened(target, LONGEST))
            );
        }
        out.push_str("</svg></div>");
    }

    fn term(&self, out: &mut String, term: &Term, stage: &Place, (and, or): (usize, usize)) {
        let y = term.y;
        let from = term.literals.iter().map(|&literal| self.x(literal)).min().unwrap_or(and - 30);
        let _ = write!(out, "<g data-k=\"{}\">", term_key(term.stage, term.at));
        let bare = term.literals.len() == 1;
        // One wire up to the gate, one from it to the stage's OR.
        let end = if stage.arity > 1 { or - 15 } else { or - 2 };
        if bare {
            let _ = write!(out, "<path class=\"wire\" d=\"M{from} {y}H{}V{}H{end}\"/>", or - 44, stage.y);
        } else {
            let _ = write!(
                out,
                "<path class=\"wire\" d=\"M{from} {y}H{}M{} {y}H{}V{}H{end}\"/><path class=\"gate\" d=\"M{} {}h15a11 11 0 0 1 0 22h-15z\"/>",
                and - 14,
                and + 12,
                or - 44,
                stage.y,
                and - 14,
                y - 11
            );
        }
        for &literal in &term.literals {
            let _ = write!(out, "<circle cx=\"{}\" cy=\"{y}\" r=\"4\"/>", self.x(literal));
        }
        if term.literals.is_empty() {
            let _ = write!(out, "<text x=\"{}\" y=\"{y}\" class=\"end\">1</text>", and - 34);
        }
        out.push_str("</g>");
    }
}

/// The OR of a stage, and its wire to the XOR.
fn draw_stage(out: &mut String, stage: &Place, (or, xor): (usize, usize), (to, stages): (usize, usize)) {
    let (number, y) = (stage.number, stage.y);
    let end = if stages > 1 { xor - 15 } else { xor - 2 };
    let from = if stage.arity > 1 { or + 18 } else { or - 2 };
    let _ = write!(
        out,
        "<g data-k=\"s{number}\"><path class=\"wire\" d=\"M{from} {y}H{}V{to}H{end}\"/>",
        xor - 48
    );
    if stage.arity > 1 {
        let _ = write!(out, "<path class=\"gate\" d=\"{}\"/>", or_gate(or, y));
    }
    let _ =
        write!(out, "<text class=\"small\" x=\"{}\" y=\"{}\">stage {}</text></g>", or + 20, y - 8, stage.at);
    // A button has one text, its name; these stand beside it.
    if stage.arity == 0 {
        let _ = write!(out, "<text x=\"{}\" y=\"{y}\" class=\"end\">0</text>", or - 6);
    }
    if stage.left_out > 0 {
        let _ = write!(
            out,
            "<text class=\"small\" x=\"{}\" y=\"{}\">+ {} terms</text>",
            or + 20,
            y + 11,
            stage.left_out
        );
    }
}

/// The outline of an OR around a point.
fn or_gate(x: usize, y: usize) -> String {
    format!("M{} {}q8 13 0 26q24 0 36 -13q-12 -13 -36 -13z", x - 18, y - 13)
}
