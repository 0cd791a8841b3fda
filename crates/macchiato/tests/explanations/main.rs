//! Explanations of circuits of many inputs: of 60, asked again of z3, which knows the circuit from its SMT-LIB file only; of 200, on points.

#[path = "../../../macchiato-minimize/tests/external/tool.rs"]
mod tool;

#[path = "../made/stages.rs"]
mod made;

mod large;

use macchiato::explain::{Counterfactual, ExplainOptions, Point, Subject, explain_prediction};
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::Budget;
use macchiato::staged::Staged;
use made::{Size, staged};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const INPUTS: usize = 60;

/// For each line of the file of questions, what z3 thinks of the explanation: that the reason forces the answer and none of it
/// can be left out, that the changes make another answer, and that no fewer do.
const ASK: &str = r#"
import json, sys, z3

for line in open(sys.argv[1], encoding="utf-8"):
    said = json.loads(line)
    value = z3.parse_smt2_string(open(said["smt"], encoding="utf-8").read() + "\n(assert y)")[0]
    x = [z3.Bool(f"x{i + 1}") for i in range(len(said["row"]))]
    at = lambda inputs: [x[i] == bool(said["row"][i]) for i in inputs]

    def other(*conditions):
        solver = z3.Solver()
        solver.add(value != bool(said["answer"]), *conditions)
        return str(solver.check())

    reason, changed = said["reason"], [i for i in range(len(x)) if i not in said["changes"]]
    flipped = [x[i] != bool(said["row"][i]) for i in said["changes"]]
    print(
        other(*at(reason)),
        all(other(*at(i for i in reason if i != left)) == "sat" for left in reason),
        other(*at(changed), *flipped),
        other(z3.AtMost(*[x[i] != bool(said["row"][i]) for i in range(len(x))], len(flipped) - 1)) if flipped else "none",
    )
"#;

/// The number of an input by its name.
fn input(name: &str) -> usize {
    name[1..].parse::<usize>().expect("a number") - 1
}

/// An explanation that claims to be minimal and nearest, as the script reads it.
fn question(circuit: &Staged, row: &[bool], smt: &Path) -> Value {
    let gates = circuit.gates();
    let (subject, options) = (Subject::of_circuit(&gates), ExplainOptions::default());
    let why = explain_prediction(&subject, &Point::of_bits(row), &options, &Budget::unlimited());
    let why = why.expect("an explanation");
    assert!(why.reason.minimal && why.counterfactual.is_nearest(), "{why:?}");
    let Counterfactual::Found { changes, .. } = &why.counterfactual else { panic!("{why:?}") };
    let reason: Vec<usize> =
        why.reason.conditions.iter().map(|condition| input(&condition.feature)).collect();
    let changes: Vec<usize> = changes.iter().map(|change| input(&change.feature)).collect();
    json!({"smt": smt, "row": row, "answer": why.answer == "1", "reason": reason, "changes": changes})
}

#[test]
fn z3_agrees_with_every_explanation() {
    let Some(python) = tool::python_with("z3", "z3_agrees_with_every_explanation") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut questions = Vec::new();
    for (at, (stages, terms, literals)) in [(4, 4, 3), (3, 6, 5), (2, 10, 8)].into_iter().enumerate() {
        let size = Size { inputs: INPUTS, stages, width: INPUTS, terms, literals };
        let circuit = staged(&size, &mut rng);
        let smt = folder.path().join(format!("{at}.smt2"));
        let mut file = Vec::new();
        let gates = circuit.gates();
        export::write(&gates, ExportFormat::Smtlib, &mut file).expect("an export");
        std::fs::write(&smt, file).expect("a file");
        for _ in 0..4 {
            let row: Vec<bool> = (0..INPUTS).map(|_| rng.random()).collect();
            questions.push(question(&circuit, &row, &smt));
        }
    }
    let honest = questions.len();
    // Lies: a reason without its first condition, one with an input too many, and a change that is none.
    let mut lie = |with: &dyn Fn(&mut Value)| {
        let mut lie = questions[0].clone();
        with(&mut lie);
        questions.push(lie);
    };
    lie(&|lie| drop(lie["reason"].as_array_mut().expect("a list").remove(0)));
    lie(&|lie| {
        let reason = lie["reason"].as_array_mut().expect("a list");
        let more = (0..INPUTS).find(|&input| !reason.contains(&json!(input))).expect("another input");
        reason.push(json!(more));
    });
    lie(&|lie| lie["changes"] = json!([]));
    let file = folder.path().join("questions.jsonl");
    let lines: Vec<String> = questions.iter().map(ToString::to_string).collect();
    std::fs::write(&file, lines.join("\n")).expect("a file");
    let ran = Command::new(python).args(["-c", ASK]).arg(&file).output().expect("Python runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let said = String::from_utf8_lossy(&ran.stdout);
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), questions.len(), "{said:?}");
    for (question, verdict) in questions.iter().zip(&said).take(honest) {
        assert_eq!(*verdict, "unsat True sat unsat", "{question}");
    }
    let lies: Vec<&str> = said[honest..].to_vec();
    assert!(lies[0].starts_with("sat"), "{}", lies[0]);
    assert!(lies[1].starts_with("unsat False"), "{}", lies[1]);
    assert!(lies[2].starts_with("unsat True unsat"), "{}", lies[2]);
}
