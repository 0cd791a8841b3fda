//! A learned circuit without what the tests of a column make superfluous: products that can never hold, literals that say nothing beside others, products
//! inside others. Its answers on every row of every table stay the same; circuits of the paper's method stay the paper's.
//!
//! A gate that is an AND of inputs is a product, an OR of inputs the negation of one, and an OR of such ANDs a sum of products.

use crate::binarize::Possible;
use crate::circuit::{Circuit, Gate, Literal, Rule, Source};
use crate::fit::Fit;
use crate::stage::{Signed, Stage};
use crate::staged::Staged;

/// The same answers on every row of every table, in a shorter form.
pub(super) fn without_impossible(mut fit: Fit, possible: &Possible) -> Fit {
    if !possible.excludes() {
        return fit;
    }
    let (inputs, target) = (fit.circuit.inputs().to_vec(), fit.circuit.outputs()[0].name.clone());
    if fit.stages.is_empty() {
        fit.circuit = reduced(&fit.circuit, possible);
        return fit;
    }
    for (stage, trace) in fit.stages.iter_mut().zip(&mut fit.trace.stages) {
        let terms = possible.reduced(&stage.terms().collect::<Vec<_>>());
        *stage = Stage::of_terms(std::mem::take(&mut stage.inputs), &terms);
        if stage.cover.terms() < trace.terms {
            // The bound was one for points that no row can be.
            trace.lower_bound = usize::from(stage.cover.terms() > 0);
        }
        (trace.terms, trace.literals) = (stage.cover.terms(), stage.cover.literals());
    }
    fit.circuit = Staged { inputs, target, stages: fit.stages.clone() }.plain().simplified();
    fit
}

/// The circuit, gate by gate from the inputs on.
fn reduced(circuit: &Circuit, possible: &Possible) -> Circuit {
    let mut gates: Vec<Gate> = Vec::with_capacity(circuit.gates().len());
    for gate in circuit.gates() {
        let gate = match gate.rule {
            Rule::And => product(gate, possible, true),
            Rule::Or => sum(&product(gate, possible, false), &gates, possible),
            _ => gate.clone(),
        };
        gates.push(gate);
    }
    let again = Circuit::new(circuit.inputs().to_vec(), gates, circuit.outputs().to_vec());
    again.map_or_else(|_| circuit.clone(), |circuit| circuit.shortened())
}

/// An AND (`positive`) or OR of literals with fewer of those on inputs; the negation of an OR is an AND.
fn product(gate: &Gate, possible: &Possible, positive: bool) -> Gate {
    let signed: Vec<Signed> = gate.literals.iter().filter_map(|literal| input(literal, positive)).collect();
    if let Some(kept) = possible.reduced(&[signed]).pop() {
        let stays = |literal: &Literal| input(literal, positive).is_none_or(|signed| kept.contains(&signed));
        let literals = gate.literals.iter().copied().filter(stays).collect();
        return Gate { literals, ..gate.clone() };
    }
    // An AND that never holds, an OR that always does: the gate of nothing of the other kind.
    let rule = if positive { Rule::Or } else { Rule::And };
    Gate { rule, literals: Vec::new(), ..gate.clone() }
}

/// An OR without the products that lie in others. The ANDs that it reads stay as they are.
fn sum(gate: &Gate, gates: &[Gate], possible: &Possible) -> Gate {
    if gate.rule != Rule::Or {
        return gate.clone();
    }
    let terms = |literal: &Literal| -> Option<Vec<Signed>> {
        match literal.source {
            Source::Input(_) => Some(vec![input(literal, true)?]),
            Source::Gate(at) if literal.positive && gates[at].rule == Rule::And => {
                gates[at].literals.iter().map(|literal| input(literal, true)).collect()
            }
            Source::Gate(_) => None,
        }
    };
    let products: Vec<(Literal, Option<Vec<Signed>>)> =
        gate.literals.iter().map(|literal| (*literal, terms(literal))).collect();
    let known: Vec<Vec<Signed>> = products.iter().filter_map(|product| product.1.clone()).collect();
    let kept = possible.reduced(&known);
    // What stays, stays in its order, and no product of a reduced gate becomes shorter.
    let mut kept = kept.iter().peekable();
    let mut stays = |product: &Option<Vec<Signed>>| match product {
        None => true,
        Some(product) => kept.next_if(|next| same(next, product)).is_some(),
    };
    let literals = products.iter().filter(|product| stays(&product.1)).map(|product| product.0).collect();
    Gate { literals, ..gate.clone() }
}

fn same(a: &[Signed], b: &[Signed]) -> bool {
    a.len() == b.len() && a.iter().all(|literal| b.contains(literal))
}

/// A literal on an input as (input, value), turned around unless `positive`.
const fn input(literal: &Literal, positive: bool) -> Option<Signed> {
    match literal.source {
        Source::Input(input) => Some((input, literal.positive == positive)),
        Source::Gate(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binarize::{Binarizer, Bit, Column, Test};
    use crate::circuit::Output;
    use crate::frame::Kind;
    use proptest::prelude::*;

    /// Two columns of numbers with three cuts each.
    fn possible() -> Possible {
        let column =
            |name: &str| Column { name: name.to_owned(), kind: Kind::Number, gaps: true, levels: Vec::new() };
        let bits =
            (0..2).flat_map(|column| [1.0, 2.0, 3.0].map(|cut| Bit { column, test: Test::Above(cut) }));
        Possible::new(&Binarizer::new(vec![column("a"), column("b")], bits.collect()))
    }

    /// All answers that the six tests can give.
    fn points() -> impl Iterator<Item = Vec<bool>> {
        (0..16)
            .map(|at| [at % 4, at / 4].iter().flat_map(|&value| [value > 0, value > 1, value > 2]).collect())
    }

    proptest! {
        #[test]
        fn nothing_changes_and_no_product_is_impossible(
            terms in prop::collection::vec(prop::collection::btree_map(0usize..6, any::<bool>(), 1..5), 1..6),
            or in prop::collection::btree_map(0usize..6, any::<bool>(), 0..4),
        ) {
            let literals = |product: &std::collections::BTreeMap<usize, bool>| -> Vec<Literal> {
                product.iter().map(|(&input, &value)| Literal::input(input).signed(value)).collect()
            };
            let mut gates: Vec<Gate> = terms.iter().map(|term| Gate::new(Rule::And, literals(term))).collect();
            let ands = gates.len();
            gates.push(Gate::new(Rule::Or, (0..ands).map(Literal::gate).chain(literals(&or)).collect()));
            let names = (0..6).map(|i| format!("x{i}")).collect();
            let circuit = Circuit::new(names, gates, vec![Output::new("y", Literal::gate(ands))]).expect("a circuit");
            let possible = possible();
            let reduced = reduced(&circuit, &possible);
            for point in points() {
                prop_assert_eq!(circuit.at(&point), reduced.at(&point), "{:?}", point);
            }
            for gate in reduced.gates().iter().filter(|gate| gate.rule == Rule::And && !gate.literals.is_empty()) {
                let holds = |point: Vec<bool>| gate.literals.iter().all(|literal| match literal.source {
                    Source::Input(input) => point[input] == literal.positive,
                    Source::Gate(_) => true,
                });
                prop_assert!(points().any(holds), "{:?} never holds", gate);
            }
        }
    }
}
