use super::*;
use proptest::prelude::*;

/// A random valid circuit over few inputs.
pub(crate) fn circuits() -> impl Strategy<Value = Circuit> {
    circuits_over(1..6)
}

/// The same over so many inputs.
pub(crate) fn circuits_over(inputs: std::ops::Range<usize>) -> impl Strategy<Value = Circuit> {
    let literal = (any::<prop::sample::Index>(), any::<bool>(), 1u32..6);
    let gate = (0u8..6, prop::collection::vec(literal, 0..7), any::<u64>());
    (
        inputs,
        prop::collection::vec(gate, 1..9),
        prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..4),
    )
        .prop_map(|(inputs, drawn, outputs)| {
            let mut gates: Vec<Gate> = Vec::new();
            let source = |at: usize| if at < inputs { Source::Input(at) } else { Source::Gate(at - inputs) };
            for (rule, literals, number) in drawn {
                let literals: Vec<Literal> = literals
                    .into_iter()
                    .map(|(at, positive, weight)| {
                        let weight = if rule == 2 { 1 } else { weight };
                        Literal { source: source(at.index(inputs + gates.len())), positive, weight }
                    })
                    .collect();
                let most: u64 = literals.iter().map(|literal| u64::from(literal.weight)).sum();
                let rule = match rule {
                    0 => Rule::And,
                    1 => Rule::Or,
                    2 => Rule::Xor,
                    3 => Rule::AtLeast(number % (most + 2)),
                    _ => {
                        let holds = |count: &u64| number >> (count % 64) & 1 == 1;
                        Rule::Counts(ranges((0..=most).filter(holds)))
                    }
                };
                gates.push(Gate::new(rule, literals));
            }
            let outputs = outputs.into_iter().enumerate().map(|(o, (at, positive))| {
                let literal = Literal { source: source(at.index(inputs + gates.len())), positive, weight: 1 };
                Output::new(format!("y{o}"), literal)
            });
            let outputs = outputs.collect();
            Circuit::new((0..inputs).map(|i| format!("x{i}")).collect(), gates, outputs).expect("valid")
        })
}

/// Counts as ranges.
fn ranges(counts: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for count in counts {
        match ranges.last_mut() {
            Some((_, to)) if *to + 1 == count => *to = count,
            _ => ranges.push((count, count)),
        }
    }
    ranges
}

/// All points of the cube, and the columns that hold them.
pub(crate) fn cube(inputs: usize) -> (Vec<Vec<bool>>, Vec<Vec<u64>>) {
    let points: Vec<Vec<bool>> =
        (0..1usize << inputs).map(|x| (0..inputs).map(|i| x >> i & 1 == 1).collect()).collect();
    let mut columns = vec![vec![0u64; points.len().div_ceil(64)]; inputs];
    for (row, point) in points.iter().enumerate() {
        for (column, &bit) in columns.iter_mut().zip(point) {
            column[row / 64] |= u64::from(bit) << (row % 64);
        }
    }
    (points, columns)
}

#[test]
fn circuits_stand_side_by_side() {
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let stage = Gate::new(Rule::Or, vec![Literal::input(0)]).role(Role::Stage(1));
    let term = Gate::new(Rule::And, vec![Literal::gate(0), Literal::input(1)]).role(Role::Output(0));
    let one =
        Circuit::new(names(), vec![stage, term], vec![Output::new("y", !Literal::gate(1))]).expect("valid");
    let both = Circuit::beside(&[&one, &one]).expect("the same inputs");
    assert_eq!(
        (both.gates()[2].role.clone(), both.gates()[3].role.clone()),
        (Role::Stage(2), Role::Output(1))
    );
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(both.at(&[a, b]), [one.at(&[a, b]), one.at(&[a, b])].concat());
    }
    let other =
        Circuit::new(vec!["a".to_owned()], vec![], vec![Output::new("z", Literal::input(0))]).expect("valid");
    let error = CircuitError::OtherInputs { circuit: 1, target: "z".to_owned() };
    assert_eq!(Circuit::beside(&[&one, &other]), Err(error));
    assert_eq!(Circuit::beside(&[]), Err(CircuitError::Nothing));
}

proptest! {
    /// Rows on which each gate holds, and literals of gates, are those of the points.
    #[test]
    fn gates_are_counted(circuit in circuits()) {
        let (points, columns) = cube(circuit.inputs().len());
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let coverage = circuit.coverage(&columns, points.len());
        for (g, &counted) in coverage.iter().enumerate() {
            let alone = circuit.with_output(Literal::gate(g));
            let held = points.iter().filter(|point| alone.at(point) == [1]).count();
            prop_assert_eq!(counted, held);
        }
    }

    #[test]
    fn words_are_points(circuit in circuits()) {
        let (points, columns) = cube(circuit.inputs().len());
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let values = circuit.evaluate(&columns, points.len().div_ceil(64));
        for (row, point) in points.iter().enumerate() {
            let bits: Vec<u64> = values.iter().map(|output| output[row / 64] >> (row % 64) & 1).collect();
            prop_assert_eq!(bits, circuit.at(point));
        }
    }
}

#[test]
fn many_rows_are_many_blocks() {
    let gate = Gate::new(Rule::AtLeast(4), (0..3).map(|i| Literal::input(i).times(i as u32 + 1)).collect());
    let circuit = Circuit::new(
        vec!["a".into(), "b".into(), "c".into()],
        vec![gate],
        vec![Output::new("y", !Literal::gate(0))],
    )
    .expect("valid");
    let columns: Vec<Vec<u64>> = (0..3u64)
        .map(|i| (0..1000u64).map(|w| (w + i).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect())
        .collect();
    let lent: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let values = &circuit.evaluate(&lent, 1000)[0];
    for row in 0..64_000 {
        let point: Vec<bool> = columns.iter().map(|column| column[row / 64] >> (row % 64) & 1 == 1).collect();
        assert_eq!(values[row / 64] >> (row % 64) & 1, circuit.at(&point)[0], "row {row}");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let output = || vec![Output::new("y", Literal::gate(0))];
    let refused = |gate: Gate| Circuit::new(names(), vec![gate], output()).expect_err("no circuit");
    let place = Place::Gate(0);
    assert_eq!(
        refused(Gate::new(Rule::And, vec![Literal::gate(0)])),
        CircuitError::NotBefore { place, source_name: Source::Gate(0) }
    );
    assert_eq!(
        refused(Gate::new(Rule::And, vec![Literal::input(2)])).to_string(),
        "gate 0 reads input 2, which is not there before it"
    );
    for (rule, weight) in [(Rule::And, 0), (Rule::Or, 1001), (Rule::Xor, 2)] {
        assert_eq!(
            refused(Gate::new(rule, vec![Literal::input(0).times(weight)])),
            CircuitError::Weight { place, weight }
        );
    }
    let many = vec![Literal::input(0).times(1000); 16_778];
    assert_eq!(refused(Gate::new(Rule::AtLeast(1), many)), CircuitError::TooMany { place, most: 16_778_000 });
    for ranges in [vec![(1, 0)], vec![(0, 1), (2, 3)], vec![(3, 4), (0, 1)]] {
        assert_eq!(refused(Gate::new(Rule::Counts(ranges), vec![])), CircuitError::Ranges { place });
    }
    let sum = || Gate::new(Rule::Sum, vec![Literal::input(0), Literal::input(1)]);
    let reads = Gate::new(Rule::Or, vec![Literal::gate(0)]);
    let error = Circuit::new(names(), vec![sum(), reads], output()).expect_err("no circuit");
    assert_eq!(error, CircuitError::ReadsSum { place: Place::Gate(1), sum: 0 });
    let error = Circuit::new(names(), vec![sum()], vec![Output::new("y", !Literal::gate(0))])
        .expect_err("no circuit");
    assert_eq!(error, CircuitError::ReadsSum { place: Place::Output(0), sum: 0 });
    let circuit = Circuit::new(names(), vec![sum()], output()).expect("valid");
    assert_eq!((circuit.at(&[true, true]), circuit.most(0)), (vec![2], 2));
}

proptest! {
    #[test]
    fn simplified_circuits_are_the_same_and_no_longer(circuit in circuits()) {
        let short = circuit.simplified();
        let (points, _) = cube(circuit.inputs().len());
        for point in &points {
            prop_assert_eq!(short.at(point), circuit.at(point), "{:?}", short);
        }
        prop_assert!(short.literals() <= circuit.literals());
        let valid = Circuit::new(short.inputs.clone(), short.gates.clone(), short.outputs.clone());
        prop_assert_eq!(valid.as_ref(), Ok(&short));
        prop_assert_eq!(&short.simplified(), &short, "nothing is left to do");
    }
}

/// The OR of all terms that are 1 in exactly these counts of some literals.
fn terms(literals: &[Literal], counts: &[u32]) -> Circuit {
    let n = literals.len();
    let cells = (0..1usize << n).filter(|cell| counts.contains(&cell.count_ones()));
    let term = |cell: usize| {
        Gate::new(
            Rule::And,
            literals.iter().enumerate().map(|(i, literal)| literal.signed(cell >> i & 1 == 1)).collect(),
        )
    };
    let mut gates: Vec<Gate> = cells.map(term).collect();
    gates.push(Gate::new(Rule::Or, (0..gates.len()).map(Literal::gate).collect()));
    let output = vec![Output::new("y", Literal::gate(gates.len() - 1))];
    Circuit::new((0..n).map(|i| format!("x{i}")).collect(), gates, output).expect("valid")
}

#[test]
fn terms_that_only_count_become_one_gate() {
    let literals: Vec<Literal> = (0..6).map(|i| Literal::input(i).signed(i % 3 != 1)).collect();
    for (counts, rule) in [
        (vec![2], Rule::Counts(vec![(2, 2)])),
        (vec![3, 4, 5, 6], Rule::AtLeast(3)),
        (vec![0, 1, 5], Rule::Counts(vec![(0, 1), (5, 5)])),
    ] {
        let short = terms(&literals, &counts).simplified();
        // The first literal is taken as positive, which it is.
        assert_eq!(short.gates(), [Gate::new(rule, literals.clone())], "{counts:?}");
    }
    let parity = terms(&literals, &[1, 3, 5]).simplified();
    assert_eq!(parity.gates().len(), 1);
    assert_eq!(parity.gates()[0].rule, Rule::Xor);
}
