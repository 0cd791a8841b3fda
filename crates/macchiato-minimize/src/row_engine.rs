//! The rows engine: one output, ON and OFF rows of any width, everything else don't-care.
//!
//! Takes [`Rows`], gives a cover of primes, and never builds a 2^B table or a complement: EXPAND is a hitting set over the
//! OFF rows, IRREDUNDANT a set cover over the ON rows, REDUCE the supercube of the rows that a term alone holds
//! (`search`). Its lower bound is a set of ON rows of which no two fit into one term (`bound`). Cubes among the ON rows count as
//! covered when a single term contains them. Degenerate rows follow the paper's Appendix D.3.

mod bound;
mod columns;
mod expand;
mod field;
mod instance;
mod pool;
mod search;
mod sparse;
mod verify;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::cover::Cover;
use crate::cube::{Literal, Shape};
use crate::outcome::{Engine, MinimizeError, Minimized, Note, Options};
use crate::rows::Rows;
use columns::Code;
use instance::Instance;
use search::{Found, Search};

/// A small cover that is 1 on every ON row and 0 on every OFF row.
///
/// Without ON rows it is constant 0, with ON rows only it is constant 1.
///
/// ```
/// use macchiato_minimize::{Options, Rows, minimize_rows};
///
/// // The XOR of inputs 0 and 1, seen on six points of 40 inputs.
/// let mut rows = Rows::new(40);
/// for x in [0b000_u64, 0b101, 0b010, 0b011, 0b110, 0b001] {
///     rows.push_bits(&[x], (x ^ x >> 1) & 1 == 1);
/// }
/// let answer = minimize_rows(&rows, &Options::default())?;
/// assert_eq!(answer.cover.terms(), 2);
/// assert!(answer.proven_optimal());
/// # Ok::<(), macchiato_minimize::MinimizeError>(())
/// ```
///
/// # Errors
/// An ON row that has a point in common with an OFF row.
pub fn minimize_rows(rows: &Rows, options: &Options) -> Result<Minimized, MinimizeError> {
    let shape = Shape::new(rows.inputs(), 1);
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let instance = Instance::new(rows, &mut rng)?;
    let (cover, lower_bound, interrupted) = if instance.on.rows() == 0 {
        (Cover::new(shape), 0, false)
    } else if instance.off.rows() == 0 {
        (Cover::universe(shape), 1, false)
    } else {
        let mut search = Search::new(&instance, &options.budget, rng);
        let found = search.run();
        let bound = if found.rows.is_empty() {
            bound::clique(&instance, &search.pool, &found.terms, &options.budget)
        } else {
            1
        };
        (cover(&search, &found, shape), bound, found.interrupted)
    };
    options.budget.report("verify", Some(cover.terms()), lower_bound);
    if !verify::holds(rows, &cover) {
        return Err(MinimizeError::Unverified { engine: Engine::Rows });
    }
    let mut notes = Vec::new();
    if options.exact && lower_bound < cover.terms() {
        notes.push(Note::NotExact);
    }
    Ok(Minimized { cover, lower_bound, engine: Engine::Rows, interrupted, notes })
}

/// The found terms and rows as cubes, sorted.
fn cover(search: &Search<'_>, found: &Found, shape: Shape) -> Cover {
    let mut cover = Cover::new(shape);
    let mut push = |literals: &mut dyn Iterator<Item = Code>| {
        let mut cube = shape.universe();
        for code in literals {
            let literal = if code.is_multiple_of(2) { Literal::Negative } else { Literal::Positive };
            shape.set_literal(&mut cube, (code / 2) as usize, literal);
        }
        cover.push_words(&cube);
    };
    for &id in &found.terms {
        push(&mut search.pool.term(id).literals.iter().copied());
    }
    for &row in &found.rows {
        push(&mut search.instance.on.literals(row as usize));
    }
    cover.sorted()
}

#[cfg(test)]
mod tests;
