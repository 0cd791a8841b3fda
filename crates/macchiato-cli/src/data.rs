//! Models and data as the commands take them: files or standard input, and the columns that a model reads.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use macchiato::frame::{self, Format, Frame, FrameOptions, Kind};
use macchiato::model::{Model, Target, TargetError};

use crate::memory::MemoryOptions;
use crate::progress::Spinner;

/// How a command reads its data.
#[derive(Debug, Args)]
pub(crate) struct DataOptions {
    /// Format of the data, where the file's ending does not say it
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Column with the row weights: decimals from 0 on
    #[arg(long, value_name = "NAME")]
    weight: Option<String>,
    #[command(flatten)]
    memory: MemoryOptions,
    /// No progress and no report
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How a command reads the data of a model.
#[derive(Debug, Args)]
pub(crate) struct ModelDataOptions {
    #[command(flatten)]
    pub(crate) data: DataOptions,
    /// Pass over columns that are no inputs of the model
    #[arg(long)]
    ignore_extra: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatName {
    Csv,
    Tsv,
    Pla,
    Npy,
    Npz,
    Parquet,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Csv => Self::Csv,
            FormatName::Tsv => Self::Tsv,
            FormatName::Pla => Self::Pla,
            FormatName::Npy => Self::Npy,
            FormatName::Npz => Self::Npz,
            FormatName::Parquet => Self::Parquet,
        }
    }
}

/// A table, and whether its columns have names of their own.
#[derive(Debug)]
pub(crate) struct Data {
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
    /// Whether it is a second file, which may be of another format than `--format` says of the first.
    pub(crate) second: bool,
}

/// Rows of a model's table with their classes.
#[derive(Debug)]
pub(crate) struct Labelled {
    /// The columns besides the target.
    pub(crate) frame: Frame,
    /// The number of each row's class; none for one that the model has never seen.
    pub(crate) labels: Vec<Option<u32>>,
    target: Target,
}

impl DataOptions {
    /// The format that was named, and the column of the weights.
    pub(crate) fn parts(&self) -> (Option<Format>, Option<&str>) {
        (self.format.map(Format::from), self.weight.as_deref())
    }

    /// The most bytes that the data may take.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.memory.limit()
    }

    /// Reads the data at `path`; `-` is standard input. The target is taken as it is spelled.
    pub(crate) fn read(&self, path: &Path, known: &Known<'_>) -> anyhow::Result<Data> {
        let _spinner = Spinner::message(&format!("reading {}", path.display()), self.quiet);
        let ending = Format::from_path(path);
        let format = match (self.format.map(Format::from), ending) {
            (Some(_), Ok((format, _))) if known.second => format,
            (Some(format), _) | (None, Ok((format, _))) => format,
            (None, Err(_)) if path == Path::new("-") => {
                bail!("standard input has no ending that names its format: add --format csv, tsv, pla or npy")
            }
            (None, Err(error)) => return Err(error.into()),
        };
        // Arrays have columns without names; theirs are made up.
        let named = !matches!(format, Format::Npy | Format::Npz);
        let mut types = known.types.clone();
        types.extend(known.target.map(|target| (target.to_owned(), Kind::Category)));
        let mut last = known.target.is_none().then_some(Kind::Category);
        if !named && !known.types.is_empty() {
            // Which column is which is seen when they are there.
            (types, last) = (BTreeMap::new(), None);
        }
        let mut options = FrameOptions::default();
        (options.types, options.last) = (types, last);
        (options.format, options.weight, options.max_bytes) =
            (Some(format), self.weight.clone(), Some(self.max_bytes()));
        let frame = if path == Path::new("-") {
            frame::read_from(io::stdin().lock(), "<stdin>", format, &options)?
        } else {
            frame::read(path, &options)?
        };
        Ok(Data { frame, named })
    }
}

impl Data {
    /// Sees to it that a second file has the columns of the first and its target, and no others: by name, or by their order with the target
    /// last where only one of the two has names.
    pub(crate) fn check_like(&mut self, first: &Data, target: &str) -> anyhow::Result<()> {
        let Data { frame: first, named } = first;
        let source = &self.frame.source;
        if self.named == *named {
            let there: HashSet<&str> = self.frame.names.iter().map(String::as_str).collect();
            if !there.contains(target) {
                bail!(
                    "{source}: no column {target:?}, the target of the training rows: add it, or give the labels that name"
                );
            }
            let names = first.names.iter().map(String::as_str);
            let missing: Vec<&str> = names.clone().filter(|name| !there.contains(name)).collect();
            if !missing.is_empty() {
                let which = if missing.len() == 1 { "column" } else { "columns" };
                let missing = quoted(&missing);
                bail!(
                    "{source}: no {which} {missing}, which the training rows have: give both files the same inputs"
                );
            }
            let known: HashSet<&str> = names.chain([target]).collect();
            let names = self.frame.names.iter().map(String::as_str);
            let extra: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
            if !extra.is_empty() {
                let which = if extra.len() == 1 { "column" } else { "columns" };
                let extra = quoted(&extra);
                bail!(
                    "{source}: {which} {extra}: not among the inputs of the training rows: remove from this file"
                );
            }
            return Ok(());
        }
        let (found, inputs) = (self.frame.columns.len(), first.columns.len());
        if found != inputs + 1 {
            bail!(
                "{}: {found} columns where the training rows have {inputs} inputs and a target: give both the same",
                self.frame.source
            );
        }
        self.frame.names = first.names.iter().cloned().chain([target.to_owned()]).collect();
        Ok(())
    }
}

impl ModelDataOptions {
    /// Reads the data at `path` as the model's columns, which are there, and perhaps `target`, and others only if they are to be passed
    /// over.
    pub(crate) fn read(&self, path: &Path, model: &Model, target: &str) -> anyhow::Result<Frame> {
        self.read_as(path, model, (target, false))
    }

    /// The same with labels, which must be there.
    pub(crate) fn read_labelled(
        &self,
        path: &Path,
        model: &Model,
        (target, second): (&str, bool),
    ) -> anyhow::Result<Labelled> {
        let mut frame = self.read_as(path, model, (target, second))?;
        if !frame.names.iter().any(|column| column == target) {
            bail!(
                "{}: no column {target:?} to compare with: name the one with the labels after --target",
                frame.source
            );
        }
        let target = take_target(&mut frame, Some(target))?;
        let places: Vec<Option<u32>> =
            target.classes().iter().map(|class| model.class(class).map(|class| class as u32)).collect();
        let labels = target.codes().iter().map(|&code| places[code as usize]).collect();
        Ok(Labelled { frame, labels, target })
    }

    fn read_as(&self, path: &Path, model: &Model, (target, second): (&str, bool)) -> anyhow::Result<Frame> {
        let known = Known { types: model.binarizer().kinds(), target: Some(target), second };
        let Data { mut frame, named } = self.data.read(path, &known)?;
        let columns = model.binarizer().columns();
        let what = if model.is_plain() { "input" } else { "column" };
        if !named {
            let (found, inputs) = (frame.columns.len(), columns.len());
            if found < inputs || found > inputs + 1 && !self.ignore_extra {
                bail!("{}: {found} columns where the model reads {inputs} {what}s", frame.source);
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
        let bits = model.binarizer().bits();
        // Columns without a test, such as excluded ones, need not be there.
        let tested: HashSet<usize> = bits.iter().map(|bit| bit.column).collect();
        let names = columns.iter().enumerate().filter(|(at, _)| tested.contains(at));
        let names = names.map(|(_, column)| column.name.as_str());
        let missing: Vec<&str> = names.filter(|name| !there.contains(name)).collect();
        if !missing.is_empty() {
            let which = if missing.len() == 1 { "column" } else { "columns" };
            bail!("{}: no {which} {}, which the model reads", frame.source, quoted(&missing));
        }
        let names = frame.names.iter().map(String::as_str);
        let extra: Vec<&str> = names.filter(|name| !wanted.contains(name) && *name != target).collect();
        if !extra.is_empty() && !self.ignore_extra {
            let which = if extra.len() == 1 { "column" } else { "columns" };
            bail!(
                "{}: {which} {}: not among the model's {} {what}s: remove, or add --ignore-extra",
                frame.source,
                quoted(&extra),
                columns.len()
            );
        }
        Ok(frame)
    }
}

impl Labelled {
    /// The number of each row's class, all of which the model knows.
    pub(crate) fn known(&self) -> anyhow::Result<Vec<u32>> {
        let known = |(row, label): (usize, &Option<u32>)| {
            label.ok_or_else(|| {
                let (source, name, row_) = (&self.frame.source, self.target.name(), row + 1);
                let class = &self.target.classes()[self.target.codes()[row] as usize];
                anyhow::anyhow!(
                    "{source}: row {row_}: {class:?} is none of the model's classes in column {name:?}"
                )
            })
        };
        self.labels.iter().enumerate().map(known).collect()
    }
}

/// The model at `path`, which `fit --out` wrote; `-` is standard input.
pub(crate) fn read_model(path: &Path) -> anyhow::Result<Model> {
    if path == Path::new("-") {
        return Ok(Model::read(io::stdin().lock(), "<stdin>")?);
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    Ok(Model::read(file, &name)?)
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
    Target::spelled(&name, &values, frame.rows).map_err(|error| match error {
        // People count rows from 1.
        TargetError::Missing { row, .. } => anyhow::anyhow!(
            "{source}: row {} has no value in the target {name:?}: remove the row, or give it one",
            row + 1
        ),
        error => anyhow::anyhow!("{source}: {error}"),
    })
}

/// The first names in quotes, and how many more there are.
pub(crate) fn quoted(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| format!("{name:?}")).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A pipe can be read once.
pub(crate) fn one_stdin(model: &Path, data: &Path) -> anyhow::Result<()> {
    if model == Path::new("-") && data == Path::new("-") {
        bail!("the model and the data cannot both be standard input: name a file for one of them");
    }
    Ok(())
}
