//! Where a result goes: standard output, or a file that appears whole or not at all.
//!
//! A regular file is written beside its target and moved over it, so that a reader never sees half of it and a failed
//! write leaves what was there. What is not a regular file (`/dev/null`, a pipe) is written through. The target is
//! tried out before the work begins: nobody should wait an hour to learn that a folder is read-only.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use tempfile::{Builder, NamedTempFile};

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
                let stream = !found.is_file() || is_descriptor(path);
                // Replacing a file needs no permission to write it; asking for that permission respects its owner's wish.
                let file = OpenOptions::new().append(true).open(path).with_context(named)?;
                if stream {
                    return Ok(Self::Stream(path.to_owned(), file));
                }
                // Through a symbolic link, the file behind it is replaced and the link stays.
                let path = fs::canonicalize(path).with_context(named)?;
                temporary(&path).with_context(named)?;
                Ok(Self::File(path))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                temporary(path).with_context(named)?;
                Ok(Self::File(path.to_owned()))
            }
            Err(error) => Err(error).with_context(named),
        }
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
            Self::File(path) => replace(&path, bytes).with_context(|| path.display().to_string()),
        }
    }
}

/// `/dev/stdout` may lead to a regular file, which the shell opened and which must not be replaced under it.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|descriptors| path.starts_with(descriptors))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary(path)?;
    file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    // Without this a crash soon after the move could leave an empty file under the target's name.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file in the folder of `path`, removed when dropped.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".macchiato-").suffix(".tmp");
    if let Some(permissions) = new_file_permissions() {
        builder.permissions(permissions);
    }
    // tempfile's own message names the temporary file, which means nothing to the user.
    builder.tempfile_in(folder).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => io::Error::new(kind, "its folder does not exist"),
        kind => kind.into(),
    })
}

/// What the system gives any new file, less the user's mask; a temporary file would be private otherwise.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // Other systems have no such thing.
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}
