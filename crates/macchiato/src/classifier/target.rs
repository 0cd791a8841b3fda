//! What is to be predicted: classes with names, and one of them for each row.

use crate::frame::Values;

/// The classes of a target in their order, and that of each row.
///
/// ```
/// use macchiato::classifier::Target;
/// use macchiato::frame::Values;
///
/// let target = Target::new("doors", &Values::Number(vec![10.0, 2.0, 10.0, 4.0].into()), 4)?;
/// assert_eq!((target.classes(), target.codes()), (&["2".to_owned(), "4".into(), "10".into()][..], &[2, 0, 2, 1][..]));
/// # Ok::<(), macchiato::classifier::TargetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    name: String,
    classes: Vec<String>,
    codes: Vec<u32>,
}

/// Why a column cannot be predicted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A row without a class.
    #[error("the target {name:?} has no value in row {row}: remove the row, or give it one")]
    Missing {
        /// The target's name.
        name: String,
        /// The row, from 0.
        row: usize,
    },
    /// More classes than there can be circuits.
    #[error("the target {name:?} has {found} different values, and at most {most} classes are learned: is it a number to be cut?")]
    TooManyClasses {
        /// The target's name.
        name: String,
        /// Values that occur.
        found: usize,
        /// The most there can be.
        most: usize,
    },
    /// Values that are no column of that length.
    #[error(transparent)]
    Values(#[from] crate::frame::FrameError),
}

impl Target {
    /// The most classes that are learned.
    pub const MAX_CLASSES: usize = 1000;

    /// The target `name` with these values: only classes that occur count. They are ordered by number where all are numbers,
    /// otherwise by text. The classes of a Boolean column are `0` and `1`.
    ///
    /// # Errors
    /// A row without a value, or too many classes.
    pub fn new(name: &str, values: &Values<'_>, rows: usize) -> Result<Self, TargetError> {
        let _ = (name, values, rows);
        todo!()
    }

    /// The name of what is predicted.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The classes, in order.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The number of each row's class.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }
}
