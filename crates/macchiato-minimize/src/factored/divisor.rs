//! Divisors worth a gate: a product of two literals, or a sum of two short products.
//!
//! What is left of two products once their common literals are taken away is a sum that divides both. The sum of two literals is
//! the negation of a product, and the negation of `a b + !a c` is `a !b + !a !c`, so that places of both signs share one gate:
//! each divisor has one spelling, and the places say whether they read it negated.

use super::sum::{Literal, Product, negated};

/// Most literals of a sum that becomes a gate. On the classical files 4, 6 and 8 give 35,665, 35,309 and 35,107 literals; with 8 it takes four
/// times as long.
pub(super) const MOST: usize = 6;
/// Stands where there is no literal.
const NONE: Literal = Literal::MAX;

/// One divisor, in its one spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Divisor {
    /// The literals of the first product, then those of the second.
    literals: [Literal; MOST],
    /// How many of them are the first product's; all of them where it is a product alone.
    first: u8,
    len: u8,
}

impl Divisor {
    fn new(first: &[Literal], second: &[Literal]) -> Self {
        let mut literals = [NONE; MOST];
        literals.iter_mut().zip(first.iter().chain(second)).for_each(|(to, from)| *to = *from);
        Self { literals, first: first.len() as u8, len: (first.len() + second.len()) as u8 }
    }

    /// The product of two literals, `a` below `b`.
    pub(super) fn product(a: Literal, b: Literal) -> Self {
        debug_assert!(a < b);
        Self::new(&[a, b], &[])
    }

    /// What two products differ in, and whether the sum is the negation of the divisor; `None` where it is too long, or one of
    /// them holds the other.
    pub(super) fn between(a: &[Literal], b: &[Literal]) -> Option<(Self, bool)> {
        let (mut own, mut other) = ([NONE; MOST], [NONE; MOST]);
        let (mut at, mut bt, mut i, mut j) = (0, 0, 0, 0);
        while i < a.len() || j < b.len() {
            let (x, y) = (a.get(i).copied().unwrap_or(NONE), b.get(j).copied().unwrap_or(NONE));
            i += usize::from(x <= y);
            j += usize::from(y <= x);
            if x == y {
                continue;
            }
            if at + bt == MOST {
                return None;
            }
            if x < y {
                own[at] = x;
                at += 1;
            } else {
                other[bt] = y;
                bt += 1;
            }
        }
        (at > 0 && bt > 0).then(|| Self::spelled(&own[..at], &other[..bt]))
    }

    /// The one spelling of a sum of two products, and whether that is its negation.
    fn spelled(a: &[Literal], b: &[Literal]) -> (Self, bool) {
        if let (&[a], &[b]) = (a, b) {
            return (Self::product(negated(a).min(negated(b)), negated(a).max(negated(b))), true);
        }
        let sum = Self::sorted(a, b);
        let Some(negation) = Self::negation_of_choice(a, b) else { return (sum, false) };
        if negation < sum { (negation, true) } else { (sum, false) }
    }

    fn sorted(a: &[Literal], b: &[Literal]) -> Self {
        if (a.len(), a) <= (b.len(), b) { Self::new(a, b) } else { Self::new(b, a) }
    }

    /// The negation of `x p + !x q`, which is `x !p + !x !q`.
    fn negation_of_choice(a: &[Literal], b: &[Literal]) -> Option<Self> {
        let (&[a0, a1], &[b0, b1]) = (a, b) else { return None };
        let choices = [(a0, a1, b0, b1), (a0, a1, b1, b0), (a1, a0, b0, b1), (a1, a0, b1, b0)];
        // Where both inputs are opposite, `x y + !x !y`, either choice gives the same negation.
        let (x, p, y, q) = choices.into_iter().find(|&(x, _, y, _)| x == negated(y))?;
        let pair = |x: Literal, p: Literal| [x.min(p), x.max(p)];
        Some(Self::sorted(&pair(x, negated(p)), &pair(y, negated(q))))
    }

    /// How many literals its own gate has.
    pub(super) fn literals(&self) -> usize {
        usize::from(self.len)
    }

    /// The sum that it is.
    pub(super) fn products(&self) -> Vec<Product> {
        let (all, first) = (&self.literals[..self.literals()], usize::from(self.first));
        let parts = [&all[..first], &all[first..]];
        parts.into_iter().filter(|part| !part.is_empty()).map(<[Literal]>::to_vec).collect()
    }
}
