//! One stage: a sum of products over the selected inputs, the paper's `(J_t, G_t)` and its lift `F_t`.

use crate::bits;
use crate::rows::Rows;
use macchiato_minimize::{Cover, Literal, Shape};
use rayon::prelude::*;
use std::collections::HashSet;

/// An OR of ANDs over some of the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// `J_t`, in increasing order: input p of the cover is input `inputs[p]` of the rows.
    pub inputs: Vec<usize>,
    /// `G_t`, over the inputs of the stage.
    pub cover: Cover,
}

/// A literal of the whole: an input and whether it must be 1.
pub type Signed = (usize, bool);

/// Words of one task of an evaluation: what a term touches stays in the first cache.
pub(crate) const TASK_WORDS: usize = 256;

/// ORs the terms' values on the words from `from` on into `values`, at most [`TASK_WORDS`] of them.
pub(crate) fn or_terms(terms: &[Vec<Signed>], columns: &[&[u64]], from: usize, values: &mut [u64]) {
    let mut product = [0u64; TASK_WORDS];
    let product = &mut product[..values.len()];
    let flip = |positive: bool| if positive { 0 } else { u64::MAX };
    let words = from..from + values.len();
    for term in terms {
        // The last literal goes straight into the sum, the first starts the product: two passes fewer.
        match term.as_slice() {
            [] => values.fill(u64::MAX),
            [(input, positive)] => {
                let flip = flip(*positive);
                values
                    .iter_mut()
                    .zip(&columns[*input][words.clone()])
                    .for_each(|(value, word)| *value |= word ^ flip);
            }
            [first, middle @ .., last] => {
                let (column, bits) = (&columns[first.0][words.clone()], flip(first.1));
                product.iter_mut().zip(column).for_each(|(product, word)| *product = word ^ bits);
                for (input, positive) in middle {
                    let (column, bits) = (&columns[*input][words.clone()], flip(*positive));
                    product.iter_mut().zip(column).for_each(|(product, word)| *product &= word ^ bits);
                }
                let (column, bits) = (&columns[last.0][words.clone()], flip(last.1));
                let both = product.iter().zip(column);
                values
                    .iter_mut()
                    .zip(both)
                    .for_each(|(value, (product, word))| *value |= product & (word ^ bits));
            }
        }
    }
}

impl Stage {
    /// The OR of these terms, whose literals are of these inputs; others are passed over.
    #[must_use]
    pub fn of_terms(inputs: Vec<usize>, terms: &[Vec<Signed>]) -> Self {
        let mut cover = Cover::new(Shape::new(inputs.len(), 1));
        for term in terms {
            let sign = |input: &usize| match term.iter().find(|literal| literal.0 == *input) {
                Some((_, true)) => Literal::Positive,
                Some((_, false)) => Literal::Negative,
                None => Literal::Free,
            };
            cover.push(&inputs.iter().map(sign).collect::<Vec<_>>(), &[true]);
        }
        Self { inputs, cover }
    }

    /// The literals of each term, in the rows' inputs.
    pub fn terms(&self) -> impl Iterator<Item = Vec<Signed>> {
        (0..self.cover.terms()).map(|term| {
            let literal = |(p, &input): (usize, &usize)| match self.cover.literal(term, p) {
                Literal::Positive => Some((input, true)),
                Literal::Negative => Some((input, false)),
                Literal::Free => None,
            };
            self.inputs.iter().enumerate().filter_map(literal).collect()
        })
    }

    /// Section 4.2's syntactic normalization: constants in terms of an input of the stage, duplicate terms and terms inside
    /// another one left out. At least one term, each with at least one literal.
    #[must_use]
    pub fn normal_terms(&self) -> Vec<Vec<Signed>> {
        let first = self.inputs.first().copied().unwrap_or(0);
        // A stage made by hand may hold an input twice: of two spellings of one term each would contain the other, and none would stay.
        let distinct = |term: Vec<Signed>| -> Vec<Signed> {
            let mut seen = HashSet::new();
            term.into_iter().filter(|&literal| seen.insert(literal)).collect()
        };
        let all: Vec<Vec<Signed>> = self.terms().map(distinct).collect();
        if all.is_empty() {
            return vec![vec![(first, true), (first, false)]];
        }
        if all.iter().any(Vec::is_empty) {
            return vec![vec![(first, true)], vec![(first, false)]];
        }
        let mut seen = HashSet::new();
        let first = |term: &Vec<Signed>| {
            let mut literals = term.clone();
            literals.sort_unstable();
            seen.insert(literals)
        };
        let all: Vec<Vec<Signed>> = all.into_iter().filter(first).collect();
        // Of different terms only a longer one can be inside another: most pairs are told apart by their lengths.
        let inside = |small: &[Signed], wide: &[Signed]| {
            small.len() > wide.len() && wide.iter().all(|literal| small.contains(literal))
        };
        let redundant = |term: &Vec<Signed>| all.iter().any(|other| inside(term, other));
        all.iter().filter(|term| !redundant(term)).cloned().collect()
    }

    /// `F_t` on bit columns, 64 rows at a time; bits past the last row are whatever they are.
    #[must_use]
    pub fn evaluate(&self, columns: &[&[u64]], words: usize) -> Vec<u64> {
        let terms: Vec<Vec<Signed>> = self.terms().collect();
        let mut values = vec![0u64; words];
        values.par_chunks_mut(TASK_WORDS).enumerate().for_each(|(task, values)| {
            or_terms(&terms, columns, task * TASK_WORDS, values);
        });
        values
    }

    /// `F_t` on labelled rows, padding bits 0.
    #[must_use]
    pub fn on(&self, rows: &Rows) -> Vec<u64> {
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let mut values = self.evaluate(&columns, bits::words(rows.len()));
        bits::trim(&mut values, rows.len());
        values
    }

    /// `F_t` at one point.
    #[must_use]
    pub fn at(&self, x: &[bool]) -> bool {
        self.terms().any(|term| term.iter().all(|&(input, positive)| x[input] == positive))
    }

    /// For each row the number of the first term that holds, from 1, and 0 where none does. At most `u16::MAX` terms count.
    pub(crate) fn first_terms(&self, columns: &[&[u64]], rows: usize) -> Vec<u16> {
        let mut first = vec![0u16; rows];
        let terms: Vec<Vec<Signed>> = self.terms().take(usize::from(u16::MAX)).collect();
        first.par_chunks_mut(64 * TASK_WORDS).enumerate().for_each(|(task, first)| {
            let mut values = [0u64; TASK_WORDS];
            let rows = first.len();
            let values = &mut values[..bits::words(rows)];
            for (t, term) in terms.iter().enumerate().rev() {
                values.fill(0);
                or_terms(std::slice::from_ref(term), columns, task * TASK_WORDS, values);
                // A negated literal sets bits past the last row.
                bits::ones(values).take_while(|&row| row < rows).for_each(|row| first[row] = t as u16 + 1);
            }
        });
        first
    }
}

/// `H_1`, `H_2`, ... on bit columns: the answers after each of these stages.
pub fn prefixes<'a>(
    stages: &'a [Stage],
    columns: &'a [&[u64]],
    words: usize,
) -> impl Iterator<Item = Vec<u64>> + 'a {
    let mut values = vec![0u64; words];
    stages.iter().map(move |stage| {
        let correction = stage.evaluate(columns, words);
        values.iter_mut().zip(correction).for_each(|(value, flip)| *value ^= flip);
        values.clone()
    })
}

/// Number of product terms of these stages, the paper's P.
#[must_use]
pub fn terms(stages: &[Stage]) -> usize {
    stages.iter().map(|stage| stage.cover.terms()).sum()
}

/// Number of literals of these stages.
#[must_use]
pub fn literals(stages: &[Stage]) -> usize {
    stages.iter().map(|stage| stage.cover.literals()).sum()
}
