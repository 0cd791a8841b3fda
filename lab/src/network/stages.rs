//! The XOR of sums of products, evaluated as such: what the evaluation of gates of any kind is measured beside.
//!
//! One pass over blocks of 256 words on all cores; the last literal of a term goes straight into the sum.

use macchiato::stage::{Signed, Stage};
use rayon::prelude::*;

const BLOCK: usize = 256;

/// The answers on bit columns of `words` words.
pub(crate) fn evaluate(stages: &[Stage], columns: &[&[u64]], words: usize) -> Vec<u64> {
    let stages: Vec<Vec<Vec<Signed>>> = stages.iter().map(|stage| stage.terms().collect()).collect();
    let mut values = vec![0u64; words];
    values.par_chunks_mut(BLOCK).enumerate().for_each(|(block, values)| {
        let mut sum = [0u64; BLOCK];
        let sum = &mut sum[..values.len()];
        for terms in &stages {
            sum.fill(0);
            or_terms(terms, columns, block * BLOCK, sum);
            values.iter_mut().zip(&*sum).for_each(|(value, flip)| *value ^= flip);
        }
    });
    values
}

fn or_terms(terms: &[Vec<Signed>], columns: &[&[u64]], from: usize, values: &mut [u64]) {
    let mut product = [0u64; BLOCK];
    let product = &mut product[..values.len()];
    let words = from..from + values.len();
    let read = |&(input, positive): &Signed| {
        let flip = if positive { 0 } else { u64::MAX };
        columns[input][words.clone()].iter().map(move |word| word ^ flip)
    };
    for term in terms {
        match term.as_slice() {
            [] => values.fill(u64::MAX),
            [only] => values.iter_mut().zip(read(only)).for_each(|(value, word)| *value |= word),
            [first, middle @ .., last] => {
                product.iter_mut().zip(read(first)).for_each(|(product, word)| *product = word);
                for literal in middle {
                    product.iter_mut().zip(read(literal)).for_each(|(product, word)| *product &= word);
                }
                let both = product.iter().zip(read(last));
                values.iter_mut().zip(both).for_each(|(value, (product, word))| *value |= product & word);
            }
        }
    }
}
