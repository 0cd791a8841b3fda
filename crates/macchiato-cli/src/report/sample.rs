//! Labelled rows as the library takes them: bits of a model, or the columns of a classifier's table.

use std::path::Path;

use anyhow::bail;
use macchiato::bits;
use macchiato::frame::Frame;
use macchiato::report::{Inputs, Sample};

use super::Arguments;
use crate::data::Data;
use crate::learned::Learned;
use crate::typed::take_target;

/// Rows that were read, with their labels.
pub(super) struct Labelled<'a> {
    name: String,
    labels: Vec<u32>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Bits { data: Data, learned: &'a Learned, target: String, ignore_extra: bool },
    Table(Frame),
}

/// The same, with the columns in the order of the model's inputs.
pub(super) struct Rows<'a> {
    of: &'a Labelled<'a>,
    columns: Vec<&'a [u64]>,
}

impl<'a> Labelled<'a> {
    /// Reads the rows at `path`; a second file may be of another format than `--format` says of the first.
    pub(super) fn read(
        path: &Path,
        learned: &'a Learned,
        arguments: &Arguments,
        beside: bool,
    ) -> anyhow::Result<Self> {
        let (options, quiet) = (&arguments.options, arguments.quiet);
        let name = match path.file_name() {
            Some(name) if path != Path::new("-") => name.to_string_lossy().into_owned(),
            _ => "standard input".to_owned(),
        };
        match learned {
            Learned::Model(model) => {
                let data = if beside { options.read_beside(path, quiet) } else { options.read(path, quiet) }?;
                let target = arguments.target.clone().unwrap_or_else(|| model.target().to_owned());
                // Both complain about what is not there.
                let column = data.labels(model, &target)?;
                data.inputs(model, &target, arguments.ignore_extra)?;
                let labels = (0..data.table.rows).map(|row| u32::from(bits::get(column, row))).collect();
                let ignore_extra = arguments.ignore_extra;
                Ok(Self { name, labels, kind: Kind::Bits { data, learned, target, ignore_extra } })
            }
            Learned::Classifier(classifier) => {
                let target = arguments.target.as_deref().unwrap_or(classifier.target());
                let extra = (target, arguments.ignore_extra);
                let mut frame = options.read_for(path, quiet, classifier, extra)?;
                let source = frame.source.clone();
                if !frame.names.iter().any(|column| column == target) {
                    bail!(
                        "{source}: no column {target:?} to compare with: name the one with the labels after --target"
                    );
                }
                let found = take_target(&mut frame, Some(target))?;
                let places: Vec<Option<usize>> =
                    found.classes().iter().map(|class| classifier.class(class)).collect();
                let mut labels = Vec::with_capacity(frame.rows);
                for (row, &code) in found.codes().iter().enumerate() {
                    let Some(label) = places[code as usize] else {
                        let (class, row) = (&found.classes()[code as usize], row + 1);
                        bail!(
                            "{source}: row {row}: {class:?} is none of the classifier's classes in column {target:?}"
                        );
                    };
                    labels.push(label as u32);
                }
                Ok(Self { name, labels, kind: Kind::Table(frame) })
            }
        }
    }
}

impl<'a> Rows<'a> {
    pub(super) fn of(of: &'a Labelled<'a>) -> Self {
        let columns = match &of.kind {
            Kind::Bits { data, learned: Learned::Model(model), target, ignore_extra } => {
                data.inputs(model, target, *ignore_extra).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        Self { of, columns }
    }

    pub(super) fn sample(&self) -> Sample<'_> {
        let (inputs, weights) = match &self.of.kind {
            Kind::Bits { data, .. } => (Inputs::Bits(&self.columns), data.table.weights.as_deref()),
            Kind::Table(frame) => (Inputs::Table(frame), frame.weights.as_deref()),
        };
        Sample { source: &self.of.name, inputs, labels: &self.of.labels, weights }
    }
}
