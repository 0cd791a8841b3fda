//! Distinct points of the cube, uniformly at random in random order, as bit columns.
//!
//! Where at least a quarter of all points are wanted they are the first places of a shuffle of all; elsewhere points are
//! drawn one after the other and those that came before are left out. Repeats are found by sorting, so that memory stays
//! near that of the points. Both ways every sequence of distinct points is equally likely.

use super::shuffle_first;
use crate::bits;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::TryReserveError;

/// The bit columns of `rows` distinct random points, of which there must be as many.
pub(super) fn draw(
    rng: &mut ChaCha8Rng,
    inputs: usize,
    rows: usize,
) -> Result<Vec<Vec<u64>>, TryReserveError> {
    if inputs <= 32 && 1u64 << inputs <= 4 * rows as u64 {
        let mut points = reserved(1 << inputs)?;
        points.extend(0..=u32::MAX >> (32 - inputs));
        shuffle_first(rng, &mut points, rows);
        return columns(inputs, rows, |row, _| u64::from(points[row]));
    }
    let points = without_repeats(rng, inputs, rows)?;
    let words = bits::words(inputs);
    columns(inputs, rows, |row, word| points[row * words + word])
}

/// All points in increasing order: input i is bit i of the row's number.
pub(super) fn cube(inputs: usize) -> Result<Vec<Vec<u64>>, TryReserveError> {
    columns(inputs, 1 << inputs, |row, _| row as u64)
}

/// The first `rows` distinct points of those drawn one after the other, each as its words.
fn without_repeats(rng: &mut ChaCha8Rng, inputs: usize, rows: usize) -> Result<Vec<u64>, TryReserveError> {
    let words = bits::words(inputs);
    let (mut points, mut order): (Vec<u64>, Order) = (reserved(rows * words)?, reserved(rows)?);
    let mut repeats = Vec::new();
    while order.len() < rows {
        let drawn = points.len() / words;
        for _ in order.len()..rows {
            points.extend((1..words).map(|_| rng.next_u64()));
            points.push(rng.next_u64() & bits::last_mask(inputs));
        }
        let fresh = (drawn..points.len() / words).map(|row| (points[row * words], row));
        order.extend(fresh);
        remove_repeats(&points, words, &mut order, drawn, &mut repeats);
    }
    repeats.sort_unstable();
    let mut repeats = repeats.into_iter().peekable();
    let mut at = 0;
    for row in 0..points.len() / words {
        if repeats.next_if_eq(&row).is_none() {
            points.copy_within(row * words..(row + 1) * words, at);
            at += words;
        }
    }
    points.truncate(at);
    Ok(points)
}

/// The first word and the number of each point.
type Order = Vec<(u64, usize)>;

/// Moves points that came before from `order` to `repeats`; those before number `drawn` are sorted and distinct.
#[expect(clippy::stable_sort_primitive, reason = "only the stable sort makes use of sorted runs")]
fn remove_repeats(points: &[u64], words: usize, order: &mut Order, drawn: usize, repeats: &mut Vec<usize>) {
    if drawn == 0 {
        order.par_sort_unstable();
    } else {
        // The first run is sorted: hardly more than a merge.
        order.sort();
    }
    let point = |row: usize| &points[row * words..][..words];
    // Points with the same first word. Where there are more words, those are random: there is hardly more than one.
    let (mut first, mut kept) = (0, Vec::new());
    order.retain(|&(word, row)| {
        if word != first {
            first = word;
            kept.clear();
        }
        let repeated = kept.iter().any(|&other| point(other) == point(row));
        if repeated {
            repeats.push(row);
        } else {
            kept.push(row);
        }
        !repeated
    });
}

/// Bit columns from the words of each row.
fn columns(
    inputs: usize,
    rows: usize,
    word_of: impl Fn(usize, usize) -> u64,
) -> Result<Vec<Vec<u64>>, TryReserveError> {
    let mut columns: Vec<Vec<u64>> = reserved(inputs)?;
    for _ in 0..inputs {
        columns.push(reserved(bits::words(rows))?);
    }
    for from in (0..rows).step_by(64) {
        for (word, columns) in columns.chunks_mut(64).enumerate() {
            let mut block = [0u64; 64];
            for (row, out) in (from..rows).zip(&mut block) {
                *out = word_of(row, word);
            }
            bits::transpose(&mut block);
            for (column, word) in columns.iter_mut().zip(block) {
                column.push(word);
            }
        }
    }
    Ok(columns)
}

/// An empty vector with room for `len`, or word that there is none.
fn reserved<T>(len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len)?;
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_points_stays() {
        let removed = |points: &[u64], words: usize| {
            let mut order: Order = points.chunks(words).map(|point| point[0]).zip(0..).collect();
            let mut repeats = Vec::new();
            remove_repeats(points, words, &mut order, 0, &mut repeats);
            repeats.sort_unstable();
            (repeats, order.len())
        };
        assert_eq!(removed(&[7, 1, 7, 2, 7, 1, 5, 5, 7, 2, 5, 6], 2), (vec![2, 4], 4));
        assert_eq!(removed(&[3, 3, 1, 0, 3, 2, 0, 1], 1), (vec![1, 4, 6, 7], 4));
    }
}
