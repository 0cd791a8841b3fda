//! Training lines against rows: what was learned is accepted, and lies about it are not.

use crate::learning::{Learned, Row, Stage, fitted, learn, terms};
use crate::of_the_checker::build::{self, Form, PAPER, Random, Read, compile, cube, x};
use crate::sha256::sha256 as digest;
use macchiato_replay::{Refusal, Replayed, replay, replay_outputs};
use std::collections::BTreeSet;

fn csv(rows: &[Row]) -> String {
    let mut text: String =
        (1..=rows[0].0.len()).fold(String::new(), |text, i| text + &format!("x{i},")) + "y1\n";
    for (x, y) in rows {
        text.extend(x.iter().map(|&bit| if bit { "1," } else { "0," }));
        text.push_str(if *y { "1\n" } else { "0\n" });
    }
    text
}

fn pla(rows: &[Row]) -> String {
    let mut text = format!(".i {}\n.o 1\n.ob y1\n.type fr # labelled\n", rows[0].0.len());
    for (x, y) in rows {
        text.extend(x.iter().map(|&bit| if bit { '1' } else { '0' }));
        text.push_str(if *y { " 1\n" } else { " 0\n" });
    }
    text + ".e\n"
}

/// A certificate with training lines, and its rows.
struct Case {
    certificate: String,
    data: String,
}

impl Case {
    fn new(learned: &Learned, form: Form, format: &str, data: String, rows: &[Row]) -> Self {
        let mut compiled = compile(&learned.circuit(rows[0].0.len()).0, form);
        let (hex, bytes, number) = (digest(data.as_bytes()), data.len(), rows.len());
        let first = format!("training data {format} sha256 {hex} bytes {bytes} rows {number}");
        compiled.edit("\nend\n", &format!("\n{first}\n{}\nend\n", learned.lines.join("\n")));
        Self { certificate: compiled.certificate(b""), data }
    }

    fn verdict(&self) -> Result<Replayed, Refusal> {
        replay(self.certificate.as_bytes(), self.data.as_bytes())
    }

    /// The verdict after one replacement in the certificate.
    #[track_caller]
    fn edited(&self, from: &str, to: &str) -> Result<Replayed, Refusal> {
        assert!(self.certificate.contains(from), "{from:?} in\n{}", self.certificate);
        replay(self.certificate.replacen(from, to, 1).as_bytes(), self.data.as_bytes())
    }

    /// The verdict on other rows, named by their own digest.
    fn with_rows(&self, data: &str) -> Result<Replayed, Refusal> {
        let named = |data: &str| format!("sha256 {} bytes {}", digest(data.as_bytes()), data.len());
        replay(self.certificate.replace(&named(&self.data), &named(data)).as_bytes(), data.as_bytes())
    }
}

#[track_caller]
fn refused(found: Result<Replayed, Refusal>, code: u8, reason: &str) {
    let refusal = found.expect_err(reason);
    assert!(refusal.exit_code() == code && refusal.to_string().contains(reason), "{reason:?}, got {refusal}");
}

fn random_rows(random: &mut Random, inputs: usize, rows: usize) -> Vec<Row> {
    let row = |random: &mut Random| {
        let x: Vec<bool> = (0..inputs).map(|_| random.below(2) == 1).collect();
        let y = (x[0] ^ x[inputs - 1]) | (x[inputs / 2] && random.below(4) == 0);
        (x, y)
    };
    (0..rows).map(|_| row(random)).collect()
}

/// The paper's form and one with helpers and relays: stages are gates of the circuit, whatever the network needs.
fn two_forms() -> [Form; 2] {
    let other = Form { literals: false, deep: true, xor: build::Xor::Tree(2), ..PAPER };
    [PAPER, other]
}

#[test]
fn what_algorithm_1_does_is_accepted() {
    let mut random = Random(3);
    let mut stops = BTreeSet::new();
    for round in 0..120 {
        let inputs = 2 + random.below(5);
        let count = 4 + random.below(80);
        let rows = random_rows(&mut random, inputs, count);
        let (k, m) = (1 + random.below(inputs), 1 + random.below(4));
        let learned = learn(&rows, k, m, ["0", "0.25", "0.5"][random.below(3)]);
        let tsv = csv(&rows).replace(',', "\t");
        for (format, data) in [("csv", csv(&rows)), ("tsv", tsv), ("pla", pla(&rows))] {
            for form in two_forms() {
                let found = Case::new(&learned, form, format, data.clone(), &rows).verdict();
                let replayed = found.unwrap_or_else(|refusal| panic!("round {round}: {refusal}"));
                assert_eq!((replayed.rows, replayed.errors), (rows.len() as u64, learned.errors as u64));
                stops.insert(replayed.stop);
            }
        }
    }
    assert_eq!(stops.len(), 3, "{stops:?}");
}

#[test]
fn what_auto_claims_is_accepted() {
    let mut random = Random(31);
    for round in 0..60 {
        let inputs = 2 + random.below(4);
        let rows = random_rows(&mut random, inputs, 30);
        let mut stages: Vec<Stage> = Vec::new();
        for _ in 0..random.below(4) {
            let chosen: Vec<usize> = (0..inputs).filter(|_| random.below(2) == 0).collect();
            let cells: Vec<Vec<bool>> = cube(chosen.len()).filter(|_| random.below(2) == 0).collect();
            stages.push((chosen.clone(), terms(&chosen, &cells.iter().collect::<Vec<_>>())));
        }
        let learned = fitted(&rows, stages, "m 4");
        for form in two_forms() {
            let found = Case::new(&learned, form, "csv", csv(&rows), &rows).verdict();
            let replayed = found.unwrap_or_else(|refusal| panic!("round {round}: {refusal}"));
            assert_eq!(replayed.errors, learned.errors as u64);
        }
    }
}

/// x1 AND NOT x2 over all four points twice, then one contradiction outvoted.
fn small_case() -> (Case, Vec<Row>) {
    let mut rows: Vec<Row> = Vec::new();
    for x in cube(2) {
        let y = x[0] && !x[1];
        rows.extend([(x.clone(), y), (x, y)]);
    }
    rows.push((vec![true, false], false));
    let learned = learn(&rows, 1, 2, "0");
    assert_eq!(learned.stages.len(), 2);
    let case = Case::new(&learned, PAPER, "csv", csv(&rows), &rows);
    assert!(case.verdict().is_ok());
    (case, rows)
}

#[test]
fn lies_about_the_training() {
    let (case, rows) = small_case();
    let first = case
        .certificate
        .lines()
        .find(|line| line.starts_with("training stage 1"))
        .expect("a stage")
        .to_owned();
    for (name, what) in [
        ("before", "rows in error before it"),
        ("after", "rows in error after it"),
        ("on", "majority 1"),
        ("off", "majority 0"),
        ("tied", "tied cells"),
    ] {
        let mut words: Vec<String> = first.split(' ').map(str::to_owned).collect();
        let at = words.iter().position(|word| word == name).expect("a name") + 1;
        words[at] = (words[at].parse::<u64>().expect("a number") + 1).to_string();
        refused(case.edited(&first, &words.join(" ")), 1, what);
    }
    refused(case.edited("influence 1 1/2", "influence 1 2/2"), 1, "the influence of input 0 is 1/2");
    refused(case.edited("influence 1 1/2 1/2", "influence 1 1/2 1/3"), 1, "the influence of input 1 is 1/2");
    refused(case.edited("m 2 tau", "m 1 tau"), 1, "more stages than m, which is 1");
    refused(case.edited("k 1 m", "k 3 m"), 1, "k is 3, more than there are inputs");
    refused(case.edited("k 1 m", "k 2 m"), 1, "Algorithm 1 chooses the inputs 0 1");
    refused(case.edited("tau 0 ", "tau 0.5 "), 1, "Algorithm 1 chooses the inputs none: it ends before it");
    refused(case.edited("rows 9", "rows 8"), 1, "9 rows, where the certificate says 8");
    let gate = first.split(' ').nth(4).expect("a gate");
    let other = if gate == "0" { "1" } else { "0" };
    let (from, to) = (format!("stage 1 gate {gate}"), format!("stage 1 gate {other}"));
    refused(case.edited(&from, &to), 1, "XOR of other gates than the stages");
    // Other rows under the certificate's own name for them, and under theirs.
    refused(replay(case.certificate.as_bytes(), b"x1,x2,y1\n"), 1, "this is not the file");
    let mut other = rows.clone();
    other[0].1 ^= true;
    refused(case.with_rows(&csv(&other)), 1, "stage 1 (line");
    refused(
        case.with_rows(&csv(&rows).replace("x1,x2", "x2,x1")),
        1,
        "their inputs are not the certificate's",
    );
    refused(case.with_rows(&csv(&rows).replace("y1", "z")), 1, "no column is the target \"y1\"");
    refused(case.with_rows(&csv(&rows).replacen("0,0,0", "0,0", 1)), 2, "2 cells where the header has 3");
    refused(case.with_rows(&csv(&rows).replacen("0,0,0", "0,2,0", 1)), 2, "\"2\" is neither 0, 1 nor a word");
}

/// A stage that does not follow a majority is none of Algorithm 1's; `auto` may have it, and must say so.
#[test]
fn majorities() {
    let (_, rows) = small_case();
    let stages = vec![(vec![0], vec![vec![!x(0)]])];
    let auto = fitted(&rows, stages, "k 1 m 1");
    let case = Case::new(&auto, PAPER, "csv", csv(&rows), &rows);
    assert!(case.verdict().is_ok() && case.certificate.contains(" against 1 "), "{}", case.certificate);
    refused(case.edited("inputs 0\n", "inputs 1\n"), 1, "reads input 0, which is none of its inputs");
    refused(case.edited("against 1", "against 0"), 1, "cells whose majority its cover is against: 1, not 0");
    let wide = fitted(&rows, vec![(vec![0, 1], vec![vec![x(0), !x(1)]])], "k 1 m 1");
    let found = Case::new(&wide, PAPER, "csv", csv(&rows), &rows).verdict();
    refused(found, 1, "2 inputs, more than k, which is 1");
    let paper =
        case.certificate.replace("training auto k 1 m 1", "training paper k 1 m 1 tau 0 select random");
    let paper = paper.replace(" against 1", "").replace("\nend\n", "\ntraining influence 1 1/2 1/2\nend\n");
    refused(replay(paper.as_bytes(), case.data.as_bytes()), 1, "its cover is 1 on a cell with");
}

#[test]
fn training_lines_that_break_their_format() {
    let (case, _) = small_case();
    for (from, to, reason) in [
        ("training data csv", "training data xls", "\"xls\" is none of `csv`, `tsv`, `pla`"),
        ("training data", "training date", "\"date\" where `data` must be"),
        ("training paper", "training scissors", "\"scissors\" is neither `paper` nor `auto`"),
        ("paper k 1", "paper k 0", "k is 0, not from 1"),
        ("paper k 1 m", "paper m", "where `k` must be"),
        ("tau 0 ", "tau 1 ", "\"1\" is no decimal from 0 to below 1"),
        ("tau 0 ", "tau 0.1234567890123456789 ", "with at most 18 digits"),
        ("select influence", "select best", "\"best\" is neither `influence` nor `random`"),
        ("training stage 1", "training stage 2", "the stage's number is 2, not from 1 to 1"),
        ("stage 1 gate ", "stage 1 gate 9", "the stage's gate is 9"),
        ("influence 1 1/2", "influence 1 3/2", "\"3/2\" is no influence"),
        ("influence 1 1/2 1/2", "influence 1 1/2", "the line ends before an influence for each input"),
        ("training influence 2", "training stage 3", "\"stage\" where `influence` must be"),
    ] {
        refused(case.edited(from, to), 2, reason);
    }
    let (head, _) = case.certificate.split_once("training influence 2").expect("a line");
    refused(
        replay(format!("{head}end\n").as_bytes(), case.data.as_bytes()),
        2,
        "a line about training is missing",
    );
}

/// Two outputs over the same inputs, each learned from its own column: lines for each, numbered afresh.
#[test]
fn several_outputs() {
    let points: Vec<Vec<bool>> = cube(3).collect();
    let label = |of: fn(&[bool]) -> bool| -> Vec<Row> { points.iter().map(|x| (x.clone(), of(x))).collect() };
    let tables = [label(|x| x[0] && !x[2]), label(|x| x[1] ^ x[2])];
    let learned =
        [learn(&tables[0], 2, 3, "0"), fitted(&tables[1], vec![(vec![1], vec![vec![x(1)]])], "m 3")];
    let (mut circuit, _) = learned[0].circuit(3);
    let (second, _) = learned[1].circuit(3);
    let shift = circuit.gates.len();
    let moved = |read: Read| match read.from {
        build::From::G(gate) => Read { from: build::From::G(gate + shift), ..read },
        build::From::X(_) => read,
    };
    for (op, reads) in second.gates {
        circuit.gates.push((op, reads.into_iter().map(moved).collect()));
    }
    circuit.outputs.push(moved(second.outputs[0]));
    let mut data = "x1,x2,y2,x3,y1\n".to_owned();
    for ((x, y1), (_, y2)) in tables[0].iter().zip(&tables[1]) {
        let cells = [x[0], x[1], *y2, x[2], *y1].map(|bit| u8::from(bit).to_string());
        data += &(cells.join(",") + "\n");
    }
    // The second output's gates come after the first one's.
    let gate = |line: &String| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if let Some(at) = words.iter().position(|word| word == "gate") {
            words[at + 1] = (words[at + 1].parse::<usize>().expect("a gate") + shift).to_string();
        }
        words.join(" ")
    };
    let second: Vec<String> = learned[1].lines.iter().map(gate).collect();
    let (hex, bytes) = (digest(data.as_bytes()), data.len());
    let lines = format!(
        "\ntraining data csv sha256 {hex} bytes {bytes} rows 8\ntraining output 0\n{}\ntraining output 1\n{}\nend\n",
        learned[0].lines.join("\n"),
        second.join("\n"),
    );
    for form in two_forms() {
        let mut compiled = compile(&circuit, form);
        compiled.edit("\nend\n", &lines);
        let case = Case { certificate: compiled.certificate(b""), data: data.clone() };
        let found = replay_outputs(case.certificate.as_bytes(), data.as_bytes()).expect("both hold");
        let errors: Vec<(usize, u64)> =
            found.iter().map(|(output, replayed)| (*output, replayed.errors)).collect();
        assert_eq!(errors, [(0, learned[0].errors as u64), (1, learned[1].errors as u64)]);
        refused(case.verdict(), 1, "it speaks of several outputs");
        refused(case.edited("training output 0\n", ""), 2, "where `output` must be");
        refused(
            case.edited("training output 1\n", "training output 0\n"),
            2,
            "the next output is 0, not from 1 to 1",
        );
        refused(
            case.edited("training output 0\n", "training output 2\n"),
            2,
            "the next output is 2, not from 0 to 1",
        );
        // Each output is held to its own stages and its own column.
        refused(case.with_rows(&data.replacen("y2", "z", 1)), 1, "their inputs are not the certificate's");
        let swapped = data.replacen("y2", "y", 1).replacen("y1", "y2", 1).replacen(",y,", ",y1,", 1);
        refused(case.with_rows(&swapped), 1, "stage 1 (line");
        let (head, _) = case.certificate.split_once("training output 1\n").expect("a line");
        let first_alone = format!("{head}end\n");
        assert!(
            replay(first_alone.as_bytes(), data.as_bytes()).is_ok(),
            "nothing need be said of the others"
        );
        let other = first_alone.replacen("training output 0", "training output 1", 1);
        refused(
            replay(other.as_bytes(), data.as_bytes()),
            1,
            "the output is the XOR of other gates than the stages",
        );
    }
}
