//! Why a model answers what it answers on one row: proven, not sampled.

use macchiato::explain::{ExplainOptions, Plain, Point, Subject, Wording, explain_prediction};
use macchiato::frame::{self, Format, FrameOptions};
use macchiato::words::Symbols;
use macchiato::{Budget, FitOptions, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let row = |i: u32| {
        let [up, down, dark, motion] = [0, 1, 2, 3].map(|bit| i >> bit & 1);
        format!("{up},{down},{dark},{motion},{}\n", up ^ down ^ (dark & motion))
    };
    let table = "upstairs,downstairs,dark,motion,light\n".to_owned() + &(0..64).map(row).collect::<String>();
    let frame = frame::read_from(table.as_bytes(), "evenings.csv", Format::Csv, &FrameOptions::default())?;
    let model = Model::of_frame(frame.clone(), None, &FitOptions::default(), &Budget::unlimited())?;
    let (subject, options) = (Subject::of_model(&model), ExplainOptions::default());
    let point = Point::of_row(&model, &frame, 13)?;
    let why = explain_prediction(&subject, &point, &options, &Budget::unlimited())?;
    println!("{}", why.text(&Wording::of(&subject, Symbols::UNICODE, &Plain)));
    assert!(why.reason.is_smallest() && why.counterfactual.is_nearest());
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("an explanation");
}
