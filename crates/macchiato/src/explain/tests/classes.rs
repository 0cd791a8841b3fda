//! Classifiers of two and more classes, learned from tables.

use super::*;
use crate::fit::PaperParams;
use crate::frame::{self, Format, Frame, FrameOptions, Kind};
use crate::learn::AutoParams;
use crate::model::{Examples, FitOptions, Method, Model, Target};
use std::fmt::Write;

fn learned(text: &str, positive: Option<&str>) -> (Model, Frame) {
    learned_by(Method::Auto(AutoParams { effort: 1, ..AutoParams::default() }), text, positive)
}

fn learned_by(method: Method, text: &str, positive: Option<&str>) -> (Model, Frame) {
    let options = FrameOptions { last: Some(Kind::Category), ..FrameOptions::default() };
    let mut frame = frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &options).expect("a frame");
    let name = frame.names.last().expect("a column").clone();
    let values = frame.take(&name).expect("it is there");
    let target = Target::new(&name, &values, frame.rows).expect("classes");
    let options = FitOptions { method, positive: positive.map(str::to_owned), ..FitOptions::default() };
    let train = Examples { columns: &frame, target: &target, weights: None };
    let classifier = Model::fit(&train, None, &options, &Budget::unlimited(), |_| {}).expect("a fit");
    (classifier, frame)
}

/// The shape decides for the most part, and one class is often wrong: cells are needed to choose.
fn shapes() -> String {
    let mut text = "size,colour,shape\n".to_owned();
    for i in 0..240usize {
        let (size, colour) = (i * 37 % 60, ["red", "green", "blue"][i * 7 % 3]);
        let noise = i * 61 % 17 == 0;
        let shape = match (size / 15, colour) {
            (1, "red") => "flat",
            (1 | 2, _) if !noise => "long",
            (1 | 2, "green") | (3, "red" | "green") => "flat",
            _ => "round",
        };
        let _ = writeln!(text, "{size}.5,{colour},{shape}");
    }
    text
}

/// Circuits of one small stage leave rows on which none or several are 1: there the cells decide.
#[test]
fn a_class_is_explained_as_it_is_predicted() {
    let mut text = "a,b,c,d,kind\n".to_owned();
    for x in 0..32usize {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| x >> i & 1);
        let kind = match (a + b + c + d, a, x) {
            (0 | 3, _, _) | (_, _, 21) => "red",
            (1, 1, _) | (2, 0, _) => "blue",
            _ => "green",
        };
        let _ = writeln!(text, "{a},{b},{c},{d},{kind}");
    }
    let params = PaperParams { k: 2, m: 1, ..PaperParams::default() };
    let (classifier, frame) = learned_by(Method::Paper(params), &text, None);
    let (subject, options) = (Subject::of_model(&classifier), ExplainOptions::default());
    let predicted = classifier.predict(&frame).expect("classes");
    let mut undecided = 0;
    for (row, &predicted) in predicted.iter().enumerate() {
        let point = Point::of_row(&classifier, &frame, row).expect("a point");
        let why =
            explain_prediction(&subject, &point, &options, &Budget::unlimited()).expect("an explanation");
        let class = &classifier.classes()[predicted as usize];
        assert_eq!(&why.answer, class, "row {row}");
        assert_eq!(why.circuits.len(), 3);
        undecided += usize::from(why.circuits.iter().filter(|circuit| circuit.answer).count() != 1);
        // Whatever another row has in the columns that are not in the reason, the class stays.
        let asked = |name: &String| why.reason.conditions.iter().any(|condition| condition.feature == *name);
        let mut mixed = frame.clone();
        for (name, column) in mixed.names.iter().zip(&mut mixed.columns) {
            if asked(name) {
                *column = column.pick(&vec![row; frame.rows]);
            }
        }
        let classes = classifier.predict(&mixed).expect("classes");
        assert!(classes.iter().all(|&class| class == predicted), "row {row}: {:?}", why.reason);
        let Counterfactual::Found { becomes, .. } = &why.counterfactual else { panic!("{why:?}") };
        assert!(becomes != class && why.counterfactual.is_nearest());
        assert!(why.reason.is_smallest());
    }
    assert!(undecided > 0, "each row is of one circuit: this shows little");
}

#[test]
fn cells_of_a_row_are_named() {
    let (classifier, frame) = learned(&shapes(), None);
    let point = Point::of_row(&classifier, &frame, 0).expect("a point");
    let (subject, options) = (Subject::of_model(&classifier), ExplainOptions::default());
    let why = explain_prediction(&subject, &point, &options, &Budget::unlimited()).expect("an explanation");
    let condition = &why.reason.conditions[0];
    assert_eq!((condition.feature.as_str(), condition.value.as_str()), ("size", "0.5"));
    assert_eq!((why.answer.as_str(), condition.text.as_str()), ("round", "size <= 15"));
}

/// The same rule with the other class as the positive one, and cuts of its own, is the same.
#[test]
fn classifiers_are_compared_by_their_classes() {
    let rule = |cut: usize| {
        let mut text = "age,risk\n".to_owned();
        for i in 0..90 {
            let _ = writeln!(text, "{i},{}", if i > cut { "high" } else { "low" });
        }
        text
    };
    let (high, frame) = learned(&rule(40), Some("high"));
    let (low, _) = learned(&rule(40), Some("low"));
    let (later, _) = learned(&rule(50), Some("high"));
    let (options, budget) = (ExplainOptions::default(), Budget::unlimited());
    let [high_subject, low_subject, later_subject] = [&high, &low, &later].map(Subject::of_model);
    let same = explain_difference(&high_subject, &low_subject, None, &options, &budget).expect("comparable");
    assert_eq!((same.are_equal(), same.example), (Some(true), None));
    let [first, second] = [&high, &later].map(|c| Point::of_row(c, &frame, 80).expect("a point"));
    let near = Some((&first, &second));
    let differ =
        explain_difference(&high_subject, &later_subject, near, &options, &budget).expect("comparable");
    let example = differ.example.expect("they differ");
    assert_eq!((example.first.as_str(), example.second.as_str()), ("high", "low"));
    assert_eq!(example.region[0].text, "40.5 < age <= 50.5");
    assert_eq!(example.from_reference[0].value, "80");
    assert_eq!(differ.points.exact(), Some(&BigUint::from(1u8)));
}

#[test]
fn a_single_class_has_nothing_to_explain() {
    let (classifier, frame) = learned("size,kind\n1,a\n2,a\n3,a\n", None);
    let point = Point::of_row(&classifier, &frame, 1).expect("a point");
    let (subject, options) = (Subject::of_model(&classifier), ExplainOptions::default());
    let why = explain_prediction(&subject, &point, &options, &Budget::unlimited()).expect("an explanation");
    assert_eq!((why.answer.as_str(), &why.counterfactual), ("a", &Counterfactual::Impossible));
    assert!(why.reason.conditions.is_empty() && why.reason.is_smallest());
}
