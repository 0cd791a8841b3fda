//! The program: reads two or three files, prints the verdict, and ends with its code.

#![forbid(unsafe_code)]

use macchiato_check::{Behaviour, check, check_behaviour};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
Does this network file compute exactly the certified circuit?

    macchiato-check NETWORK CERTIFICATE [--rows DATA]
    macchiato-check NETWORK CERTIFICATE --behaviour

NETWORK is an ONNX or safetensors file, CERTIFICATE the text that was written beside it (docs/certificate.md).

  --rows DATA   also replay the training on these rows (CSV, TSV or PLA, the file that the certificate names)
  --behaviour   for a network that was changed after it was certified: decide whether it still equals the circuit
                on every Boolean input, in exact arithmetic; neither digest nor weights need be the certified ones
  --help        print this
  --version     print the version

Prints `accepted` and what was established, `rejected: where: why`, or `unreadable: file: line, column: why`, and ends
with 0, 1 or 2. With --behaviour it may also be `undecided: why`, and 3. A wrong command line or a file that cannot be
opened ends with 2.
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
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return say(HELP, 0);
    }
    if arguments.iter().any(|argument| argument == "--version" || argument == "-V") {
        return say(concat!("macchiato-check ", env!("CARGO_PKG_VERSION"), "\n"), 0);
    }
    match parse(arguments).and_then(|request| run(&request)) {
        Ok((text, code)) => say(&text, code),
        Err(message) => {
            // Nobody is there to tell if this fails.
            let _ = writeln!(std::io::stderr(), "{message}");
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
            Some(option) if option.starts_with("--") => {
                return Err(format!("unknown option {option}: see --help"));
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

fn run(request: &Request) -> Result<(String, u8), String> {
    let network = read(&request.network)?;
    let certificate = read(&request.certificate)?;
    let name = request.certificate.to_string_lossy();
    if request.behaviour {
        let behaviour = check_behaviour(&certificate, &network);
        let text = match &behaviour {
            Behaviour::Refused(verdict) => verdict.report(&name, ""),
            found => found.to_string(),
        };
        return Ok((text, behaviour.exit_code()));
    }
    let rows = request.rows.as_deref().map(read).transpose()?;
    let verdict = check(&certificate, &network, rows.as_deref());
    let rows_name = request.rows.as_deref().unwrap_or_default().to_string_lossy();
    Ok((verdict.report(&name, &rows_name), verdict.exit_code()))
}

fn read(path: &OsStr) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("unreadable: {}: {error}", path.to_string_lossy()))
}

/// Prints and ends; a reader that has gone away is no reason to fail.
fn say(text: &str, code: u8) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(code)
}
