//! Whole numbers of any size: what is counted exactly, however much it is.

use num_bigint::BigUint;
use std::fmt;

/// A whole number from 0 on. It is written in decimal digits.
///
/// ```
/// use macchiato::bounds::counting::juntas;
/// use macchiato::natural::Natural;
///
/// // All functions of three inputs.
/// let count = juntas(3, 3)?.exact;
/// assert_eq!(count, Some(Natural::from(256)));
/// assert_eq!(count.and_then(|count| count.to_u64()), Some(256));
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Natural(BigUint);

impl Natural {
    pub(crate) const fn new(number: BigUint) -> Self {
        Self(number)
    }

    /// The number, where it is below `2^64`.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.0).ok()
    }

    /// Binary digits, without zeros in front.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.0.bits()
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
