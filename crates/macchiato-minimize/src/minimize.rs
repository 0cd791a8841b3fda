//! Covers and PLA files to the engine that fits: the front door for functions of several outputs.
//!
//! One output and at most 16 inputs is a table for the primes engine; one output given by ON and OFF rows goes to the
//! rows engine; everything else to Espresso, or, where the don't-cares are too many to list, to the rows engine output
//! by output, with equal terms shared.

use crate::cover::Cover;
use crate::cube::{Literal, Shape};
use crate::espresso::{self, Specification};
use crate::function::Function;
use crate::outcome::{Engine, MinimizeError, Minimized, Options};
use crate::pla::Pla;
use crate::row_engine::minimize_rows;
use crate::rows::Rows;
use crate::table::Table;
use crate::table_engine::minimize_table;

/// A small cover of a PLA file's function.
///
/// ```
/// use macchiato_minimize::{Options, minimize_pla, pla};
///
/// let text = ".i 2\n.o 2\n00 10\n01 11\n10 01\n11 11\n.e\n";
/// let pla = pla::read(text.as_bytes(), "example.pla")?;
/// let answer = minimize_pla(&pla, &Options::default())?;
/// assert_eq!(answer.cover.terms(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MinimizeError::EngineDoesNotFit`] if the options name an engine that cannot take this file.
pub fn minimize_pla(pla: &Pla, options: &Options) -> Result<Minimized, MinimizeError> {
    let mut answer = minimize_function(&pla.to_function(), options)?;
    answer.notes.extend_from_slice(pla.notes());
    Ok(answer)
}

/// A small cover of a function given by covers.
///
/// # Errors
/// [`MinimizeError::EngineDoesNotFit`] if the options name an engine that cannot take this function.
pub fn minimize_function(function: &Function, options: &Options) -> Result<Minimized, MinimizeError> {
    let shape = function.shape();
    let fits_a_table = shape.outputs() == 1 && shape.inputs() <= Table::MAX_INPUTS;
    match options.engine {
        Engine::Primes if !fits_a_table => Err(MinimizeError::EngineDoesNotFit {
            engine: Engine::Primes,
            why: "it takes one output of at most 16 inputs; use espresso",
        }),
        Engine::Primes => minimize_table(&table_of(function)?, options),
        Engine::Auto if fits_a_table => minimize_table(&table_of(function)?, options),
        Engine::Rows => by_rows(function, options),
        Engine::Auto if shape.outputs() == 1 && function.off().is_some() => by_rows(function, options),
        Engine::Auto => match Specification::new(function, options) {
            Some(specification) => espresso::minimize(&specification, options),
            None => by_rows(function, options),
        },
        Engine::Espresso => match Specification::new(function, options) {
            Some(specification) => espresso::minimize(&specification, options),
            None if options.budget.spent() => Ok(espresso::unexpanded(function)),
            None => Err(MinimizeError::EngineDoesNotFit {
                engine: Engine::Espresso,
                why: "its don't-cares are too many to list; use rows",
            }),
        },
    }
}

/// The points that are 0 for each output, as the function gives them or as the complement of the rest; `None` if that is too
/// large to list.
///
/// ```
/// use macchiato_minimize::{Options, off_set, pla};
///
/// let and = pla::read(".i 2\n.o 1\n11 1\n.e\n".as_bytes(), "and.pla")?;
/// assert_eq!(off_set(&and.to_function(), &Options::default()).map(|off| off.terms()), Some(2));
/// # Ok::<(), pla::PlaError>(())
/// ```
#[must_use]
pub fn off_set(function: &Function, options: &Options) -> Option<Cover> {
    espresso::off_set(function, options)
}

/// Whether `cover`, of the function's shape, is 1 on every ON point and 0 on every OFF point: the check that every result passes.
///
/// ```
/// use macchiato_minimize::{Cover, agrees, pla};
///
/// let or = pla::read(".i 2\n.o 1\n1- 1\n-1 1\n.e\n".as_bytes(), "or.pla")?;
/// assert!(agrees(&or.to_function(), or.on()));
/// assert!(!agrees(&or.to_function(), &Cover::universe(or.shape())));
/// # Ok::<(), pla::PlaError>(())
/// ```
#[must_use]
pub fn agrees(function: &Function, cover: &Cover) -> bool {
    function.shape() == cover.shape() && espresso::agrees(function, cover)
}

/// Every output on its own; terms that several outputs have are shared.
fn by_rows(function: &Function, options: &Options) -> Result<Minimized, MinimizeError> {
    let shape = function.shape();
    let Some(off) = espresso::off_set(function, options) else {
        return Err(MinimizeError::EngineDoesNotFit {
            engine: Engine::Rows,
            why: "its OFF-set is too large to list; use espresso",
        });
    };
    let required = espresso::required_on(function);
    let mut cover = Cover::new(shape);
    let mut answer = Minimized {
        cover: Cover::new(shape),
        lower_bound: 0,
        engine: Engine::Rows,
        interrupted: false,
        notes: Vec::new(),
    };
    for output in 0..shape.outputs() {
        let rows = Rows::from_covers(&one_output(&required, output), &one_output(&off, output));
        let part = minimize_rows(&rows, options)?;
        for cube in part.cover.cubes() {
            let mut whole = shape.universe();
            let planes = shape.input_part(cube);
            whole[..planes.len()].copy_from_slice(planes);
            shape.output_part_mut(&mut whole).fill(0);
            shape.set_output(&mut whole, output, true);
            cover.push_words(&whole);
        }
        // A cover of all outputs holds a cover of each.
        answer.lower_bound = answer.lower_bound.max(part.lower_bound);
        answer.interrupted |= part.interrupted;
        answer.notes.extend(part.notes);
    }
    answer.notes.dedup();
    answer.cover = shared_terms(&cover);
    Ok(answer)
}

/// The terms of one output, as a cover of one output.
fn one_output(cover: &Cover, output: usize) -> Cover {
    let (shape, one) = (cover.shape(), Shape::new(cover.shape().inputs(), 1));
    let mut part = Cover::new(one);
    for cube in cover.cubes().filter(|cube| shape.asserts(cube, output)) {
        let mut single = shape.input_part(cube).to_vec();
        single.push(1);
        part.push_words(&single);
    }
    part
}

/// Terms with the same inputs become one term with all their outputs.
fn shared_terms(cover: &Cover) -> Cover {
    let shape = cover.shape();
    let sorted = cover.sorted();
    let mut shared = Cover::new(shape);
    for cube in sorted.cubes() {
        let last = shared.terms().checked_sub(1);
        match last.filter(|&last| shape.input_part(shared.cube(last)) == shape.input_part(cube)) {
            Some(last) => {
                let outputs = shape.output_part(cube).to_vec();
                let to = shape.output_part_mut(shared.cube_mut(last));
                to.iter_mut().zip(outputs).for_each(|(to, from)| *to |= from);
            }
            None => shared.push_words(cube),
        }
    }
    shared
}

/// The table of a function of one output: don't-care wins over ON, and what no cover holds is what the type says.
fn table_of(function: &Function) -> Result<Table, MinimizeError> {
    let mut table = Table::new(function.shape().inputs())?;
    if function.off().is_none() {
        for x in 0..table.cells() {
            table.set(x, Some(false));
        }
    }
    let layers =
        [(function.off(), Some(false)), (Some(function.on()), Some(true)), (function.dont_care(), None)];
    for (cover, value) in layers {
        let Some(cover) = cover else { continue };
        for term in 0..cover.terms() {
            set_cells(&mut table, cover, term, value);
        }
    }
    Ok(table)
}

fn set_cells(table: &mut Table, cover: &Cover, term: usize, value: Option<bool>) {
    let (mut base, mut free) = (0usize, 0usize);
    for i in 0..table.inputs() {
        match cover.literal(term, i) {
            Literal::Positive => base |= 1 << i,
            Literal::Negative => {}
            Literal::Free => free |= 1 << i,
        }
    }
    if !cover.asserts(term, 0) {
        return;
    }
    let mut at = 0;
    loop {
        table.set(base | at, value);
        if at == free {
            return;
        }
        at = (at | !free).wrapping_add(1) & free;
    }
}
