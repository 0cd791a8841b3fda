//! The last check before a cover leaves: against the caller's own rows, not against the engine's copies.
//!
//! Blocks of 512 rows are transposed one at a time; a term's rows in a block are the AND of its literals' columns,
//! which is empty after about ten literals. Costs rows / 64 times terms times those few words.

use std::collections::HashSet;

use super::columns::Code;
use crate::bits::transpose;
use crate::cover::Cover;
use crate::cube::{Literal, ones};
use crate::rows::Rows;

/// Words of a block's column.
const WORDS: usize = 8;
/// A set of rows of a block.
type Set = [u64; WORDS];

/// Whether every ON row lies inside a term of `cover` and no term meets an OFF row.
pub(super) fn holds(rows: &Rows, cover: &Cover) -> bool {
    let terms = Terms::new(rows, cover);
    let empty = vec![[0; WORDS]; 64 * rows.stride()];
    let mut block = Block { one: empty.clone(), not_zero: empty, cubes: false };
    (0..rows.len()).step_by(64 * WORDS).all(|start| {
        let end = rows.len().min(start + 64 * WORDS);
        block.load(rows, start, end);
        let (mut open, mut off) = ([0; WORDS], [0; WORDS]);
        for row in start..end {
            let set = if rows.label(row) { &mut open } else { &mut off };
            set[(row - start) / 64] |= 1 << ((row - start) % 64);
        }
        terms.cubes().all(|term| block.admits(term, &mut open, &off))
            && ones(&open).all(|at| terms.is_minterm(rows, start + at))
            && ones(&off).all(|at| !terms.minterm_meets(rows, start + at))
    })
}

/// A cover's terms: those with a literal for every input apart, so that a run cut short, whose cover is mostly rows,
/// is verified by look-up.
struct Terms {
    /// Literals of all other terms, end to end, as codes.
    literals: Vec<Code>,
    ends: Vec<usize>,
    /// Looked up, never iterated in an order that matters.
    minterms: HashSet<Box<[u64]>>,
}

impl Terms {
    fn new(rows: &Rows, cover: &Cover) -> Self {
        let mut terms = Self { literals: Vec::new(), ends: Vec::new(), minterms: HashSet::new() };
        for term in 0..cover.terms() {
            let start = terms.literals.len();
            terms.literals.extend((0..rows.inputs()).filter_map(|i| match cover.literal(term, i) {
                Literal::Free => None,
                literal => Some(2 * i as Code + Code::from(literal == Literal::Positive)),
            }));
            if terms.literals.len() - start < rows.inputs() {
                terms.ends.push(terms.literals.len());
            } else {
                let mut values = vec![0; rows.stride()];
                for code in terms.literals.drain(start..) {
                    values[code as usize / 128] |= u64::from(code % 2) << (code / 2 % 64);
                }
                terms.minterms.insert(values.into());
            }
        }
        terms
    }

    fn cubes(&self) -> impl Iterator<Item = &[Code]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.literals[std::mem::replace(&mut start, end)..end])
    }

    /// Whether the row is a minterm among the terms.
    fn is_minterm(&self, rows: &Rows, row: usize) -> bool {
        rows.free(row).is_none_or(|free| free.iter().all(|&word| word == 0))
            && self.minterms.contains(rows.values(row))
    }

    /// Whether some minterm among the terms is a point of the row.
    fn minterm_meets(&self, rows: &Rows, row: usize) -> bool {
        match rows.free(row) {
            Some(free) if free.iter().any(|&word| word != 0) => self.minterms.iter().any(|term| {
                term.iter()
                    .zip(rows.values(row))
                    .zip(free)
                    .all(|((term, value), free)| (term ^ value) & !free == 0)
            }),
            _ => self.is_minterm(rows, row),
        }
    }
}

/// Some rows as columns: which have a value 1 there, and which 1 or no value.
struct Block {
    one: Vec<Set>,
    not_zero: Vec<Set>,
    /// Some row is a cube, so the planes differ.
    cubes: bool,
}

impl Block {
    fn load(&mut self, rows: &Rows, start: usize, end: usize) {
        self.cubes = start < end && rows.free(start).is_some();
        for word in 0..WORDS {
            let here = (start + 64 * word).min(end)..(start + 64 * (word + 1)).min(end);
            for part in 0..rows.stride() {
                let (mut one, mut not_zero) = ([0; 64], [0; 64]);
                for (bit, row) in here.clone().enumerate() {
                    one[bit] = rows.values(row)[part];
                    not_zero[bit] = one[bit] | rows.free(row).map_or(0, |free| free[part]);
                }
                transpose(&mut one);
                transpose(&mut not_zero);
                for i in 0..64 {
                    self.one[64 * part + i][word] = one[i];
                    self.not_zero[64 * part + i][word] = not_zero[i];
                }
            }
        }
    }

    /// Takes the rows inside `term` from `open`; false if the term meets a row of `off`.
    fn admits(&self, term: &[Code], open: &mut Set, off: &Set) -> bool {
        if self.cubes {
            // A row is inside a term only by values of its own, and apart from it only by those.
            let inside = passing(&self.one, &self.not_zero, term, *open);
            let meeting = passing(&self.not_zero, &self.one, term, *off);
            open.iter_mut().zip(inside).for_each(|(open, inside)| *open &= !inside);
            meeting == [0; WORDS]
        } else {
            let either = std::array::from_fn(|word| open[word] | off[word]);
            let inside = passing(&self.one, &self.one, term, either);
            open.iter_mut().zip(inside).for_each(|(open, inside)| *open &= !inside);
            inside.iter().zip(off).all(|(inside, off)| inside & off == 0)
        }
    }
}

/// Of `rows`, those in `one` for every positive literal and not in `not_zero` for every negative one.
fn passing(one: &[Set], not_zero: &[Set], term: &[Code], mut rows: Set) -> Set {
    for &code in term {
        if rows == [0; WORDS] {
            break;
        }
        let i = (code / 2) as usize;
        let (column, flip) = if code % 2 == 1 { (&one[i], 0) } else { (&not_zero[i], u64::MAX) };
        for (rows, column) in rows.iter_mut().zip(column) {
            *rows &= column ^ flip;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Shape;

    /// A cover that misses an ON row, or holds an OFF row, in any block and by cube or minterm, is rejected.
    #[test]
    fn one_wrong_row_is_found_anywhere() {
        use Literal::{Free, Negative, Positive};
        let point = |x: usize| -> Vec<Literal> {
            (0..11).map(|i| if x >> i & 1 == 1 { Positive } else { Negative }).collect()
        };
        let shape = Shape::new(11, 1);
        let mut first_input = Cover::new(shape);
        let mut literals = vec![Free; 11];
        literals[0] = Positive;
        first_input.push(&literals, &[true]);
        let mut minterms = Cover::new(shape);
        (0..2000).filter(|x| x % 2 == 1).for_each(|x| minterms.push(&point(x), &[true]));
        for wrong in [None, Some(0), Some(63), Some(64), Some(701), Some(1998), Some(1999)] {
            for cubes in [false, true] {
                let mut rows = Rows::new(11);
                for x in 0..2000 {
                    rows.push(&point(x), (x % 2 == 1) != (wrong == Some(x)));
                }
                if cubes {
                    let mut off = vec![Free; 11];
                    off[0] = Negative;
                    rows.push(&off, false);
                }
                assert_eq!(holds(&rows, &first_input), wrong.is_none(), "{wrong:?}");
                assert_eq!(holds(&rows, &minterms), wrong.is_none(), "{wrong:?}");
            }
        }
    }

    #[test]
    fn an_on_cube_must_lie_inside_one_term() {
        let mut rows = Rows::new(2);
        rows.push(&[Literal::Positive, Literal::Free], true);
        let mut halves = Cover::new(Shape::new(2, 1));
        halves.push(&[Literal::Positive, Literal::Positive], &[true]);
        halves.push(&[Literal::Positive, Literal::Negative], &[true]);
        assert!(!holds(&rows, &halves));
    }
}
