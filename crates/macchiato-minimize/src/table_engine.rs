//! The primes engine: all primes of a table, then the smallest cover among them.
//!
//! Every smallest cover can be made of primes, so the covering problem's bound is a bound on all covers. Past the cap on
//! primes (or on their cells) the row engine takes over with the table's cells as rows.

use crate::cover::Cover;
use crate::covering::{Covering, Effort};
use crate::cube::{Literal, Shape};
use crate::outcome::{Engine, MinimizeError, Minimized, Note, Options};
use crate::primes::{self, Cut, Prime};
use crate::row_engine::minimize_rows;
use crate::rows::Rows;
use crate::table::Table;
use crate::verify;

/// Most cells over all primes: past it the covering problem would not fit comfortably in memory.
const CELL_CAP: usize = 100_000_000;

/// The smallest cover of a table that could be found, with a proven lower bound.
///
/// This is the paper's `EspressoLearn`: all specified cells 0 gives constant 0, all 1 constant 1, none constant 0.
///
/// # Errors
/// [`MinimizeError::EngineDoesNotFit`] if the options name the Espresso engine, which works on covers.
pub fn minimize_table(table: &Table, options: &Options) -> Result<Minimized, MinimizeError> {
    match options.engine {
        Engine::Auto | Engine::Primes => {}
        Engine::Rows => return minimize_rows(&rows_of(table), options),
        Engine::Espresso => {
            return Err(MinimizeError::EngineDoesNotFit {
                engine: Engine::Espresso,
                why: "it works on covers; give the table as a function",
            });
        }
    }
    let shape = Shape::new(table.inputs(), 1);
    let constant = |cover: Cover| {
        let lower_bound = cover.terms();
        Ok(Minimized { cover, lower_bound, engine: Engine::Primes, interrupted: false, notes: Vec::new() })
    };
    if table.on().iter().all(|&word| word == 0) {
        return constant(Cover::new(shape));
    }
    if table.off().iter().all(|&word| word == 0) {
        return constant(Cover::universe(shape));
    }
    options.budget.report("primes", None, 1);
    let found = primes::enumerate(table, options.prime_cap, &options.budget)
        .and_then(|primes| covering_of(table, &primes).map(|covering| (primes, covering)));
    let (primes, covering) = match found {
        Ok(found) => found,
        Err(cut) => {
            let mut answer = minimize_rows(&rows_of(table), options)?;
            if cut == Cut::Cap {
                answer.notes.push(Note::PrimeCap { cap: options.prime_cap, fallback: Engine::Rows });
            }
            return Ok(answer);
        }
    };
    let effort = Effort { exact: options.exact, seed: options.seed, budget: options.budget.clone() };
    let solution = covering.solve(&effort);
    let mut chosen: Vec<Prime> = solution.columns.iter().map(|&column| primes[column]).collect();
    chosen.sort_unstable();
    let cover = cover_of(shape, &chosen);
    if !verify::table(table, &cover) {
        return Err(MinimizeError::Unverified { engine: Engine::Primes });
    }
    Ok(Minimized {
        cover,
        lower_bound: solution.lower_bound,
        engine: Engine::Primes,
        interrupted: solution.interrupted,
        notes: Vec::new(),
    })
}

/// Rows are the ON cells, columns the primes.
fn covering_of(table: &Table, primes: &[Prime]) -> Result<Covering, Cut> {
    let all = (table.cells() - 1) as u32;
    let cells: usize = primes.iter().map(|prime| 1usize << (all & !prime.care).count_ones()).sum();
    if cells > CELL_CAP {
        return Err(Cut::Cap);
    }
    let mut row_of_cell = vec![u32::MAX; table.cells()];
    let mut rows = 0;
    for x in crate::cube::ones(table.on()) {
        row_of_cell[x] = rows;
        rows += 1;
    }
    let mut covering = Covering::new(rows as usize);
    for prime in primes {
        let free = all & !prime.care;
        let mut next = Some(0u32);
        let subcube = std::iter::from_fn(|| {
            let at = next?;
            // The next subset of `free`, in increasing order.
            next = (at != free).then(|| (at | prime.care).wrapping_add(1) & free);
            Some(row_of_cell[(prime.value | at) as usize])
        });
        covering.push_column(subcube.filter(|&row| row != u32::MAX), prime.literals());
    }
    Ok(covering)
}

fn cover_of(shape: Shape, primes: &[Prime]) -> Cover {
    let mut cover = Cover::new(shape);
    for prime in primes {
        let literals: Vec<Literal> = (0..shape.inputs())
            .map(|i| match (prime.care >> i & 1, prime.value >> i & 1) {
                (0, _) => Literal::Free,
                (_, 0) => Literal::Negative,
                _ => Literal::Positive,
            })
            .collect();
        cover.push(&literals, &[true]);
    }
    cover
}

fn rows_of(table: &Table) -> Rows {
    let mut rows = Rows::new(table.inputs());
    for x in 0..table.cells() {
        if let Some(label) = table.cell(x) {
            rows.push(&table.minterm(x), label);
        }
    }
    rows
}

#[cfg(test)]
mod tests;
