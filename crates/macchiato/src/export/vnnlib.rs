//! VNN-LIB: properties of the network file, for verifiers of neural networks that this project did not write.
//!
//! Takes a circuit, gives for each output and each of its product terms a file that has *no* solution: an input of 0 and 1 at which the term
//! holds and the output is at most 1/2; and for the output an input at which no term holds and it is at least 1/2. A verifier that
//! says `unsat` to all of them says that the network's output is above 1/2 exactly where some term holds. The terms are those of a
//! PLA file (`export/pla.rs`). Only bounds, conjunctions and disjunctions of them are used, which is what verifiers read: an input is 0 or 1
//! by bounds of 0 and 1 and a disjunction of the two ends.

use super::formula::Formula;
use super::{ExportError, pla};
use crate::circuit::Circuit;
use crate::words::one_line;
use macchiato_minimize::Literal;
use std::fmt::Write as _;

/// A file of the property that the network of a circuit has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// What to call the file, without an ending: `output-0-term-1`, or `output-0-else`.
    pub name: String,
    /// The file.
    pub text: String,
}

/// The properties of the network that [`crate::network::compile`] makes of the circuit: all of them have the answer `unsat`.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::export::vnnlib::properties;
///
/// let or = Gate::new(Rule::Or, vec![Literal::input(0), !Literal::input(1)]);
/// let circuit = Circuit::new(vec!["a".into(), "b".into()], vec![or], vec![Output::new("y", Literal::gate(0))])?;
/// let files = properties(&circuit)?;
/// let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
/// assert_eq!(names, ["output-0-term-1", "output-0-term-2", "output-0-else"]);
/// assert!(files[0].text.ends_with("(assert (<= Y_0 0.5))\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names that occur twice, sums, and outputs of many inputs that are no sums of products.
pub fn properties(circuit: &Circuit) -> Result<Vec<Property>, ExportError> {
    let formula = Formula::new(circuit)?;
    let mut files = Vec::new();
    for (o, output) in formula.outputs.iter().enumerate() {
        let terms = pla::cubes(&formula, o)?;
        let shown = one_line(&output.name);
        for (t, term) in terms.iter().enumerate() {
            let mut text = head(
                &formula,
                &format!("Where term {} of output {o}, {shown:?}, holds, it is above 1/2", t + 1),
            );
            cube(&mut text, term);
            let _ = writeln!(text, "(assert (<= Y_{o} 0.5))");
            files.push(Property { name: format!("output-{o}-term-{}", t + 1), text });
        }
        let mut text =
            head(&formula, &format!("Where no term of output {o}, {shown:?}, holds, it is below 1/2"));
        cube(&mut text, &vec![Literal::Free; formula.inputs.len()]);
        for term in &terms {
            let fails = |(input, literal): (usize, &Literal)| match literal {
                Literal::Positive => Some(format!("(and (<= X_{input} 0))")),
                Literal::Negative => Some(format!("(and (>= X_{input} 1))")),
                Literal::Free => None,
            };
            let some: Vec<String> = term.iter().enumerate().filter_map(fails).collect();
            // A term without literals never fails: nothing is left to look for.
            let some =
                if some.is_empty() { format!("(and (>= Y_{o} 1) (<= Y_{o} 0))") } else { some.join(" ") };
            let _ = writeln!(text, "(assert (or {some}))");
        }
        let _ = writeln!(text, "(assert (>= Y_{o} 0.5))");
        files.push(Property { name: format!("output-{o}-else"), text });
    }
    Ok(files)
}

/// What the file asks, and its variables.
fn head(formula: &Formula<'_>, what: &str) -> String {
    let mut text = format!("; {what}: unsat says so.\n");
    for (i, name) in formula.inputs.iter().enumerate() {
        let _ = writeln!(text, "; X_{i} is {:?}", one_line(name));
        let _ = writeln!(text, "(declare-const X_{i} Real)");
    }
    for o in 0..formula.outputs.len() {
        let _ = writeln!(text, "(declare-const Y_{o} Real)");
    }
    text
}

/// The inputs of the cube at which a term holds.
fn cube(text: &mut String, term: &[Literal]) {
    for (input, literal) in term.iter().enumerate() {
        let (low, high) = match literal {
            Literal::Positive => (1, 1),
            Literal::Negative => (0, 0),
            Literal::Free => (0, 1),
        };
        let _ = writeln!(text, "(assert (>= X_{input} {low}))\n(assert (<= X_{input} {high}))");
        if low != high {
            let _ = writeln!(text, "(assert (or (and (<= X_{input} 0)) (and (>= X_{input} 1))))");
        }
    }
}
