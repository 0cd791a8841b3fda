//! One sum as a formula: divided by a kernel, then quotient, divisor and remainder by theirs.
//!
//! A kernel is a quotient of the sum by a product that no literal divides; every sum that has a common divisor of more than one
//! product with another has a common kernel part with it. Here a kernel without kernels of its own is taken, the first that
//! dividing by the most frequent literals leads to (the *quick factor* of MIS).

use super::sum::{Literal, Product, common, divide, without};
use crate::factored::Operation;
use std::collections::BTreeMap;

/// A formula over signals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    Literal(Literal),
    Gate(Operation, Vec<Self>),
}

impl Form {
    /// The parts in one gate; parts of the same operation are taken in, and one part is no gate.
    pub(super) fn gate(operation: Operation, parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Gate(inner, parts) if inner == operation => flat.extend(parts),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Gate(operation, flat) }
    }

    fn product(product: &[Literal]) -> Self {
        Self::gate(Operation::And, product.iter().map(|&literal| Self::Literal(literal)).collect())
    }
}

/// The formula of a sum.
pub(super) fn formula(sum: &[Product]) -> Form {
    if sum.iter().any(Vec::is_empty) {
        return Form::product(&[]);
    }
    let mut parts = Vec::new();
    let mut rest = sum.to_vec();
    while !rest.is_empty() {
        let (part, left) = split(&rest);
        parts.push(part);
        rest = left;
    }
    Form::gate(Operation::Or, parts)
}

/// A part of a sum as a formula, and what is left of the sum.
fn split(sum: &[Product]) -> (Form, Vec<Product>) {
    let shared = common(sum.iter());
    if let [product] = sum {
        return (Form::product(product), Vec::new());
    }
    if !shared.is_empty() {
        return divided(sum, &[shared]);
    }
    let Some(kernel) = level_0_kernel(sum) else {
        return (Form::product(&sum[0]), sum[1..].to_vec());
    };
    let (quotient, _) = divide(sum, &kernel);
    let shared = common(quotient.iter());
    if quotient.len() == 1 {
        return divided(sum, &[vec![most_frequent_of(sum, &shared)]]);
    }
    // The quotient without its common literals divides too, and may divide more than the kernel says.
    let quotient: Vec<Product> = quotient.iter().map(|product| without(product, &shared)).collect();
    let (divisor, _) = divide(sum, &quotient);
    let shared = common(divisor.iter());
    if shared.is_empty() {
        divided(sum, &quotient)
    } else {
        divided(sum, &[vec![most_frequent_of(sum, &shared)]])
    }
}

/// Divisor and quotient as one product of formulas, and the remainder.
fn divided(sum: &[Product], divisor: &[Product]) -> (Form, Vec<Product>) {
    let (quotient, rest) = divide(sum, divisor);
    (Form::gate(Operation::And, vec![formula(divisor), formula(&quotient)]), rest)
}

/// Of some literals, at least one, the one in the most products.
fn most_frequent_of(sum: &[Product], literals: &[Literal]) -> Literal {
    let count =
        |literal: Literal| sum.iter().filter(|product| product.binary_search(&literal).is_ok()).count();
    let best = literals.iter().copied().max_by_key(|&literal| (count(literal), std::cmp::Reverse(literal)));
    best.expect("what is asked for is not empty")
}

/// A kernel without kernels of its own; `None` if no literal occurs twice.
fn level_0_kernel(sum: &[Product]) -> Option<Vec<Product>> {
    let literal = most_frequent(sum)?;
    let (quotient, _) = divide(sum, &[vec![literal]]);
    let shared = common(quotient.iter());
    let kernel: Vec<Product> = quotient.iter().map(|product| without(product, &shared)).collect();
    Some(level_0_kernel(&kernel).unwrap_or(kernel))
}

/// The literal in the most products, if it is in two.
fn most_frequent(sum: &[Product]) -> Option<Literal> {
    let mut counts: BTreeMap<Literal, usize> = BTreeMap::new();
    sum.iter().flatten().for_each(|&literal| *counts.entry(literal).or_default() += 1);
    let best = counts.into_iter().max_by_key(|&(literal, count)| (count, std::cmp::Reverse(literal)))?;
    (best.1 > 1).then_some(best.0)
}
