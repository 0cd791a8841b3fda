//! `macchiato minimize` as its users meet it: files, pipes, exit codes, one-line faults, no leftovers.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// Exclusive or with one cell left open.
const XOR: &str = ".i 2\n.o 1\n.ilb a b\n.ob f\n.type fr\n01 1\n10 1\n00 0\n.e\n";
/// Three outputs that need at least two terms.
const SHARED: &str = ".i 3\n.o 3\n.type fd\n00- 110\n-11 011\n111 1-1\n.e\n";

fn macchiato(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).arg("minimize").args(arguments).write_stdin(stdin);
    command.output().expect("the command starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

/// A folder with `in.pla` in it.
fn folder(text: &str) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("in.pla"), text).expect("written");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Fails with exit code 2 and exactly this line, and leaves nothing but the input behind.
fn assert_refused(folder: &Path, arguments: &[&str], line: &str) {
    let output = macchiato(folder, arguments, "");
    assert_eq!(stderr(&output), format!("macchiato: {line}\n"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert_eq!(names(folder), ["in.pla"]);
}

#[test]
fn the_result_goes_to_stdout_and_the_summary_to_stderr() {
    let folder = folder(XOR);
    let output = macchiato(folder.path(), &["in.pla"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with(".i 2\n.o 1\n.ilb a b\n.ob f\n.p "), "{}", stdout(&output));
    assert!(stdout(&output).ends_with(" 1\n.e\n"));
    assert!(stderr(&output).contains("2 inputs, 1 output\n"), "{}", stderr(&output));
    assert!(stderr(&output).contains("terms        2 -> "));
}

#[test]
fn quiet_is_quiet() {
    let folder = folder(XOR);
    let output = macchiato(folder.path(), &["in.pla", "--quiet"], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[test]
fn dashes_are_stdin_and_stdout() {
    let folder = folder(XOR);
    let file = macchiato(folder.path(), &["in.pla", "--quiet"], "");
    let pipe = macchiato(folder.path(), &["-", "--quiet", "--out", "-"], XOR);
    assert_eq!(pipe.status.code(), Some(0));
    assert_eq!(stdout(&pipe), stdout(&file));
    let fault = macchiato(folder.path(), &["-"], ".i 1\n.o 1\nx 1\n");
    assert!(stderr(&fault).starts_with("macchiato: <stdin>:3:1: `x` is no input value"));
    assert_eq!(fault.status.code(), Some(2));
}

#[test]
fn the_example_needs_no_file() {
    let folder = folder(XOR);
    let output = macchiato(folder.path(), &["--example"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with(".i 4\n.o 7\n.ilb d3 d2 d1 d0\n.ob a b c d e f g\n"));
    assert!(stderr(&output).contains("4 inputs, 7 outputs\n"));
}

#[test]
fn the_result_is_a_file_that_reads_back() {
    let folder = folder(SHARED);
    let output = macchiato(folder.path(), &["in.pla", "--out", "out.pla"], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""));
    assert_eq!(names(folder.path()), ["in.pla", "out.pla"]);
    let again = macchiato(folder.path(), &["out.pla", "-q"], "");
    assert_eq!(again.status.code(), Some(0));
    let terms = |text: &str| text.lines().filter(|line| !line.starts_with('.')).count();
    let first = fs::read_to_string(folder.path().join("out.pla")).unwrap();
    assert!(terms(stdout(&again)) <= terms(&first));
}

#[test]
fn json_has_its_fields_and_nothing_else_is_on_stdout() {
    let folder = folder(SHARED);
    let output = macchiato(folder.path(), &["in.pla", "--json", "--seed", "7"], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert_eq!(stdout(&output).lines().count(), 1);
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!((&object["inputs"], &object["outputs"]), (&3.into(), &3.into()));
    for field in ["terms", "literals", "lower_bound"] {
        assert!(object[field].is_u64(), "{field}");
    }
    for field in ["proven_optimal", "interrupted"] {
        assert!(object[field].is_boolean(), "{field}");
    }
    assert!(object["seconds"].is_f64() && object["engine"].is_string() && object["notes"].is_array());
    assert_eq!(names(folder.path()), ["in.pla"]);
}

#[test]
fn json_goes_with_an_output_file() {
    let folder = folder(XOR);
    let output = macchiato(folder.path(), &["in.pla", "--json", "--out", "out.pla"], "");
    assert_eq!(output.status.code(), Some(0));
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    let written = fs::read_to_string(folder.path().join("out.pla")).unwrap();
    assert!(written.contains(&format!(".p {}\n", object["terms"])));
}

#[test]
fn no_time_at_all_still_gives_a_valid_cover() {
    let folder = folder(SHARED);
    let output = macchiato(folder.path(), &["in.pla", "--json", "--time-limit", "0", "--out", "out.pla"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(object["interrupted"], true);
    let written = fs::read_to_string(folder.path().join("out.pla")).unwrap();
    // Every ON point of `SHARED` that is not also don't-care, and points next to them that are OFF.
    for (point, output, value) in [
        ("000", 0, true),
        ("001", 1, true),
        ("011", 2, true),
        ("111", 0, true),
        ("100", 0, false),
        ("010", 2, false),
    ] {
        assert_eq!(evaluate(&written, point, output), value, "{point} {output}\n{written}");
    }
}

fn evaluate(pla: &str, point: &str, output: usize) -> bool {
    pla.lines().filter(|line| !line.starts_with('.')).any(|row| {
        let (inputs, outputs) = row.split_once(' ').expect("a row");
        outputs.as_bytes()[output] == b'1'
            && inputs.bytes().zip(point.bytes()).all(|(c, x)| c == b'-' || c == x)
    })
}

#[test]
fn a_bad_file_gets_one_line_and_no_output() {
    let bad = [
        ("x\n01 1\n", "2:1: the numbers of inputs and outputs must be known by here: `.i` is missing"),
        (".i 2\n.o 1\n0x 1\n", "3:2: `x` is no input value: write `0`, `1`, or `-` for a free input"),
        (".i 2\n.o 1\n01 ?\n", "3:4: `?` is no output value: write `0`, `1`, `-`, or `~`"),
        (".i 2\n.o 1\n.magic\n", "3:1: unknown keyword `.magic`: remove the line, or put `#` before it"),
        (".mv 4 3 2\n", "1:1: `.mv` is not supported: only binary inputs and outputs in positive phase are"),
        (".i 99999999999\n", "1:4: `.i` is too large: at most 65535 inputs and 65535 outputs are read"),
        (
            ".i 2\n.o 1\n01\n.e\n",
            "3:1: this row has only 2 of its 3 values: complete it, or correct `.i` or `.o`",
        ),
        (
            ".i 2\n.o 1\n.type fr\n1- 1\n00 0\n11 0\n",
            "6:1: output 1 is OFF here and ON on line 4 for the same inputs: remove one of the two",
        ),
    ];
    for (text, line) in bad {
        let folder = folder(text);
        assert_refused(folder.path(), &["in.pla", "--out", "out.pla"], &format!("in.pla:{line}"));
    }
}

#[test]
fn bytes_that_are_not_text_are_a_bad_file() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("in.pla"), b".i 1\n.o 1\n\xff\xfe 1\n").unwrap();
    let line = "in.pla:3:1: `\\xff` is no input value: write `0`, `1`, or `-` for a free input";
    assert_refused(folder.path(), &["in.pla", "--out", "out.pla"], line);
}

#[test]
fn an_input_that_cannot_be_read_is_named() {
    let folder = folder(XOR);
    let output = macchiato(folder.path(), &["none.pla"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("macchiato: none.pla: "));
    assert_eq!(stderr(&output).lines().count(), 1);
    let output = macchiato(folder.path(), &["."], "");
    assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(2), 1));
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_work() {
    let folder = folder(XOR);
    assert_refused(folder.path(), &["in.pla", "--out", "."], ".: is a directory: name a file");
    let line = "none/out.pla: its folder does not exist";
    assert_refused(folder.path(), &["in.pla", "--out", "none/out.pla"], line);
    let output = macchiato(folder.path(), &["in.pla", "--out", "in.pla/out.pla"], "");
    assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(2), 1));
}

#[test]
fn an_old_result_survives_a_bad_input() {
    let folder = folder(".i 1\n.o 1\n?\n");
    fs::write(folder.path().join("out.pla"), "old").unwrap();
    let output = macchiato(folder.path(), &["in.pla", "--out", "out.pla"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("out.pla")).unwrap(), "old");
    assert_eq!(names(folder.path()), ["in.pla", "out.pla"]);
}

#[test]
fn usage_mistakes_have_exit_code_2() {
    let folder = folder(XOR);
    assert_refused(
        folder.path(),
        &["in.pla", "--json", "--out", "-"],
        "--json and --out - both want standard output: name a file after --out",
    );
    for arguments in [
        &["in.pla", "--time-limit", "soon"][..],
        &["in.pla", "--effort", "1", "--exact"],
        &["in.pla", "--effort", "0"],
        &["in.pla", "--effort", "10"],
        &["in.pla", "--engine", "magic"],
        &["in.pla", "--seed", "-1"],
        &["in.pla", "--example"],
        &[],
    ] {
        let output = macchiato(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}

#[test]
fn an_engine_that_does_not_fit_says_so() {
    let folder = folder(&format!(".i 17\n.o 1\n{} 1\n", "1".repeat(17)));
    let output = macchiato(folder.path(), &["in.pla", "--engine", "primes", "--out", "out.pla"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("macchiato: in.pla: the primes engine cannot take this"));
    assert_eq!((stderr(&output).lines().count(), names(folder.path())), (1, vec!["in.pla".to_owned()]));
}

#[test]
fn help_and_version_are_there() {
    let folder = folder(XOR);
    let help = macchiato(folder.path(), &["--help"], "");
    assert!(stdout(&help).contains("Examples:") && stdout(&help).contains("--time-limit"));
    let version = Command::new(assert_cmd::cargo::cargo_bin!("macchiato")).arg("--version").output().unwrap();
    assert_eq!(stdout(&version), format!("macchiato {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(unix)]
mod unix {
    use super::{XOR, assert_refused, folder, macchiato, names, stderr, stdout};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;
    use std::process::{Command, Stdio};

    #[test]
    fn devices_are_written_through() {
        let folder = folder(XOR);
        let output = macchiato(folder.path(), &["in.pla", "--quiet", "--out", "/dev/null"], "");
        assert_eq!((output.status.code(), stderr(&output), stdout(&output)), (Some(0), "", ""));
        let output = macchiato(folder.path(), &["in.pla", "--quiet", "--out", "/dev/stdout"], "");
        assert!(stdout(&output).starts_with(".i 2\n"));
        let log = folder.path().join("log");
        fs::write(&log, "before\n").unwrap();
        let status = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"))
            .args(["minimize", "in.pla", "--quiet", "--out", "/dev/stdout"])
            .current_dir(folder.path())
            .stdout(fs::OpenOptions::new().append(true).open(&log).unwrap())
            .status();
        assert!(status.unwrap().success());
        assert!(fs::read_to_string(&log).unwrap().starts_with("before\n.i 2\n"));
        assert!(fs::metadata("/dev/null").is_ok_and(|null| !null.is_file()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_one_line() {
        let folder = folder(XOR);
        let line = "/dev/full: No space left on device (os error 28)";
        assert_refused(folder.path(), &["in.pla", "--out", "/dev/full"], line);
    }

    #[test]
    fn permissions_and_links_of_the_old_file_stay() {
        let folder = folder(XOR);
        let target = folder.path().join("target.pla");
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("target.pla", folder.path().join("out.pla")).unwrap();
        let output = macchiato(folder.path(), &["in.pla", "--out", "out.pla"], "");
        assert_eq!(output.status.code(), Some(0));
        assert!(fs::symlink_metadata(folder.path().join("out.pla")).unwrap().is_symlink());
        assert!(fs::read_to_string(&target).unwrap().starts_with(".i 2\n"));
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["in.pla", "out.pla", "target.pla"]);
    }

    #[test]
    fn a_new_file_is_readable_as_any_other() {
        let folder = folder(XOR);
        fs::write(folder.path().join("plain"), "").unwrap();
        assert!(macchiato(folder.path(), &["in.pla", "--out", "out.pla"], "").status.success());
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("out.pla"), mode("plain"));
    }

    #[test]
    fn a_folder_that_takes_no_files_is_refused() {
        let folder = folder(XOR);
        let closed = folder.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write everywhere but into the kernel's own folders.
        let closed = if fs::write(closed.join("probe"), "").is_ok() { Path::new("/sys") } else { &closed };
        let target = closed.join("out.pla").display().to_string();
        let output = macchiato(folder.path(), &["in.pla", "--out", &target], "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
        assert!(stderr(&output).starts_with(&format!("macchiato: {target}: ")), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }

    #[test]
    fn a_reader_that_leaves_early_is_no_fault() {
        let folder = folder(XOR);
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"))
            .args(["minimize", "in.pla", "--quiet"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    }

    #[test]
    fn ctrl_c_takes_the_best_cover_so_far() {
        // A pseudo-random function of 13 inputs, whose exact minimum is out of reach.
        let random =
            |x: u32| x.wrapping_mul(0x9E37_79B9).rotate_left(13).wrapping_mul(0x85EB_CA6B) >> 31 == 1;
        let rows =
            (0..1 << 13).filter(|&x| random(x)).map(|x| format!("{x:013b} 1")).collect::<Vec<_>>().join("\n");
        let folder = folder(&format!(".i 13\n.o 1\n{rows}\n.e\n"));
        let child = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"))
            .args(["minimize", "in.pla", "--exact", "--json", "--out", "out.pla"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(1));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let object: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(object["interrupted"], true);
        let written = fs::read_to_string(folder.path().join("out.pla")).unwrap();
        assert!(written.contains(&format!(".p {}\n", object["terms"])) && written.ends_with(".e\n"));
        assert_eq!(names(folder.path()), ["in.pla", "out.pla"]);
    }
}
