mod auto;
mod file;
mod paper;
mod paper_lies;

use super::*;
use crate::bits;
use crate::fit::PaperParams;
use crate::frame::{self, Format, Frame, FrameOptions, Kind, NO_LEVEL, Values};
use crate::learn::AutoParams;
use proptest::prelude::*;

/// People by age and job, some of whom smoke: the age decides, but for cooks.
const PEOPLE: &str = "age,job,smoker,risk\n\
    23,cook,no,low\n35,clerk,no,low\n48,clerk,yes,high\n61,cook,no,low\n52,baker,yes,high\n44,clerk,no,high\n\
    29,baker,no,low\n31,clerk,yes,low\n57,cook,yes,low\n66,clerk,,high\n,baker,no,low\n49,?,no,high\n";

fn read(text: &str) -> Frame {
    let options = FrameOptions { last: Some(Kind::Category), ..FrameOptions::default() };
    frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &options).expect("a frame")
}

fn options() -> FitOptions {
    FitOptions {
        method: Method::Auto(AutoParams { effort: 1, ..AutoParams::default() }),
        ..FitOptions::default()
    }
}

/// Learns to predict the last column.
fn fit(mut frame: Frame, options: &FitOptions) -> Result<(Model, Frame, Target), FitError> {
    let name = frame.names.last().expect("a column").clone();
    let values = frame.take(&name).expect("it is there");
    let target = Target::new(&name, &values, frame.rows)?;
    let train = Examples { columns: &frame, target: &target, weights: frame.weights.as_deref() };
    let model = Model::fit(&train, None, options, &Budget::unlimited(), |_| {})?;
    Ok((model.without_timings(), frame, target))
}

#[test]
fn two_classes_have_one_circuit() {
    let (model, frame, target) = fit(read(PEOPLE), &options()).expect("a fit");
    assert_eq!(model.classes(), ["high", "low"]);
    assert_eq!((model.positive(), model.circuits().len()), (Some(1), 1));
    assert_eq!(model.circuits()[0].target(), "risk = low");
    let right =
        model.predict(&frame).expect("classes").iter().zip(target.codes()).filter(|(a, b)| a == b).count();
    assert_eq!(right, frame.rows - model.circuits()[0].trace().errors);
    let other = FitOptions { positive: Some("high".into()), ..options() };
    let (model, ..) = fit(read(PEOPLE), &other).expect("a fit");
    assert_eq!(model.circuits()[0].target(), "risk = high");
}

#[test]
fn more_classes_have_one_each_and_a_single_class_none() {
    let text = "size,kind\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n7,c\n8,c\n9,c\n1,a\n5,b\n9,c\n";
    let (model, frame, target) = fit(read(text), &options()).expect("a fit");
    assert_eq!(model.circuits().len(), 3);
    assert_eq!(model.predict(&frame).expect("classes"), target.codes());
    let (model, frame, _) = fit(read("size,kind\n1,a\n2,a\n"), &options()).expect("a fit");
    assert_eq!((model.classes(), model.circuits().len()), (&["a".to_owned()][..], 0));
    assert_eq!(model.predict(&frame), Ok(vec![0, 0]));
    assert_eq!(model.predict_proba(&frame), Ok(vec![1.0, 1.0]));
}

#[test]
fn what_cannot_be_learned_is_said() {
    let said = |text: &str, positive: Option<&str>| {
        let options = FitOptions { positive: positive.map(str::to_owned), ..options() };
        fit(read(text), &options).expect_err("refused").to_string()
    };
    assert_eq!(
        said("a,y\n1,x\n2,\n", None),
        "the target \"y\" has no value in row 1: remove the row, or give it one"
    );
    assert_eq!(
        said("a,y\n1,x\n2,z\n", Some("w")),
        "no row of the target \"y\" is \"w\": the classes are \"x\", \"z\""
    );
    assert_eq!(
        said("a,y\n1,x\n2,z\n3,w\n", Some("w")),
        "the target \"y\" has 3 classes, and only one of two can be the positive one"
    );
    assert_eq!(said("y\nx\nz\n", None), "no columns besides the target: add at least one");
}

#[test]
fn validation_rows_need_known_classes() {
    let (_, frame, target) = fit(read(PEOPLE), &options()).expect("a fit");
    let train = Examples { columns: &frame, target: &target, weights: None };
    let validate = |cells: &[&str]| {
        let levels: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
        let codes = (0..frame.rows as u32).map(|row| row % cells.len() as u32).collect();
        let values = Values::Category { codes, levels: levels.into() };
        let target = Target::new("risk", &values, frame.rows).expect("a target");
        let validation = Examples { columns: &frame, target: &target, weights: None };
        Model::fit(&train, Some(&validation), &options(), &Budget::unlimited(), |_| {})
    };
    assert!(validate(&["low", "high"]).is_ok() && validate(&["high"]).is_ok());
    assert_eq!(
        validate(&["low", "none"]).expect_err("refused").to_string(),
        "validation row 1: no training row of the target \"risk\" is \"none\""
    );
}

#[test]
fn faults_of_rows_that_count_keep_their_numbers() {
    let mut frame = read("a,b,y\n1,5,x\n2,6,z\n3,7,x\n4,8,z\n");
    let values = frame.take("y").expect("it is there");
    let target = Target::new("y", &values, 4).expect("a target");
    let train = Examples { columns: &frame, target: &target, weights: None };
    let mut odd = frame.clone();
    odd.columns[1] = Values::Number(vec![1.0, 2.0, f64::INFINITY, 3.0].into());
    let weights = [0, 1_000_000, 2_000_000, 1_000_000];
    let weighted = Examples { columns: &odd, target: &target, weights: Some(&weights) };
    let unlimited = Budget::unlimited();
    let said = Model::fit(&weighted, None, &options(), &unlimited, |_| {}).expect_err("refused");
    assert!(said.to_string().starts_with("column \"b\", row 2: the number is infinite"), "{said}");
    let levels = ["x", "w", "z"].map(str::to_owned).to_vec();
    let unknown = |codes: [u32; 4]| {
        let values = Values::Category { codes: codes.to_vec().into(), levels: levels.clone().into() };
        let target = Target::new("y", &values, 4).expect("a target");
        let asked = Examples { columns: &frame, target: &target, weights: Some(&weights) };
        Model::fit(&train, Some(&asked), &options(), &unlimited, |_| {}).err().map(|error| error.to_string())
    };
    assert_eq!(unknown([1, 0, 2, 0]), None, "the row does not count");
    let message = "validation row 2: no training row of the target \"y\" is \"w\"";
    assert_eq!(unknown([1, 0, 1, 0]).as_deref(), Some(message));
}

fn arbitrary_table() -> impl Strategy<Value = (Frame, Target)> {
    (2usize..90, 1usize..4, 1u32..4).prop_flat_map(|(rows, width, classes)| {
        let number = prop_oneof![4 => (0i8..7).prop_map(f64::from), 1 => Just(f64::NAN), 2 => -1.0f64..1.0];
        let code = prop_oneof![5 => 0u32..3, 1 => Just(NO_LEVEL)];
        let column = prop_oneof![
            prop::collection::vec(number, rows).prop_map(|values| Values::Number(values.into())),
            prop::collection::vec(code, rows).prop_map(|codes| Values::Category {
                codes: codes.into(),
                levels: vec!["\"é\\".to_owned(), "b".to_owned(), "3".to_owned()].into(),
            }),
        ];
        let weights = prop::option::of(prop::collection::vec(1u64..3_000_000, rows));
        let codes = prop::collection::vec(0..classes, rows);
        (prop::collection::vec(column, width), codes, weights).prop_map(move |(columns, codes, weights)| {
            let names = (0..columns.len()).map(|i| format!("c{i}")).collect();
            let levels: Vec<String> = ["no", "yes", "2"].map(str::to_owned).to_vec();
            let values = Values::Category { codes: codes.into(), levels: levels.into() };
            let target = Target::new("y", &values, rows).expect("a target");
            (Frame { source: "any".to_owned(), names, columns, rows, weights }, target)
        })
    })
}

fn arbitrary_model() -> impl Strategy<Value = (Model, Frame, Target)> {
    (arbitrary_table(), any::<bool>()).prop_map(|((frame, target), paper)| {
        let method = if paper {
            Method::Paper(PaperParams { k: 3, m: 3, ..PaperParams::default() })
        } else {
            Method::Auto(AutoParams { effort: 1, m: 4, ..AutoParams::default() })
        };
        let options = FitOptions { method, ..options() };
        let train = Examples { columns: &frame, target: &target, weights: frame.weights.as_deref() };
        let model = Model::fit(&train, None, &options, &Budget::unlimited(), |_| {}).expect("a fit");
        (model.without_timings(), frame, target)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Prediction is the evaluation of the circuits row by row, and agrees with the probabilities.
    #[test]
    fn predictions_follow_the_circuits((model, frame, _) in arbitrary_model()) {
        let classes = model.classes().len();
        let predicted = model.predict(&frame).expect("classes");
        let probabilities = model.predict_proba(&frame).expect("probabilities");
        let columns = model.binarizer().apply(&frame).expect("bits");
        prop_assert_eq!((predicted.len(), probabilities.len()), (frame.rows, frame.rows * classes));
        for (row, probabilities) in probabilities.chunks(classes).enumerate() {
            let x: Vec<bool> = columns.iter().map(|column| bits::get(column, row)).collect();
            let fires: Vec<bool> = model.circuits().iter().map(|model| model.circuit().at(&x) == [1]).collect();
            let class = predicted[row] as usize;
            prop_assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
            let greatest = probabilities.iter().copied().fold(0.0, f64::max);
            prop_assert_eq!(probabilities.iter().position(|&p| p == greatest), Some(class));
            match (model.positive(), fires.as_slice()) {
                (Some(positive), [fires]) => prop_assert_eq!(class == positive, *fires),
                (None, fires) if fires.iter().filter(|&&fires| fires).count() == 1 => prop_assert!(fires[class]),
                (None, fires) if fires.iter().any(|&fires| fires) => prop_assert!(fires[class]),
                _ => {}
            }
        }
    }

    /// Rows of weight 0 are absent, and whole weights are repetitions: the same bytes.
    #[test]
    fn weights_are_repetitions((frame, target) in arbitrary_table(), seed in any::<u64>()) {
        let times = |row: usize| (seed >> (row * 7 % 62)) % 4;
        let kept: Vec<usize> = (0..frame.rows).filter(|&row| times(row) > 0).collect();
        prop_assume!(!kept.is_empty());
        let fit = |frame: &Frame, target: &Target, weights: Option<&[u64]>| {
            let train = Examples { columns: frame, target, weights };
            let fit = Model::fit(&train, None, &options(), &Budget::unlimited(), |_| {}).expect("a fit");
            file::text(&fit.without_timings())
        };
        let of = |rows: &[usize]| Frame {
            columns: frame.columns.iter().map(|column| column.pick(rows)).collect(),
            rows: rows.len(),
            ..frame.clone()
        };
        let weights: Vec<u64> = if let Some(weights) = &frame.weights {
            (0..frame.rows).map(|row| if times(row) > 0 { weights[row] } else { 0 }).collect()
        } else {
            (0..frame.rows).map(|row| times(row) * 1_000_000).collect()
        };
        let expected = if frame.weights.is_some() {
            let its: Vec<u64> = kept.iter().map(|&row| weights[row]).collect();
            fit(&of(&kept), &target.pick(&kept), Some(&its))
        } else {
            let rows: Vec<usize> =
                kept.iter().flat_map(|&row| std::iter::repeat_n(row, times(row) as usize)).collect();
            fit(&of(&rows), &target.pick(&rows), None)
        };
        prop_assert_eq!(fit(&frame, &target, Some(&weights)), expected);
    }

    /// Other rows, with gaps and levels that training had not: nothing panics, and rows do not depend on each other.
    #[test]
    fn rows_are_predicted_one_by_one((model, frame, _) in arbitrary_model(), (mut other, _) in arbitrary_table()) {
        other.columns.resize_with(frame.columns.len(), || Values::Number(vec![0.5; other.rows].into()));
        other.names.clone_from(&frame.names);
        if let Ok(all) = model.predict(&other) {
            for (row, &class) in all.iter().enumerate() {
                let one = Frame {
                    columns: other.columns.iter().map(|column| column.pick(&[row])).collect(),
                    rows: 1,
                    ..other.clone()
                };
                prop_assert_eq!(model.predict(&one), Ok(vec![class]));
            }
        }
    }

    #[test]
    fn writing_what_was_read_gives_the_same_bytes((model, ..) in arbitrary_model()) {
        let first = file::text(&model);
        let second = file::read(&first).expect("what was written can be read");
        prop_assert_eq!(file::text(&second), first);
        prop_assert_eq!(second, model);
    }
}
