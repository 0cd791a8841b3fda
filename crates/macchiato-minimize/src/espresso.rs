//! The Espresso engine: covers of several outputs, of any PLA type.
//!
//! The Berkeley loop (expand, irredundant, essential, then reduce, expand, irredundant while that helps, `last_gasp`,
//! `make_sparse`) runs from several orders. All primes met on the way go into one pool, and the smallest cover *within the
//! pool* is taken, by the same Lagrangian covering as everywhere. Where all primes of the function can be listed they
//! are the pool, and the covering's bound is a bound on every cover. Work is counted, not timed, so that without a
//! deadline the same input and seed give the same bytes.

mod all_primes;
mod bound;
mod compatible;
mod complement;
mod essential;
mod expand;
mod irredundant;
mod last_gasp;
mod list;
mod make_sparse;
mod point;
mod reduce;
mod run;
mod state;
mod tautology;
mod witness;

use crate::cover::Cover;
use crate::cube::contains;
use crate::function::{Function, meeting_pair};
use crate::outcome::{Engine, MinimizeError, Minimized, Note, Options};

/// Most cubes of a complement, where another engine or tautology checks can take over.
const COMPLEMENT_CAP: usize = 200_000;
/// Most don't-care cubes for who asks for this engine by name: nothing takes over, so memory is the limit.
const DONT_CARE_CAP: usize = 1 << 22;

/// ON, don't-care and OFF, all explicit; OFF may be missing where it is too large.
pub(crate) struct Specification {
    pub(crate) on: Cover,
    pub(crate) dont_care: Cover,
    pub(crate) off: Option<Cover>,
    /// The input itself said what is OFF, and everything that it does not say is don't-care.
    off_is_given: bool,
}

impl Specification {
    /// Makes the sets that the function leaves implicit explicit; `None` if the don't-cares are too many to list.
    pub(crate) fn new(function: &Function, options: &Options) -> Option<Self> {
        let on = single_cube_containment(function.on());
        let none = Cover::new(function.shape());
        let mut dont_care = function.dont_care().unwrap_or(&none).clone();
        let cap = if options.engine == Engine::Espresso { DONT_CARE_CAP } else { COMPLEMENT_CAP };
        let off = if let Some(off) = function.off() {
            dont_care.extend(&complement::complement(&on, off, cap, &options.budget).ok()?);
            Some(single_cube_containment(off))
        } else {
            complement::complement(&on, &dont_care, COMPLEMENT_CAP, &options.budget).ok()
        };
        let off_is_given = function.off().is_some();
        Some(Self { on, dont_care: single_cube_containment(&dont_care), off, off_is_given })
    }
}

/// What there is to hand back when the budget was spent before the first step: the ON-set as it was given.
pub(crate) fn unexpanded(function: &Function) -> Minimized {
    let cover = single_cube_containment(function.on());
    Minimized {
        lower_bound: usize::from(!cover.is_empty()),
        cover,
        engine: Engine::Espresso,
        interrupted: true,
        notes: Vec::new(),
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

/// Whether `cover` is 1 on every ON point and 0 on every OFF point of the function.
pub(crate) fn agrees(function: &Function, cover: &Cover) -> bool {
    let none = Cover::new(function.shape());
    let specification = Specification {
        on: function.on().clone(),
        dont_care: function.dont_care().unwrap_or(&none).clone(),
        off: function.off().cloned(),
        off_is_given: function.off().is_some(),
    };
    verified(&specification, cover)
}

/// The ON cubes that are not don't-care as a whole: what a cover must hold.
pub(crate) fn required_on(function: &Function) -> Cover {
    let on = function.on();
    let Some(dont_care) = function.dont_care().filter(|dont_care| !dont_care.is_empty()) else {
        return on.clone();
    };
    let shape = on.shape();
    let none = Cover::new(shape);
    let mut required = on.clone();
    for term in 0..on.terms() {
        let around = tautology::around(on.cube(term), dont_care, None, &none);
        for output in shape.asserted(on.cube(term)) {
            if tautology::tautology(&around.list(output)) {
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
    let mut order: Vec<(u32, usize)> = (0..sorted.terms()).map(|term| (size(term), term)).collect();
    order.sort_unstable_by_key(|&(size, term)| (std::cmp::Reverse(size), term));
    let mut kept: Vec<usize> = Vec::new();
    for same_size in order.chunk_by(|a, b| a.0 == b.0) {
        // Different terms of one size contain none of each other, so a million minterms are not compared with each other.
        let wider = kept.len();
        for &(_, term) in same_size {
            let cube = sorted.cube(term);
            let nothing = sorted.shape().asserted(cube).next().is_none();
            if !nothing && !kept[..wider].iter().any(|&wide| contains(sorted.cube(wide), cube)) {
                kept.push(term);
            }
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

/// ON inside cover and don't-care, and cover outside of OFF: against a given OFF-set directly, else inside of ON and
/// don't-care by tautology, so that no complement of ours is trusted.
fn verified(specification: &Specification, cover: &Cover) -> bool {
    let Specification { on, dont_care, off, off_is_given } = specification;
    let outside = match off {
        Some(off) if *off_is_given => meeting_pair(cover, off).is_none(),
        _ => cover.cubes().all(|cube| tautology::covered(cube, on, None, dont_care)),
    };
    // When the budget ends early nearly every ON cube is a term still, or lies in one of the few that have grown.
    let (mut given, mut terms): (Vec<&[u64]>, Vec<&[u64]>) = (on.cubes().collect(), cover.cubes().collect());
    given.sort_unstable();
    terms.sort_unstable();
    let has = |sorted: &[&[u64]], cube: &[u64]| sorted.binary_search(&cube).is_ok();
    let grown: Vec<&[u64]> = cover.cubes().filter(|term| !has(&given, term)).collect();
    let inside = |cube: &[u64]| {
        has(&terms, cube)
            || grown.iter().any(|term| contains(term, cube))
            || tautology::covered(cube, cover, None, dont_care)
    };
    outside && on.cubes().all(inside)
}

#[cfg(test)]
mod tests;
