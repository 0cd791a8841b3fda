//! Symmetric functions that are learned as sums of products become one count each by simplification alone, and that count is certified.
//!
//! The rows are made here, with inputs that say nothing among them; every literal that the count needs must come out, with its sign.

use macchiato::bits;
use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::check;
use macchiato::circuit::{Circuit, Literal, Rule, Source};
use macchiato::learn::{AutoParams, Gates, fit_auto};
use macchiato::minimize::Budget;
use macchiato::network::{CompileOptions, compile, to_onnx};
use macchiato::rows::Rows;
use macchiato::staged::Staged;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A function of how many literals hold: the inputs it reads, each with its sign, and the counts at which it is 1.
struct Symmetric {
    inputs: usize,
    literals: &'static [(usize, bool)],
    ones: &'static [usize],
}

/// None of them is a threshold, a parity or a set of neighbouring counts, for which the learner might have a shorter way.
const FUNCTIONS: [Symmetric; 3] = [
    // One or four to six of seven.
    Symmetric {
        inputs: 9,
        literals: &[(0, true), (1, true), (3, true), (4, true), (5, true), (7, true), (8, true)],
        ones: &[1, 4, 5, 6],
    },
    // A multiple of three of eight, three of them negated.
    Symmetric {
        inputs: 10,
        literals: &[
            (0, true),
            (2, false),
            (3, true),
            (4, true),
            (5, false),
            (6, true),
            (8, false),
            (9, true),
        ],
        ones: &[0, 3, 6],
    },
    // None, all, or four or five of nine.
    Symmetric {
        inputs: 12,
        literals: &[
            (0, true),
            (1, true),
            (2, true),
            (4, true),
            (5, true),
            (6, true),
            (8, true),
            (10, true),
            (11, true),
        ],
        ones: &[0, 4, 5, 9],
    },
];

impl Symmetric {
    fn at(&self, x: u64) -> bool {
        let holds = |&&(input, positive): &&(usize, bool)| (x >> input & 1 == 1) == positive;
        self.ones.contains(&self.literals.iter().filter(holds).count())
    }

    fn rows(&self, count: usize, seed: u64) -> Rows {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut columns = vec![vec![0u64; bits::words(count)]; self.inputs];
        let mut labels = vec![0u64; bits::words(count)];
        for row in 0..count {
            let x = rng.next_u64();
            for (_, column) in columns.iter_mut().enumerate().filter(|&(i, _)| x >> i & 1 == 1) {
                bits::set(column, row);
            }
            if self.at(x) {
                bits::set(&mut labels, row);
            }
        }
        Rows::new(columns, labels, count).expect("rows")
    }
}

/// Inputs, each with its sign.
type Literals = Vec<(usize, bool)>;

/// The literals of the one gate and the counts at which the output is 1; None where there are more gates.
fn one_count(circuit: &Circuit) -> Option<(Literals, Vec<usize>)> {
    let [gate] = circuit.gates() else { return None };
    let Literal { source: Source::Gate(0), positive, .. } = circuit.outputs()[0].literal else { return None };
    let read = |literal: &Literal| match (literal.source, literal.weight) {
        (Source::Input(input), 1) => Some((input, literal.positive)),
        _ => None,
    };
    let literals: Option<Literals> = gate.literals.iter().map(read).collect();
    let most = gate.most();
    let holds = |&count: &u64| (gate.rule.value(count, most) == 1) == positive;
    Some((literals?, (0..=most).filter(holds).map(|count| count as usize).collect()))
}

#[test]
fn learned_sums_of_products_of_symmetric_functions_become_one_count() {
    for function in &FUNCTIONS {
        let rows = function.rows(3000, 1);
        let params = AutoParams::with(|params| params.gates = Gates::PAPER).check(&rows).expect("parameters");
        let fit = fit_auto(&rows, None, &params, &Budget::unlimited()).expect("a fit");
        let target = rows.target().to_owned();
        let learned = Staged { inputs: rows.names().to_vec(), target, stages: fit.stages }.plain();
        assert!(learned.gates().len() > 20, "it was learned as {:?}", learned.gates());

        let circuit = learned.simplified();
        let (mut literals, mut ones) = one_count(&circuit).expect("one gate");
        // With every sign changed the same function counts from the other end.
        if literals.contains(&(function.literals[0].0, !function.literals[0].1)) {
            for literal in &mut literals {
                literal.1 = !literal.1;
            }
            ones = ones.into_iter().rev().map(|count| literals.len() - count).collect();
        }
        assert_eq!(literals, function.literals);
        assert_eq!(ones, function.ones);
        assert!(matches!(circuit.gates()[0].rule, Rule::Counts(_)));

        let compiled = compile(&circuit, &CompileOptions::default()).expect("a small gate");
        let network = to_onnx(&compiled.network);
        let certificate =
            certify(&circuit, &compiled, NetworkFormat::Onnx, &network, None).expect("accepted");
        assert!(check(certificate.as_bytes(), &network).is_accepted());
        for x in 0..1u64 << function.inputs {
            let point: Vec<i32> = (0..function.inputs).map(|i| (x >> i & 1) as i32).collect();
            assert_eq!(compiled.network.at(&point), i32::from(function.at(x)), "at {x:b}");
        }
    }
}
