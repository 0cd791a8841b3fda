//! The shortest OR of ANDs for a partial truth table, with a proven bound.

use macchiato::minimize::pla::{read, write};
use macchiato::minimize::{Options, minimize_pla};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = ".i 3\n.o 1\n.type fr\n000 0\n011 1\n101 1\n110 1\n111 1\n001 0\n.e\n";
    let pla = read(text.as_bytes(), "majority.pla")?;
    let answer = minimize_pla(&pla, &Options::default())?;
    println!("{} terms, and none has fewer than {}", answer.cover.terms(), answer.lower_bound);
    let mut out = Vec::new();
    write(&mut out, &answer.cover, pla.input_names(), pla.output_names())?;
    print!("{}", String::from_utf8(out)?);
    assert!(answer.proven_optimal());
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("a cover");
}
