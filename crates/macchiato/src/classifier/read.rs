//! Reading a classifier: first the head, so that another file is told apart from a broken one, then all of it, then its
//! models, each from its own bytes, then [`check`].

use std::io::Read;

use serde::Deserialize;

use super::error::{ClassifierError, ClassifierFault};
use super::{Classifier, FORMAT, VERSIONS, check, file};
use crate::model::object::Object;
use crate::model::read::{from_bytes, parse};
use crate::model::{MAX_BYTES, ModelError};

/// What every version has in common.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

pub(super) fn read(reader: impl Read, source: &str) -> Result<Classifier, ClassifierError> {
    let mut bytes = Vec::new();
    let io = |error| ClassifierError::Io { source_name: source.to_owned(), error };
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ClassifierError::TooLong { source_name: source.to_owned() });
    }
    let invalid = |path: &str, fault| ClassifierError::Invalid {
        source_name: source.to_owned(),
        path: path.to_owned(),
        fault,
    };
    let whole = |error| inside(error, "", (0, 0));
    let Object::<Head>(head) = parse(&bytes, source).map_err(whole)?;
    if head.format != FORMAT {
        return Err(invalid("format", ClassifierFault::Format { found: head.format }));
    }
    if !VERSIONS.contains(&head.version) {
        return Err(invalid("version", ClassifierFault::Version { found: head.version }));
    }
    let Object::<file::Read<'_>>(file) = parse(&bytes, source).map_err(whole)?;
    let mut models = Vec::new();
    for (m, raw) in file.models.iter().enumerate() {
        let model = from_bytes(raw.get().as_bytes(), source);
        models.push(model.map_err(|error| inside(error, &format!("models[{m}]"), place(&bytes, raw.get())))?);
    }
    check::check(file, models).map_err(|found| invalid(&found.path, found.fault))
}

/// The lines before `part`, which lies in `bytes`, and the bytes of its line before it.
#[allow(clippy::naive_bytecount)] // Once for a broken file.
fn place(bytes: &[u8], part: &str) -> (usize, usize) {
    let offset = (part.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize);
    let before = &bytes[..offset.min(bytes.len())];
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (before.iter().filter(|&&byte| byte == b'\n').count(), before.len() - line)
}

/// The fault of a part of the file that begins after these lines and bytes.
fn inside(error: ModelError, part: &str, (lines, bytes): (usize, usize)) -> ClassifierError {
    let join = |path: String| match (part.is_empty(), path.is_empty()) {
        (true, _) => path,
        (_, true) => part.to_owned(),
        _ => format!("{part}.{path}"),
    };
    match error {
        ModelError::Io { source_name, error } => ClassifierError::Io { source_name, error },
        ModelError::TooLong { source_name } => ClassifierError::TooLong { source_name },
        ModelError::Json { source_name, line, column, path, message } => ClassifierError::Json {
            source_name,
            line: line + lines,
            column: if line == 1 { column + bytes } else { column },
            path: join(path),
            message,
        },
        ModelError::Invalid { source_name, path, fault } => {
            ClassifierError::Invalid { source_name, path: join(path), fault: fault.into() }
        }
    }
}

/// Whether `bytes` call themselves a classifier, whatever else they are.
pub(super) fn is_classifier(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    serde_json::from_slice::<Format>(bytes).is_ok_and(|head| head.format == FORMAT)
}
