//! `NumPy` archives: `X` and `y` (in either case of letters), or one two-dimensional array; weights as an array of their own.
//!
//! Arrays are read one after the other, so `y` and the weights are columns that follow those of `X`.

use std::fs::File;
use std::io::{BufReader, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::builder::{Builder, default_names};
use super::npy::{self, Header};
use super::{Frame, FrameOptions, Place, ReadError};

pub(super) fn read(file: File, source: &str, options: &FrameOptions) -> Result<Frame, ReadError> {
    let mut archive = Archive::open(file, source)?;
    let arrays = archive.arrays();
    let has = |name: &&str| arrays.iter().any(|array| array == name);
    let (x, y) = match (["X", "x"].into_iter().find(has), ["y", "Y"].into_iter().find(has)) {
        (Some(x), Some(y)) => (x, Some(y)),
        _ => match arrays.as_slice() {
            [only] => (only.as_str(), None),
            _ => return Err(ReadError::NpzArrays { file: source.to_owned(), found: arrays }),
        },
    };
    let weight = options.weight.as_deref().filter(|name| has(name) && *name != x && Some(*name) != y);

    let (mut builder, rows) = archive.array(x, |reader, name| {
        let header = Header::read(reader, name)?;
        let (rows, columns) = npy::table_shape(&header, name)?;
        let mut names: Vec<_> = default_names(columns - usize::from(y.is_none())).collect();
        names.extend(weight.map(str::to_owned));
        let mut builder = Builder::new(source, 1, names, options)?;
        npy::fill(reader, &header, rows, columns, &mut builder)?;
        Ok((builder, rows))
    })?;
    let last = builder.width() - usize::from(weight.is_some());
    for (array, column) in y.map(|y| (y, last - 1)).into_iter().chain(weight.map(|weight| (weight, last))) {
        archive.array(array, |reader, name| {
            let header = Header::read(reader, name)?;
            let ([found] | [found, 1]) = *header.shape.as_slice() else {
                return Err(header.bad_shape(name, "one dimension"));
            };
            if found != rows {
                let (file, name) = (source.to_owned(), array.to_owned());
                return Err(ReadError::NpzRows { file, name, found, expected: rows });
            }
            npy::fill_column(reader, &header, column, rows, &mut builder)
        })?;
    }
    builder.finish(1)
}

struct Archive<'a> {
    source: &'a str,
    zip: ZipArchive<BufReader<File>>,
}

impl<'a> Archive<'a> {
    fn open(file: File, source: &'a str) -> Result<Self, ReadError> {
        match ZipArchive::new(BufReader::new(file)) {
            Ok(zip) => Ok(Self { source, zip }),
            Err(error) => Err(fault(source, error)),
        }
    }

    fn arrays(&self) -> Vec<String> {
        let names = self.zip.file_names().flatten();
        names.filter_map(|name| name.strip_suffix(".npy").map(str::to_owned)).collect()
    }

    /// Has `read` read the array `name`, under the name that messages shall use.
    fn array<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read, &str) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let member = format!("{name}.npy");
        let file = self.zip.by_name(&member).map_err(|error| fault(self.source, error))?;
        read(&mut BufReader::new(file), &format!("{}/{member}", self.source))
    }
}

fn fault(source: &str, error: ZipError) -> ReadError {
    match error {
        ZipError::Io(reason) => ReadError::io(Place::start(source), reason),
        error => ReadError::BadArchive { file: source.to_owned(), reason: error.to_string() },
    }
}
