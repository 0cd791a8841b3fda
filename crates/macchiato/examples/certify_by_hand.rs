//! A circuit that nobody learned: written down, compiled, certified, and checked.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::check;
use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
use macchiato::network::{CompileOptions, compile, to_onnx};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // At least 3 points: 2 for `a AND b`, 2 where c does not hold, 1 for a.
    let both = Gate::new(Rule::And, vec![Literal::input(0), Literal::input(1)]);
    let points = vec![Literal::gate(0).times(2), (!Literal::input(2)).times(2), Literal::input(0)];
    let score = Gate::new(Rule::AtLeast(3), points);
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    let circuit = Circuit::new(names, vec![both, score], vec![Output::new("y", Literal::gate(1))])?;
    let compiled = compile(&circuit, &CompileOptions::default())?;
    let network = to_onnx(&compiled.network);
    let certificate = certify(&circuit, &compiled, NetworkFormat::Onnx, &network, None)?;
    print!("{certificate}");
    assert!(check(certificate.as_bytes(), &network).is_accepted());
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("an accepted network");
}
