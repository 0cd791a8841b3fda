//! Where the rows go, and in which format: settled before anything is drawn.

use std::path::Path;

use anyhow::{Context, bail};
use clap::ValueEnum;
use macchiato::frame::{Compression, Format, WriteError, write_to};
use macchiato::rows::Rows;

use super::Options;
use crate::clash;
use crate::output::Output;

/// The formats that are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FormatName {
    Csv,
    Tsv,
    Pla,
    Npy,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Csv => Self::Csv,
            FormatName::Tsv => Self::Tsv,
            FormatName::Pla => Self::Pla,
            FormatName::Npy => Self::Npy,
        }
    }
}

/// A checked place for rows.
#[derive(Debug)]
pub(super) struct Destination {
    pub(super) name: String,
    pub(super) output: Output,
    format: Format,
    compression: Compression,
}

/// The places of the training rows and of the test rows, if there are to be any.
pub(super) fn destinations(options: &Options) -> anyhow::Result<Vec<Destination>> {
    let paths = || [Some(&options.out), options.test.as_ref()].into_iter().flatten();
    let to_stdout = paths().filter(|path| *path == Path::new("-")).count();
    if to_stdout > 1 {
        bail!("--out - and --test - both want standard output: name a file for one of them");
    }
    if to_stdout > 0 && options.json {
        bail!("--json and the rows both want standard output: name a file for the rows");
    }
    if options.test.as_ref() == Some(&options.out) {
        bail!("{}: the training rows and the test rows need a file each", options.out.display());
    }
    clash::refuse(&[], &[("--out", Some(&options.out)), ("--test", options.test.as_deref())])?;
    paths().map(|path| Destination::new(path, options.format)).collect()
}

impl Destination {
    fn new(path: &Path, format: Option<FormatName>) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let (format, compression) = match format {
            Some(format) => (format.into(), Compression::from_path(path)),
            None if path == Path::new("-") => {
                bail!(
                    "standard output has no ending that names its format: add --format csv, tsv, pla or npy"
                )
            }
            None => Format::from_path(path)?,
        };
        if matches!(format, Format::Npz | Format::Parquet) {
            return Err(WriteError::Format { format }).context(name);
        }
        Ok(Self { output: Output::prepare(path)?, name, format, compression })
    }

    /// The bytes of `rows` in the format of this place.
    pub(super) fn spell(self, rows: Rows) -> anyhow::Result<(Self, Vec<u8>)> {
        let mut bytes = Vec::new();
        let frame = rows.into_frame("generated");
        write_to(&mut bytes, &frame, self.format, self.compression, None)
            .with_context(|| self.name.clone())?;
        Ok((self, bytes))
    }
}
