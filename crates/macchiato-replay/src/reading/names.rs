//! The names of a file's inputs, which must be the certificate's.

use macchiato_check::{Rejection, reject};

/// Name by name.
pub(super) fn check<'a>(found: impl Iterator<Item = &'a str>, wanted: &[String]) -> Result<(), Rejection> {
    if found.eq(wanted.iter().map(String::as_str)) {
        return Ok(());
    }
    reject("rows", "their inputs are not the certificate's, name by name and in its order")
}
