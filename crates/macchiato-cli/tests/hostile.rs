//! Names that try to act on the terminal, and readers that go away: what is said stays readable, and exit codes stay true.

use std::collections::BTreeSet;
use std::fs;
use std::io::pipe;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Erases the line, goes to its start, says `accepted` in the colour of good news, and turns the rest around.
const EVIL: &str = "\u{1b}[2K\u{1b}[1G\u{1b}[32maccepted\u{9b}1m\u{202e}\u{7f}\u{2066}\u{8}";

fn command(folder: &Path, words: &[String]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).args(words);
    command
}

fn run(folder: &Path, words: &[String]) -> Output {
    command(folder, words).output().expect("the command starts")
}

/// Words, where `@` stands for what is hostile.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| word.replace('@', EVIL)).collect()
}

fn acts_on_a_terminal(text: &str) -> bool {
    text.contains(|c: char| {
        c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    })
}

/// A folder of files whose names, headers, levels and classes are hostile: bits, a table, logic.
#[allow(clippy::format_push_string)] // Plain to read, and short.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("written");
    let (mut bits, mut pla, mut table) =
        (format!("a{EVIL},b{EVIL},y{EVIL}\n"), String::new(), format!("size,kind{EVIL},class{EVIL}\n"));
    for row in 0..64 {
        let (a, b) = (row % 2, row / 2 % 2);
        bits += &format!("{a},{b},{}\n", a & b);
        pla += &format!("{a}{b} {}\n", a & b);
        table += &format!(
            "{row}.5,level{}{EVIL},class{}{EVIL}\n",
            row % 3,
            u8::from(row > 30) + u8::from(row % 3 == 0)
        );
    }
    put(&format!("bits{EVIL}.csv"), bits);
    put(&format!("table{EVIL}.csv"), table);
    put(
        &format!("logic{EVIL}.pla"),
        format!(".i 2\n.o 1\n.ilb a{EVIL} b{EVIL}\n.ob f{EVIL}\n.type fr\n{pla}.e\n"),
    );
    put("bad.pla", format!(".i {EVIL}\n.o 1\n"));
    put("odd.csv", format!("a,b\n0,1\n1,\"x{EVIL}\nmacchiato: done\"\n"));
    put("bad.json", format!("{{\"format\": \"macchiato-model\", \"{}\": 1}}", "\u{9b}2J\u{202e}"));
    folder
}

/// Every command with what is good and what is bad, in an order in which files are there when they are read.
const LINES: &[&str] = &[
    "fit bits@.csv --out model@.json",
    "fit table@.csv --out classes@.json",
    "fit table@.csv --holdout 0.2",
    "fit logic@.pla --method paper -k 2",
    "fit bits@.csv --json",
    "fit bits@.csv --target no@",
    "fit bits@.csv --weight no@",
    "fit odd.csv --target b --method paper",
    "fit bad.pla",
    "fit no@.csv",
    "fit bits@.csv --k@",
    "fit bits@.csv --time-limit @",
    "show model@.json",
    "show classes@.json",
    "show classes@.json --json",
    "show bad.json",
    "evaluate model@.json bits@.csv",
    "evaluate classes@.json table@.csv",
    "evaluate classes@.json bits@.csv",
    "evaluate model@.json bits@.csv --target no@",
    "explain model@.json --row 1 bits@.csv",
    "explain classes@.json --row 1 table@.csv",
    "explain model@.json",
    "explain classes@.json",
    "predict model@.json bits@.csv",
    "predict classes@.json table@.csv --json",
    "predict classes@.json bits@.csv",
    "predict classes@.json table@.csv --out table@.unknown",
    "bounds model model@.json --rows bits@.csv",
    "bounds error model@.json bits@.csv",
    "bounds rows -k 3 --inputs 5",
    "compile model@.json --out net@.onnx --certificate net@.cert",
    "compile classes@.json --out many@.onnx --certificate many@.cert",
    "compile model@.json --out net@.xyz",
    "check net@.onnx net@.cert",
    "check many@.onnx many@.cert --model classes@.json",
    "check many@.onnx net@.cert",
    "check net@.onnx bad.pla",
    "check net@.onnx no@.cert",
    "recertify net@.onnx net@.cert --decides net@.decides --out new@.onnx --certificate new@.cert",
    "recertify net@.onnx net@.cert --rows bits@.csv --model model@.json",
    "recertify many@.onnx net@.cert",
    "recertify no@.onnx net@.cert",
    "export model@.json --to verilog --out rule@.v",
    "export model@.json --to @ --out rule@.v",
    "report model@.json --out report@.html",
    "report classes@.json --out no@/report.html",
    "minimize logic@.pla --out small@.pla",
    "minimize logic@.pla --json",
    "minimize bad.pla",
    "espresso bad.pla",
    "espresso no@.pla",
    "ask state@.json --inputs 3 -k 1 --out sheet@.csv",
    "ask state@.json --answers bits@.csv",
    "ask no@.json",
    "gen junta --inputs 4 --support 2 --rows 9 --out rows@.csv",
    "gen junta --inputs 4 --support 2 --rows 9 --out rows@.unknown",
    "completions @",
    "@",
    "--@",
];

#[test]
fn no_command_lets_a_name_act_on_the_terminal() {
    let folder = folder();
    let (mut ran, mut spelled) = (BTreeSet::new(), 0);
    for line in LINES {
        let Output { stdout, stderr, status } = run(folder.path(), &words(line));
        let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        // The answers are data; there is a test of their own for those.
        let data = line.starts_with("predict") && !line.ends_with("--json");
        assert!(data || !acts_on_a_terminal(&stdout), "{line}: {stdout:?}");
        assert!(!acts_on_a_terminal(&stderr), "{line}: {stderr:?}");
        assert!(matches!(status.code(), Some(0..=3)), "{line}: {status}");
        spelled += usize::from(stdout.contains("\\u{9b}") || stderr.contains("\\u{9b}"));
        ran.insert(line.split_whitespace().next().unwrap_or_default().to_owned());
    }
    // The lines are not passing because nothing was said.
    assert!(spelled > LINES.len() / 2, "{spelled}");
    let help = String::from_utf8(run(folder.path(), &words("--help")).stdout).expect("text");
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    // Descriptions that go on over further lines are set in deeper.
    let listed = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    for name in listed.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help") {
        assert!(ran.contains(name), "no hostile line for {name}");
    }
}

#[test]
fn a_failure_is_one_line_whatever_the_data_say() {
    let folder = folder();
    let name: Vec<String> = vec!["show".into(), "no\nmacchiato: done.json".into()];
    let lines = String::from_utf8(run(folder.path(), &name).stderr).expect("text");
    assert!(lines.lines().count() == 1 && lines.contains("no\\nmacchiato: done.json"), "{lines}");
}

/// A line feed in a name, a level or a class, and a line after it that would be believed.
const FORGED: &str = "\nFORGED: accepted";

#[test]
#[allow(clippy::format_push_string)] // Plain to read, and short.
fn no_name_begins_a_line_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let quoted = |text: &str| format!("\"{text}{FORGED}\"");
    let mut bits = format!("{},{},{}\n", quoted("a"), quoted("b"), quoted("y"));
    let mut table = format!("{},{},{}\n", quoted("size"), quoted("kind"), quoted("class"));
    for row in 0..64 {
        let (a, b) = (row % 2, row / 2 % 2);
        let (level, class) = (row % 3, u8::from(row > 30) + u8::from(row % 3 == 0));
        bits.push_str(&format!("{a},{b},{}\n", a & b));
        table.push_str(&format!(
            "{row}.5,{},{}\n",
            quoted(&format!("level{level}")),
            quoted(&format!("class{class}"))
        ));
    }
    fs::write(folder.path().join("bits.csv"), bits).expect("written");
    fs::write(folder.path().join("table.csv"), table).expect("written");
    let mut spelled = 0;
    for line in [
        "fit bits.csv --out model.json",
        "fit bits.csv --method paper -k 2 --out paper.json",
        "fit table.csv --out classes.json --holdout 0.2",
        "show model.json",
        "show paper.json",
        "show classes.json",
        "evaluate model.json bits.csv",
        "evaluate classes.json table.csv",
        "explain model.json",
        "explain classes.json",
        "explain model.json --row 1 bits.csv",
        "explain classes.json --row 1 table.csv",
        "explain paper.json --against model.json",
        "bounds model paper.json --rows bits.csv",
        "bounds error model.json bits.csv",
        "compile model.json --out net.onnx --certificate net.cert",
        "compile classes.json --out many.onnx --certificate many.cert",
        "check net.onnx net.cert",
        "check many.onnx many.cert --model classes.json",
        "report classes.json --out report.html",
        "export classes.json --to verilog --out rule.v",
    ] {
        let Output { stdout, stderr, .. } = run(folder.path(), &words(line));
        let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert!(!said.lines().any(|line| line.starts_with("FORGED")), "{line}: {said}");
        spelled += usize::from(said.contains("\\nFORGED"));
    }
    assert!(spelled >= 12, "{spelled}");
}

#[test]
fn data_keep_their_bytes_in_pipes_and_files() {
    let folder = folder();
    run(folder.path(), &words("fit table@.csv --out classes@.json --quiet"));
    let answers = run(folder.path(), &words("predict classes@.json table@.csv"));
    assert_eq!(answers.status.code(), Some(0));
    assert!(String::from_utf8(answers.stdout).expect("text").lines().all(|line| line.ends_with(EVIL)));
    let small = run(folder.path(), &words("minimize logic@.pla"));
    assert!(String::from_utf8(small.stdout).expect("text").contains(&format!(".ob f{EVIL}\n")));
    let json = run(folder.path(), &words("predict classes@.json table@.csv --json"));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert!(json["target"].as_str().is_some_and(|target| target == format!("class{EVIL}")));
}

/// Nobody reads standard output, or standard error, or either.
#[test]
fn exit_codes_do_not_depend_on_readers() {
    let folder = folder();
    for line in LINES {
        // A question is begun once.
        if line.starts_with("ask") {
            continue;
        }
        let words = words(line);
        let expected = run(folder.path(), &words).status.code();
        for closed in [(true, false), (false, true), (true, true)] {
            let mut command = command(folder.path(), &words);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let gone = || pipe().expect("a pipe").1;
            if closed.0 {
                command.stdout(gone());
            }
            if closed.1 {
                command.stderr(gone());
            }
            assert_eq!(command.status().expect("it runs").code(), expected, "{line} {closed:?}");
        }
    }
}

/// A reader of the network that goes away does not keep the certificate from its file.
#[test]
fn files_are_written_whoever_reads_the_rest() {
    let folder = folder();
    run(folder.path(), &words("fit bits@.csv --out model.json --quiet"));
    for (line, file) in [
        ("compile model.json --out - --format onnx --certificate net.cert", "net.cert"),
        (
            "gen junta --inputs 4 --support 2 --rows 9 --format csv --out - --test test.csv --test-rows 5",
            "test.csv",
        ),
    ] {
        let mut command = command(folder.path(), &words(line));
        command.stdout(pipe().expect("a pipe").1).stderr(std::process::Stdio::null());
        assert_eq!(command.status().expect("it runs").code(), Some(0), "{line}");
        assert!(folder.path().join(file).exists(), "{line}");
    }
}
