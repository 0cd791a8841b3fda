//! The program: what it prints and how it ends.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A constant 0 over one input: the smallest certified network there is.
const HEADER: &str = r#"{"0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
const CERTIFICATE: &str = "macchiato-certificate 1\n\
    network safetensors sha256 e70b90a244f4ff477be8076432ec7e35fe30717ea18176c9960d1951c650d12b bytes 137\n\
    inputs 1\ninput 0 \"a\"\nlayers 1\nlayer 1 1 relu\ngates 1\ngate 0 or : 1 0 | 0 1 0 1\noutputs 1\noutput 0 \"y\" gate 0 most 1\nend\n";

fn network() -> Vec<u8> {
    let mut bytes = (HEADER.len() as u64).to_le_bytes().to_vec();
    bytes.extend(HEADER.as_bytes());
    bytes.extend([0; 8]);
    bytes
}

/// Files of one test, in a folder of its own that goes with it.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("macchiato-check-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_macchiato-check")).args(arguments).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().expect("a code"), text(stdout), text(stderr))
}

#[test]
fn the_three_verdicts() {
    let files = Files::new("verdicts");
    let net = files.write("net.safetensors", &network());
    let cert = files.write("net.cert", CERTIFICATE.as_bytes());
    let (code, out, _) = run(&[&net, &cert]);
    assert!(out.starts_with("accepted\n  network      sha256 "), "{out}");
    assert_eq!(code, 0);
    let other = files.write("other", &[network(), vec![0]].concat());
    let (code, out, _) = run(&[&other, &cert]);
    assert_eq!(
        (code, out.as_str()),
        (1, "rejected: network: the file has more than the 137 bytes that the certificate speaks of\n")
    );
    let cut = files.write("cut.cert", CERTIFICATE.trim_end_matches("end\n").as_bytes());
    let (code, out, _) = run(&[&net, &cut]);
    assert_eq!(out, format!("unreadable: {cut}: line 11, column 1: the file ends before its line `end`\n"));
    assert_eq!(code, 2);
}

/// Who compares the certificate with one that was signed needs its digest; who reads names must know what they are worth.
#[test]
fn acceptance_says_what_it_is_about() {
    let files = Files::new("about");
    let net = files.write("net.safetensors", &network());
    let cert = files.write("net.cert", CERTIFICATE.as_bytes());
    let (_, out, _) = run(&[&net, &cert]);
    let line =
        |key: &str| out.lines().find(|line| line.trim_start().starts_with(key)).expect("a line").to_owned();
    assert!(
        line("certificate")
            .ends_with("sha256 8eacc1de2ffa5e71227a7ccf76a37d21f7ce0c8793beb1f43013235b443c36ff"),
        "{out}"
    );
    assert!(line("names").contains("places of inputs and outputs are proven, names are not"), "{out}");
    assert!(line("float32").ends_with("not in TF32 or bfloat16"), "{out}");
}

/// A file called `-h` is a file, and never a success.
#[test]
fn files_with_names_like_options() {
    let files = Files::new("names");
    let net = files.write("-h", &network());
    let cert = files.write("--version", CERTIFICATE.as_bytes());
    let here = |arguments: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_macchiato-check"))
            .args(arguments)
            .current_dir(&files.0)
            .output()
            .expect("it runs");
        (command.status.code().expect("a code"), String::from_utf8(command.stdout).expect("text"))
    };
    for arguments in [&["-h", "--version"][..], &[&net, "-h"], &["--version", &cert], &["-h", "-h"]] {
        assert_eq!(here(arguments), (2, String::new()), "{arguments:?}");
    }
    assert_eq!(here(&["--", "-h", "--version"]).0, 0);
    assert_eq!(here(&["--", "-h", "--", "--version"]).0, 2);
}

/// No more is read than can matter.
#[cfg(target_os = "linux")]
#[test]
fn files_without_end() {
    let files = Files::new("endless");
    let net = files.write("net.safetensors", &network());
    let cert = files.write("net.cert", CERTIFICATE.as_bytes());
    let (code, out, _) = run(&["/dev/zero", &cert]);
    assert!(code == 1 && out.starts_with("rejected: network: the file has more than the 137 bytes"), "{out}");
    let (code, out, _) = run(&[&net, "/dev/zero"]);
    assert!(code == 2 && out.starts_with("unreadable: /dev/zero: line 1"), "{out}");
}

#[test]
fn the_command_line() {
    let (code, out, _) = run(&["--help"]);
    assert!(code == 0 && out.contains("macchiato-check NETWORK CERTIFICATE\n"));
    assert_eq!(run(&["--version"]).1, concat!("macchiato-check ", env!("CARGO_PKG_VERSION"), "\n"));
    let wrong: [&[&str]; 5] =
        [&[], &["a"], &["a", "b", "c"], &["a", "b", "--fast"], &["a", "b", "--rows", "c"]];
    for arguments in wrong {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && out.is_empty() && !err.is_empty(), "{arguments:?}");
    }
    let (code, _, err) = run(&["no such file", "nor this"]);
    assert!(code == 2 && err.starts_with("unreadable: nor this: "), "{err}");
}

/// Names of outputs and of files that would erase the line and say `accepted`.
#[test]
fn nothing_that_is_printed_acts_on_the_terminal() {
    let files = Files::new("hostile");
    let net = files.write("net.safetensors", &network());
    let named = CERTIFICATE.replace("\"y\"", "\"\\u001b[2K\u{9b}1m\u{202e}\"");
    let named = files.write("named.cert", named.as_bytes());
    let cert = files.write("net.cert", CERTIFICATE.as_bytes());
    let hostile = |text: &str| text.contains(|c: char| c != '\n' && (c.is_control() || c == '\u{202e}'));
    let evil = files.write("a\u{1b}[2K\u{9b}1m\u{202e}\naccepted", b"macchiato-certificate 9\n");
    for arguments in [vec![&net, &evil], vec![&evil, &net], vec![&net, &cert, &evil]] {
        let arguments: Vec<&str> = arguments.into_iter().map(String::as_str).collect();
        let (code, out, err) = run(&arguments);
        assert!(code == 2 && !hostile(&out) && !hostile(&err), "{out:?} {err:?}");
        assert_eq!(out.lines().chain(err.lines()).count(), 1, "{out:?} {err:?}");
    }
    let (code, out, _) = run(&[&net, &named]);
    assert!(code == 0 && !hostile(&out) && out.contains("output 0"), "{out:?}");
    let (code, _, err) = run(&["a", "b", "--\u{1b}[2K\u{202e}"]);
    assert!(code == 2 && !hostile(&err), "{err:?}");
}
