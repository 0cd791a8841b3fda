//! What a learner makes of the words on a line of a PLA file: one value for each input, a label, and names.

use macchiato_minimize::pla::line::{Line, shown};
use macchiato_minimize::pla::{PlaError, Place as PlaPlace};

use super::super::{Place, ReadError};

/// A place as the readers of tables say it.
pub(super) fn place(line: &Line<'_>, at: usize) -> Place {
    let PlaPlace { file, line, column } = line.place(at);
    Place::new(&file, line, column)
}

/// All names up to the line's end, if there are as many as there should be; the keyword is at `start`.
pub(super) fn names(
    line: &mut Line<'_>,
    expected: usize,
    start: usize,
    keyword: &'static str,
) -> Result<Vec<String>, PlaError> {
    let mut names = Vec::new();
    line.skip_space();
    while !line.rest().is_empty() {
        names.push(line.name()?.to_owned());
    }
    let found = names.len();
    if found == expected {
        Ok(names)
    } else {
        Err(PlaError::WrongNames { place: line.place(start), keyword, found, expected })
    }
}

/// The value, `0` or `1`, that `byte` at the cursor spells.
pub(super) fn value(line: &Line<'_>, byte: u8, is_input: bool) -> Result<u8, ReadError> {
    let found = || shown(&[byte]);
    match (byte, is_input) {
        (b'0' | b'1', _) => Ok(byte),
        (b'-' | b'2', true) => Err(ReadError::FreeInputs { place: place(line, line.at) }),
        (_, true) => Err(PlaError::BadInput { place: line.place(line.at), found: found() }.into()),
        // Berkeley's synonyms.
        (b'3', false) => Ok(b'0'),
        (b'4', false) => Ok(b'1'),
        (b'-' | b'2' | b'~', false) => {
            Err(ReadError::NoLabel { place: place(line, line.at), found: byte.into() })
        }
        (_, false) => Err(PlaError::BadOutput { place: line.place(line.at), found: found() }.into()),
    }
}
