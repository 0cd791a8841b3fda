//! The program: reads two files, prints the verdict, and ends with its code.

#![forbid(unsafe_code)]

use macchiato_check::{Files, check, visible};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Does this network file compute exactly the certified circuit?

    macchiato-check NETWORK CERTIFICATE

NETWORK is an ONNX or safetensors file, CERTIFICATE the text that was written beside it (docs/certificate.md).

  --help        print this
  --version     print the version
  --            what follows are files, whatever they are called

Prints `accepted` and what was established, `rejected: where: why`, or `unreadable: file: line, column: why`, and ends
with 0, 1 or 2. A wrong command line or a file that cannot be
opened ends with 2. Acceptance is about places: input 0, output 0. What they are called is the certificate's word, so
compare the certificate's digest with one that you trust. It is about float32: runtimes that compute in TF32 or bfloat16
may answer otherwise.
";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Alone only: beside files, 0 would read as `accepted`.
    match arguments.as_slice() {
        [one] if one == "--help" || one == "-h" => return say(HELP, 0),
        [one] if one == "--version" || one == "-V" => {
            return say(concat!("macchiato-check ", env!("CARGO_PKG_VERSION"), "\n"), 0);
        }
        _ => {}
    }
    match parse(arguments).and_then(|request| run(&request)) {
        Ok((text, code)) => say(&text, code),
        Err(message) => {
            // Nobody is there to tell if this fails.
            let _ = writeln!(std::io::stderr(), "{}", visible(&message));
            ExitCode::from(2)
        }
    }
}

/// The two files.
fn parse(arguments: Vec<OsString>) -> Result<[OsString; 2], String> {
    let mut files = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--") => files.extend(arguments.by_ref()),
            Some("-h" | "--help" | "-V" | "--version") => {
                return Err("ask for help or the version alone; files of such a name go after --".to_owned());
            }
            Some(option) if option.starts_with("--") => {
                return Err(format!(
                    "unknown option {option:?}: see --help; files of such a name go after --"
                ));
            }
            _ => files.push(argument),
        }
    }
    <[OsString; 2]>::try_from(files).map_err(|_| "give a network and its certificate: see --help".to_owned())
}

fn run([network, certificate]: &[OsString; 2]) -> Result<(String, u8), String> {
    let files = Files::read(Path::new(network), Path::new(certificate), 0)
        .map_err(|error| format!("unreadable: {error}"))?;
    let verdict = check(&files.certificate, &files.network);
    let text = verdict.report(&certificate.to_string_lossy());
    // The lines of an acceptance are the program's own, any other verdict is one line.
    let text = if verdict.is_accepted() {
        text.lines().map(|line| visible(line) + "\n").collect()
    } else {
        visible(text.trim_end_matches('\n')) + "\n"
    };
    Ok((text, verdict.exit_code()))
}

/// Prints and ends; a reader that has gone away is no reason to fail.
fn say(text: &str, code: u8) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(code)
}
