//! Models whose circuits have no stages: counts, points over other gates, several levels. What a learner hands over goes through files,
//! predictions, networks with their certificates, explanations, the page and every export.

use macchiato::Model;
use macchiato::bits;
use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::check;
use macchiato::circuit::{Circuit, Gate, Literal, Output, Role, Rule};
use macchiato::explain::{ExplainOptions, Point, Subject, explain_model, explain_prediction};
use macchiato::export::{ExportFormat, write};
use macchiato::minimize::Budget;
use macchiato::network::{CompileOptions, compile, to_onnx};
use macchiato::report::{Report, Sample};
use macchiato::rows::Rows;
use macchiato::words::Symbols;

const INPUTS: usize = 6;

fn input(i: usize) -> Literal {
    Literal::input(i)
}

/// What may come from a learner, each with what it says.
fn circuits() -> Vec<(Circuit, &'static str)> {
    let names: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).to_vec();
    let made = |gates: Vec<Gate>, output: Literal| {
        Circuit::new(names.clone(), gates, vec![Output::new("y", output)]).expect("a circuit")
    };
    let and = |literals: &[Literal]| Gate::new(Rule::And, literals.to_vec());
    let or = |literals: &[Literal]| Gate::new(Rule::Or, literals.to_vec());
    let count = |rule: Rule| Gate::new(rule, (0..INPUTS).map(input).collect());
    let points = Gate::new(
        Rule::AtLeast(7),
        vec![Literal::gate(0).times(3), Literal::gate(1).times(4), input(4).times(2), (!input(5)).times(2)],
    );
    let graph = vec![
        and(&[input(0), !input(1)]),
        or(&[input(2), !Literal::gate(0)]),
        and(&[Literal::gate(1), !input(3)]),
        or(&[!Literal::gate(2), Literal::gate(0), input(5)]),
    ];
    let either = vec![
        Gate::new(Rule::AtLeast(2), vec![input(0), input(1), input(2)]),
        and(&[input(3), input(4)]),
        and(&[!input(3), !input(4)]),
        or(&[Literal::gate(1), Literal::gate(2)]),
        Gate::new(Rule::Xor, vec![Literal::gate(0), Literal::gate(3)]),
    ];
    vec![
        (made(vec![count(Rule::AtLeast(3))], Literal::gate(0)), "y = 1 if at least 3 of: a, b, c, d, e, f"),
        (
            made(vec![count(Rule::Counts(vec![(0, 0), (2, 4)]))], !Literal::gate(0)),
            "y = 0 if 0 or 2 to 4 of: a, b, c, d, e, f",
        ),
        (
            made(
                vec![
                    and(&[input(0), input(1)]),
                    and(&[!input(2), input(3)]),
                    points.role(Role::Named("risk".to_owned())),
                ],
                Literal::gate(2),
            ),
            "y = 1 if score = 3 * (a ∧ b) + 4 * (¬c ∧ d) + 2 * e + 2 * ¬f >= 7",
        ),
        (made(graph, !Literal::gate(3)), "y = ¬(¬(¬d ∧ (c ∨ ¬g1)) ∨ g1 ∨ f)"),
        (made(either, Literal::gate(4)), "y = (at least 2 of: a, b, c) ⊕ ((d ∧ e) ∨ (¬d ∧ ¬e))"),
        (made(vec![], !input(2)), "y = ¬c"),
        (made(vec![and(&[])], Literal::gate(0)), "y = 1, whatever the inputs are"),
    ]
}

/// All rows, labelled by the circuit but for two.
fn rows(circuit: &Circuit) -> Rows {
    let points = 1usize << INPUTS;
    let column = |i: usize| (0..points).fold(0u64, |word, x| word | ((x >> i & 1) as u64) << x);
    let columns: Vec<Vec<u64>> = (0..INPUTS).map(|i| vec![column(i)]).collect();
    let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let labels = circuit.evaluate(&slices, 1).swap_remove(0)[0] ^ 0b1001;
    let names = (circuit.inputs().to_vec(), "y".to_owned());
    Rows::named(names, columns, vec![labels], (points, None)).expect("rows")
}

fn models() -> Vec<(Model, Rows, &'static str)> {
    let model = |(circuit, says): (Circuit, &'static str)| {
        let rows = rows(&circuit);
        let model = Model::of_circuit(circuit, &rows).expect(says);
        assert_eq!(model.circuits()[0].trace().errors, 2);
        (model, rows, says)
    };
    circuits().into_iter().map(model).collect()
}

fn text(model: &Model) -> String {
    let mut bytes = Vec::new();
    model.write(&mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn files_keep_every_gate() {
    for (model, rows, says) in models() {
        let written = text(&model);
        let read = Model::read(written.as_bytes(), "m.json").expect(says);
        assert_eq!(read, model, "{says}");
        assert_eq!(text(&read), written);
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        assert_eq!(
            read.circuits()[0].evaluate(&columns, rows.len()),
            model.circuits()[0].circuit().evaluate(&columns, 1).swap_remove(0)
        );
        assert_eq!(
            read.circuits()[0].coverage(),
            model.circuits()[0].circuit().coverage(&columns, rows.len())
        );
    }
}

#[test]
fn words_say_what_the_gates_do() {
    for (model, _, says) in models() {
        let said = model.words().circuit(model.circuits()[0].circuit(), Symbols::UNICODE);
        assert_eq!(said.equation(model.target()), says);
    }
}

#[test]
fn networks_are_certified_and_answer_the_same() {
    for (model, _, says) in models() {
        let compiled =
            compile(model.circuits()[0].circuit(), &CompileOptions::default()).expect("small gates");
        let network = to_onnx(&compiled.network);
        let certificate =
            certify(model.circuits()[0].circuit(), &compiled, NetworkFormat::Onnx, &network, None)
                .expect("accepted");
        assert!(check(certificate.as_bytes(), &network).is_accepted(), "{says}");
        for x in 0..1i32 << INPUTS {
            let point: Vec<i32> = (0..INPUTS).map(|i| x >> i & 1).collect();
            let bits: Vec<bool> = point.iter().map(|&bit| bit == 1).collect();
            assert_eq!(
                vec![u64::from(compiled.network.at(&point).unsigned_abs())],
                model.circuits()[0].circuit().at(&bits),
                "{says} at {x:b}"
            );
        }
    }
}

#[test]
fn explanations_are_proven() {
    for (model, rows, says) in models() {
        let subject = Subject::of_model(&model);
        let (options, budget) = (ExplainOptions::default(), Budget::unlimited());
        let whole = explain_model(&subject, None, &options, &budget).expect(says);
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let ones =
            bits::count(&model.circuits()[0].evaluate(&columns, rows.len())) as f64 / rows.len() as f64;
        let (low, high) = whole.circuits[0].ones.share_bounds();
        assert!((low - ones).abs() < 1e-9 && (high - ones).abs() < 1e-9, "{says}");
        for x in [0usize, 21, 63] {
            let point: Vec<bool> = (0..INPUTS).map(|i| x >> i & 1 == 1).collect();
            let why = explain_prediction(&subject, &Point::of_bits(&point), &options, &budget).expect(says);
            assert!(why.reason.is_smallest() && why.counterfactual.is_nearest(), "{says}");
            assert_eq!(why.answer, model.circuits()[0].circuit().at(&point)[0].to_string());
        }
    }
}

#[test]
fn pages_have_every_gate() {
    for (model, rows, says) in models() {
        let frame = rows.clone().into_frame("all");
        let labels: Vec<u32> = (0..rows.len()).map(|row| u32::from(bits::get(rows.labels(), row))).collect();
        let sample = Sample { source: "all", frame: &frame, labels: &labels, weights: None };
        let report = Report { train: Some(sample), ..Report::new(&model) };
        let page = report.html().expect(says);
        for g in 1..=model.circuits()[0].circuit().gates().len() {
            assert!(page.contains(&format!("<g data-k=\"g1.{g}\">")), "{says}: gate {g}");
        }
        let points = model.circuits()[0].circuit().gates().iter().filter(|gate| gate.has_points()).count();
        assert_eq!(page.matches("<table class=\"scorecard\"").count(), points, "{says}");
        assert!(page.contains("96.9 %"), "62 of 64 rows are right");
    }
}

#[test]
fn every_export_is_written() {
    for (model, _, says) in models() {
        for format in ExportFormat::ALL {
            let mut file = Vec::new();
            write(model.circuits()[0].circuit(), format, &mut file)
                .unwrap_or_else(|error| panic!("{says}, {format:?}: {error}"));
            assert!(!file.is_empty());
        }
    }
}
