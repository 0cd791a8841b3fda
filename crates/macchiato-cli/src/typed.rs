//! Data with typed columns, as classifiers take them: a file or standard input as a frame, and the columns of it that a
//! classifier reads.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use macchiato::classifier::{Classifier, Target, TargetError};
use macchiato::frame::{self, Frame, FrameOptions, Kind};
use macchiato::table::{self, Format, ReadError, ReadOptions};

use crate::data::{Data, DataOptions, has_names, quoted};
use crate::progress::Spinner;

/// A table of bits where the data are one, typed columns otherwise.
pub(crate) enum AnyData {
    Bits(Data),
    Typed(Typed),
}

/// Typed columns, and whether they have names of their own.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) frame: Frame,
    pub(crate) named: bool,
}

/// What is known of the columns before they are read.
#[derive(Debug, Default)]
pub(crate) struct Known<'a> {
    /// Types by name.
    pub(crate) types: BTreeMap<String, Kind>,
    /// The column with the classes, by default the last one.
    pub(crate) target: Option<&'a str>,
}

impl Known<'_> {
    fn options(&self, plain: &ReadOptions) -> FrameOptions {
        let mut types = self.types.clone();
        types.extend(self.target.map(|target| (target.to_owned(), Kind::Category)));
        let last = self.target.is_none().then_some(Kind::Category);
        let ReadOptions { format, weight, max_bytes } = plain.clone();
        FrameOptions { format, weight, types, last, max_bytes }
    }
}

impl DataOptions {
    /// Reads the data at `path` as bits if they are nothing else, unless `typed` asks for more.
    pub(crate) fn read_any(
        &self,
        path: &Path,
        quiet: bool,
        known: &Known<'_>,
        typed: bool,
    ) -> anyhow::Result<AnyData> {
        let _spinner = Spinner::message(&format!("reading {}", path.display()), quiet);
        let (format, weight) = self.parts();
        let limit = self.max_bytes();
        let bytes = standard_input(path, format, limit)?;
        let taken = bytes.as_ref().map_or(0, |bytes| bytes.capacity() as u64);
        let plain = ReadOptions { format, weight, max_bytes: Some(limit.saturating_sub(taken)) };
        let options = known.options(&plain);
        // What stands in memory already is part of the limit that the user knows.
        let whole = |error| match error {
            ReadError::TooLarge { file, .. } => ReadError::TooLarge { file, limit },
            error => error,
        };
        let format = match format {
            Some(format) => format,
            None => Format::from_path(path)?.0,
        };
        let named = has_names(format);
        if !typed {
            let read = match &bytes {
                Some(bytes) => table::read_from(bytes.as_slice(), "<stdin>", format, &plain),
                None => table::read(path, &plain),
            };
            match read {
                Ok(table) => return Ok(AnyData::Bits(Data { table, named })),
                // A PLA file has nothing but bits.
                Err(ReadError::NotBoolean { .. }) if format != Format::Pla => {}
                Err(error) => return Err(whole(error).into()),
            }
        }
        let frame = match &bytes {
            Some(bytes) => frame::read_bytes(bytes, "<stdin>", format, &options),
            None => frame::read(path, &options),
        }
        .map_err(whole)?;
        Ok(AnyData::Typed(Typed { frame, named }))
    }

    /// Reads the data at `path` as typed columns.
    pub(crate) fn read_typed(&self, path: &Path, quiet: bool, known: &Known<'_>) -> anyhow::Result<Typed> {
        match self.read_any(path, quiet, known, true)? {
            AnyData::Typed(typed) => Ok(typed),
            AnyData::Bits(data) => Ok(Typed { frame: data.table.into(), named: data.named }),
        }
    }

    /// Reads the data at `path` as the classifier's columns, which are there, and perhaps `target`, and others only if
    /// `ignore_extra`.
    pub(crate) fn read_for(
        &self,
        path: &Path,
        quiet: bool,
        classifier: &Classifier,
        (target, ignore_extra): (&str, bool),
    ) -> anyhow::Result<Frame> {
        let known = Known { types: classifier.binarizer().kinds(), target: Some(target) };
        let Typed { mut frame, named } = self.read_typed(path, quiet, &known)?;
        let columns = classifier.binarizer().columns();
        if !named {
            let (found, inputs) = (frame.columns.len(), columns.len());
            if found < inputs || found > inputs + 1 && !ignore_extra {
                bail!("{}: {found} columns where the classifier reads {inputs}", frame.source);
            }
            for (name, column) in frame.names.iter_mut().zip(columns) {
                name.clone_from(&column.name);
            }
            if found > inputs {
                target.clone_into(&mut frame.names[found - 1]);
            }
            return Ok(frame);
        }
        let there: HashSet<&str> = frame.names.iter().map(String::as_str).collect();
        let wanted: HashSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let names = columns.iter().map(|column| column.name.as_str());
        let missing: Vec<&str> = names.filter(|name| !there.contains(name)).collect();
        if !missing.is_empty() {
            let which = if missing.len() == 1 { "column" } else { "columns" };
            bail!("{}: no {which} {}, which the classifier reads", frame.source, quoted(&missing));
        }
        let names = frame.names.iter().map(String::as_str);
        let extra: Vec<&str> = names.filter(|name| !wanted.contains(name) && *name != target).collect();
        if !extra.is_empty() && !ignore_extra {
            let which = if extra.len() == 1 { "column" } else { "columns" };
            bail!(
                "{}: {which} {}: not among the classifier's {} columns: remove, or add --ignore-extra",
                frame.source,
                quoted(&extra),
                columns.len()
            );
        }
        Ok(frame)
    }
}

/// All of standard input, if that is `path`: what turns out not to be bits must be read again. At most `limit` bytes.
fn standard_input(path: &Path, format: Option<Format>, limit: u64) -> anyhow::Result<Option<Vec<u8>>> {
    if path != Path::new("-") {
        return Ok(None);
    }
    if format.is_none() {
        bail!("standard input has no ending that names its format: add --format csv, tsv, pla or npy");
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes).context("<stdin>")?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { file: "<stdin>".to_owned(), limit }.into());
    }
    Ok(Some(bytes))
}

/// The column `name`, by default the last one, taken out of the frame as a target.
pub(crate) fn take_target(frame: &mut Frame, name: Option<&str>) -> anyhow::Result<Target> {
    let source = frame.source.clone();
    let name = match name {
        Some(name) => name.to_owned(),
        None => frame.names.last().cloned().unwrap_or_default(),
    };
    let Some(values) = frame.take(&name) else {
        let names: Vec<&str> = frame.names.iter().map(String::as_str).collect();
        bail!("{source}: no column {name:?}; the columns are {}", quoted(&names));
    };
    Target::new(&name, &values, frame.rows).map_err(|error| match error {
        // People count rows from 1.
        TargetError::Missing { row, .. } => anyhow::anyhow!(
            "{source}: row {} has no value in the target {name:?}: remove the row, or give it one",
            row + 1
        ),
        error => anyhow::anyhow!("{source}: {error}"),
    })
}
