//! Reading a model: first the head, so that a file of another version or method is told apart from a broken one, then all
//! of it, then [`check`].
//!
//! A file is read whole, up to a fixed length, and no number in it reserves memory. Keys that are unknown or occur twice
//! are refused. Costs three passes over the bytes, two of which skip most of them.

use super::check;
use super::error::ModelError;
use super::fault::Fault;
use super::object::Object;
use super::{FORMAT, MAX_BYTES, Model, VERSIONS};
use serde::Deserialize;
use std::io::Read;

/// What every version has in common.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// What every method has in common.
#[derive(Deserialize)]
struct MethodHead {
    method: Object<MethodName>,
}

#[derive(Deserialize)]
struct MethodName {
    name: String,
}

pub(super) fn read(reader: impl Read, source: &str) -> Result<Model, ModelError> {
    let mut bytes = Vec::new();
    let io = |error| ModelError::Io { source_name: source.to_owned(), error };
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ModelError::TooLong { source_name: source.to_owned() });
    }
    let bytes = bytes.as_slice();
    let invalid = |path: &str, fault| ModelError::Invalid {
        source_name: source.to_owned(),
        path: path.to_owned(),
        fault,
    };
    let Object::<Head>(head) = parse(bytes, source)?;
    if head.format != FORMAT {
        return Err(invalid("format", Fault::Format { found: head.format }));
    }
    if !VERSIONS.contains(&head.version) {
        return Err(invalid("version", Fault::Version { found: head.version }));
    }
    let Object(MethodHead { method: Object(method) }) = parse(bytes, source)?;
    let checked = match method.name.as_str() {
        "paper" => check::paper(parse::<Object<_>>(bytes, source)?.0),
        "auto" => check::auto(parse::<Object<_>>(bytes, source)?.0),
        _ => return Err(invalid("method.name", Fault::Method { found: method.name })),
    };
    checked.map_err(|found| {
        let check::PlacedFault { path, fault } = *found;
        ModelError::Invalid { source_name: source.to_owned(), path, fault }
    })
}

/// The whole of `bytes` as one JSON value.
fn parse<'de, T: Deserialize<'de>>(bytes: &'de [u8], source: &str) -> Result<T, ModelError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let (error, path) = match serde_path_to_error::deserialize(&mut json) {
        Ok(value) => match json.end() {
            Ok(()) => return Ok(value),
            Err(error) => (error, String::new()),
        },
        Err(error) => {
            let path = error.path().to_string();
            (error.into_inner(), if path == "." { String::new() } else { path })
        }
    };
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    Err(ModelError::Json {
        source_name: source.to_owned(),
        line: error.line().max(1),
        column: error.column().max(1),
        path,
        message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
    })
}
