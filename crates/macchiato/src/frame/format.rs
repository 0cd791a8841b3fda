//! Which format a file has, by its ending.

use std::fmt;
use std::path::Path;

use super::{Compression, ReadError};

/// How a file holds a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A header line and one line for each row, cells parted by commas.
    Csv,
    /// The same, parted by tabs.
    Tsv,
    /// Berkeley PLA of `.type fr` with one output.
    Pla,
    /// One `NumPy` array.
    Npy,
    /// Several `NumPy` arrays in a zip archive.
    Npz,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Csv, Self::Tsv, Self::Pla, Self::Npy, Self::Npz, Self::Parquet];

    /// The format and the compression that the ending of `path` names, in any case of letters.
    ///
    /// # Errors
    /// [`ReadError::UnknownEnding`], and [`ReadError::Compressed`] where the format is never compressed as a whole.
    ///
    /// ```
    /// use macchiato::frame::{Compression, Format};
    ///
    /// assert_eq!(Format::from_path("a/b.csv.gz".as_ref())?, (Format::Csv, Compression::Gzip));
    /// # Ok::<(), macchiato::frame::ReadError>(())
    /// ```
    pub fn from_path(path: &Path) -> Result<(Self, Compression), ReadError> {
        let compression = Compression::from_path(path);
        let inner = match compression {
            Compression::None => path,
            Compression::Gzip | Compression::Zstd => Path::new(path.file_stem().unwrap_or_default()),
        };
        let file = || path.display().to_string();
        let ending = inner.extension().and_then(|ending| ending.to_str());
        let format = ending
            .and_then(|ending| {
                Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.name()))
            })
            .ok_or_else(|| ReadError::UnknownEnding { file: file() })?;
        if !format.streams() && compression != Compression::None {
            return Err(ReadError::Compressed { file: file(), format });
        }
        Ok((format, compression))
    }

    /// The ending, without its dot; also the format's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Pla => "pla",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Parquet => "parquet",
        }
    }

    /// Whether it is read from front to back, and so from a pipe or through a decompressor.
    #[must_use]
    pub const fn streams(self) -> bool {
        !matches!(self, Self::Npz | Self::Parquet)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
