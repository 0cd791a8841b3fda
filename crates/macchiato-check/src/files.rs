//! What the programs take and give: files, read no further than they can matter, and lines that do nothing to a terminal.
//!
//! A certificate is at most as long as its format allows. It says how long the network is, so one byte more is
//! enough to know that it is another: a file that never ends is not read to its end.

use crate::text::{MAX_TEXT, decimal};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What [`crate::check`] takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The certificate.
    pub certificate: Vec<u8>,
    /// The network.
    pub network: Vec<u8>,
}

/// A file that cannot be read.
#[derive(Debug)]
pub struct FilesError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

/// Without a source: what it says is all there is to say.
impl std::error::Error for FilesError {}

impl Files {
    /// Reads the files. `longer` is how many bytes more than the certified ones the network may have: none for the certified
    /// file itself.
    ///
    /// # Errors
    /// A file that cannot be opened or read.
    pub fn read(network: &Path, certificate: &Path, longer: u64) -> Result<Self, FilesError> {
        let certificate = read_at_most(certificate, MAX_TEXT as u64)?;
        let most = length(&certificate).saturating_add(longer);
        let network = read_at_most(network, most)?;
        Ok(Self { certificate, network })
    }
}

/// The file, or of one that is longer than `most` a byte more than that.
///
/// # Errors
/// A file that cannot be opened or read.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, FilesError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(|error| FilesError { path: path.to_owned(), error })?;
    Ok(bytes)
}

/// The number after `bytes` in the record `network`; 0 where there is none, since the certificate is not one then.
fn length(certificate: &[u8]) -> u64 {
    let line = certificate
        .split(|&byte| byte == b'\n')
        .filter_map(|line| std::str::from_utf8(line).ok())
        .find(|line| line.split(' ').next() == Some("network"));
    let mut fields = line.unwrap_or_default().split(' ');
    fields.find(|field| *field == "bytes").and_then(|_| fields.next()).and_then(decimal).unwrap_or(0)
}

/// A line for a terminal: what would move the cursor, change the terminal or turn the text around is spelled out.
#[must_use]
pub fn visible(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            _ if c.is_control() => shown.extend(c.escape_debug()),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(c.escape_unicode());
            }
            _ => shown.push(c),
        }
    }
    shown
}
