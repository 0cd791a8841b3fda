//! Votes: at least half of some graphs, which is a count gate over them.

use super::candidate::{Candidate, Family, Recipe};
use crate::circuit::{Circuit, Gate, Literal, Output, Role, Rule, Source};
use crate::rows::Rows;

/// How many vote: odd numbers, so that there is no tie.
const VOTERS: [usize; 4] = [3, 5, 7, 11];

/// Votes of the best graphs, one of each lineage in turn: what differs by chance is outvoted.
pub(super) fn votes(lineages: &[Vec<Candidate>], rows: &Rows) -> Vec<Candidate> {
    let mut distinct: Vec<&Candidate> = Vec::new();
    let longest = lineages.iter().map(Vec::len).max().unwrap_or(0);
    for graph in (0..longest).flat_map(|at| lineages.iter().filter_map(move |lineage| lineage.get(at))) {
        if distinct.iter().all(|known| known.circuit != graph.circuit) {
            distinct.push(graph);
        }
    }
    let sizes = VOTERS.iter().filter(|&&size| size <= distinct.len());
    sizes.filter_map(|&size| vote(&distinct[..size], rows)).collect()
}

fn vote(voters: &[&Candidate], rows: &Rows) -> Option<Candidate> {
    let (mut gates, mut literals): (Vec<Gate>, Vec<Literal>) = (Vec::new(), Vec::new());
    for voter in voters {
        let first = gates.len();
        let moved = |mut literal: Literal| {
            if let Source::Gate(gate) = &mut literal.source {
                *gate += first;
            }
            literal
        };
        for gate in voter.circuit.gates() {
            gates.push(Gate { literals: gate.literals.iter().copied().map(moved).collect(), ..gate.clone() });
        }
        literals.push(moved(voter.circuit.outputs().first()?.literal));
    }
    let half = literals.len().div_ceil(2) as u64;
    gates.push(Gate::new(Rule::AtLeast(half), literals).role(Role::Named("vote".to_owned())));
    let output = Output::new(rows.target(), Literal::gate(gates.len() - 1));
    let circuit = Circuit::new(rows.names().to_vec(), gates, vec![output]).ok()?;
    Some(Candidate::new(Recipe::new(Family::Vote, voters.len()), &circuit, rows))
}
