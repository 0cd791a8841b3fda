//! Data as the commands take them: a file or standard input, and the columns that a model reads from it.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use anyhow::bail;
use clap::{Args, ValueEnum};
use macchiato::model::Model;
use macchiato::rows::Rows;
use macchiato::table::{self, Format, ReadOptions, Table};

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
    pub(crate) table: Table,
    pub(crate) named: bool,
}

impl DataOptions {
    /// Reads the data at `path`; `-` is standard input.
    pub(crate) fn read(&self, path: &Path, quiet: bool) -> anyhow::Result<Data> {
        self.read_as(self.format.map(Format::from), path, quiet)
    }

    /// Reads a second file, which may be of another format than `--format` says of the first.
    pub(crate) fn read_beside(&self, path: &Path, quiet: bool) -> anyhow::Result<Data> {
        let known = Format::from_path(path).ok().map(|(format, _)| format);
        self.read_as(known.or(self.format.map(Format::from)), path, quiet)
    }

    /// The format that was named, and the column of the weights.
    pub(crate) fn parts(&self) -> (Option<Format>, Option<String>) {
        (self.format.map(Format::from), self.weight.clone())
    }

    /// The most bytes that the data may take.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.memory.limit()
    }

    fn read_as(&self, format: Option<Format>, path: &Path, quiet: bool) -> anyhow::Result<Data> {
        let options = ReadOptions { format, weight: self.weight.clone(), max_bytes: Some(self.max_bytes()) };
        let _spinner = Spinner::message(&format!("reading {}", path.display()), quiet);
        if path == Path::new("-") {
            let Some(format) = options.format else {
                bail!(
                    "standard input has no ending that names its format: add --format csv, tsv, pla or npy"
                );
            };
            let table = table::read_from(io::stdin().lock(), "<stdin>", format, &options)?;
            return Ok(Data { table, named: has_names(format) });
        }
        let format = match options.format {
            Some(format) => format,
            None => Format::from_path(path)?.0,
        };
        Ok(Data { table: table::read(path, &options)?, named: has_names(format) })
    }
}

/// Arrays have columns without names; theirs are made up.
pub(crate) fn has_names(format: Format) -> bool {
    !matches!(format, Format::Npy | Format::Npz)
}

impl Data {
    /// A table whose columns have names.
    pub(crate) const fn with_names(table: Table) -> Self {
        Self { table, named: true }
    }

    /// The rows of a second file as those of the first, `first`: the same inputs in the same order, the same target. Columns
    /// are found by name; by position, with the target last, where only the first file has names.
    pub(crate) fn rows_like(self, first: &Rows, first_named: bool) -> anyhow::Result<Rows> {
        let Table { source, names, mut columns, rows, weights } = self.table;
        let wanted: Vec<&str> = first.names().iter().map(String::as_str).chain([first.target()]).collect();
        if self.named || !first_named {
            let mut places: HashMap<&str, usize> = HashMap::new();
            for (i, name) in names.iter().enumerate() {
                if places.insert(name, i).is_some() {
                    bail!("{source}: two columns are called {name:?}: rename one");
                }
            }
            if !places.contains_key(first.target()) {
                bail!(
                    "{source}: no column {:?}, the target of the training rows: add it, or give the labels that name",
                    first.target()
                );
            }
            let missing: Vec<&str> =
                wanted.iter().copied().filter(|name| !places.contains_key(name)).collect();
            if !missing.is_empty() {
                let which = if missing.len() == 1 { "column" } else { "columns" };
                bail!(
                    "{source}: no {which} {}, which the training rows have: give both files the same inputs",
                    quoted(&missing)
                );
            }
            let known: HashSet<&str> = wanted.iter().copied().collect();
            let extra: Vec<&str> =
                names.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
            if !extra.is_empty() {
                let which = if extra.len() == 1 { "column" } else { "columns" };
                bail!(
                    "{source}: {which} {}: not among the inputs of the training rows: remove from this file",
                    quoted(&extra)
                );
            }
            columns = wanted.iter().map(|name| std::mem::take(&mut columns[places[name]])).collect();
        } else if columns.len() != wanted.len() {
            let (found, inputs) = (columns.len(), first.inputs());
            bail!(
                "{source}: {found} columns where the training rows have {inputs} inputs and a target: give both the same"
            );
        }
        let names = wanted.into_iter().map(str::to_owned).collect();
        Ok(Rows::from_table(Table { source, names, columns, rows, weights }, Some(first.target()))?)
    }

    /// The columns of the model's inputs: by name, or by position where the data have no names. Besides them there may be
    /// `target`, and others only if `ignore_extra`.
    pub(crate) fn inputs(
        &self,
        model: &Model,
        target: &str,
        ignore_extra: bool,
    ) -> anyhow::Result<Vec<&[u64]>> {
        let (table, names) = (&self.table, model.inputs());
        if !self.named {
            let extra = table.columns.len().saturating_sub(names.len());
            if table.columns.len() < names.len() || extra > 1 && !ignore_extra {
                let (found, inputs) = (table.columns.len(), names.len());
                bail!("{}: {found} columns where the model reads {inputs} inputs", table.source);
            }
            return Ok(table.columns[..names.len()].iter().map(Vec::as_slice).collect());
        }
        let places: HashMap<&str, usize> =
            table.names.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let missing: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| !places.contains_key(name)).collect();
        if !missing.is_empty() {
            let which = if missing.len() == 1 { "column" } else { "columns" };
            bail!("{}: no {which} {}, which the model reads", table.source, quoted(&missing));
        }
        let places: Vec<usize> = names.iter().map(|name| places[name.as_str()]).collect();
        if !ignore_extra {
            let mut known = vec![false; table.names.len()];
            for &at in &places {
                known[at] = true;
            }
            let extra: Vec<&str> = (0..known.len())
                .filter(|&at| !known[at] && table.names[at] != target)
                .map(|at| table.names[at].as_str())
                .collect();
            if !extra.is_empty() {
                let which = if extra.len() == 1 { "column" } else { "columns" };
                bail!(
                    "{}: {which} {}: not among the model's {} inputs: remove, or add --ignore-extra",
                    table.source,
                    quoted(&extra),
                    names.len()
                );
            }
        }
        Ok(places.into_iter().map(|at| table.columns[at].as_slice()).collect())
    }

    /// The labels: the column `target`, or the last one where the data have no names.
    pub(crate) fn labels(&self, model: &Model, target: &str) -> anyhow::Result<&[u64]> {
        let (table, inputs) = (&self.table, model.inputs().len());
        let at = if self.named {
            table.names.iter().position(|name| name == target)
        } else {
            (table.columns.len() > inputs).then(|| table.columns.len() - 1)
        };
        match at {
            Some(at) => Ok(&table.columns[at]),
            None => bail!(
                "{}: no column {target:?} to compare with: name the one with the labels after --target",
                table.source
            ),
        }
    }
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
