//! A second opinion on a cover of a PLA file: sampled points, judged from literals alone.
//!
//! The library verifies every cover in full before it returns it; this shares no code with that. From each ON cube and
//! each term of the result some points are drawn: ON points must be covered, covered points must be ON or don't-care.

use macchiato::minimize::pla::Pla;
use macchiato::minimize::{Cover, Literal};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const POINTS: usize = 8;

/// Whether no sampled point speaks against `result`.
pub(crate) fn passes(pla: &Pla, result: &Cover) -> bool {
    let [on, dont_care, off, result] = [pla.on(), pla.dont_care(), pla.off(), result].map(Terms::new);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    on.0.iter().chain(&result.0).flat_map(|term| (0..POINTS).map(move |_| term)).all(|term| {
        let point = term.point(&mut rng);
        let values = [&on, &dont_care, &off, &result].map(|cover| cover.outputs(&point));
        let [on, dont_care, off, result] = &values;
        (0..result.len()).all(|o| {
            let open = dont_care[o] || pla.pla_type().gives_off() && !on[o] && !off[o];
            open || on[o] == result[o]
        })
    })
}

/// A term: where `care` is 1 the point must have `value`'s bit.
struct Term {
    care: Vec<u64>,
    value: Vec<u64>,
    outputs: Vec<bool>,
}

impl Term {
    fn point(&self, rng: &mut ChaCha8Rng) -> Vec<u64> {
        self.care.iter().zip(&self.value).map(|(care, value)| rng.next_u64() & !care | value).collect()
    }

    fn holds(&self, point: &[u64]) -> bool {
        self.care.iter().zip(&self.value).zip(point).all(|((care, value), x)| x & care == *value)
    }
}

/// The terms of a cover, and its outputs.
struct Terms(Vec<Term>, usize);

impl Terms {
    fn new(cover: &Cover) -> Self {
        let (inputs, outputs) = (cover.shape().inputs(), cover.shape().outputs());
        let term = |t: usize| {
            let mut term = Term {
                care: vec![0; inputs.div_ceil(64)],
                value: vec![0; inputs.div_ceil(64)],
                outputs: (0..outputs).map(|o| cover.asserts(t, o)).collect(),
            };
            for i in 0..inputs {
                let literal = cover.literal(t, i);
                term.care[i / 64] |= u64::from(literal != Literal::Free) << (i % 64);
                term.value[i / 64] |= u64::from(literal == Literal::Positive) << (i % 64);
            }
            term
        };
        Self((0..cover.terms()).map(term).collect(), outputs)
    }

    fn outputs(&self, point: &[u64]) -> Vec<bool> {
        let mut values = vec![false; self.1];
        for term in self.0.iter().filter(|term| term.holds(point)) {
            values.iter_mut().zip(&term.outputs).for_each(|(value, asserted)| *value |= asserted);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::minimize::{Shape, pla};

    #[test]
    fn a_missing_and_a_surplus_term_are_seen() {
        let pla = pla::read(".i 3\n.o 2\n1-- 10\n-11 01\n000 --\n.e\n".as_bytes(), "example.pla").unwrap();
        assert!(passes(&pla, pla.on()));
        assert!(!passes(&pla, &Cover::new(Shape::new(3, 2))));
        assert!(!passes(&pla, &Cover::universe(Shape::new(3, 2))));
    }
}
