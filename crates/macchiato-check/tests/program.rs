//! The program: what it prints and how it ends.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A constant 0 over one input: the smallest certified network there is.
const HEADER: &str = r#"{"0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
const CERTIFICATE: &str = "macchiato-certificate 1\n\
    network safetensors sha256 e70b90a244f4ff477be8076432ec7e35fe30717ea18176c9960d1951c650d12b bytes 137\n\
    inputs 1\ninput 0 \"a\"\ntarget \"y\"\nlayers 1\nlayer 1 1 relu\nstages 0\nzero : 1.0\nsum 0\nend\n";

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
    assert!(out.starts_with("accepted\n  network   sha256 "), "{out}");
    assert_eq!(code, 0);
    let other = files.write("other", &[network(), vec![0]].concat());
    let (code, out, _) = run(&[&other, &cert]);
    assert_eq!(
        (code, out.as_str()),
        (1, "rejected: network: the file has 138 bytes, the certificate speaks of 137\n")
    );
    let (code, out, _) = run(&[&net, &cert, "--rows", &cert]);
    assert!(out.starts_with("rejected: training: the certificate has no training records"), "{out}");
    assert_eq!(code, 1);
    let cut = files.write("cut.cert", CERTIFICATE.trim_end_matches("end\n").as_bytes());
    let (code, out, _) = run(&[&net, &cut]);
    assert_eq!(out, format!("unreadable: {cut}: line 11, column 1: the file ends before its line `end`\n"));
    assert_eq!(code, 2);
}

#[test]
fn behaviour() {
    let files = Files::new("behaviour");
    let cert = files.write("net.cert", CERTIFICATE.as_bytes());
    let mut changed = network();
    let net = files.write("a", &changed);
    let (code, out, _) = run(&["--behaviour", &net, &cert]);
    assert_eq!((code, out.lines().next()), (0, Some("accepted")));
    let at = changed.len() - 5;
    changed[at] = 0x3f;
    let net = files.write("b", &changed);
    let (code, out, _) = run(&["--behaviour", &net, &cert]);
    let first = "rejected: input 1: the network gives 0.5, the circuit 0";
    assert_eq!((code, out.lines().next()), (1, Some(first)));
}

#[test]
fn the_command_line() {
    let (code, out, _) = run(&["--help"]);
    assert!(code == 0 && out.contains("macchiato-check NETWORK CERTIFICATE [--rows DATA]"));
    assert_eq!(run(&["--version"]).1, concat!("macchiato-check ", env!("CARGO_PKG_VERSION"), "\n"));
    let wrong: [&[&str]; 5] =
        [&[], &["a"], &["a", "b", "c"], &["a", "b", "--fast"], &["a", "b", "--rows", "c", "--behaviour"]];
    for arguments in wrong {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && out.is_empty() && !err.is_empty(), "{arguments:?}");
    }
    let (code, _, err) = run(&["no such file", "nor this"]);
    assert!(code == 2 && err.starts_with("unreadable: no such file: "), "{err}");
}
