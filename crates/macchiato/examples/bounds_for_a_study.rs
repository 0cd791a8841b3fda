//! How many rows a study needs, and what rows that were put aside say of a model.

use macchiato::bounds::holdout::ErrorBound;
use macchiato::bounds::study::Study;
use macchiato::model::{Confidence, Holdout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A rule of at most 5 of 40 inputs, with an error of at most 5 %, but for a probability of 5 %.
    let study = Study { inputs: 40, support: 5, width: 5, stages: 1, gap: None, delta: 0.05 };
    let needed = study.needed(0.05)?;
    println!("any rule of 5 inputs without an error on {} rows errs on at most 5 %", needed.consistent);
    let holdout = Holdout { rows: 1000, wrong: 12, confidence: Confidence::default() };
    println!("{}", ErrorBound::new(holdout));
    assert_eq!(needed.consistent, 753);
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("numbers");
}
