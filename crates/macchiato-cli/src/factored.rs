//! `minimize --factored`: the factored form of a cover as a circuit, written in any format that models are exported to.

use std::path::Path;

use anyhow::Context;
use macchiato::circuit::Circuit;
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::Factored;
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
    let names = (pla.input_names().unwrap_or_default(), pla.output_names().unwrap_or_default());
    let circuit = Circuit::from_factored(factored, names.0, names.1);
    let mut bytes = Vec::new();
    export::write(&circuit, format, &mut bytes).with_context(|| pla.file().to_owned())?;
    Ok(bytes)
}
