//! Files that appear whole or not at all.
//!
//! The bytes are written beside their target under a name of our own and moved over it, so that a reader never sees half of
//! them and a failed write leaves what was there. Through a symbolic link the file behind it is replaced, and the link stays.
//! What is not a regular file (`/dev/null`, a pipe) is written through. A process that was killed leaves its temporary file
//! behind; the next one that writes beside it removes it, once that process is gone.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Links that are followed, as Linux does.
const MAX_LINKS: usize = 40;
/// Temporary files of one process in one folder.
const MAX_TEMPORARY: usize = 10_000;
const PREFIX: &str = ".macchiato-";
const SUFFIX: &str = ".tmp";

/// Writes the whole of `bytes` to `path`, or fails and leaves what was there.
///
/// ```no_run
/// macchiato::file::write("model.json".as_ref(), b"{}")?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// A path that cannot be written, with what the system says.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory: name a file"))
        }
        Ok(found) => {
            // Replacing a file needs no permission to write it; asking for that permission respects its owner's wish.
            let mut file = OpenOptions::new().append(true).open(path)?;
            if is_stream(path, &found) { file.write_all(bytes) } else { replace(&resolve(path)?, bytes) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(&resolve(path)?, bytes),
        Err(error) => Err(error),
    }
}

/// Whether what `path` leads to is written through: a device, a pipe, or a descriptor that the shell opened, which may be a
/// regular file and must not be replaced under it.
#[must_use]
pub fn is_stream(path: &Path, found: &Metadata) -> bool {
    let descriptors = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    !found.is_file() || descriptors.iter().any(|descriptors| path.starts_with(descriptors))
}

/// The path behind symbolic links, also if there is no file yet.
///
/// # Errors
/// Links that lead in a circle, or that cannot be read.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        // An absolute target takes the place of the whole.
        path = folder(&path).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Checks that a file can be written at `path`, which is behind all links. Leaves no trace.
///
/// # Errors
/// What the system says.
pub fn try_out(path: &Path) -> io::Result<()> {
    Temporary::beside(path).map(drop)
}

/// Replaces the file at `path`, which is behind all links, as a whole; its permissions stay.
///
/// # Errors
/// What the system says.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = Temporary::beside(path)?;
    temporary.file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(path) {
        temporary.file.set_permissions(old.permissions())?;
    }
    // Without this a crash soon after the move could leave an empty file under the target's name.
    temporary.file.sync_all()?;
    fs::rename(&temporary.path, path)?;
    temporary.moved = true;
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file of our own, removed when dropped unless it was moved. It is locked, so that others see that its owner lives.
struct Temporary {
    path: PathBuf,
    file: File,
    moved: bool,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<Self> {
        let folder = folder(target);
        remove_stale(folder);
        let process = std::process::id();
        for number in 0..MAX_TEMPORARY {
            let path = folder.join(format!("{PREFIX}{process}-{number}{SUFFIX}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // Where there are no locks, the process alone tells.
                    let _ = file.try_lock();
                    return Ok(Self { path, file, moved: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // The system's message would be about the temporary file, which means nothing to the user.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(io::Error::new(error.kind(), "its folder does not exist"));
                }
                Err(error) => return Err(error.kind().into()),
            }
        }
        Err(io::Error::other("too many temporary files in its folder: remove .macchiato-*.tmp"))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.moved {
            // Nobody is there to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes what killed processes left in `folder`. A file whose owner may be alive stays: its process exists, or somebody holds
/// its lock, as a process of another container does whose number means nothing here.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(process) = entry.file_name().to_str().and_then(owner) else { continue };
        let free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if process != std::process::id() && is_gone(process) && free() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that a temporary file is named after.
fn owner(name: &str) -> Option<u32> {
    let (process, number) = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok()
}

/// Only where processes can be looked up; elsewhere nothing is known to be gone.
fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}

#[cfg(test)]
mod tests;
