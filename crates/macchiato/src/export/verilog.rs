//! Verilog-2001: a module with one assignment for each gate, ports declared after the header (ABC reads no others).
//!
//! A count is a sum of its points, in a width that holds all of them; an output that is a sum is a vector.
//! A name that is no plain identifier is an escaped one, `\name ` up to the blank; what even those may not hold is
//! spelled `%XX`.

use super::formula::{Formula, Place, bits};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use std::fmt::Write;

/// Words of IEEE 1800 (which holds those of Verilog) and of Icarus Verilog that are no identifiers.
const KEYWORDS: &str = "\
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind \
    bins binsof bit bool break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config \
    const constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist \
    do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface \
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event \
    eventually expect export extends extern final first_match for force foreach forever fork forkjoin function \
    generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir \
    include initial inout input inside instance int integer interconnect interface intersect join join_any join_none \
    large let liblist library local localparam logic longint macromodule matches medium modport module nand negedge \
    nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos \
    posedge primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
    pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat \
    restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared \
    sequence shortint shortreal showcancelled signed small soft solve specify specparam static string strong strong0 \
    strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time \
    timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 \
    unsigned until until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while \
    wildcard wire with within wone wor wreal xnor xor";

/// The most operands of one expression.
const LONGEST: usize = 100;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let words: Vec<String> = formula.inputs.iter().map(|name| names::word(name)).collect();
    let output_words: Vec<String> = formula.outputs.iter().map(|output| names::word(&output.name)).collect();
    let all = [words.as_slice(), &output_words].concat();
    let inputs: Vec<String> = words.iter().map(|word| identifier(word)).collect();
    let outputs: Vec<String> = output_words.iter().map(|word| identifier(word)).collect();
    let labels = formula.labels(&all, names::fresh);
    let ports = [inputs.as_slice(), &outputs].concat().join(", ");
    let mut out = format!("// {}\nmodule {}({ports});\n", formula.title(), formula.function());
    for (input, name) in inputs.iter().zip(formula.inputs) {
        declare(&mut out, "input ", input, name);
    }
    for (o, output) in outputs.iter().enumerate() {
        let range = formula.sum(o).map_or(String::new(), |sum| range(&formula.gates[sum]));
        declare(&mut out, &format!("output {range}"), output, &formula.outputs[o].name);
    }
    let part = names::fresh("part", &all);
    let mut writer = Writer { formula, out, inputs, labels, part, parts: 0 };
    for (g, gate) in formula.nodes() {
        let value = writer.value(gate);
        let name = if let Place::Output(o) = formula.places[g] {
            outputs[o].clone()
        } else {
            let range = if gate.rule == Rule::Sum { range(gate) } else { String::new() };
            let _ = writeln!(writer.out, "  wire {range}{};", writer.labels[g]);
            writer.labels[g].clone()
        };
        let _ = writeln!(writer.out, "  assign {name} = {value};");
    }
    for (o, output) in formula.outputs.iter().enumerate() {
        if !formula.is_gate(o) {
            let value = writer.literal(&output.literal);
            let _ = writeln!(writer.out, "  assign {} = {value};", outputs[o]);
        }
    }
    writer.out.push_str("endmodule\n");
    writer.out
}

fn declare(out: &mut String, kind: &str, identifier: &str, name: &str) {
    let _ = write!(out, "  {kind}{identifier};");
    if identifier != name && kind == "input " {
        let _ = write!(out, " // {}", names::comment(name));
    }
    out.push('\n');
}

/// The range of a vector that holds a gate's count.
fn range(gate: &Gate) -> String {
    format!("[{}:0] ", bits(gate) - 1)
}

struct Writer<'a> {
    formula: &'a Formula<'a>,
    out: String,
    inputs: Vec<String>,
    labels: Vec<String>,
    /// Begins the names of wires for parts of long expressions, and how many there are.
    part: String,
    parts: usize,
}

impl Writer<'_> {
    fn name(&self, source: Source) -> &str {
        match source {
            Source::Input(input) => &self.inputs[input],
            Source::Gate(gate) => &self.labels[gate],
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        format!("{}{}", if literal.positive { "" } else { "~" }, self.name(literal.source))
    }

    fn product(&mut self, literals: &[Literal]) -> String {
        let parts: Vec<String> = literals.iter().map(|literal| self.literal(literal)).collect();
        match parts.as_slice() {
            [] => "1'b1".to_owned(),
            [one] => one.clone(),
            _ => format!("({})", self.joined(parts, " & ", "")),
        }
    }

    fn value(&mut self, gate: &Gate) -> String {
        let literals = |writer: &Self, literals: &[Literal]| -> Vec<String> {
            literals.iter().map(|literal| writer.literal(literal)).collect()
        };
        match &gate.rule {
            Rule::And if gate.literals.is_empty() => "1'b1".to_owned(),
            Rule::And => self.joined(literals(self, &gate.literals), " & ", ""),
            Rule::Or => {
                let products = self.formula.products(gate);
                let parts = products.iter().map(|product| self.product(product)).collect();
                self.joined(parts, "\n    | ", "")
            }
            Rule::Xor => self.joined(literals(self, &gate.literals), " ^ ", ""),
            Rule::Sum => self.sum(gate),
            Rule::AtLeast(least) => {
                let sum = self.sum(gate);
                // The number's width is that of the sum.
                format!("({sum}) >= {}'d{least}", bits(gate))
            }
            Rule::Counts(ranges) => {
                let sum = self.sum(gate);
                let count = self.wire(&range(gate), &sum);
                let width = bits(gate);
                let within = |&(from, to): &(u64, u64)| match (from, to) {
                    _ if from == to => format!("({count} == {width}'d{from})"),
                    (0, _) => format!("({count} <= {width}'d{to})"),
                    _ if to == gate.most() => format!("({count} >= {width}'d{from})"),
                    _ => format!("({count} >= {width}'d{from} & {count} <= {width}'d{to})"),
                };
                let parts = ranges.iter().map(within).collect();
                self.joined(parts, " | ", "")
            }
        }
    }

    /// `!` and not `~`, which would invert all bits of the sum's width.
    fn sum(&mut self, gate: &Gate) -> String {
        let width = bits(gate);
        let point = |literal: &Literal| {
            let name = format!("{}{}", if literal.positive { "" } else { "!" }, self.name(literal.source));
            if literal.weight == 1 { name } else { format!("{width}'d{} * {name}", literal.weight) }
        };
        let parts: Vec<String> = gate.literals.iter().map(point).collect();
        self.joined(parts, " + ", &range(gate))
    }

    fn wire(&mut self, range: &str, value: &str) -> String {
        self.parts += 1;
        let name = format!("{}{}", self.part, self.parts);
        let _ = writeln!(self.out, "  wire {range}{name};\n  assign {name} = {value};");
        name
    }

    /// The operands with an operator between them. Many operands are joined in parts, in wires of this range: readers
    /// recurse into long expressions, and ABC refuses them.
    fn joined(&mut self, operands: Vec<String>, operator: &str, range: &str) -> String {
        if operands.is_empty() {
            return "1'b0".to_owned();
        }
        let mut operands = operands;
        while operands.len() > LONGEST {
            operands =
                operands.chunks(LONGEST).map(|chunk| self.wire(range, &chunk.join(operator))).collect();
        }
        operands.join(operator)
    }
}

/// The word as a plain identifier, or else as an escaped one with the blank that ends it.
fn identifier(word: &str) -> String {
    let begins = word.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    let plain = begins && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain && !KEYWORDS.split_ascii_whitespace().any(|keyword| keyword == word) {
        word.to_owned()
    } else {
        format!("\\{word} ")
    }
}
