mod numbers;

use super::*;
use crate::binarize::{Bit, Column, Test};
use crate::circuit::{self, Circuit, Gate, Rule};
use crate::frame::Kind;
use crate::staged::Staged;
use macchiato_minimize::Literal;
use proptest::prelude::*;

fn column(name: &str, kind: Kind, gaps: bool, levels: &[&str]) -> Column {
    Column {
        name: name.to_owned(),
        kind,
        gaps,
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    }
}

/// Bits of a number with gaps, a category with gaps, a Boolean column and a number without gaps.
fn binarizer() -> Binarizer {
    let columns = vec![
        column("age", Kind::Number, true, &[]),
        column("job", Kind::Category, true, &["clerk", "cook"]),
        column("smoker", Kind::Boolean, false, &[]),
        column("doors", Kind::Number, false, &[]),
    ];
    let tests = [
        (0, Test::Above(20.0)),
        (0, Test::Above(41.5)),
        (0, Test::Above(60.0)),
        (0, Test::Equals(50.0)),
        (0, Test::Missing),
        (1, Test::Is("clerk".into())),
        (1, Test::Is("cook".into())),
        (1, Test::Other),
        (1, Test::Missing),
        (2, Test::True),
        (3, Test::Above(3.5)),
        (3, Test::Equals(3.0)),
        (3, Test::Equals(5.0)),
    ];
    Binarizer::new(columns, tests.into_iter().map(|(column, test)| Bit { column, test }).collect())
}

fn term(literals: &[Signed]) -> String {
    Words::Bits(&binarizer()).term(literals, Symbols::WORDS)
}

#[test]
fn negations_are_folded_and_intervals_merged() {
    for (literals, words) in [
        (&[(1, true)][..], "age > 41.5"),
        (&[(0, true), (1, true)], "age > 41.5"),
        (&[(1, true), (2, false)], "41.5 < age <= 60"),
        (&[(1, false), (4, false)], "age <= 41.5"),
        (&[(1, false)], "(age <= 41.5 or missing)"),
        (&[(4, true), (1, false)], "age is missing"),
        (&[(4, false)], "age is not missing"),
        (&[(3, false), (4, false)], "age != 50 AND age is not missing"),
        (&[(3, false), (1, false), (4, false)], "age <= 41.5"),
        (&[(5, false)], "job != clerk"),
        (&[(5, true), (6, false), (9, false)], "job = clerk AND NOT smoker"),
        (&[(7, true), (6, false)], "job is other"),
        (&[(5, false), (7, false), (8, false)], "job != clerk AND job is not other AND job is not missing"),
        (&[(10, false)], "doors <= 3.5"),
        (&[(10, true), (12, false)], "doors > 3.5 AND doors != 5"),
        (&[(11, true), (10, false)], "doors = 3"),
        (&[], "1"),
    ] {
        assert_eq!(term(literals), words, "{literals:?}");
    }
}

#[test]
fn contradictions_are_left_as_they_are() {
    assert_eq!(term(&[(1, true), (0, false)]), "age > 41.5 AND age <= 20");
    assert_eq!(term(&[(5, true), (6, true)]), "job = clerk AND job = cook");
    assert_eq!(term(&[(4, true), (0, true)]), "age is missing AND age > 20");
    assert_eq!(term(&[(9, true), (9, false)]), "smoker AND NOT smoker");
}

#[test]
fn cuts_of_one_column_are_an_interval() {
    let names: Vec<String> = (0..13).map(|i| format!("x{i}")).collect();
    let circuit = |inputs: &[(usize, bool)]| {
        let stage = |&(input, positive): &Signed| {
            let mut cover = macchiato_minimize::Cover::new(macchiato_minimize::Shape::new(1, 1));
            let literal = if positive { Literal::Positive } else { Literal::Negative };
            cover.push(&[literal], &[true]);
            Stage { inputs: vec![input], cover }
        };
        Staged { inputs: names.clone(), target: "y".to_owned(), stages: inputs.iter().map(stage).collect() }
            .gates()
    };
    let binarizer = binarizer();
    let say =
        |inputs: &[(usize, bool)]| Words::Bits(&binarizer).circuit(&circuit(inputs), Symbols::WORDS).formula;
    assert_eq!(say(&[(2, true), (1, true)]), "41.5 < age <= 60");
    assert_eq!(say(&[(2, true), (9, true), (1, true)]), "(41.5 < age <= 60) XOR smoker");
    assert_eq!(say(&[(2, true), (1, true), (0, true)]), "(41.5 < age <= 60) XOR (age > 20)");
    assert_eq!(say(&[(2, true), (10, true)]), "(age > 60) XOR (doors > 3.5)");
    assert_eq!(say(&[(1, false), (9, false)]), "(age > 41.5) XOR smoker");
    assert_eq!(say(&[(1, false), (9, true)]), "NOT ((age > 41.5) XOR smoker)");
    assert_eq!(say(&[]), "0");
    let plain = Words::Names(&names).circuit(&circuit(&[(1, true), (2, true)]), Symbols::ASCII).formula;
    assert_eq!(plain, "x1 ^ x2");
}

/// A row of the table: `age`, `job`, `smoker` and `doors`; none is missing.
type Row = (Option<f64>, Option<&'static str>, bool, f64);

fn bit(test: &Test, column: usize, row: &Row) -> bool {
    let number = if column == 0 { row.0 } else { Some(row.3) };
    match test {
        Test::True => row.2,
        Test::Above(cut) => number.is_some_and(|value| value > *cut),
        Test::Equals(wanted) => number == Some(*wanted),
        Test::Is(level) => row.1 == Some(level),
        Test::Other => row.1.is_some_and(|level| level != "clerk" && level != "cook"),
        Test::Missing => {
            if column == 0 {
                row.0.is_none()
            } else {
                row.1.is_none()
            }
        }
    }
}

/// What a person would take a condition to say.
fn holds(condition: &str, row: &Row) -> bool {
    if let Some(inner) = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(" or missing)")) {
        return row.0.is_none() || holds(inner, row);
    }
    let number = |name: &str| if name == "age" { row.0 } else { Some(row.3) };
    let parse = |text: &str| text.parse::<f64>().expect("a number");
    match condition.split(' ').collect::<Vec<_>>().as_slice() {
        [lower, "<", name, "<=", upper] => {
            number(name).is_some_and(|value| parse(lower) < value && value <= parse(upper))
        }
        [name, ">", cut] => number(name).is_some_and(|value| value > parse(cut)),
        [name, "<=", cut] => number(name).is_some_and(|value| value <= parse(cut)),
        ["job", "=", level] => row.1 == Some(level),
        ["job", "!=", level] => row.1 != Some(level),
        [name, "=", value] => number(name) == Some(parse(value)),
        [name, "!=", value] => number(name) != Some(parse(value)),
        ["job", "is", "other"] => row.1.is_some_and(|level| level == "baker"),
        ["job", "is", "not", "other"] => row.1 != Some("baker"),
        ["job", "is", "missing"] => row.1.is_none(),
        ["job", "is", "not", "missing"] => row.1.is_some(),
        ["age", "is", "missing"] => row.0.is_none(),
        ["age", "is", "not", "missing"] => row.0.is_some(),
        ["smoker"] => row.2,
        ["NOT", "smoker"] => !row.2,
        words => panic!("{words:?}"),
    }
}

proptest! {
    /// Whatever is merged, the words say what the literals say.
    #[test]
    fn words_parse_back(
        literals in prop::collection::vec((0usize..13, any::<bool>()), 0..6),
        age in prop::option::of(prop::sample::select(vec![10.0, 20.0, 30.0, 41.5, 50.0, 60.0, 61.0])),
        job in prop::option::of(prop::sample::select(vec!["clerk", "cook", "baker"])),
        smoker in any::<bool>(),
        doors in 2u8..7,
    ) {
        let (binarizer, row) = (binarizer(), (age, job, smoker, f64::from(doors)));
        let literal = |&(input, positive): &Signed| {
            let Bit { column, test } = &binarizer.bits()[input];
            bit(test, *column, &row) == positive
        };
        let conditions = Words::Bits(&binarizer).conditions(&literals, Symbols::WORDS);
        prop_assert_eq!(
            conditions.iter().all(|condition| holds(condition, &row)),
            literals.iter().all(literal),
            "{:?} {:?}", conditions, row
        );
    }
}

/// A circuit over `a` to `d`, whose last gate is the output.
fn say(gates: Vec<Gate>, positive: bool, symbols: Symbols) -> (Vec<String>, String) {
    let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let output = circuit::Output::new("y", circuit::Literal::gate(gates.len() - 1).signed(positive));
    let circuit = Circuit::new(names.clone(), gates, vec![output]).expect("a circuit");
    let said = Words::Names(&names).circuit(&circuit, symbols);
    let gates = said.gates.iter().map(|(name, text)| format!("{name} = {text}")).collect();
    (gates, said.equation("y"))
}

fn input(i: usize) -> circuit::Literal {
    circuit::Literal::input(i)
}

fn gate(g: usize) -> circuit::Literal {
    circuit::Literal::gate(g)
}

#[test]
fn counts_read_as_counts() {
    let one = |rule, weights: [u32; 3], positive| {
        let literals = (0..3).map(|i| input(i).signed(i != 1).times(weights[i])).collect();
        say(vec![Gate::new(rule, literals)], positive, Symbols::WORDS).1
    };
    for (rule, positive, text) in [
        (Rule::AtLeast(2), true, "y = 1 if at least 2 of: a, NOT b, c"),
        (Rule::AtLeast(2), false, "y = 0 if at least 2 of: a, NOT b, c"),
        (Rule::Counts(vec![(2, 2)]), true, "y = 1 if exactly 2 of: a, NOT b, c"),
        (Rule::Counts(vec![(0, 1)]), true, "y = 1 if at most 1 of: a, NOT b, c"),
        (Rule::Counts(vec![(0, 0), (2, 3)]), true, "y = 1 if 0 or 2 to 3 of: a, NOT b, c"),
    ] {
        assert_eq!(one(rule, [1, 1, 1], positive), text);
    }
    assert_eq!(one(Rule::AtLeast(4), [3, 1, 2], true), "y = 1 if score = 3 * a + (NOT b) + 2 * c >= 4");
    assert_eq!(
        one(Rule::Counts(vec![(1, 2), (4, 4)]), [3, 1, 2], true),
        "y = 1 if score = 3 * a + (NOT b) + 2 * c is 1 to 2 or 4"
    );
}

#[test]
fn negations_and_constants_are_said_as_such() {
    let and = Gate::new(Rule::And, vec![input(0), input(1)]);
    assert_eq!(say(vec![and.clone()], false, Symbols::WORDS).1, "y = NOT (a AND b)");
    // A constant stage in front.
    let one = Gate::new(Rule::Or, vec![input(2), !input(2)]);
    let xor = Gate::new(Rule::Xor, vec![gate(0), gate(1)]);
    assert_eq!(say(vec![one.clone(), and.clone(), xor], true, Symbols::UNICODE).1, "y = ¬(a ∧ b)");
    assert_eq!(say(vec![one], true, Symbols::UNICODE).1, "y = 1, whatever the inputs are");
    assert_eq!(
        say(vec![Gate::new(Rule::Or, vec![])], true, Symbols::UNICODE).1,
        "y = 0, whatever the inputs are"
    );
    let nor = Gate::new(Rule::And, vec![!gate(0), input(2)]);
    assert_eq!(say(vec![and, nor], true, Symbols::ASCII).1, "y = c & !(a & b)");
}

#[test]
fn shared_and_deep_gates_have_lines_of_their_own() {
    let and = Gate::new(Rule::And, vec![input(0), input(1)]);
    let or = Gate::new(Rule::Or, vec![gate(0), input(2)]);
    let xor = Gate::new(Rule::Xor, vec![gate(1), input(3)]);
    let top = Gate::new(Rule::AtLeast(2), vec![gate(2), !gate(0), input(3)]);
    let (lines, answer) =
        say(vec![and.clone(), or.clone(), xor.clone(), top.clone()], true, Symbols::UNICODE);
    assert_eq!(lines, ["g1 = a ∧ b"]);
    assert_eq!(answer, "y = 1 if at least 2 of: ((g1 ∨ c) ⊕ d), ¬g1, d");
    let named = and.clone().role(circuit::Role::Named("carry".to_owned()));
    assert_eq!(say(vec![named, or.clone(), xor.clone(), top], true, Symbols::UNICODE).0, ["carry = a ∧ b"]);
    // Deeper than what a line holds.
    let last = Gate::new(Rule::Or, vec![gate(2), input(1)]);
    let (lines, answer) = say(vec![and, or, xor, last], true, Symbols::UNICODE);
    assert_eq!(lines, ["g1 = ((a ∧ b) ∨ c) ⊕ d"]);
    assert_eq!(answer, "y = g1 ∨ b");
    let points = vec![
        Gate::new(Rule::And, vec![input(0), !input(1)]),
        Gate::new(Rule::AtLeast(3), vec![gate(0).times(2), input(2).times(2), input(3)]),
    ];
    let score = say(points, true, Symbols::UNICODE);
    assert_eq!(score.1, "y = 1 if score = 2 * (a ∧ ¬b) + 2 * c + d >= 3");
}
