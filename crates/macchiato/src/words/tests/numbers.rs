use super::super::*;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule};

/// A chain of gates that outvote two of three, over a1.. and b1.., from the lowest place up; the first gate is an AND or, with a carry in, an OR.
fn chained(bits: usize, sign: impl Fn(usize) -> [bool; 2], carried: bool) -> Circuit {
    let place = |at: usize| {
        let [a, b] = sign(at);
        [Literal::input(at).signed(a), Literal::input(bits + at).signed(b)]
    };
    let first = if carried { Rule::Or } else { Rule::And };
    let mut gates = vec![Gate::new(first, place(0).to_vec())];
    for at in 1..bits {
        let [a, b] = place(at);
        gates.push(Gate::new(Rule::AtLeast(2), vec![b, Literal::gate(at - 1), a]));
    }
    let names = ["a", "b"].iter().flat_map(|word| (1..=bits).map(move |at| format!("{word}{at}"))).collect();
    Circuit::new(names, gates, vec![Output::new("y", Literal::gate(bits - 1))]).expect("a circuit")
}

/// What the two numbers, lowest bits first, are claimed to be.
type Claim<'a> = &'a dyn Fn(&[bool], &[bool]) -> bool;

#[test]
fn carries_and_comparisons_are_said_as_numbers() {
    let number = |bits: &[bool]| bits.iter().rev().fold(0i64, |number, &bit| 2 * number + i64::from(bit));
    let signed = |bits: &[bool]| number(bits) - if bits[3] { 16 } else { 0 };
    let top = |sign: [bool; 2]| move |at: usize| if at == 3 { [sign[1], sign[0]] } else { sign };
    let cases: [(Circuit, &str, Claim<'_>); 9] = [
        (chained(4, |_| [true, true], false), "carry of a4..a1 + b4..b1", &|a, b| number(a) + number(b) > 15),
        (chained(4, |_| [true, true], true), "carry of a4..a1 + b4..b1 + 1", &|a, b| {
            number(a) + number(b) > 14
        }),
        (chained(4, |_| [true, false], false), "a4..a1 > b4..b1", &|a, b| number(a) > number(b)),
        (chained(4, |_| [true, false], true), "a4..a1 >= b4..b1", &|a, b| number(a) >= number(b)),
        (chained(4, |_| [false, true], false), "a4..a1 < b4..b1", &|a, b| number(a) < number(b)),
        (chained(4, |_| [false, true], true), "a4..a1 <= b4..b1", &|a, b| number(a) <= number(b)),
        (chained(4, |_| [false, false], true), "no carry of a4..a1 + b4..b1", &|a, b| {
            number(a) + number(b) <= 15
        }),
        (chained(4, |_| [false, false], false), "no carry of a4..a1 + b4..b1 + 1", &|a, b| {
            number(a) + number(b) < 15
        }),
        (chained(4, top([false, true]), false), "a4..a1 < b4..b1 as signed numbers", &|a, b| {
            signed(a) < signed(b)
        }),
    ];
    for (circuit, words, claim) in cases {
        let said = Words::Names(circuit.inputs()).circuit(&circuit, Symbols::UNICODE);
        assert_eq!((said.formula.as_str(), said.gates.len()), (words, 0));
        for x in 0..256usize {
            let point: Vec<bool> = (0..8).map(|bit| x >> bit & 1 == 1).collect();
            assert_eq!(circuit.at(&point) == [1], claim(&point[..4], &point[4..]), "{words} at {x}");
        }
    }
    // Signs that are neither are said gate by gate.
    let odd = chained(4, |at| [at != 1, true], false);
    let said = Words::Names(odd.inputs()).circuit(&odd, Symbols::UNICODE);
    assert!(said.line().contains("at least 2 of"), "{}", said.line());
}

#[test]
fn names_that_do_not_count_are_said_one_by_one() {
    let circuit = chained(3, |_| [true, false], false);
    let names: Vec<String> = ["p", "q7", "q9", "s", "t", "u"].map(str::to_owned).to_vec();
    let circuit =
        Circuit::new(names, circuit.gates().to_vec(), circuit.outputs().to_vec()).expect("a circuit");
    let said = Words::Names(circuit.inputs()).circuit(&circuit, Symbols::UNICODE);
    assert_eq!(said.formula, "(q9 q7 p) > (u t s)");
}
