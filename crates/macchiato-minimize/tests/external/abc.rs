//! Berkeley ABC, which this project did not write, proves that a minimized PLA file says what the original says.
//!
//! ABC compares completely specified functions. A result R is right for ON-set N and don't-care set D exactly when
//! N lies in R + D and R lies in N + D, and one set lies in another exactly when adding it changes nothing: each
//! question is an equivalence of two covers, and a union of covers is their rows in one file.

use crate::tool::tool;
use macchiato_minimize::{Engine, Options, minimize_pla, pla};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One row of a PLA file.
#[derive(Clone)]
struct Row {
    inputs: String,
    outputs: String,
}

/// A PLA file of type `f` or `fd`.
struct Case {
    name: String,
    inputs: usize,
    outputs: usize,
    kind: &'static str,
    rows: Vec<Row>,
}

impl Case {
    /// Rows of random cubes; an output is asserted with probability 2/5, and open with 1/5 where the type allows it.
    fn random(seed: u64, inputs: usize, outputs: usize, rows: usize, kind: &'static str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |len: usize, from: &[u8]| -> String {
            (0..len).map(|_| char::from(from[rng.random_range(0..from.len())])).collect()
        };
        let marks: &[u8] = if kind == "fd" { b"0011-" } else { b"00011" };
        let rows = (0..rows).map(|_| Row { inputs: draw(inputs, b"0101-"), outputs: draw(outputs, marks) });
        Self {
            name: format!("{kind}-{inputs}-{outputs}-{seed}"),
            inputs,
            outputs,
            kind,
            rows: rows.collect(),
        }
    }

    fn text(&self) -> String {
        let rows: Vec<String> =
            self.rows.iter().map(|row| format!("{} {}\n", row.inputs, row.outputs)).collect();
        let (inputs, outputs, kind) = (self.inputs, self.outputs, self.kind);
        format!(".i {inputs}\n.o {outputs}\n.type {kind}\n.p {}\n{}.e\n", rows.len(), rows.concat())
    }

    /// The rows of one set as a cover: `1` where an output carries the character `mark`.
    fn set(&self, mark: char) -> Vec<Row> {
        let keep = |c: char| if c == mark { '1' } else { '0' };
        self.rows
            .iter()
            .map(|row| Row { inputs: row.inputs.clone(), outputs: row.outputs.chars().map(keep).collect() })
            .collect()
    }
}

/// ABC's executable and a folder for the files that it reads.
struct Abc {
    program: PathBuf,
    folder: PathBuf,
}

impl Abc {
    fn find(test: &str) -> Option<Self> {
        let program = tool("MACCHIATO_ABC", test)?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Some(Self { program, folder })
    }

    /// Whether the covers are equal, by ABC's combinational equivalence check.
    fn equal(&self, case: &Case, left: &[Row], right: &[Row]) -> bool {
        for (file, rows) in [("left.pla", left), ("right.pla", right)] {
            let mut text = format!(".i {}\n.o {}\n", case.inputs, case.outputs);
            for row in rows {
                writeln!(text, "{} {}", row.inputs, row.outputs).expect("a string can be written");
            }
            // ABC takes a file without rows for one without inputs; this row asserts nothing.
            let (any, nothing) = ("-".repeat(case.inputs), "0".repeat(case.outputs));
            writeln!(text, "{any} {nothing}\n.e").expect("a string can be written");
            fs::write(self.folder.join(file), text).expect("a temporary file can be written");
        }
        let output = Command::new(&self.program)
            .args(["-q", "cec left.pla right.pla"])
            .current_dir(&self.folder)
            .output()
            .expect("ABC starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let equal = said.contains("Networks are equivalent");
        assert!(equal || said.contains("Networks are NOT EQUIVALENT"), "ABC gave no verdict: {said}");
        equal
    }

    /// Whether every point of `inner` is in `outer`.
    fn inside(&self, case: &Case, inner: &[Row], outer: &[Row]) -> bool {
        self.equal(case, &[inner, outer].concat(), outer)
    }

    /// Whether `result` is 1 on every ON point of the case and 0 on every OFF point.
    fn accepts(&self, case: &Case, result: &[Row]) -> bool {
        let (on, open) = (case.set('1'), case.set('-'));
        self.inside(case, &on, &[result, &open].concat()) && self.inside(case, result, &[on, open].concat())
    }
}

/// The rows of the file that the minimizer writes.
fn minimized(case: &Case, engine: Engine) -> Vec<Row> {
    let name = format!("{} by {}", case.name, engine.name());
    let mut options = Options::default();
    options.engine = engine;
    let input = pla::read(case.text().as_bytes(), &case.name).unwrap_or_else(|error| panic!("{error}"));
    let answer = minimize_pla(&input, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = Vec::new();
    pla::write(&mut text, &answer.cover, None, None).expect("a vector can be written");
    let text = String::from_utf8(text).expect("a PLA file is ASCII");
    let is_row = |line: &&str| !line.starts_with(['.', '#']) && !line.trim().is_empty();
    let rows: Vec<Row> = text
        .lines()
        .filter(is_row)
        .map(|line| {
            let (inputs, outputs) = line.split_once(' ').expect("a row has two parts");
            Row { inputs: inputs.to_owned(), outputs: outputs.trim().to_owned() }
        })
        .collect();
    assert_eq!(rows.len(), answer.cover.terms(), "{name}");
    rows
}

fn check(abc: &Abc, case: &Case, engine: Engine) {
    let right = abc.accepts(case, &minimized(case, engine));
    assert!(right, "{} by {}:\n{}", case.name, engine.name(), case.text());
}

#[test]
fn abc_proves_single_output_results_equal() {
    let Some(abc) = Abc::find("abc_proves_single_output_results_equal") else { return };
    for seed in 0..4 {
        for kind in ["f", "fd"] {
            let case = Case::random(seed, 6 + 2 * seed as usize, 1, 40, kind);
            for engine in [Engine::Auto, Engine::Primes, Engine::Rows, Engine::Espresso] {
                check(&abc, &case, engine);
            }
        }
    }
}

#[test]
fn abc_proves_multi_output_results_equal() {
    let Some(abc) = Abc::find("abc_proves_multi_output_results_equal") else { return };
    for seed in 0..4 {
        for (inputs, outputs, rows) in [(5, 3, 12), (8, 6, 40), (18, 4, 30)] {
            for kind in ["f", "fd"] {
                let case = Case::random(100 + seed, inputs, outputs, rows, kind);
                for engine in [Engine::Auto, Engine::Espresso] {
                    check(&abc, &case, engine);
                }
            }
        }
    }
}

/// The two tests above can fail: a cover without one of its terms, and one with a point too many, are told apart.
#[test]
fn abc_tells_a_wrong_cover_from_a_right_one() {
    let Some(abc) = Abc::find("abc_tells_a_wrong_cover_from_a_right_one") else { return };
    let row = |inputs: &str, outputs: &str| Row { inputs: inputs.to_owned(), outputs: outputs.to_owned() };
    // Output 0 is the majority of three; output 1 is the AND of the first two, open where only the third is 1.
    let case = Case {
        name: "majority".to_owned(),
        inputs: 3,
        outputs: 2,
        kind: "fd",
        rows: vec![row("11-", "11"), row("1-1", "10"), row("-11", "10"), row("001", "0-")],
    };
    let right = minimized(&case, Engine::Auto);
    assert!(abc.accepts(&case, &right));
    for dropped in 0..right.len() {
        let mut fewer = right.clone();
        fewer.remove(dropped);
        assert!(!abc.accepts(&case, &fewer), "without term {dropped}");
    }
    let with = |extra: Row| abc.accepts(&case, &[right.as_slice(), &[extra]].concat());
    assert!(!with(row("000", "10")), "an OFF point of output 0");
    assert!(!with(row("001", "10")), "a point that is open, but for output 1");
    assert!(with(row("001", "01")), "that point for output 1");
}
