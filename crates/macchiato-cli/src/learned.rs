//! What `fit` wrote: a model, or a classifier, which has models over the bits of a table.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use macchiato::classifier::Classifier;
use macchiato::model::{Holdout, MAX_BYTES, Model};

/// A file of `fit --out`.
#[derive(Debug)]
pub(crate) enum Learned {
    Model(Box<Model>),
    Classifier(Box<Classifier>),
}

impl Learned {
    /// Reads the file at `path`; `-` is standard input.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        Self::read_file(path).map(|(learned, _)| learned)
    }

    /// The same, with the file's bytes.
    pub(crate) fn read_file(path: &Path) -> anyhow::Result<(Self, Vec<u8>)> {
        let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
        let mut bytes = Vec::new();
        let read = if path == Path::new("-") {
            io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        };
        read.with_context(|| name.clone())?;
        if Classifier::is_classifier(&bytes) {
            let classifier = Classifier::read(bytes.as_slice(), &name)?;
            return Ok((Self::Classifier(Box::new(classifier)), bytes));
        }
        let model = Model::read(bytes.as_slice(), &name)?;
        Ok((Self::Model(Box::new(model)), bytes))
    }

    /// The circuits: one of a model, none, one or several of a classifier.
    pub(crate) fn models(&self) -> &[Model] {
        match self {
            Self::Model(model) => std::slice::from_ref(model),
            Self::Classifier(classifier) => classifier.models(),
        }
    }

    /// What held-out rows said.
    pub(crate) fn holdout(&self) -> Option<&Holdout> {
        match self {
            Self::Model(model) => model.holdout(),
            Self::Classifier(classifier) => classifier.holdout(),
        }
    }

    /// What held-out rows said, where a network that computes the circuit answers as the whole does. That of several classes
    /// does not: where not exactly one circuit is 1, the training rows decide.
    pub(crate) fn transferable(&self) -> Option<&Holdout> {
        self.holdout().filter(|_| self.models().len() == 1)
    }
}
