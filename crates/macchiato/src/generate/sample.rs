//! Rows of a target, uniform without replacement (Appendix D.2).

use super::{GenerateError, Target, points};
use crate::bits;
use crate::random::Stream;
use crate::rows::Rows;
use rand::Rng;
use std::collections::TryReserveError;

/// Rows are numbered by 32 bits.
const MAX_ROWS: u64 = u32::MAX as u64;
/// Most inputs for which all rows are listed.
const MAX_CUBE: usize = 31;

/// The rows to test on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestRows {
    /// So many, drawn as the training rows are.
    Rows(usize),
    /// All 2^B, in increasing order of the number whose bit i is input i.
    Full,
}

/// Training rows of `target`: distinct points, uniformly at random and in random order, with their labels.
///
/// Where B is at most 32 and 2^B at most four times `rows`, they are the first places of a shuffle of all points, as the
/// coordinates are of the inputs. Elsewhere points are drawn one after the other, and those that came before are left
/// out: input i is bit `i % 64` of draw `i / 64` of the point.
///
/// ```
/// use macchiato::generate::{Target, sample};
///
/// let rows = sample(&Target::parity(70, 3, 1)?, 500, 1)?;
/// assert_eq!((rows.inputs(), rows.len(), rows.distinct().repeated), (70, 500, 0));
/// # Ok::<(), macchiato::generate::GenerateError>(())
/// ```
///
/// # Errors
/// No rows, more than 2^B, more than can be numbered, or more than fit in memory.
pub fn sample(target: &Target, rows: usize, seed: u64) -> Result<Rows, GenerateError> {
    draw(target, rows, seed, Stream::TrainingRows)
}

/// Training rows as [`sample`] draws them, and test rows drawn independently of them.
///
/// # Errors
/// Those of [`sample`], for either; the whole cube of more than 31 inputs.
pub fn sample_pair(
    target: &Target,
    train_rows: usize,
    test: TestRows,
    seed: u64,
) -> Result<(Rows, Rows), GenerateError> {
    let test = match test {
        TestRows::Rows(rows) => draw(target, rows, seed, Stream::TestRows)?,
        TestRows::Full => {
            let inputs = target.inputs();
            if inputs > MAX_CUBE {
                return Err(GenerateError::Cube { inputs, most: MAX_CUBE });
            }
            label(target, 1 << inputs, points::cube(inputs))?
        }
    };
    Ok((sample(target, train_rows, seed)?, test))
}

/// The rows with each label flipped with probability `noise`.
///
/// # Errors
/// A rate outside 0 to 0.5.
pub fn with_noise(rows: Rows, noise: f64, seed: u64) -> Result<Rows, GenerateError> {
    if !(0.0..=0.5).contains(&noise) {
        return Err(GenerateError::Noise { noise });
    }
    let len = rows.len();
    let mut rng = Stream::Noise.of(seed);
    let limit = noise * (1u64 << 53) as f64;
    let (target, mut labels) = (rows.target().to_owned(), rows.labels().to_vec());
    for row in 0..len {
        let flip = ((rng.next_u64() >> 11) as f64) < limit;
        labels[row / 64] ^= u64::from(flip) << (row % 64);
    }
    Ok(rows.relabelled(target, labels))
}

fn draw(target: &Target, rows: usize, seed: u64, stream: Stream) -> Result<Rows, GenerateError> {
    let inputs = target.inputs();
    let most = if inputs < 32 { 1 << inputs } else { MAX_ROWS };
    if rows == 0 || rows as u64 > most {
        return Err(GenerateError::Rows { rows, inputs, most });
    }
    label(target, rows, points::draw(&mut stream.of(seed), inputs, rows))
}

/// Labels the points.
fn label(
    target: &Target,
    rows: usize,
    columns: Result<Vec<Vec<u64>>, TryReserveError>,
) -> Result<Rows, GenerateError> {
    let columns = columns.map_err(|_| GenerateError::Memory { rows, inputs: target.inputs() })?;
    let inputs: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let labels = target.evaluate(&inputs, bits::words(rows));
    let names = (target.names().to_vec(), target.name().to_owned());
    Ok(Rows::named(names, columns, labels, (rows, None))?)
}
