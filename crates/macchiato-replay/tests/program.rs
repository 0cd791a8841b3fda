//! The program: what it prints and how it ends.

use macchiato_check::sha256::sha256;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A constant 0 over one input: the smallest certified network there is.
const HEADER: &str = r#"{"0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
const ROWS: &str = "a,y\n0,0\n1,0\n1,0\n";

fn network() -> Vec<u8> {
    let mut bytes = (HEADER.len() as u64).to_le_bytes().to_vec();
    bytes.extend(HEADER.as_bytes());
    bytes.extend([0; 8]);
    bytes
}

fn named(format: &str, bytes: &[u8]) -> String {
    format!("{format} sha256 {} bytes {}", sha256(bytes), bytes.len())
}

/// A certificate whose training was on `rows`, in which no row was ever in error.
fn certificate(format: &str, rows: &str, number: usize) -> String {
    format!(
        "macchiato-certificate 1\nnetwork {}\ninputs 1\ninput 0 \"a\"\nlayers 1\nlayer 1 1 relu\ngates 1\n\
         gate 0 or : 1 0 | 0 1 0 1\noutputs 1\noutput 0 \"y\" gate 0 most 1\ntraining data {} rows {number}\n\
         training paper k 1 m 20 tau 0 select influence\nend\n",
        named("safetensors", &network()),
        named(format, rows.as_bytes()),
    )
}

/// Files of one test, in a folder of its own that goes with it.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("macchiato-replay-{}-{test}", std::process::id()));
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
        Command::new(env!("CARGO_BIN_EXE_macchiato-replay")).args(arguments).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().expect("a code"), text(stdout), text(stderr))
}

#[test]
fn rows() {
    let files = Files::new("rows");
    let net = files.write("net.safetensors", &network());
    let cert = files.write("net.cert", certificate("csv", ROWS, 3).as_bytes());
    let rows = files.write("rows.csv", ROWS.as_bytes());
    let (code, out, _) = run(&[&net, &cert, "--rows", &rows]);
    assert!(code == 0 && out.starts_with("accepted\n  network      sha256 "), "{out}");
    assert!(
        out.ends_with("  training     replayed on 3 rows, 0 in error; every row is explained\n"),
        "{out}"
    );
    let other = files.write("other.csv", "a,y\n0,0\n1,1\n1,0\n".as_bytes());
    let (code, out, _) = run(&[&net, &cert, "--rows", &other]);
    assert!(code == 1 && out.starts_with("rejected: rows: this is not the file"), "{out}");
    // What is said of rows is worth nothing if the network is another one.
    let spoiled = files.write("spoiled", &[network(), vec![0]].concat());
    let (code, out, _) = run(&[&spoiled, &cert, "--rows", &rows]);
    assert!(code == 1 && out.starts_with("rejected: network: the file has more than"), "{out}");
    let without = certificate("csv", ROWS, 3);
    let (head, _) = without.split_once("training").expect("training lines");
    let without = files.write("without.cert", format!("{head}end\n").as_bytes());
    let (code, out, _) = run(&[&net, &without, "--rows", &rows]);
    assert!(code == 1 && out.starts_with("rejected: training: the certificate says nothing"), "{out}");
    let broken = "a,y\n0,0\n1,maybe\n";
    let cert = files.write("broken.cert", certificate("csv", broken, 2).as_bytes());
    let rows = files.write("broken.csv", broken.as_bytes());
    let (code, out, _) = run(&[&net, &cert, "--rows", &rows]);
    assert_eq!(code, 2);
    assert!(out.starts_with(&format!("unreadable: {rows}: line 3, column 3: \"maybe\" is neither")), "{out}");
}

#[test]
fn decides() {
    let files = Files::new("decides");
    let net = files.write("net.safetensors", &network());
    let certificate = certificate("csv", ROWS, 3);
    let lines = certificate.lines().filter(|line| !line.starts_with("training"));
    let text = lines.fold(String::new(), |text, line| text + line + "\n");
    let record =
        files.write("net.decides", text.replace("macchiato-certificate", "macchiato-decides").as_bytes());
    let (code, out, _) = run(&[&net, &record, "--decides"]);
    assert!(
        code == 0 && out.starts_with("accepted\n  decides    an output is above 1/2 exactly where"),
        "{out}"
    );
    let cert = files.write("net.cert", text.as_bytes());
    let (code, out, _) = run(&[&net, &cert, "--decides"]);
    assert!(code == 2 && out.starts_with("unreadable: ") && out.contains("macchiato-decides 1"), "{out}");
    let (code, _, err) = run(&[&net, &record, "--decides", "--behaviour"]);
    assert!(code == 2 && err.contains("ask for --decides alone"), "{err}");
}

#[test]
fn behaviour() {
    let files = Files::new("behaviour");
    let cert = files.write("net.cert", certificate("csv", ROWS, 3).as_bytes());
    let mut changed = network();
    let net = files.write("a", &changed);
    let (code, out, _) = run(&["--behaviour", &net, &cert]);
    assert_eq!((code, out.lines().next()), (0, Some("accepted")));
    let rows = files.write("rows.csv", ROWS.as_bytes());
    let (code, out, _) = run(&["--behaviour", &net, &cert, "--rows", &rows]);
    assert!(code == 0 && out.contains("  training     replayed on 3 rows"), "{out}");
    let at = changed.len() - 5;
    changed[at] = 0x3f;
    let net = files.write("b", &changed);
    let (code, out, _) = run(&["--behaviour", &net, &cert]);
    let first = "rejected: input 1: the network gives 0.5, the circuit 0";
    assert_eq!((code, out.lines().next()), (1, Some(first)));
}

/// No more is read than can matter.
#[cfg(target_os = "linux")]
#[test]
fn files_without_end() {
    let files = Files::new("endless");
    let net = files.write("net.safetensors", &network());
    let cert = files.write("net.cert", certificate("csv", ROWS, 3).as_bytes());
    let (code, out, _) = run(&["/dev/zero", &cert, "--behaviour"]);
    assert!(code == 1 && out.starts_with("rejected: network"), "{out}");
    let (code, out, _) = run(&[&net, &cert, "--rows", "/dev/zero"]);
    assert!(code == 1 && out.starts_with("rejected: rows: this is not the file"), "{out}");
}

#[test]
fn the_command_line() {
    let (code, out, _) = run(&["--help"]);
    assert!(code == 0 && out.contains("macchiato-replay NETWORK CERTIFICATE [--rows DATA] [--behaviour]"));
    assert_eq!(run(&["--version"]).1, concat!("macchiato-replay ", env!("CARGO_PKG_VERSION"), "\n"));
    let wrong: [&[&str]; 6] = [
        &[],
        &["a"],
        &["a", "b"],
        &["a", "b", "c", "--behaviour"],
        &["a", "b", "--rows"],
        &["a", "b", "--help"],
    ];
    for arguments in wrong {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && out.is_empty() && !err.is_empty(), "{arguments:?}");
    }
    let (code, _, err) = run(&["no such file", "nor this", "--behaviour"]);
    assert!(code == 2 && err.starts_with("unreadable: nor this: "), "{err}");
}

/// Rows that the certificate names truly, whose number of inputs erases the line and says `accepted`; and such file names.
#[test]
fn nothing_that_is_printed_acts_on_the_terminal() {
    let files = Files::new("hostile");
    let net = files.write("net.safetensors", &network());
    let text = ".i 1\u{1b}[2K\u{1b}[1Gaccepted\u{202e}\n";
    let rows = files.write("rows.pla", text.as_bytes());
    let cert = files.write("net.cert", certificate("pla", text, 2).as_bytes());
    let (code, out, _) = run(&[&net, &cert, "--rows", &rows]);
    let line = "rejected: rows: they have 1\\u{1b}[2K\\u{1b}[1Gaccepted\\u{202e} inputs, not 1\n";
    assert_eq!((code, out.as_str()), (1, line));

    let hostile = |text: &str| text.contains(|c: char| c != '\n' && (c.is_control() || c == '\u{202e}'));
    let evil =
        files.write("a\u{1b}[2K\u{9b}1m\u{202e}\naccepted\n  decisions  ", b"macchiato-certificate 9\n");
    for question in [&["--behaviour"][..], &["--rows", &rows]] {
        for pair in [[&net, &evil], [&evil, &net]] {
            let arguments: Vec<&str> =
                pair.into_iter().map(String::as_str).chain(question.iter().copied()).collect();
            let (code, out, err) = run(&arguments);
            assert!(code == 2 && !hostile(&out) && !hostile(&err), "{out:?} {err:?}");
            assert_eq!(out.lines().chain(err.lines()).count(), 1, "{out:?} {err:?}");
        }
    }
}
