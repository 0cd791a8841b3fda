//! Berkeley PLA files: what `espresso` reads and writes.
//!
//! A header (`.i`, `.o`, and as wanted `.type`, `.p`, `.ilb`, `.ob`), then rows. A row is one character for each input
//! (`0`, `1`, or `-` for a free input) and one for each output. What an output character says depends on the type:
//!
//! | character | ON-set, types with `f` | OFF-set, types with `r` | don't-care set, types with `d` |
//! |---|---|---|---|
//! | `1` or `4` | joins | | |
//! | `0` or `3` | | joins | |
//! | `-` or `2` | | | joins |
//! | `~` | | | |
//!
//! A character whose set the type does not give says nothing. The type is `fd` unless `.type` says otherwise: what no
//! row mentions is then OFF. Digits `2` to `4` are Berkeley's synonyms, read the way its program reads them.
//!
//! Every [`Pla`] that [`read()`] returns is free of contradictions: no point is ON and OFF for one output.

mod error;
mod header;
pub mod line;
mod read;
mod write;

use crate::cover::Cover;
use crate::cube::Shape;
use crate::function::{Function, meeting_pair};
use crate::outcome::Note;

pub use error::{PlaError, Place};
pub use read::read;
pub use write::{write, write_sets};

/// The most inputs a file may declare.
pub const MAX_INPUTS: usize = 65_535;
/// The most outputs a file may declare.
pub const MAX_OUTPUTS: usize = 65_535;
/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 1 << 24;

/// Which sets the rows of a file give; the fourth is what they leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlaType {
    /// ON; the rest is OFF.
    F,
    /// ON and don't-care; the rest is OFF.
    #[default]
    Fd,
    /// ON and OFF; the rest is don't-care.
    Fr,
    /// ON, don't-care and OFF.
    Fdr,
}

impl PlaType {
    /// The word after `.type`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F => "f",
            Self::Fd => "fd",
            Self::Fr => "fr",
            Self::Fdr => "fdr",
        }
    }

    /// Whether rows give the don't-care set.
    #[must_use]
    pub const fn gives_dont_care(self) -> bool {
        matches!(self, Self::Fd | Self::Fdr)
    }

    /// Whether rows give the OFF-set.
    #[must_use]
    pub const fn gives_off(self) -> bool {
        matches!(self, Self::Fr | Self::Fdr)
    }
}

/// One of the sets of a file: its cubes, and the line on which each of them begins.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Plane {
    cover: Cover,
    lines: Vec<usize>,
}

/// A PLA file, read.
///
/// ```
/// use macchiato_minimize::pla;
///
/// let text = ".i 2\n.o 1\n.ilb a b\n.type fr\n01 1\n10 1\n00 0\n.e\n";
/// let pla = pla::read(text.as_bytes(), "xor.pla")?;
/// assert_eq!((pla.on().terms(), pla.off().terms()), (2, 1));
/// assert_eq!(pla.off_lines(), [7]);
/// # Ok::<(), pla::PlaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pla {
    file: String,
    kind: PlaType,
    input_names: Option<Vec<String>>,
    output_names: Option<Vec<String>>,
    notes: Vec<Note>,
    on: Plane,
    dont_care: Plane,
    off: Plane,
}

impl Pla {
    /// The name under which the file was read.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Inputs and outputs.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.on.cover.shape()
    }

    /// Which sets the rows give.
    #[must_use]
    pub const fn pla_type(&self) -> PlaType {
        self.kind
    }

    /// What was made up because the file does not say it.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The names after `.ilb`, one for each input.
    #[must_use]
    pub fn input_names(&self) -> Option<&[String]> {
        self.input_names.as_deref()
    }

    /// The names after `.ob`, one for each output.
    #[must_use]
    pub fn output_names(&self) -> Option<&[String]> {
        self.output_names.as_deref()
    }

    /// The ON-set.
    #[must_use]
    pub const fn on(&self) -> &Cover {
        &self.on.cover
    }

    /// The don't-care set; empty where the type does not give it.
    #[must_use]
    pub const fn dont_care(&self) -> &Cover {
        &self.dont_care.cover
    }

    /// The OFF-set; empty where the type does not give it.
    #[must_use]
    pub const fn off(&self) -> &Cover {
        &self.off.cover
    }

    /// The line, from 1, of each ON cube.
    #[must_use]
    pub fn on_lines(&self) -> &[usize] {
        &self.on.lines
    }

    /// The line, from 1, of each don't-care cube.
    #[must_use]
    pub fn dont_care_lines(&self) -> &[usize] {
        &self.dont_care.lines
    }

    /// The line, from 1, of each OFF cube.
    #[must_use]
    pub fn off_lines(&self) -> &[usize] {
        &self.off.lines
    }

    /// The function that the file describes; [`read()`] has made sure that its sets do not contradict each other.
    #[must_use]
    pub fn to_function(&self) -> Function {
        let dont_care = self.kind != PlaType::Fr;
        let dont_care = dont_care.then(|| self.dont_care().clone());
        let off = self.kind.gives_off().then(|| self.off().clone());
        Function::consistent(self.on().clone(), dont_care, off)
    }

    /// That no point is ON and OFF for one output.
    fn check_consistent(&self) -> Result<(), PlaError> {
        meeting_pair(self.on(), self.off()).map_or(Ok(()), |(on, off)| Err(self.contradiction(on, off)))
    }

    fn contradiction(&self, on: usize, off: usize) -> PlaError {
        let shape = self.shape();
        let (a, b) = (self.on().cube(on), self.off().cube(off));
        let output = shape.asserted(a).find(|&o| shape.asserts(b, o)).unwrap_or_default();
        let (on_line, off_line) = (self.on.lines[on], self.off.lines[off]);
        PlaError::Contradiction {
            place: Place { file: self.file.clone(), line: on_line.max(off_line), column: 1 },
            on_line,
            off_line,
            output,
        }
    }
}

impl Plane {
    const fn new(shape: Shape) -> Self {
        Self { cover: Cover::new(shape), lines: Vec::new() }
    }

    fn push(&mut self, cube: &[u64], line: usize) {
        self.cover.push_words(cube);
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests;
