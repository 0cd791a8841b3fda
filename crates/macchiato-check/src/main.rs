//! The program: reads two or three files, prints the verdict, and ends with its code.
//!
//! What a file says in the reason of a verdict, and what a file is called, could act on the terminal: erase `rejected`, show
//! `accepted`. Everything printed passes through [`visible`], and only an acceptance has several lines.

#![forbid(unsafe_code)]

use macchiato_check::{Behaviour, Files, Verdict, check, check_behaviour};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Does this network file compute exactly the certified circuit?

    macchiato-check NETWORK CERTIFICATE [--rows DATA]
    macchiato-check NETWORK CERTIFICATE --behaviour

NETWORK is an ONNX or safetensors file, CERTIFICATE the text that was written beside it (docs/certificate.md).

  --rows DATA   also replay the training on these rows (CSV, TSV or PLA, the file that the certificate names)
  --behaviour   for a network that was changed after it was certified: decide whether it still equals the circuit
                on every Boolean input, in float32 and every order of summation; neither digest nor weights need
                be the certified ones
  --help        print this
  --version     print the version
  --            what follows are files, whatever they are called

Prints `accepted` and what was established, `rejected: where: why`, or `unreadable: file: line, column: why`, and ends
with 0, 1 or 2. With --behaviour it may also be `undecided: why`, and 3. A wrong command line or a file that cannot be
opened ends with 2. Acceptance is about places: input 0, output 0. What they are called is the certificate's word, so
compare the certificate's digest with one that you trust. It is about float32: runtimes that compute in TF32 or bfloat16
may answer otherwise.
";

/// What the command line asks for.
struct Request {
    network: OsString,
    certificate: OsString,
    rows: Option<OsString>,
    behaviour: bool,
}

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

fn parse(arguments: Vec<OsString>) -> Result<Request, String> {
    let (mut files, mut rows, mut behaviour) = (Vec::new(), None, false);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--rows") if rows.is_none() => rows = Some(arguments.next().ok_or("--rows needs a file")?),
            Some("--behaviour") => behaviour = true,
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
    if behaviour && rows.is_some() {
        return Err("--behaviour and --rows are two questions: ask one at a time".to_owned());
    }
    match <[OsString; 2]>::try_from(files) {
        Ok([network, certificate]) => Ok(Request { network, certificate, rows, behaviour }),
        Err(_) => Err("give a network and its certificate: see --help".to_owned()),
    }
}

/// Bytes that a changed network may have beyond the certified one, for names and notes that a training tool adds.
const NOTES: u64 = 16 << 20;

fn run(request: &Request) -> Result<(String, u8), String> {
    let longer = if request.behaviour { NOTES } else { 0 };
    let (network, certificate) = (Path::new(&request.network), Path::new(&request.certificate));
    let Files { certificate, network, rows } =
        Files::read(network, certificate, request.rows.as_ref().map(Path::new), longer)
            .map_err(|error| format!("unreadable: {error}"))?;
    let name = request.certificate.to_string_lossy();
    if request.behaviour {
        let behaviour = check_behaviour(&certificate, &network);
        let text = match &behaviour {
            Behaviour::Refused(verdict) => report(verdict, &name, ""),
            found => found.to_string().lines().map(|line| visible(line) + "\n").collect(),
        };
        return Ok((text, behaviour.exit_code()));
    }
    let verdict = check(&certificate, &network, rows.as_deref());
    let rows = request.rows.as_deref().unwrap_or_default().to_string_lossy();
    Ok((report(&verdict, &name, &rows), verdict.exit_code()))
}

/// The verdict in words; the lines of an acceptance are the program's own, any other verdict is one line.
fn report(verdict: &Verdict, certificate: &str, rows: &str) -> String {
    let text = verdict.report(certificate, rows);
    if verdict.is_accepted() {
        return text.lines().map(|line| visible(line) + "\n").collect();
    }
    visible(text.trim_end_matches('\n')) + "\n"
}

/// A line for a terminal: what would move the cursor, change the terminal or turn the text around is spelled out.
fn visible(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            _ if c.is_control() => shown.extend(c.escape_debug()),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(c.escape_unicode());
            }
            _ => shown.push(c),
        }
    }
    shown
}

/// Prints and ends; a reader that has gone away is no reason to fail.
fn say(text: &str, code: u8) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(code)
}
