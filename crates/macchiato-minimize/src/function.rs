//! An incompletely specified function of several outputs, given by covers: what a PLA file of any type says.
//!
//! The type letters say which sets are given: `f` the ON-set (the rest is OFF), `fd` ON and don't-care (the rest is
//! OFF), `fr` ON and OFF (the rest is don't-care), `fdr` all three. Where ON and don't-care overlap, don't-care wins, as
//! in Berkeley's Espresso; ON and OFF may not overlap.

mod disjoint;

use crate::cover::Cover;
use crate::cube::Shape;
use crate::outcome::MinimizeError;

pub(crate) use disjoint::meeting_pair;

/// ON, don't-care and OFF covers of one function; `None` is "whatever the others leave".
#[derive(Debug, Clone)]
pub struct Function {
    on: Cover,
    dont_care: Option<Cover>,
    off: Option<Cover>,
}

impl Function {
    /// A function of type `f` or `fd`: everything that neither cover holds is OFF.
    ///
    /// # Errors
    /// Covers of different shapes.
    pub fn on_dont_care(on: Cover, dont_care: Cover) -> Result<Self, MinimizeError> {
        same_shape(&on, &dont_care)?;
        Ok(Self { on, dont_care: Some(dont_care), off: None })
    }

    /// A function of type `fr`: everything that neither cover holds is don't-care.
    ///
    /// # Errors
    /// Covers of different shapes, or a point that is ON and OFF.
    pub fn on_off(on: Cover, off: Cover) -> Result<Self, MinimizeError> {
        same_shape(&on, &off)?;
        disjoint(&on, &off)?;
        Ok(Self { on, dont_care: None, off: Some(off) })
    }

    /// A function of type `fdr`: points in none of the covers are don't-care.
    ///
    /// # Errors
    /// Covers of different shapes, or a point that is ON and OFF.
    pub fn on_dont_care_off(on: Cover, dont_care: Cover, off: Cover) -> Result<Self, MinimizeError> {
        same_shape(&on, &dont_care)?;
        same_shape(&on, &off)?;
        disjoint(&on, &off)?;
        Ok(Self { on, dont_care: Some(dont_care), off: Some(off) })
    }

    /// A function whose covers were checked already: one shape, ON and OFF disjoint.
    pub(crate) fn consistent(on: Cover, dont_care: Option<Cover>, off: Option<Cover>) -> Self {
        debug_assert!(off.as_ref().is_none_or(|off| meeting_pair(&on, off).is_none()));
        Self { on, dont_care, off }
    }

    /// Inputs and outputs.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.on.shape()
    }

    /// The ON-set.
    #[must_use]
    pub const fn on(&self) -> &Cover {
        &self.on
    }

    /// The don't-care set, where it is given.
    #[must_use]
    pub const fn dont_care(&self) -> Option<&Cover> {
        self.dont_care.as_ref()
    }

    /// The OFF-set, where it is given.
    #[must_use]
    pub const fn off(&self) -> Option<&Cover> {
        self.off.as_ref()
    }
}

fn same_shape(a: &Cover, b: &Cover) -> Result<(), MinimizeError> {
    let (a, b) = (a.shape(), b.shape());
    if a.inputs() != b.inputs() {
        return Err(MinimizeError::Length {
            what: "inputs of the second cover",
            found: b.inputs(),
            expected: a.inputs(),
        });
    }
    if a.outputs() != b.outputs() {
        return Err(MinimizeError::Length {
            what: "outputs of the second cover",
            found: b.outputs(),
            expected: a.outputs(),
        });
    }
    Ok(())
}

fn disjoint(on: &Cover, off: &Cover) -> Result<(), MinimizeError> {
    let Some((i, j)) = meeting_pair(on, off) else { return Ok(()) };
    let (shape, a, b) = (on.shape(), on.cube(i), off.cube(j));
    let output = shape.asserted(a).find(|&o| shape.asserts(b, o));
    Err(MinimizeError::Contradiction { on: i, off: j, output })
}
