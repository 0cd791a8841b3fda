//! Verilog-2001: a module with one assignment for each stage, ports declared after the header (ABC reads no others).
//!
//! A name that is no plain identifier is an escaped one, `\name ` up to the blank; what even those may not hold is
//! spelled `%XX`.

use super::formula::Formula;
use super::names;
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
    let inputs: Vec<String> = words.iter().map(|word| identifier(word)).collect();
    let target_word = names::word(formula.target);
    let target = identifier(&target_word);
    let stage = names::fresh("stage", &[words.as_slice(), &[target_word]].concat());
    let mut out = format!("// {}: an XOR of sums of products\n", names::comment(formula.target));
    let _ = write!(out, "module {}(", names::function(formula.target));
    for input in &inputs {
        let _ = write!(out, "{input}, ");
    }
    let _ = writeln!(out, "{target});");
    for (input, name) in inputs.iter().zip(formula.inputs) {
        let _ = write!(out, "  input {input};");
        if input != name {
            let _ = write!(out, " // {}", names::comment(name));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "  output {target};");
    for (t, terms) in formula.stages.iter().enumerate() {
        let literal = |&(input, positive): &(usize, bool)| {
            format!("{}{}", if positive { "" } else { "~" }, inputs[input])
        };
        let product = |term: &Vec<(usize, bool)>| match term.as_slice() {
            [] => "1'b1".to_owned(),
            [one] => literal(one),
            many => format!("({})", many.iter().map(literal).collect::<Vec<_>>().join(" & ")),
        };
        let name = format!("{stage}{}", t + 1);
        let products: Vec<String> = terms.iter().map(product).collect();
        let sum = joined(&mut out, &name, &products, "\n    | ");
        let _ = writeln!(out, "  wire {name};\n  assign {name} = {sum};");
    }
    let stages: Vec<String> = (1..=formula.stages.len()).map(|t| format!("{stage}{t}")).collect();
    let parity = joined(&mut out, &stage, &stages, " ^ ");
    let _ = writeln!(out, "  assign {target} = {parity};\nendmodule");
    out
}

/// The operands with an operator between them. Many operands are joined in parts, in wires whose names begin with
/// `prefix`: readers recurse into long expressions, and ABC refuses them.
fn joined(out: &mut String, prefix: &str, operands: &[String], operator: &str) -> String {
    if operands.is_empty() {
        return "1'b0".to_owned();
    }
    if operands.len() <= LONGEST {
        return operands.join(operator);
    }
    let mut parts = Vec::new();
    for (part, operands) in operands.chunks(LONGEST).enumerate() {
        let name = format!("{prefix}_{}", part + 1);
        let _ = writeln!(out, "  wire {name};\n  assign {name} = {};", operands.join(operator));
        parts.push(name);
    }
    joined(out, &format!("{prefix}_"), &parts, operator)
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
