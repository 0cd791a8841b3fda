//! From numbers to counts.

use super::error::BoundsError;

/// The count at or above `value`, which must be one that a study can reach.
pub(super) fn whole(value: f64) -> Result<u64, BoundsError> {
    if value < 1e18 { Ok(part(value.ceil())) } else { Err(BoundsError::TooMany) }
}

/// The count at or below `value`; 0 for what is negative or no number.
#[allow(clippy::cast_sign_loss)] // A cast of a float saturates: what is negative becomes 0.
pub(super) const fn part(value: f64) -> u64 {
    value as u64
}
