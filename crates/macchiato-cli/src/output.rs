//! Where a result goes: standard output, or a file that appears whole or not at all.
//!
//! [`macchiato::file`] writes files. The target is tried out before the work begins: nobody should wait an hour to learn that a
//! folder is read-only. A result on standard output keeps its bytes, unless that is a terminal.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use macchiato::file;
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::terminal::{Layout, is_hostile, visible};

/// One JSON object on a line of its own, as `--json` prints it. What could act on a terminal is escaped as JSON escapes it: the
/// object stays the same.
pub(crate) fn json_line(object: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_json::to_string(object)?;
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c {
            // Writing to a string cannot fail.
            _ if is_hostile(c) => drop(write!(line, "\\u{:04x}", u32::from(c))),
            _ => line.push(c),
        }
    }
    Ok(line + "\n")
}

/// Whoever read our output has seen enough (`macchiato ... | head`): nothing is wrong.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// A checked destination.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout,
    /// A device or pipe, open since it was checked: opening a pipe twice would confuse its reader.
    Stream(PathBuf, File),
    File(PathBuf),
}

impl Output {
    /// Checks that `path` can be written; `-` is standard output. Leaves no trace.
    pub(crate) fn prepare(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let named = || path.display().to_string();
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => bail!("{}: is a directory: name a file", named()),
            Ok(found) => {
                // Replacing a file needs no permission to write it; asking for that permission respects its owner's wish.
                let stream = OpenOptions::new().append(true).open(path).with_context(named)?;
                if file::is_stream(path, &found) {
                    return Ok(Self::Stream(path.to_owned(), stream));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(named),
        }
        // Through a symbolic link, the file behind it is replaced and the link stays.
        let path = file::resolve(path).with_context(named)?;
        file::try_out(&path).with_context(named)?;
        Ok(Self::File(path))
    }

    /// [`Output::write`], whatever key is pressed meanwhile: for commands that do not listen to Ctrl-C before.
    pub(crate) fn deliver(self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::File(_) => Interrupt::install()?.shielded(|| self.write(bytes)),
            Self::Stdout | Self::Stream(..) => self.write(bytes),
        }
    }

    /// Writes the whole of `bytes`, or fails and leaves the target as it was.
    pub(crate) fn write(self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            // No context here: `main` must recognize a broken pipe.
            Self::Stdout => {
                let mut out = io::stdout().lock();
                if out.is_terminal() {
                    let text = String::from_utf8_lossy(bytes);
                    out.write_all(visible(&text, Layout::File).as_bytes())?;
                } else {
                    out.write_all(bytes)?;
                }
                Ok(out.flush()?)
            }
            Self::Stream(path, mut file) => file.write_all(bytes).with_context(|| path.display().to_string()),
            Self::File(path) => file::replace(&path, bytes).with_context(|| path.display().to_string()),
        }
    }
}
