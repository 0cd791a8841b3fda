//! The circuits that go through every export, and where the exports are compared with them.

use crate::made;
use crate::stages::{Size, staged};
use macchiato::circuit::{Circuit, Gate, Literal as Wire, Output, Role, Rule};
use macchiato::export::{ExportFormat, write};
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Up to this many inputs every point is compared.
pub(crate) const SMALL: usize = 14;

/// Point k has bit i of `k * FACTOR` for its input i: this factor is odd, so the first 2^B points are a permutation of
/// the cube.
pub(crate) const FACTOR: usize = 2_654_435_769;

/// A circuit that was exported, and the circuit that the export must equal.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) reference: Circuit,
    pub(crate) exported: Circuit,
}

impl Case {
    pub(crate) fn inputs(&self) -> usize {
        self.reference.inputs().len()
    }

    pub(crate) fn is_small(&self) -> bool {
        self.inputs() <= SMALL
    }

    /// Bits of each output: one, or those of a sum.
    pub(crate) fn bits(&self) -> Vec<usize> {
        let bits = |o: usize| (64 - self.reference.most(o).leading_zeros()).max(1) as usize;
        (0..self.reference.outputs().len()).map(bits).collect()
    }

    /// Whether it is one output of 0 and 1.
    pub(crate) fn is_single(&self) -> bool {
        self.bits().len() == 1
    }

    /// Whether it is the paper's circuit, and not one of the deep ones.
    pub(crate) fn is_staged(&self) -> bool {
        self.reference.gates().last().is_some_and(|gate| matches!(gate.role, Role::Output(_)))
    }

    /// The case with other names, for inputs and for outputs.
    pub(crate) fn renamed(&self, input: impl Fn(usize) -> String, output: impl Fn(usize) -> String) -> Self {
        let rename = |circuit: &Circuit| {
            let inputs = (0..circuit.inputs().len()).map(&input).collect();
            let outputs = circuit.outputs().iter().enumerate();
            let outputs = outputs.map(|(o, old)| Output::new(output(o), old.literal)).collect();
            Circuit::new(inputs, circuit.gates().to_vec(), outputs).expect("names change nothing")
        };
        let (reference, exported) = (rename(&self.reference), rename(&self.exported));
        Self { name: self.name.clone(), reference, exported }
    }

    /// The export's bytes.
    pub(crate) fn bytes(&self, format: ExportFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&self.exported, format, &mut bytes).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        bytes
    }

    pub(crate) fn text(&self, format: ExportFormat) -> String {
        String::from_utf8(self.bytes(format)).expect("this format is text")
    }

    /// The number of points at which programs are compared: all of them where the inputs are few.
    pub(crate) fn points(&self) -> usize {
        1 << self.inputs().min(SMALL)
    }

    /// The exported text after `prefix` and up to the next parenthesis: the name of what the file defines.
    pub(crate) fn defined(&self, format: ExportFormat, prefix: &str) -> String {
        let text = self.text(format);
        let (_, after) = text.split_once(prefix).expect("the file defines something");
        after.split('(').next().unwrap_or_default().to_owned()
    }

    /// The reference at those points: the bits of all outputs, the lowest first, as `0` and `1`.
    pub(crate) fn answers(&self) -> String {
        let (inputs, bits) = (self.inputs(), self.bits());
        let mut answers = String::new();
        for k in 0..self.points() {
            let x = k * FACTOR;
            let point: Vec<bool> = (0..inputs).map(|i| x >> i & 1 == 1).collect();
            for (value, bits) in self.reference.at(&point).into_iter().zip(&bits) {
                answers.extend((0..*bits).map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }));
            }
        }
        answers
    }
}

/// A folder of its own for the files of a test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}

/// What a tool says; it must succeed.
pub(crate) fn run(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect("the tool starts");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {said}", program.display());
    said
}

/// Every circuit as it is.
pub(crate) fn faithful() -> Vec<Case> {
    let staged = circuits().into_iter().map(|(name, circuit)| (name, circuit.gates()));
    let same =
        |(name, circuit): (String, Circuit)| Case { name, reference: circuit.clone(), exported: circuit };
    staged.chain(made::all()).map(same).collect()
}

/// Small circuits whose first output is inverted where a product of all inputs holds: the export is wrong at exactly one point.
pub(crate) fn doctored() -> Vec<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut doctor = |case: Case| {
        let (mut gates, mut outputs) = (case.exported.gates().to_vec(), case.exported.outputs().to_vec());
        let literals = (0..case.inputs()).map(|i| Wire::input(i).signed(rng.random_bool(0.5))).collect();
        gates.push(Gate::new(Rule::And, literals));
        let point = Wire::gate(gates.len() - 1);
        gates.push(Gate::new(Rule::Xor, vec![outputs[0].literal, point]));
        outputs[0].literal = Wire::gate(gates.len() - 1);
        let exported = Circuit::new(case.exported.inputs().to_vec(), gates, outputs).expect("it is valid");
        Case { exported, ..case }
    };
    let few = |case: &Case| case.is_small() && case.inputs() <= 12 && !case.name.starts_with("deep1");
    faithful().into_iter().filter(few).map(&mut doctor).collect()
}

fn circuits() -> Vec<(String, Staged)> {
    let hostile =
        ["a b", "x[1]", "\"", "*/", "/*", "//", "<script>", "日本語", "\\", "line\nbreak", "a_b", ""];
    let words =
        ["module", "int", "and", "let", "lambda", "fn", "stage1", "stage", "x", "linux", "len", "%61nd"];
    let odd = ["#", "|", "${a}", "&amp;", "\u{202e}rtl", "é", "%", "0", ".names", "@x", "}", "a_t"];
    let mut all = vec![
        ("zero".to_owned(), circuit(&["a", "b"], "y0", &[])),
        ("no_terms".to_owned(), circuit(&["a", "b"], "y1", &[(&[0, 1], &[])])),
        ("no_literals".to_owned(), circuit(&["a", "b"], "y2", &[(&[0, 1], &["--"])])),
        (
            "cancelling".to_owned(),
            circuit(&["a"], "y3", &[(&[0], &["-"]), (&[0], &["0", "1"]), (&[0], &["1"])]),
        ),
        ("positive".to_owned(), circuit(&["a", "b"], "y4", &[(&[1], &["1"])])),
        ("negative".to_owned(), circuit(&["a", "b"], "y5", &[(&[0], &["0"])])),
        // Hand-made: an input twice in one stage, so that one of its terms is never 1.
        ("twice".to_owned(), circuit(&["a", "b"], "y6", &[(&[0, 0, 1], &["10-", "111", "0-0"])])),
        ("majority".to_owned(), circuit(&["a", "b", "c"], "y7", &[(&[0, 1, 2], &["11-", "1-1", "-11"])])),
    ];
    for (k, (names, target)) in
        [(&hostile, "a\tb"), (&words, "input"), (&odd, "q\"*/b")].into_iter().enumerate()
    {
        let mut circuit = random(90 + k as u64, names.len(), names.len(), 4);
        circuit.inputs = names.iter().map(|&name| name.to_owned()).collect();
        target.clone_into(&mut circuit.target);
        all.push((format!("names{k}"), circuit));
    }
    all.extend((0..10).map(|k| (format!("random{k}"), random(k, 2 + k as usize % 9, 6, 1 + k as usize % 5))));
    // More terms and more stages than one expression or one function takes.
    all.push(("long".to_owned(), long(30, 10, 250)));
    all.push(("many".to_owned(), random(31, 9, 3, 120)));
    // Few inputs among many, and more than a table holds.
    all.push(("sparse".to_owned(), random(20, 20, 4, 3)));
    all.push(("wide".to_owned(), random(21, 24, 7, 8)));
    all
}

fn circuit(inputs: &[&str], target: &str, stages: &[(&[usize], &[&str])]) -> Staged {
    let stage = |&(inputs, terms): &(&[usize], &[&str])| {
        let mut cover = Cover::new(Shape::new(inputs.len(), 1));
        for term in terms {
            let literal = |c| if c == '-' { Literal::Free } else { sign(c == '1') };
            cover.push(&term.chars().map(literal).collect::<Vec<_>>(), &[true]);
        }
        Stage { inputs: inputs.to_vec(), cover }
    };
    Staged {
        inputs: inputs.iter().map(|&name| name.to_owned()).collect(),
        target: target.to_owned(),
        stages: stages.iter().map(stage).collect(),
    }
}

const fn sign(positive: bool) -> Literal {
    if positive { Literal::Positive } else { Literal::Negative }
}

/// Two stages of many terms over all inputs.
fn long(seed: u64, inputs: usize, terms: usize) -> Staged {
    let size = Size { inputs, stages: 2, width: inputs, terms, literals: 9 };
    Staged { target: format!("r{seed}"), ..staged(&size, &mut ChaCha8Rng::seed_from_u64(seed)) }
}

/// Stages over up to `width` inputs, of terms in which an input is free with probability 1/3.
fn random(seed: u64, inputs: usize, width: usize, stages: usize) -> Staged {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut stage = || {
        let mut chosen: Vec<usize> = (0..inputs).collect();
        chosen.shuffle(&mut rng);
        chosen.truncate(width.min(inputs));
        chosen.sort_unstable();
        let mut cover = Cover::new(Shape::new(chosen.len(), 1));
        for _ in 0..rng.random_range(1..=8) {
            let literal =
                |_: &usize| [Literal::Free, Literal::Positive, Literal::Negative][rng.random_range(0..3)];
            cover.push(&chosen.iter().map(literal).collect::<Vec<_>>(), &[true]);
        }
        Stage { inputs: chosen, cover }
    };
    Staged {
        stages: (0..stages).map(|_| stage()).collect(),
        inputs: (1..=inputs).map(|i| format!("x{i}")).collect(),
        target: format!("r{seed}"),
    }
}

/// What the tests of programs share: every line that is printed for a case must be the reference's answers.
pub(crate) fn agrees(case: &Case, lines: &[&str]) -> bool {
    let answers = case.answers();
    assert!(lines.iter().all(|line| line.len() == answers.len()), "{}: {lines:?}", case.name);
    lines.iter().all(|&line| line == answers)
}
