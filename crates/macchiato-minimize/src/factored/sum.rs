//! Sums of products over signals: the inputs, then the nodes that extraction makes.
//!
//! A literal is twice its signal's number, plus one where it is negated. A product is an increasing list of literals.

/// A literal: twice the signal, plus one where negated.
pub(super) type Literal = u32;

/// Increasing literals, all of which hold.
pub(super) type Product = Vec<Literal>;

/// The literal with the opposite sign.
pub(super) const fn negated(literal: Literal) -> Literal {
    literal ^ 1
}

/// The literals of `a` that `b` lacks.
pub(super) fn without(a: &[Literal], b: &[Literal]) -> Product {
    let mut b = b.iter().peekable();
    let mut rest = Vec::with_capacity(a.len());
    for &literal in a {
        while b.next_if(|&&other| other < literal).is_some() {}
        if b.peek() != Some(&&literal) {
            rest.push(literal);
        }
    }
    rest
}

/// The literals of both.
pub(super) fn union(a: &[Literal], b: &[Literal]) -> Product {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The literals that every product has.
pub(super) fn common<'a>(mut products: impl Iterator<Item = &'a Product>) -> Product {
    let mut common = products.next().cloned().unwrap_or_default();
    for product in products {
        common.retain(|literal| product.binary_search(literal).is_ok());
    }
    common
}

/// Whether `product` has every literal of `part`, both increasing.
pub(super) fn has(product: &[Literal], part: &[Literal]) -> bool {
    part.iter().all(|literal| product.binary_search(literal).is_ok())
}

/// Quotient and remainder: `sum = divisor * quotient + remainder` as polynomials, with the largest quotient there is.
pub(super) fn divide(sum: &[Product], divisor: &[Product]) -> (Vec<Product>, Vec<Product>) {
    let mut quotient: Option<Vec<Product>> = None;
    for part in divisor {
        let mut cofactors: Vec<Product> =
            sum.iter().filter(|product| has(product, part)).map(|product| without(product, part)).collect();
        cofactors.sort_unstable();
        cofactors.dedup();
        quotient = Some(match quotient {
            None => cofactors,
            Some(before) => before.into_iter().filter(|c| cofactors.binary_search(c).is_ok()).collect(),
        });
    }
    let quotient = quotient.unwrap_or_default();
    let mut made: Vec<Product> =
        quotient.iter().flat_map(|q| divisor.iter().map(move |d| union(q, d))).collect();
    made.sort_unstable();
    let rest = sum.iter().filter(|product| made.binary_search(product).is_err()).cloned().collect();
    (quotient, rest)
}
