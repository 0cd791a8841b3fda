//! Laws of the factored form: it equals the cover at every point, and never has more literals than the cover.

use super::sum::divide;
use super::*;
use crate::cube::{Literal, Shape};
use proptest::prelude::*;

fn cover_of(inputs: usize, outputs: usize, rows: &[(Vec<u8>, Vec<bool>)]) -> Cover {
    let mut cover = Cover::new(Shape::new(inputs, outputs));
    for (literals, asserted) in rows {
        let literals: Vec<Literal> = literals
            .iter()
            .map(|value| match value {
                0 => Literal::Negative,
                1 => Literal::Positive,
                _ => Literal::Free,
            })
            .collect();
        cover.push(&literals, asserted);
    }
    cover
}

fn covers() -> impl Strategy<Value = Cover> {
    (1usize..8, 1usize..5).prop_flat_map(|(inputs, outputs)| {
        let row = (prop::collection::vec(0u8..4, inputs), prop::collection::vec(any::<bool>(), outputs));
        prop::collection::vec(row, 0..24).prop_map(move |rows| cover_of(inputs, outputs, &rows))
    })
}

fn points(inputs: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << inputs).map(move |x| (0..inputs).map(|i| x >> i & 1 == 1).collect())
}

/// Literals of the cover, where each output is a sum of its own.
fn flat_literals(cover: &Cover) -> usize {
    let shape = cover.shape();
    let terms = cover.sorted();
    let of = |output: usize| {
        let mut products: Vec<&[u64]> = terms
            .cubes()
            .filter(|cube| shape.asserts(cube, output))
            .map(|cube| shape.input_part(cube))
            .collect();
        products.sort_unstable();
        products.dedup();
        products.iter().map(|product| shape.literals(product)).sum::<usize>()
    };
    (0..shape.outputs()).map(of).sum()
}

proptest! {
    #[test]
    fn the_gates_are_the_cover(cover in covers()) {
        let factored = factor(&cover, &Budget::unlimited()).unwrap();
        for x in points(cover.shape().inputs()) {
            let expected: Vec<bool> = (0..cover.shape().outputs()).map(|output| cover.evaluate(output, &x)).collect();
            prop_assert_eq!(factored.evaluate(&x), expected, "at {:?}", x);
        }
        prop_assert!(factored.literals() <= flat_literals(&cover));
        for (number, gate) in factored.gates().iter().enumerate() {
            let before = |wire: &Wire| match wire.origin {
                Origin::Input(input) => input < factored.inputs(),
                Origin::Gate(earlier) => earlier < number,
            };
            prop_assert!(gate.wires.iter().all(before));
        }
        // A spent budget gives the plain kernels, and they are right as well.
        let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
        let plain = factor(&cover, &spent).unwrap();
        for x in points(cover.shape().inputs()) {
            prop_assert_eq!(factored.evaluate(&x), plain.evaluate(&x));
        }
    }

    #[test]
    fn the_same_cover_gives_the_same_gates(cover in covers()) {
        let first = factor(&cover, &Budget::unlimited()).unwrap();
        prop_assert_eq!(first, factor(&cover, &Budget::unlimited()).unwrap());
    }
}

/// Products as letters, upper case negated.
fn sum(text: &str) -> Vec<sum::Product> {
    let literal = |letter: u8| match letter {
        b'a'..=b'z' => 2 * u32::from(letter - b'a'),
        _ => 2 * u32::from(letter - b'A') + 1,
    };
    text.split('+').map(|product| product.trim().bytes().map(literal).collect()).collect()
}

#[test]
fn division_as_in_the_books() {
    // (ab + c) into acd + bcd would be no algebraic division; (a + b) into ac + ad + bc + bd + e is.
    let (quotient, rest) = divide(&sum("ac+ad+bc+bd+e"), &sum("a+b"));
    assert_eq!((quotient, rest), (sum("c+d"), sum("e")));
    let (quotient, rest) = divide(&sum("ad+bc"), &sum("a+b"));
    assert!(quotient.is_empty());
    assert_eq!(rest, sum("ad+bc"));
}

#[test]
fn divisors_of_both_signs_share_one_gate() {
    // y = d (a b + !a c), z = e (a !b + !a !c): one choice, read as it is and negated.
    let rows = [("11-1-", "10"), ("0-11-", "10"), ("10--1", "01"), ("0-0-1", "01")];
    let value = |c: u8| match c {
        b'0' => 0,
        b'1' => 1,
        _ => 2,
    };
    let rows: Vec<(Vec<u8>, Vec<bool>)> = rows
        .iter()
        .map(|(inputs, outputs)| {
            (inputs.bytes().map(value).collect(), outputs.bytes().map(|c| c == b'1').collect())
        })
        .collect();
    let factored = factor(&cover_of(5, 2, &rows), &Budget::unlimited()).unwrap();
    // a b + !a c has four literals; y and z have two each.
    assert_eq!(factored.literals(), 8);
    assert_eq!(factored.outputs().len(), 2);
}

#[test]
fn constants_literals_and_equal_outputs() {
    let rows = [(vec![2, 2], vec![true, false, false, false]), (vec![1, 2], vec![false, true, true, false])];
    let factored = factor(&cover_of(2, 4, &rows), &Budget::unlimited()).unwrap();
    for x in points(2) {
        assert_eq!(factored.evaluate(&x), [true, x[0], x[0], false]);
    }
    assert_eq!(factored.levels(), 1, "constants are gates without wires");
}

#[test]
fn a_changed_gate_is_noticed() {
    let rows: Vec<(Vec<u8>, Vec<bool>)> = [[1, 2, 1, 2], [1, 2, 2, 1], [2, 1, 1, 2], [2, 1, 2, 1]]
        .into_iter()
        .map(|row| (row.to_vec(), vec![true]))
        .collect();
    let cover = cover_of(4, 1, &rows);
    let factored = factor(&cover, &Budget::unlimited()).unwrap();
    let function = Function::on_dont_care(cover.clone(), Cover::new(cover.shape())).unwrap();
    let right = |factored: &Factored| {
        flatten::flatten(factored, cover.shape()).is_some_and(|flat| espresso::agrees(&function, &flat))
    };
    assert!(right(&factored));
    for gate in 0..factored.gates.len() {
        let mut other = factored.clone();
        other.gates[gate].wires[0].positive ^= true;
        assert!(!right(&other), "gate {gate} with a wrong sign");
        let mut other = factored.clone();
        other.gates[gate].operation = match other.gates[gate].operation {
            Operation::And => Operation::Or,
            Operation::Or => Operation::And,
        };
        assert!(!right(&other), "gate {gate} with the other operation");
    }
}
