//! A network and its circuit as a theorem of Coq, proved by computation.
//!
//! Takes a certificate and its network, gives a file for `coqc` and the library in `proof/theories`: three definitions, that `check` accepts
//! them, and what follows by `check_sound` and `check_exact`. Who compiles it trusts the kernel of Coq, and that the numbers in it are those
//! of the network; no program of this project. Every weight is written out, zeros and all, so it is for small networks.

use crate::network::{Activation, Network};
use macchiato_check::certificate::{Gate, Kind, Operand, Rule, Source};
use macchiato_check::{Certificate, Circuit, Verdict};
use std::fmt::Write as _;

/// The text of the theorem.
///
/// ```
/// use macchiato::certify::{NetworkFormat, certify, theorem};
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::network::{CompileOptions, compile, to_onnx};
///
/// let gate = Gate::new(Rule::And, vec![Literal::input(0), !Literal::input(1)]);
/// let circuit = Circuit::new(vec!["a".into(), "b".into()], vec![gate], vec![Output::new("y", Literal::gate(0))])?;
/// let compiled = compile(&circuit, &CompileOptions::default())?;
/// let text = certify(&circuit, &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), None)?;
/// let statement = theorem(text.as_bytes(), &compiled.network).map_err(|verdict| verdict.to_string())?;
/// assert!(statement.contains("CircuitGate And [Literal (Input 0) true 1; Literal (Input 1) false 1]"));
/// assert!(statement.contains("[Layer [([1; -1], 0);\n     ([1; -1], -1)] true;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A certificate that says nothing that could be proved: the checker's verdict on it.
#[allow(clippy::result_large_err, reason = "made once, and at the end")]
pub fn theorem(certificate: &[u8], network: &Network) -> Result<String, Verdict> {
    let read = Certificate::read(certificate)?;
    let circuit = Circuit::of(&read)?;
    let mut text = format!(
        "(** A network of {} inputs and its circuit: equal at every point of the cube, also in float32. Written by `macchiato compile --theorem`.\n\n",
        read.inputs.len()
    );
    comment(&mut text, "input", read.inputs.iter());
    comment(&mut text, "output", read.outputs.iter().map(|output| &output.name));
    text.push_str(
        "*)\nFrom Coq Require Import ZArith NArith List.\n\
         From Flocq Require Import IEEE754.BinarySingleNaN IEEE754.Bits.\n\
         From Macchiato Require Import Network Circuit Check Float Main.\n\
         Import ListNotations.\nOpen Scope Z_scope.\n\n",
    );
    let gates = circuit.gates.iter().map(|gate| {
        format!("CircuitGate {} {}", rule(&gate.rule), list(gate.operands.iter().map(literal), " "))
    });
    let outputs = list(circuit.outputs.iter().map(literal), " ");
    let _ = write!(
        text,
        "Definition the_circuit : circuit := Circuit {}\n  {}\n  {outputs}.\n\n",
        circuit.inputs,
        list(gates, "\n   ")
    );
    let _ = write!(
        text,
        "Definition the_network : network :=\n  {}.\n\n",
        list(layers(network).into_iter(), "\n   ")
    );
    let shape = read.layers.iter().map(|layer| format!("({}%N, {})", layer.width, layer.relu));
    let answered = read.outputs.iter().map(|output| format!("({}%N, {})", output.gate, output.most));
    let _ = write!(
        text,
        "Definition the_certificate : certificate := Certificate {} {}\n  {}\n  {}.\n\n",
        read.inputs.len(),
        list(shape, " "),
        list(read.gates.iter().map(gate), "\n   "),
        list(answered, " ")
    );
    text.push_str(STATEMENTS);
    Ok(text)
}

const STATEMENTS: &str = "\
Theorem accepted : check the_certificate the_network = Some the_circuit.
Proof. vm_compute. reflexivity. Qed.

(** On every point of the cube the network gives what the circuit gives. *)
Theorem exact : forall x : list bool, length x = N.to_nat (inputs the_circuit) ->
  eval the_network (point x) = compute the_circuit x.
Proof. exact (check_sound the_certificate the_network the_circuit accepted). Qed.

(** In float32 too: every run, in every rounding mode, order and association, fused or not. *)
Theorem exact_in_float32 : forall n : float_network, stores n the_network ->
  forall x : list bool, length x = N.to_nat (inputs the_circuit) ->
  forall (m : mode) (v z : list binary32), Forall2 holds v (point x) -> runs m n v z -> Forall2 holds z (compute the_circuit x).
Proof. exact (check_exact the_certificate the_network the_circuit accepted). Qed.

Print Assumptions exact.
";

/// Names by their numbers. Coq reads strings and comments within a comment, so that nothing of the kind may be in one.
fn comment<'a>(text: &mut String, kind: &str, names: impl Iterator<Item = &'a String>) {
    for (at, name) in names.enumerate() {
        let shown: String = name
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || " _-+=<>.,:;/%".contains(c) {
                    c.to_string()
                } else {
                    c.escape_unicode().to_string()
                }
            })
            .collect();
        let _ = writeln!(text, "    {kind} {at}: {shown}");
    }
}

fn list(items: impl Iterator<Item = String>, between: &str) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(&format!(";{between}")))
}

/// A number as an argument.
fn number(n: i64) -> String {
    if n < 0 { format!("({n})") } else { n.to_string() }
}

fn layers(network: &Network) -> Vec<String> {
    let mut before = network.inputs;
    let mut all = Vec::new();
    for layer in &network.layers {
        let rows = layer.weights.iter().zip(&layer.biases).map(|(weights, bias)| {
            let mut row = vec!["0".to_owned(); before];
            for &(at, weight) in weights {
                if let Some(place) = usize::try_from(at).ok().and_then(|at| row.get_mut(at)) {
                    *place = weight.to_string();
                }
            }
            format!("({}, {bias})", list(row.into_iter(), " "))
        });
        all.push(format!("Layer {} {}", list(rows, "\n     "), layer.activation == Activation::Relu));
        before = layer.width();
    }
    all
}

fn rule(rule: &Rule) -> String {
    match rule {
        Rule::And => "And".to_owned(),
        Rule::Or => "Or".to_owned(),
        Rule::Xor => "Xor".to_owned(),
        Rule::Sum => "Sum".to_owned(),
        Rule::Least(least) => format!("(Least {least})"),
        Rule::Counts(ranges) => {
            format!("(Counts {})", list(ranges.iter().map(|(from, to)| format!("({from}, {to})")), " "))
        }
    }
}

fn literal(operand: &Operand) -> String {
    let source = match operand.source {
        Source::Input(input) => format!("Input {input}"),
        Source::Gate(gate) => format!("Earlier {gate}"),
    };
    format!("Literal ({source}) {} {}", operand.positive, operand.weight)
}

fn gate(gate: &Gate) -> String {
    let kind = match &gate.kind {
        Kind::Rule(of) => format!("(Rule {})", rule(of)),
        Kind::Relay => "Relay".to_owned(),
        Kind::Nor => "Nor".to_owned(),
        Kind::Fold => "Fold".to_owned(),
    };
    let neurons = gate.neurons.iter().map(|neuron| {
        let [slope, offset, coefficient] = [neuron.slope, neuron.offset, neuron.coefficient].map(number);
        format!("Neuron {} {slope} {offset} {coefficient}", neuron.at)
    });
    let operands = list(gate.operands.iter().map(literal), " ");
    format!("Gate {kind} {operands} {} {} {}", gate.layer, number(gate.base), list(neurons, " "))
}
