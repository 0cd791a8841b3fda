//! Training on a table of typed columns: the tests, classes and weights that a certificate names are asked of the cells again, and lies
//! about them are rejected.

use crate::learning::{Learned, Row, learn};
use crate::of_the_checker::build::{From, PAPER, Random, Read, compile};
use crate::sha256::sha256 as digest;
use macchiato_replay::{Refusal, Replayed, replay_outputs};
use std::fmt::Write;

const HEADER: &str = "age,job,smoker,grade,twin,times,part,risk";

/// What each input asks, and the same of one line's cells, written once more.
type Asked = (&'static str, fn(&[&str]) -> bool);

const TESTS: [Asked; 6] = [
    ("\"age\" above 41.5", |cells| cells[0].parse::<f64>().is_ok_and(|age| age > 41.5)),
    ("\"job\" is \"cook\"", |cells| cells[1] == "cook"),
    ("\"job\" other \"cook\" \"clerk\"", |cells| !["cook", "clerk", "?"].contains(&cells[1])),
    ("\"smoker\" true", |cells| cells[2] == "yes"),
    ("\"age\" missing", |cells| cells[0] == "NA"),
    ("\"grade\" equals 3", |cells| cells[3] == "3"),
];

/// A table of 90 lines: risk is high by a rule of the tests, and now and then by chance.
fn lines() -> Vec<String> {
    let mut random = Random(7);
    let line = |_| {
        let mut pick = |from: &[&'static str]| from[random.below(from.len())];
        let age = pick(&["12", "30.5", "41.5", "42", "60", "NA"]);
        let job = pick(&["cook", "clerk", "baker", "?"]);
        let (smoker, grade) = (pick(&["yes", "no"]), pick(&["1", "2", "3", "4"]));
        let (times, part) = (pick(&["0", "1", "2", "3"]), pick(&["0.5", "1", "2"]));
        let twin = if age == "60" { "1" } else { "99" };
        let cells = [age, job, smoker, grade];
        let holds = |test: usize| TESTS[test].1(&cells);
        let high = (holds(0) && !holds(1)) ^ (holds(3) && holds(5)) ^ (pick(&["", "", "", "", "x"]) == "x");
        let risk = if high { "high" } else { pick(&["low", "low", "none"]) };
        format!("{age},{job},{smoker},{grade},{twin},{times},{part},{risk}")
    };
    (0..90).map(line).collect()
}

/// A certificate about the table, and the table.
struct Case {
    certificate: String,
    data: String,
    learned: Learned,
}

/// Which rows there are for a class: each line as often as it says.
fn rows(lines: &[String], class: &str, repeats: bool) -> Vec<Row> {
    let row = |line: &String| {
        let cells: Vec<&str> = line.split(',').collect();
        let row = (TESTS.iter().map(|(_, holds)| holds(&cells)).collect(), cells[7] == class);
        vec![row; if repeats { cells[5].parse().expect("a number") } else { 1 }]
    };
    lines.iter().flat_map(row).collect()
}

impl Case {
    fn new(repeats: bool) -> Self {
        let lines = lines();
        let rows = rows(&lines, "high", repeats);
        let learned = learn(&rows, 2, 3, "0");
        assert!(learned.stages.len() > 1);
        let data = format!("{HEADER}\n{}\n", lines.join("\n"));
        let mut compiled = compile(&learned.circuit(TESTS.len()).0, PAPER);
        let weights = if repeats { " repeat \"times\"" } else { "" };
        let training = format!(
            "\n{}\ntraining class \"high\"\n{}\nend\n",
            head(&data, rows.len(), weights),
            learned.lines.join("\n")
        );
        compiled.edit("\nend\n", &training);
        Self { certificate: compiled.certificate(b""), data, learned }
    }

    fn verdict(&self) -> Result<Vec<(usize, Replayed)>, Refusal> {
        replay_outputs(self.certificate.as_bytes(), self.data.as_bytes())
    }

    /// The verdict after one replacement in the certificate.
    #[track_caller]
    fn edited(&self, from: &str, to: &str) -> Result<Vec<(usize, Replayed)>, Refusal> {
        assert!(self.certificate.contains(from), "{from:?} in\n{}", self.certificate);
        replay_outputs(self.certificate.replacen(from, to, 1).as_bytes(), self.data.as_bytes())
    }

    #[track_caller]
    fn refuses(&self, from: &str, to: &str, code: u8, reason: &str) {
        let refusal = self.edited(from, to).expect_err(to);
        let said = refusal.to_string();
        assert!(refusal.exit_code() == code && said.contains(reason), "{to}: {reason:?}, got {said}");
    }
}

/// The lines up to the tests.
fn head(data: &str, rows: usize, weights: &str) -> String {
    let (hex, bytes) = (digest(data.as_bytes()), data.len());
    let mut text =
        format!("training data csv sha256 {hex} bytes {bytes} rows {rows}{weights}\ntraining table \"risk\"");
    for (input, (test, _)) in TESTS.iter().enumerate() {
        write!(text, "\ntraining test {input} {test}").expect("a string takes all");
    }
    text
}

#[test]
fn a_table_is_replayed() {
    for repeats in [false, true] {
        let case = Case::new(repeats);
        let found = case.verdict().unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(found[0].1.errors, case.learned.errors as u64);
    }
}

#[test]
fn lies_about_tests() {
    let case = Case::new(false);
    for (from, to, reason) in [
        ("\"age\" above 41.5", "\"age\" above 30.5", "the influence of input 0"),
        ("\"age\" above 41.5", "\"age\" above 42", "the influence of input 0"),
        ("\"age\" above 41.5", "\"age\" above -41.5", "the influence of input 0"),
        ("\"age\" above 41.5", "\"age\" equals 42", "the influence of input 0"),
        ("\"age\" above 41.5", "\"twin\" above 41.5", "the influence of input 0"),
        ("\"age\" above 41.5", "\"grade\" above 2", "the influence of input 0"),
        ("\"job\" is \"cook\"", "\"job\" is \"clerk\"", "the influence of input"),
        ("\"job\" is \"cook\"", "\"job\" is \"Cook\"", "the influence of input"),
        ("\"job\" is \"cook\"", "\"job\" missing", "the influence of input"),
        ("\"job\" is \"cook\"", "\"smoker\" is \"yes\"", "the influence of input"),
        ("other \"cook\" \"clerk\"", "other \"cook\"", "the influence of input"),
        ("other \"cook\" \"clerk\"", "other \"cook\" \"baker\"", "the influence of input"),
        ("other \"cook\" \"clerk\"", "other", "the influence of input"),
        ("\"smoker\" true", "\"smoker\" is \"no\"", "its cover is 0 on a cell with"),
        ("\"smoker\" true", "\"smoker\" missing", "the influence of input"),
        ("\"age\" missing", "\"job\" missing", "the influence of input"),
        ("\"age\" missing", "\"grade\" missing", "the influence of input"),
        ("\"grade\" equals 3", "\"grade\" equals 2", "the influence of input"),
        ("\"grade\" equals 3", "\"grade\" above 3", "the influence of input"),
        ("\"age\" above", "\"Age\" above", "not exactly one column is \"Age\""),
        ("\"grade\" equals 3", "\"risk\" is \"high\"", "classes and weights are no columns to test"),
    ] {
        case.refuses(from, to, 1, reason);
    }
    // Two inputs whose tests are exchanged.
    let [a, b] = [0, 3].map(|input| format!("training test {input} {}", TESTS[input].0));
    let [c, d] = [(0, 3), (3, 0)].map(|(input, test)| format!("training test {input} {}", TESTS[test].0));
    let exchanged = case.certificate.replacen(&a, &c, 1).replacen(&b, &d, 1);
    let refusal = replay_outputs(exchanged.as_bytes(), case.data.as_bytes()).expect_err("exchanged");
    assert!(refusal.to_string().contains("the influence of input 0"), "{refusal}");
    // A test that the cells cannot answer, and lines that are no tests of this circuit.
    for (from, to, reason) in [
        ("\"job\" is \"cook\"", "\"job\" above 3", "is nothing that its column's test can be asked about"),
        ("\"smoker\" true", "\"grade\" true", "is nothing that its column's test can be asked about"),
        ("\"smoker\" true", "\"smoker\" false", "\"false\" is no test"),
        ("above 41.5", "above 41.5 42", "the record has ended, the line has not"),
        ("above 41.5", "above inf", "is no finite number"),
        ("training test 1", "training test 2", "the next input is 2, not from 1 to 1"),
        ("training test 5 \"grade\" equals 3\n", "", "\"class\" where `test` must be"),
        ("training table \"risk\"\n", "", "\"test\" is neither `paper` nor `auto`"),
        ("training class \"high\"\n", "", "\"paper\" where `class` must be"),
    ] {
        case.refuses(from, to, 2, reason);
    }
}

#[test]
fn lies_about_the_file_and_its_classes() {
    let case = Case::new(false);
    let rows = lines().len();
    let hex = digest(case.data.as_bytes());
    let other = format!("{}{}", if hex.starts_with('0') { '1' } else { '0' }, &hex[1..]);
    for (from, to, reason) in [
        (format!("sha256 {hex}"), format!("sha256 {other}"), "this is not the file"),
        (
            format!("bytes {}", case.data.len()),
            format!("bytes {}", case.data.len() + 1),
            "this is not the file",
        ),
        (format!("rows {rows}\n"), format!("rows {}\n", rows + 1), "90 rows, where the certificate says 91"),
        (
            "training data csv".to_owned(),
            "training data tsv".to_owned(),
            "not exactly one column is \"risk\"",
        ),
        ("training data csv".to_owned(), "training data pla".to_owned(), "a PLA file has no columns to test"),
    ] {
        case.refuses(&from, &to, 1, reason);
    }
    for (from, to, reason) in [
        ("table \"risk\"", "table \"Risk\"", "not exactly one column is \"Risk\""),
        ("table \"risk\"", "table \"twin\"", "rows in error before it: 0"),
        ("table \"risk\"", "table \"job\"", "classes and weights are no columns to test"),
        ("class \"high\"", "class \"low\"", "rows in error before it"),
        ("class \"high\"", "class \"none\"", "rows in error before it"),
        ("class \"high\"", "class \"High\"", "rows in error before it: 0"),
        ("class \"high\"", "class \"\"", "rows in error before it: 0"),
    ] {
        case.refuses(from, to, 1, reason);
    }
    // A column that is there twice could be either.
    let twice = case.data.replacen("twin", "age", 1);
    let named = |data: &str| format!("sha256 {} bytes {}", digest(data.as_bytes()), data.len());
    let certificate = case.certificate.replace(&named(&case.data), &named(&twice));
    let refusal = replay_outputs(certificate.as_bytes(), twice.as_bytes()).expect_err("age or age");
    assert!(refusal.to_string().contains("not exactly one column is \"age\""), "{refusal}");
}

#[test]
fn lies_about_repeated_rows() {
    let case = Case::new(true);
    for (to, reason) in [
        ("", "90 rows, where the certificate says"),
        (" weight \"times\"", "rows, where the certificate says"),
        (" repeat \"twin\"", "rows, where the certificate says"),
        (" repeat \"Times\"", "not exactly one column is \"Times\""),
        (" repeat \"age\"", "classes and weights are no columns to test"),
        (" repeat \"risk\"", "classes and weights are no columns to test"),
    ] {
        case.refuses(" repeat \"times\"", to, 1, reason);
    }
    case.refuses(" repeat \"times\"", " repeat \"part\"", 2, "this weight is no small number of rows");
    case.refuses(
        " repeat \"times\"",
        " repeats \"times\"",
        2,
        "\"repeats\" is neither `weight` nor `repeat`",
    );
    // The same lie where the number of rows agrees with it.
    let (counted, all) = (rows(&lines(), "high", true).len(), lines().len());
    let unrepeated =
        case.certificate.replacen(&format!("rows {counted} repeat \"times\""), &format!("rows {all}"), 1);
    let refusal = replay_outputs(unrepeated.as_bytes(), case.data.as_bytes()).expect_err("other rows");
    assert!(refusal.to_string().contains("rows in error before it"), "{refusal}");
}

/// Of several outputs each predicts a class of its own.
#[test]
fn lies_about_which_output_predicts_which_class() {
    let lines = lines();
    let classes = ["high", "low"];
    let learned = classes.map(|class| learn(&rows(&lines, class, false), 2, 3, "0"));
    let (mut circuit, _) = learned[0].circuit(TESTS.len());
    let (second, _) = learned[1].circuit(TESTS.len());
    let shift = circuit.gates.len();
    let moved = |read: Read| match read.from {
        From::G(gate) => Read { from: From::G(gate + shift), ..read },
        From::X(_) => read,
    };
    for (op, reads) in second.gates {
        circuit.gates.push((op, reads.into_iter().map(moved).collect()));
    }
    circuit.outputs.push(moved(second.outputs[0]));
    let gate = |line: &String| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if let Some(at) = words.iter().position(|word| word == "gate") {
            words[at + 1] = (words[at + 1].parse::<usize>().expect("a gate") + shift).to_string();
        }
        words.join(" ")
    };
    let data = format!("{HEADER}\n{}\n", lines.join("\n"));
    let mut compiled = compile(&circuit, PAPER);
    let second: Vec<String> = learned[1].lines.iter().map(gate).collect();
    let training = format!(
        "\n{}\ntraining output 0\ntraining class \"high\"\n{}\ntraining output 1\ntraining class \"low\"\n{}\nend\n",
        head(&data, lines.len(), ""),
        learned[0].lines.join("\n"),
        second.join("\n"),
    );
    compiled.edit("\nend\n", &training);
    let [learned, _] = learned;
    let case = Case { certificate: compiled.certificate(b""), data, learned };
    assert_eq!(case.verdict().expect("both hold").len(), 2);
    let swapped = case.certificate.replacen("class \"high\"", "class \"?\"", 1);
    let swapped =
        swapped.replacen("class \"low\"", "class \"high\"", 1).replacen("class \"?\"", "class \"low\"", 1);
    let refusal = replay_outputs(swapped.as_bytes(), case.data.as_bytes()).expect_err("swapped");
    assert!(refusal.to_string().contains("rows in error before it"), "{refusal}");
    case.refuses("class \"low\"", "class \"none\"", 1, "rows in error before it");
    case.refuses("class \"low\"", "class \"high\"", 2, "\"high\" is the class of another output");
}

/// Every test in the place of every other: accepted only where Algorithm 1 by brute force finds the same numbers.
#[test]
fn other_tests_are_accepted_only_where_brute_force_agrees() {
    let case = Case::new(false);
    let others: [Asked; 10] = [
        ("\"age\" above 12", |cells| cells[0].parse::<f64>().is_ok_and(|age| age > 12.0)),
        ("\"age\" above 41.75", |cells| cells[0].parse::<f64>().is_ok_and(|age| age > 41.75)),
        ("\"age\" equals 60", |cells| cells[0] == "60"),
        ("\"twin\" equals 1", |cells| cells[4] == "1"),
        ("\"job\" is \"baker\"", |cells| cells[1] == "baker"),
        ("\"job\" missing", |cells| cells[1] == "?"),
        ("\"job\" other \"baker\"", |cells| !["baker", "?"].contains(&cells[1])),
        ("\"smoker\" is \"yes\"", |cells| cells[2] == "yes"),
        ("\"grade\" above 2", |cells| ["3", "4"].contains(&cells[3])),
        ("\"times\" equals 0", |cells| cells[5] == "0"),
    ];
    let lines = lines();
    let without_gates = |lines: &[String]| -> Vec<String> {
        let words = |line: &String| {
            line.split(' ')
                .enumerate()
                .filter(|(at, _)| *at != 4)
                .map(|(_, word)| word.to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        lines.iter().map(words).collect()
    };
    let mut accepted = Vec::new();
    for input in 0..TESTS.len() {
        for (test, holds) in TESTS.iter().chain(&others) {
            let mut rows = rows(&lines, "high", false);
            for ((x, _), line) in rows.iter_mut().zip(&lines) {
                x[input] = holds(&line.split(',').collect::<Vec<_>>());
            }
            let again = learn(&rows, 2, 3, "0");
            let from = format!("training test {input} {}\n", TESTS[input].0);
            let found = case.edited(&from, &format!("training test {input} {test}\n"));
            if found.is_ok() {
                assert_eq!(
                    without_gates(&again.lines),
                    without_gates(&case.learned.lines),
                    "{input}: {test}"
                );
                accepted.push(*test);
            } else {
                assert!(
                    again.lines != case.learned.lines || again.stages != case.learned.stages,
                    "{input}: {test}"
                );
            }
        }
    }
    // The same bits by another name are the same; a cut between the same two values is not told apart.
    for same in ["\"age\" above 41.75", "\"smoker\" is \"yes\"", "\"job\" is \"baker\""] {
        assert!(accepted.contains(&same), "{same}");
    }
    assert_eq!(accepted.len(), TESTS.len() + 3, "{accepted:?}");
}
