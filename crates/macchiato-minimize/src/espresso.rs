//! The Espresso engine: covers of several outputs, of any PLA type.
//!
//! The Berkeley loop (expand, irredundant, essential, then reduce, expand, irredundant while that helps, `last_gasp`,
//! `make_sparse`) runs from several orders. All primes met on the way go into one pool, and the smallest cover *within the
//! pool* is taken, by the same Lagrangian covering as everywhere. Where all primes of the function can be listed they
//! are the pool, and the covering's bound is a bound on every cover. Work is counted, not timed, so that without a
//! deadline the same input and seed give the same bytes.

mod all_primes;
mod complement;
mod essential;
mod expand;
mod irredundant;
mod last_gasp;
mod list;
mod make_sparse;
mod reduce;
mod run;
mod tautology;

use crate::cover::Cover;
use crate::cube::contains;
use crate::function::Function;
use crate::outcome::{Engine, MinimizeError, Minimized, Note, Options};

/// Most cubes of a complement.
const COMPLEMENT_CAP: usize = 200_000;

/// ON, don't-care and OFF, all explicit; OFF may be missing where it is too large.
pub(crate) struct Specification {
    pub(crate) on: Cover,
    pub(crate) dont_care: Cover,
    pub(crate) off: Option<Cover>,
}

impl Specification {
    /// Makes the sets that the function leaves implicit explicit; `None` if the don't-cares are too many to list.
    pub(crate) fn new(function: &Function, options: &Options) -> Option<Self> {
        let on = single_cube_containment(function.on());
        let none = Cover::new(function.shape());
        let mut dont_care = function.dont_care().unwrap_or(&none).clone();
        let off = if let Some(off) = function.off() {
            dont_care.extend(&complement::complement(&on, off, COMPLEMENT_CAP, &options.budget).ok()?);
            Some(single_cube_containment(off))
        } else {
            complement::complement(&on, &dont_care, COMPLEMENT_CAP, &options.budget).ok()
        };
        Some(Self { on, dont_care: single_cube_containment(&dont_care), off })
    }
}

/// The OFF-set of a function, given or complemented; `None` if it is too large to list.
pub(crate) fn off_set(function: &Function, options: &Options) -> Option<Cover> {
    if let Some(off) = function.off() {
        return Some(off.clone());
    }
    let none = Cover::new(function.shape());
    let dont_care = function.dont_care().unwrap_or(&none);
    complement::complement(function.on(), dont_care, COMPLEMENT_CAP, &options.budget).ok()
}

/// The ON cubes that are not don't-care as a whole: what a cover must hold.
pub(crate) fn required_on(function: &Function) -> Cover {
    let on = function.on();
    let Some(dont_care) = function.dont_care().filter(|dont_care| !dont_care.is_empty()) else {
        return on.clone();
    };
    let shape = on.shape();
    let mut required = on.clone();
    for term in 0..on.terms() {
        for output in shape.asserted(on.cube(term)) {
            if tautology::covered_on(on.cube(term), output, dont_care, None, dont_care) {
                shape.set_output(required.cube_mut(term), output, false);
            }
        }
    }
    required
}

/// The cover without terms that a single other term contains.
fn single_cube_containment(cover: &Cover) -> Cover {
    let sorted = cover.sorted();
    let size = |term: usize| sorted.cube(term).iter().map(|word| word.count_ones()).sum::<u32>();
    let mut order: Vec<usize> = (0..sorted.terms()).collect();
    order.sort_by_cached_key(|&term| std::cmp::Reverse(size(term)));
    let mut kept: Vec<usize> = Vec::new();
    for term in order {
        let cube = sorted.cube(term);
        let nothing = sorted.shape().asserted(cube).next().is_none();
        if !nothing && !kept.iter().any(|&wide| contains(sorted.cube(wide), cube)) {
            kept.push(term);
        }
    }
    kept.sort_unstable();
    sorted.filtered(|term| kept.binary_search(&term).is_ok())
}

/// Minimizes a function of any number of outputs.
pub(crate) fn minimize(specification: &Specification, options: &Options) -> Result<Minimized, MinimizeError> {
    let mut notes = Vec::new();
    if specification.off.is_none() {
        notes.push(Note::ComplementCap { cap: COMPLEMENT_CAP });
    }
    let answer = run::run(specification, options);
    if options.exact && answer.lower_bound < answer.cover.terms() && !answer.interrupted {
        notes.push(Note::NotExact);
    }
    let cover = answer.cover.sorted();
    if !verified(specification, &cover) {
        return Err(MinimizeError::Unverified { engine: Engine::Espresso });
    }
    Ok(Minimized {
        lower_bound: answer.lower_bound.min(cover.terms()),
        cover,
        engine: Engine::Espresso,
        interrupted: answer.interrupted,
        notes,
    })
}

/// ON inside cover and don't-care, cover inside ON and don't-care, both by tautology; and no term meets an OFF cube.
fn verified(specification: &Specification, cover: &Cover) -> bool {
    let Specification { on, dont_care, off } = specification;
    on.cubes().all(|cube| tautology::covered(cube, cover, None, dont_care))
        && cover.cubes().all(|cube| tautology::covered(cube, on, None, dont_care))
        && off
            .as_ref()
            .is_none_or(|off| cover.cubes().all(|cube| off.cubes().all(|row| !cover.shape().meet(cube, row))))
}

#[cfg(test)]
mod tests;
