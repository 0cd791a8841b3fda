//! From a table to a network whose certificate the independent checker accepts.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::check;
use macchiato::frame::{self, Format, FrameOptions};
use macchiato::network::{CompileOptions, compile, to_onnx};
use macchiato::words::Symbols;
use macchiato::{Budget, FitOptions, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let row = |i: usize| {
        let (age, job) = (20 + i * 7 % 50, ["cook", "clerk", "baker"][i % 3]);
        format!("{age},{job},{}\n", if age > 41 && job != "cook" { "high" } else { "low" })
    };
    let table = "age,job,risk\n".to_owned() + &(0..150).map(row).collect::<String>();
    let frame = frame::read_from(table.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
    let mut options = FitOptions::default();
    options.positive = Some("high".to_owned());
    let model = Model::of_frame(frame, Some("risk"), &options, &Budget::unlimited())?;
    let said = model.words().circuit(model.circuits()[0].circuit(), Symbols::UNICODE);
    println!("{}", said.equation(model.circuits()[0].target()));

    let circuit = model.circuit()?;
    let compiled = compile(&circuit, &CompileOptions::default())?;
    let network = to_onnx(&compiled.network);
    let certificate = certify(&circuit, &compiled, NetworkFormat::Onnx, &network, None)?;
    let verdict = check(certificate.as_bytes(), &network);
    println!("{} bytes of network: {}", network.len(), if verdict.is_accepted() { "accepted" } else { "no" });
    assert!(verdict.is_accepted());
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("an accepted network");
}
