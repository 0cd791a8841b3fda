//! Outputs that would replace an input or each other: refused before anything is read.
//!
//! Two paths are one file also through `.`, symbolic links and hard links. Devices and pipes may be named twice; standard
//! output may not.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use macchiato::file::resolve;

/// What a path leads to, as far as two of them can clash.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    Stdout,
    /// A file that is there, by its number.
    #[cfg(unix)]
    File(u64, u64),
    /// A file that is not there yet, or any on systems without numbers.
    Path(PathBuf),
}

/// Refuses an output that is one of the inputs, and two outputs that are one; `-` among the inputs is standard input. Each
/// output goes with its option.
pub(crate) fn refuse(inputs: &[Option<&Path>], outputs: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    let stdin = Path::new("-");
    let inputs: Vec<Identity> =
        inputs.iter().flatten().filter(|path| **path != stdin).filter_map(|path| identity(path)).collect();
    let mut seen: Vec<(&str, Identity)> = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let Some(identity) = identity(path) else { continue };
        let shown = path.display();
        if inputs.contains(&identity) {
            bail!("{shown}: {option} would replace a file that is read: name another one");
        }
        match seen.iter().find(|(_, other)| *other == identity) {
            Some((other, Identity::Stdout)) => {
                bail!("{other} - and {option} - both want standard output: name a file for one of them")
            }
            Some((other, _)) => bail!("{shown}: {other} and {option} are the same file: name two"),
            None => seen.push((option, identity)),
        }
    }
    Ok(())
}

/// None for what is no regular file. What cannot be looked at is found out when it is read or written.
fn identity(path: &Path) -> Option<Identity> {
    if path == Path::new("-") {
        return Some(Identity::Stdout);
    }
    let path = resolve(path).ok()?;
    match fs::metadata(&path) {
        Ok(found) if !found.is_file() => None,
        #[cfg(unix)]
        Ok(found) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::File(found.dev(), found.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => fs::canonicalize(&path).ok().map(Identity::Path),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(Identity::Path(folder.join(path.file_name()?)))
        }
    }
}
