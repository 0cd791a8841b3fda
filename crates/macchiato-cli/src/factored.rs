//! `minimize --factored`: the factored form of a cover as a circuit, written in any format that models are exported to.

use std::path::Path;

use anyhow::Context;
use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::Factored;
use macchiato::minimize::factored::{Operation, Origin, Wire};
use macchiato::minimize::pla::Pla;

/// The format: the one asked for, else that of the file's ending, else BLIF.
pub(crate) fn format(to: Option<&str>, out: Option<&Path>) -> anyhow::Result<ExportFormat> {
    let ending = out.and_then(Path::extension).and_then(std::ffi::OsStr::to_str);
    let format = match (to, ending) {
        (Some("aiger"), Some("aag")) => Some(ExportFormat::AigerAscii),
        (Some(to), _) => ExportFormat::from_name(to),
        (None, Some(ending)) => ExportFormat::from_name(ending),
        (None, None) => Some(ExportFormat::Blif),
    };
    format.with_context(|| {
        let ending = ending.unwrap_or_default();
        format!("no format ends in .{ending}: name one with --to, such as --to blif or --to aiger")
    })
}

/// The file.
pub(crate) fn file(factored: &Factored, pla: &Pla, format: ExportFormat) -> anyhow::Result<Vec<u8>> {
    let circuit = circuit(factored, pla).with_context(|| pla.file().to_owned())?;
    let mut bytes = Vec::new();
    export::write(&circuit, format, &mut bytes).with_context(|| pla.file().to_owned())?;
    Ok(bytes)
}

fn circuit(factored: &Factored, pla: &Pla) -> anyhow::Result<Circuit> {
    let gates = factored.gates().iter().map(|gate| {
        let rule = match gate.operation {
            Operation::And => Rule::And,
            Operation::Or => Rule::Or,
        };
        Gate::new(rule, gate.wires.iter().map(literal).collect())
    });
    let names = |given: Option<&[String]>, count: usize, letter: char| match given {
        Some(names) => names.to_vec(),
        None => (0..count).map(|at| format!("{letter}{at}")).collect(),
    };
    let inputs = names(pla.input_names(), factored.inputs(), 'x');
    let named = names(pla.output_names(), factored.outputs().len(), 'y');
    let outputs = named.iter().zip(factored.outputs()).map(|(name, wire)| Output::new(name, literal(wire)));
    Ok(Circuit::new(inputs, gates.collect(), outputs.collect())?)
}

fn literal(wire: &Wire) -> Literal {
    let literal = match wire.origin {
        Origin::Input(input) => Literal::input(input),
        Origin::Gate(gate) => Literal::gate(gate),
    };
    literal.signed(wire.positive)
}
