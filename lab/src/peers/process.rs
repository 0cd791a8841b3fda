//! One process for each fit: none can take another down, and each is ended when its time is over.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use macchiato::frame::{Compression, Format, write_to};
use macchiato::rows::Rows;

use super::ours::Task;
use super::outcome::{End, Ended, Outcome};

/// The Python program, from the workspace's root.
pub(crate) const SCRIPT: &str = "lab/peers/methods.py";
/// What reading and preparing rows may take besides fitting and predicting.
pub(crate) const GRACE: Duration = Duration::from_mins(3);
const POLL: Duration = Duration::from_millis(10);

/// Runs `task` with `python`, or for our own methods with this program.
pub(crate) fn run(task: &Task, python: &Path, threads: usize, folder: &Path) -> Result<Outcome> {
    let mut command = if task.method.is_ours() {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["peers", "--be"]).args(task.arguments());
        command
    } else {
        let mut command = Command::new(python);
        let [method, train, test, seed, seconds, _] = task.arguments();
        command.args([SCRIPT, "fit", &method, &train, &test, &seed, &seconds]);
        command
    };
    let limit = 2 * Duration::try_from_secs_f64(task.seconds)? + GRACE;
    Ok(Outcome::new(&apart(&mut command, threads, limit, folder)?))
}

/// Runs `command` on so many threads to its end, or ends it after `limit`; what it prints passes through files in `folder`.
pub(crate) fn apart(command: &mut Command, threads: usize, limit: Duration, folder: &Path) -> Result<Ended> {
    for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"] {
        command.env(variable, threads.to_string());
    }
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let end = wait(command, limit)?;
    let text = |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended { end, stdout: text(out)?, stderr: text(err)? })
}

/// Runs `command` to its end, or ends it after `limit`.
fn wait(command: &mut Command, limit: Duration) -> Result<End> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().context(name)?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match (status.code(), status.signal()) {
                (Some(code), _) => End::Code(code),
                (None, signal) => End::Signal(signal.unwrap_or(0)),
            });
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(End::Overrun);
        }
        sleep(POLL);
    }
}

/// Writes rows for every method: one `.npy` file, the label last.
pub(crate) fn write_rows(rows: Rows, path: &Path) -> Result<()> {
    let mut file = File::create(path).with_context(|| path.display().to_string())?;
    let frame = rows.into_frame("rows");
    write_to(&mut file, &frame, Format::Npy, Compression::None, None)
        .with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::data::read;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn ends_are_told_apart() {
        let long = Duration::from_mins(1);
        assert_eq!(wait(&mut shell("exit 3"), long).unwrap(), End::Code(3));
        assert_eq!(wait(&mut shell("kill -s ALRM $$"), long).unwrap(), End::Signal(14));
        assert_eq!(wait(&mut shell("exec sleep 60"), Duration::from_millis(50)).unwrap(), End::Overrun);
        assert!(wait(&mut Command::new("/nowhere/python"), long).is_err());
    }

    #[test]
    fn rows_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("train.npy");
        let rows = Rows::new(vec![vec![0b011], vec![0b110]], vec![0b101], 3).unwrap();
        write_rows(rows.clone(), &path).unwrap();
        assert_eq!(read(&path).unwrap(), rows);
    }
}
