//! Random circuits.

use super::{Circuit, Term};

/// Marsaglia's xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    pub(crate) fn circuit(&mut self, most_inputs: usize, most_stages: usize) -> Circuit {
        let inputs = 1 + self.below(most_inputs);
        let mut stages = Vec::new();
        for _ in 0..self.below(most_stages + 1) {
            let mut chosen: Vec<usize> = (0..inputs).filter(|_| self.below(2) == 0).collect();
            if chosen.is_empty() {
                chosen.push(self.below(inputs));
            }
            let mut terms: Vec<Term> = Vec::new();
            for _ in 0..=self.below(4) {
                let mut term: Term = Vec::new();
                for &input in &chosen {
                    match self.below(7) {
                        0..2 => term.push((input, false)),
                        2..4 => term.push((input, true)),
                        4 => term.extend([(input, false), (input, true)]),
                        _ => {}
                    }
                }
                if !term.is_empty() && !terms.contains(&term) {
                    terms.push(term);
                }
            }
            if terms.is_empty() {
                terms.push(vec![(chosen[0], false), (chosen[0], true)]);
            }
            stages.push((chosen, terms));
        }
        Circuit { inputs, stages }
    }
}
