//! The program: replays the training on its rows, or says what a changed network does, and ends with its code.

#![forbid(unsafe_code)]

use macchiato_check::{Files, check, read_at_most, visible};
use macchiato_replay::{Behaviour, Decided, check_behaviour, check_decides, replay_outputs, rows_length};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Was the circuit learned as its certificate says? Does a changed network still compute it?

    macchiato-replay NETWORK CERTIFICATE [--rows DATA] [--behaviour]
    macchiato-replay NETWORK RECORD --decides

NETWORK is an ONNX or safetensors file, CERTIFICATE the text that was written beside it (docs/certificate.md).

  --rows DATA   replay the training on these rows (CSV, TSV or PLA, the file that the certificate names)
  --behaviour   for a network that was changed after it was certified: decide whether it still equals the circuit
                on every Boolean input, in float32 and every order of summation; neither digest nor weights need
                be the certified ones
  --decides     RECORD is what `macchiato recertify` wrote about a fine-tuned network: check that each output is above
                1/2 exactly where the record's circuit holds, on every Boolean input, in float32 and every order of
                summation; that is less than being equal to the circuit
  --help        print this
  --version     print the version
  --            what follows are files, whatever they are called

One of the questions must be asked. With --rows alone the network is checked first, as macchiato-check
does, since claims about another network are worth nothing. Prints `accepted` and what was established, `rejected: where:
why`, `unreadable: file: line, column: why`, and ends with 0, 1 or 2; with --behaviour and --decides it may also be `undecided: why`, and 3.
A wrong command line or a file that cannot be opened ends with 2.
";

/// How much longer than the certified file a changed one may be: tools write other names and notes into it.
const LONGER: u64 = 16 << 20;

struct Request {
    network: OsString,
    certificate: OsString,
    rows: Option<OsString>,
    behaviour: bool,
    decides: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Alone only: beside files, 0 would read as `accepted`.
    match arguments.as_slice() {
        [one] if one == "--help" || one == "-h" => return say(HELP, 0),
        [one] if one == "--version" || one == "-V" => {
            return say(concat!("macchiato-replay ", env!("CARGO_PKG_VERSION"), "\n"), 0);
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
    let (mut files, mut rows, mut behaviour, mut decides) = (Vec::new(), None, false, false);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--rows") if rows.is_none() => rows = Some(arguments.next().ok_or("--rows needs a file")?),
            Some("--behaviour") => behaviour = true,
            Some("--decides") => decides = true,
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
    let [network, certificate] = <[OsString; 2]>::try_from(files)
        .map_err(|_| "give a network and its certificate: see --help".to_owned())?;
    if decides && (rows.is_some() || behaviour) {
        return Err("ask for --decides alone: a record is no certificate".to_owned());
    }
    if rows.is_none() && !behaviour && !decides {
        return Err("ask for --rows DATA, --behaviour or both, or for --decides: see --help".to_owned());
    }
    Ok(Request { network, certificate, rows, behaviour, decides })
}

/// The first answer that is not yes, or all of them.
fn run(Request { network, certificate, rows, behaviour, decides }: &Request) -> Result<(String, u8), String> {
    let name = certificate.to_string_lossy();
    let longer = if *behaviour { LONGER } else { 0 };
    let unreadable = |error| format!("unreadable: {error}");
    let files = Files::read(Path::new(network), Path::new(certificate), longer).map_err(unreadable)?;
    // The lines of an acceptance and of a difference are the program's own; any other answer is one line.
    let (text, code, own) = if *decides {
        let found = check_decides(&files.certificate, &files.network);
        let own = matches!(found, Decided::Holds { .. });
        (found.report(&name), found.exit_code(), own)
    } else if *behaviour {
        let found = check_behaviour(&files.certificate, &files.network);
        let own = matches!(found, Behaviour::Equal { .. } | Behaviour::Differs { .. });
        (found.report(&name), found.exit_code(), own)
    } else {
        let found = check(&files.certificate, &files.network);
        (found.report(&name), found.exit_code(), found.is_accepted())
    };
    let mut text = if own { text } else { return Ok((one_line(&text), code)) };
    if let (0, Some(path)) = (code, rows) {
        let bytes = read_at_most(Path::new(path), rows_length(&files.certificate)).map_err(unreadable)?;
        match replay_outputs(&files.certificate, &bytes) {
            Ok(outputs) => {
                let several = outputs.len() > 1 || outputs.iter().any(|(o, _)| *o > 0);
                for (o, replayed) in outputs {
                    let of = if several { format!("; output {o}") } else { String::new() };
                    text = format!("{text}{replayed}{of}\n");
                }
            }
            Err(refusal) => {
                let line = refusal.report(&name, &path.to_string_lossy());
                return Ok((one_line(&line), refusal.exit_code()));
            }
        }
    }
    Ok((text.lines().map(|line| visible(line) + "\n").collect(), code))
}

/// What may hold a name of a file, with line feeds in it, as one line.
fn one_line(text: &str) -> String {
    visible(text.trim_end_matches('\n')) + "\n"
}

/// Prints and ends; a reader that has gone away is no reason to fail.
fn say(text: &str, code: u8) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(code)
}
