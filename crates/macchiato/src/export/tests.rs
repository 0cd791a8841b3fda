//! Golden bytes, the laws of the AND-inverter graph and of the names, and what is refused.
//!
//! That each export equals the circuit is proven by other tools, in `tests/exports`.

use super::aig::Aig;
use super::formula::Formula;
use super::*;
use crate::circuit::tests::circuits as deep_circuits;
use crate::circuit::{Gate, Literal as Wire, Output, Role, Rule};
use crate::stage::Stage;
use crate::staged::Staged;
use macchiato_minimize::{Cover, Literal, Shape};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

/// A stage from its inputs and its terms, a character for each input: `1`, `0` or `-`.
fn stage(inputs: &[usize], terms: &[&str]) -> Stage {
    let mut cover = Cover::new(Shape::new(inputs.len(), 1));
    for term in terms {
        let literal = |c| match c {
            '1' => Literal::Positive,
            '0' => Literal::Negative,
            _ => Literal::Free,
        };
        cover.push(&term.chars().map(literal).collect::<Vec<_>>(), &[true]);
    }
    Stage { inputs: inputs.to_vec(), cover }
}

fn circuit(inputs: &[&str], stages: Vec<Stage>) -> Staged {
    let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
    Staged { inputs, target: "y".to_owned(), stages }
}

fn export(circuit: &Staged, format: ExportFormat) -> (Vec<u8>, ExportReport) {
    export_gates(&circuit.gates(), format)
}

fn export_gates(circuit: &Circuit, format: ExportFormat) -> (Vec<u8>, ExportReport) {
    let mut file = Vec::new();
    let report = write(circuit, format, &mut file).expect("the circuit can be written");
    (file, report)
}

/// Every rule, points, a negated gate, a role by name, gates that two outputs share, and an output that is a sum.
fn score() -> Circuit {
    let names = ["age > 41", "smoker", "c", "d"].map(str::to_owned).to_vec();
    let x = Wire::input;
    let gates = vec![
        Gate::new(Rule::AtLeast(2), vec![x(0), x(1), !x(2)]),
        Gate::new(Rule::AtLeast(5), vec![x(0).times(3), x(1).times(2), !Wire::gate(0), x(3).times(4)])
            .role(Role::Named("score".into())),
        Gate::new(Rule::Counts(vec![(1, 1), (3, 4)]), vec![x(0), x(1), x(2), x(3)]),
        Gate::new(Rule::Xor, vec![Wire::gate(1), !Wire::gate(2)]),
        Gate::new(Rule::And, vec![x(1), !x(3)]),
        Gate::new(Rule::Or, vec![Wire::gate(4), Wire::gate(3)]),
        Gate::new(Rule::Sum, vec![x(0).times(3), x(2), Wire::gate(1).times(2)]),
    ];
    let outputs = vec![
        Output::new("at risk", Wire::gate(5)),
        Output::new("points", Wire::gate(6)),
        Output::new("low", !Wire::gate(1)),
    ];
    Circuit::new(names, gates, outputs).expect("it is valid")
}

#[test]
fn gates_of_every_kind_are_the_golden_bytes() {
    let formats = ExportFormat::ALL.into_iter().filter(|&format| format != ExportFormat::Pla);
    for format in formats {
        golden("score", format, &export_gates(&score(), format));
    }
    let refused = write(&score(), ExportFormat::Pla, &mut io::sink()).expect_err("a sum");
    assert!(matches!(&refused, ExportError::SumOutput { gate: 6, .. }), "{refused}");
}

fn golden(name: &str, format: ExportFormat, (found, report): &(Vec<u8>, ExportReport)) {
    assert_eq!(report.bytes, found.len());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export");
    let path = folder.join(format!("{name}.{}", format.extension()));
    if std::env::var_os("MACCHIATO_BLESS").is_some() {
        fs::write(&path, found).expect("the golden file can be written");
    }
    let golden = fs::read(&path).expect("the golden file can be read");
    assert!(golden == *found, "{}:\n{}", path.display(), String::from_utf8_lossy(found));
}

/// `MACCHIATO_BLESS=1` writes the files instead; read them before you commit them.
#[test]
fn exports_are_the_golden_bytes() {
    let stages =
        vec![stage(&[0, 1, 3], &["10-", "--1"]), stage(&[1, 2], &["11"]), stage(&[0, 3], &["00", "11"])];
    let mut risk = circuit(&["age > 41", "smoker", "x3", "日本 \"*/\" <\\>\n%"], stages);
    risk.target = "at risk".to_owned();
    for format in ExportFormat::ALL {
        golden("risk", format, &export(&risk, format));
    }
}

#[test]
fn the_documentation_shows_what_is_written() {
    let stages = vec![stage(&[0, 1, 2], &["10-", "--1"]), stage(&[1, 2], &["11"])];
    let mut example = circuit(&["age > 41", "smoker", "c"], stages);
    example.target = "at risk".to_owned();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/exports.md");
    let page = fs::read_to_string(page).expect("the page can be read");
    for format in ExportFormat::ALL {
        let (file, _) = export(&example, format);
        assert!(page.contains(&format!("`{}`", format.name())) || format == ExportFormat::AigerAscii);
        // Neither bytes nor a drawing make a block of text.
        if !matches!(format, ExportFormat::AigerBinary | ExportFormat::Svg) {
            let block = format!("\n{}```\n", String::from_utf8(file).expect("this format is text"));
            assert!(page.contains(&block), "{}:{block}", format.name());
        }
    }
}

#[test]
fn names_and_extensions_lead_back_to_their_format() {
    for format in ExportFormat::ALL {
        assert_eq!(ExportFormat::from_name(format.name()), Some(format));
        assert_eq!(ExportFormat::from_name(format.extension()), Some(format));
    }
}

#[test]
fn a_malformed_circuit_is_refused() {
    let refused = |inputs: &[&str], outputs: &[&str]| {
        let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        let sum = Gate::new(Rule::Sum, vec![]);
        let outputs = outputs.iter().map(|&name| Output::new(name, Wire::gate(0))).collect();
        let circuit = Circuit::new(inputs, vec![sum], outputs).expect("it is valid");
        write(&circuit, ExportFormat::Json, &mut io::sink()).expect_err("it cannot be written")
    };
    assert!(matches!(refused(&[], &["y"]), ExportError::NoInputs));
    assert!(matches!(refused(&["a"], &[]), ExportError::NoOutputs));
    let repeated = |error: ExportError, twice: &str| matches!(error, ExportError::RepeatedName { name } if name == twice);
    assert!(repeated(refused(&["a", "a"], &["y"]), "a"));
    assert!(repeated(refused(&["a"], &["y", "y"]), "y[0]"));
    // The sum's bit would have the input's name.
    assert!(repeated(refused(&["y[0]"], &["y"]), "y[0]"));
}

#[test]
fn a_wide_pla_file_is_written_where_it_is_two_level_and_else_refused_by_gate() {
    let names: Vec<String> = (0..20).map(|i| format!("x{i}")).collect();
    let inputs: Vec<Wire> = (0..17).map(Wire::input).collect();
    let wide = |gates: Vec<Gate>| {
        let last = Wire::gate(gates.len() - 1);
        Circuit::new(names.clone(), gates, vec![Output::new("y", last)]).expect("it is valid")
    };
    let and = Gate::new(Rule::And, inputs.clone());
    let or = Gate::new(Rule::Or, vec![Wire::gate(0), !Wire::input(19)]);
    let (file, report) = export_gates(&wide(vec![and.clone(), or.clone()]), ExportFormat::Pla);
    assert_eq!((report.gates, report.literals), (2, 18));
    assert!(String::from_utf8_lossy(&file).contains("\n11111111111111111--- 1\n-------------------0 1\n"));
    let count = Gate::new(Rule::AtLeast(3), inputs);
    for (gates, at) in [
        (vec![count.clone()], 0),
        (vec![count, or], 0),
        (vec![and.clone(), Gate::new(Rule::Or, vec![!Wire::gate(0)])], 0),
    ] {
        let error = write(&wide(gates), ExportFormat::Pla, &mut io::sink()).expect_err("no sum of products");
        assert!(matches!(&error, ExportError::NotTwoLevel { gate, limit: 16, .. } if *gate == at), "{error}");
        assert!(error.to_string().contains("blif or aiger"), "{error}");
    }
    let error = write(
        &wide(vec![Gate::new(Rule::AtLeast(3), (0..17).map(Wire::input).collect())]),
        ExportFormat::Pla,
        &mut io::sink(),
    );
    let error = error.expect_err("17 inputs").to_string();
    assert!(
        error.starts_with("gate 0 (at least 3 of 17) is no sum of products, and its output reads 17 inputs"),
        "{error}"
    );
}

#[test]
fn the_report_counts_what_was_written() {
    let stages = vec![stage(&[0, 1, 2], &["11-", "--1"]), stage(&[0, 1], &["11"])];
    let (_, report) = export(&circuit(&["a", "b", "c"], stages.clone()), ExportFormat::Blif);
    // Three ANDs, two ORs that read them, and the XOR of those.
    assert_eq!((report.outputs, report.gates, report.literals, report.and_gates), (1, 6, 10, None));
    assert_eq!(report.to_string(), format!("3 inputs, 6 gates, 10 literals, {} bytes", report.bytes));
    // The product is shared: one AND for it, one for the OR, three for the XOR.
    let (_, report) = export(&circuit(&["a", "b", "c"], stages), ExportFormat::AigerBinary);
    assert_eq!((report.and_gates, report.depth), (Some(5), Some(4)));
    assert_eq!(report.to_string(), format!("3 inputs, 5 AND gates, depth 4, {} bytes", report.bytes));
}

#[test]
fn equal_stages_cancel_in_the_graph() {
    let stages = vec![stage(&[0, 1], &["10", "01"]), stage(&[0], &["-"]), stage(&[0, 1], &["01", "10"])];
    let (file, report) = export(&circuit(&["a", "b"], stages), ExportFormat::AigerAscii);
    assert_eq!(report.and_gates, Some(0));
    assert!(file.starts_with(b"aag 2 2 0 1 0\n2\n4\n1\n"));
}

#[test]
fn a_wide_product_is_as_shallow_as_two_input_gates_allow() {
    let names: Vec<String> = (0..33).map(|i| format!("x{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (width, depth) in [(1, 0), (2, 1), (3, 2), (8, 3), (9, 4), (33, 6)] {
        let wide = circuit(&names, vec![stage(&(0..width).collect::<Vec<_>>(), &[&"1".repeat(width)])]);
        let report = export(&wide, ExportFormat::AigerBinary).1;
        assert_eq!((report.and_gates, report.depth), (Some(width - 1), Some(depth)));
    }
}

/// Circuits of up to six inputs, with inputs that a hand-made stage may hold twice.
fn circuits() -> impl Strategy<Value = Staged> {
    // Terms are drawn for the widest stage and cut to the stage's inputs.
    let terms = prop::collection::vec("[01-]{4}", 0..5);
    let stage = (prop::collection::vec(0..6usize, 1..5), terms).prop_map(|(inputs, terms)| {
        let terms: Vec<&str> = terms.iter().map(|term| &term[..inputs.len()]).collect();
        stage(&inputs, &terms)
    });
    prop::collection::vec(stage, 0..5).prop_map(|stages| circuit(&["a", "b", "c", "d", "e", "f"], stages))
}

fn values(aig: &Aig, x: &[bool]) -> Vec<bool> {
    let mut values = vec![false];
    values.extend_from_slice(x);
    for &[a, b] in &aig.ands {
        values.push((values[a / 2] ^ (a & 1 == 1)) && (values[b / 2] ^ (b & 1 == 1)));
    }
    aig.outputs.iter().map(|output| values[output / 2] ^ (output & 1 == 1)).collect()
}

/// Names that are likely to collide once they are escaped.
fn names() -> impl Strategy<Value = Vec<String>> {
    let name = "(a|b|_|%|%61|%25| |1|_1|_t|\\||\\\\|\n|/|\"|é|int|x|stage|A){0,4}";
    prop::collection::btree_set(name, 1..30).prop_map(|names| names.into_iter().collect())
}

fn decoded(spelled: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = spelled.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().and_then(|b| char::from(b).to_digit(16)).map(|digit| digit as u8);
        match byte {
            b'%' => bytes.extend(digit().zip(digit()).map(|(high, low)| high << 4 | low)),
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).expect("what was encoded was UTF-8")
}

proptest! {
    #[test]
    fn the_graph_equals_the_circuit_and_shares_its_gates(circuit in circuits()) {
        let gates = circuit.gates();
        let formula = Formula::new(&gates).expect("the circuit is well formed");
        let aig = Aig::new(&formula);
        for x in 0..64usize {
            let x: Vec<bool> = (0..6).map(|i| x >> i & 1 == 1).collect();
            prop_assert_eq!(values(&aig, &x), [circuit.at(&x)]);
        }
        let distinct: HashSet<_> = aig.ands.iter().collect();
        prop_assert_eq!(distinct.len(), aig.ands.len());
        for (at, &[a, b]) in aig.ands.iter().enumerate() {
            prop_assert!(2 * (7 + at) > a && a > b && b > 1 && a ^ b != 1);
        }
    }

    #[test]
    fn a_percent_spelling_can_be_decoded(name in "\\PC{0,8}|[%a\n ]{0,6}") {
        prop_assert_eq!(decoded(&names::word(&name)), name.clone());
        prop_assert!(names::word(&name).bytes().all(|b| b.is_ascii_graphic()));
        prop_assert_eq!(decoded(&names::percent(&name, |c| !names::hidden(c))), name);
    }

    #[test]
    fn a_quoted_name_is_json_and_a_comment_stays_one(name in "[*/\"\\\\a\n]{0,6}|\\PC{0,6}|.{0,6}") {
        prop_assert_eq!(serde_json::from_str::<String>(&names::quoted(&name)).expect("JSON"), name.clone());
        let comment = names::comment(&name);
        prop_assert_eq!(serde_json::from_str::<String>(&comment).expect("JSON"), name);
        prop_assert!(!comment.contains("*/") && !comment.contains("/*") && !comment.chars().any(names::hidden));
    }

    #[test]
    fn identifiers_are_plain_and_distinct(names in names()) {
        let identifiers = names::identifiers(&names);
        let distinct: BTreeSet<_> = identifiers.iter().collect();
        prop_assert_eq!(distinct.len(), names.len());
        for identifier in identifiers {
            prop_assert!(identifier.starts_with(|c: char| c.is_ascii_lowercase()), "{identifier}");
            prop_assert!(identifier.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{identifier}");
            prop_assert!(!identifier.contains("__") && !["int", "x", "stage"].contains(&identifier.as_str()));
        }
    }

    #[test]
    fn the_graph_equals_gates_of_any_kind(circuit in deep_circuits()) {
        let formula = Formula::new(&circuit).expect("the circuit is well formed");
        let aig = Aig::new(&formula);
        let inputs = circuit.inputs().len();
        for x in 0..1usize << inputs {
            let x: Vec<bool> = (0..inputs).map(|i| x >> i & 1 == 1).collect();
            let expected: Vec<bool> = circuit.at(&x).iter().map(|&value| value == 1).collect();
            prop_assert_eq!(values(&aig, &x), expected);
        }
    }

    #[test]
    fn no_gates_make_an_export_fail(circuit in deep_circuits()) {
        for format in ExportFormat::ALL {
            prop_assert!(!export_gates(&circuit, format).0.is_empty());
        }
    }

    #[test]
    fn no_circuit_makes_an_export_fail(names in names(), circuit in circuits()) {
        let mut circuit = circuit;
        for (to, from) in circuit.inputs.iter_mut().zip(names) {
            *to = format!("{from}'{to}");
        }
        for format in ExportFormat::ALL {
            prop_assert!(!export(&circuit, format).0.is_empty());
        }
    }
}
