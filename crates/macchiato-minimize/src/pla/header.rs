//! The keywords of a PLA file: sizes, type and names, each checked against what came before it.
//!
//! Words are taken from one line at a time; only the names of `.ilb` and `.ob` may go on over further lines. There may be too
//! few of them, as in the classical `newxcpla1`: the rest are made up then, and a note says so.

use std::collections::HashSet;

use super::error::PlaError;
use super::line::{Line, shown};
use super::{MAX_INPUTS, MAX_OUTPUTS, PlaType};
use crate::cube::Shape;
use crate::outcome::Note;

/// What the keywords have said so far.
#[derive(Debug, Default)]
pub(super) struct Header {
    inputs: Option<usize>,
    outputs: Option<usize>,
    pla_type: Option<PlaType>,
    pub(super) input_names: Option<Vec<String>>,
    pub(super) output_names: Option<Vec<String>>,
    /// Which names were made up.
    pub(super) notes: Vec<Note>,
    /// Names that are still being collected.
    open: Option<OpenNames>,
}

#[derive(Debug)]
struct OpenNames {
    keyword: &'static str,
    line: usize,
    column: usize,
    expected: usize,
    names: Vec<String>,
}

/// Whether more can follow a keyword.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Read on.
    More,
    /// `.e`: whatever follows is not part of the file.
    End,
}

impl Header {
    pub(super) fn pla_type(&self) -> PlaType {
        self.pla_type.unwrap_or_default()
    }

    /// The shape, or which of `.i` and `.o` is missing.
    pub(super) fn shape(&self) -> Result<Shape, &'static str> {
        Ok(Shape::new(self.inputs.ok_or(".i")?, self.outputs.ok_or(".o")?))
    }

    /// Whether `.ilb` or `.ob` is still waiting for names.
    pub(super) const fn wants_names(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the keyword at the cursor and its values.
    pub(super) fn keyword(&mut self, line: &mut Line<'_>, rows_seen: bool) -> Result<Flow, PlaError> {
        let start = line.at;
        let word = line.word();
        match word {
            b".i" => self.inputs = Some(line.size(".i", self.inputs, MAX_INPUTS)?),
            b".o" => self.outputs = Some(line.size(".o", self.outputs, MAX_OUTPUTS)?),
            // The number of rows is advice that real files get wrong, so only its spelling is checked.
            b".p" => drop(line.digits(".p")?),
            b".type" => self.read_type(line, rows_seen)?,
            b".ilb" => self.open_names(line, start, ".ilb", Shape::inputs)?,
            b".ob" => self.open_names(line, start, ".ob", Shape::outputs)?,
            b".e" | b".end" => return Ok(Flow::End),
            b".phase" => self.phase(line, start)?,
            b".mv" | b".kiss" | b".label" | b".symbolic" | b".symbolic-output" | b".pair" => {
                return Err(unsupported(line, start, word));
            }
            _ => {
                return Err(PlaError::UnknownKeyword { place: line.place(start), keyword: shown(word) });
            }
        }
        Ok(Flow::More)
    }

    /// Takes names from the cursor on while some are wanted.
    pub(super) fn names(&mut self, line: &mut Line<'_>) -> Result<(), PlaError> {
        while let Some(open) = &mut self.open {
            if open.names.len() == open.expected {
                if line.rest().first().is_none_or(|&byte| byte == b'.') {
                    self.close_names();
                    return Ok(());
                }
                while !line.rest().is_empty() {
                    open.names.push(line.name().unwrap_or_default().to_owned());
                }
                return Err(open.wrong(line));
            }
            match line.rest().first() {
                None => return Ok(()),
                // A keyword at the start of a further line, and not a name that begins with a dot; or more words than names
                // are missing, so that it is a row.
                Some(&byte)
                    if line.number != open.line
                        && line.at_first_word()
                        && (byte == b'.' || line.words() > open.expected - open.names.len()) =>
                {
                    self.close_names();
                    return Ok(());
                }
                Some(_) => {
                    open.names.push(line.name()?.to_owned());
                }
            }
        }
        Ok(())
    }

    fn read_type(&mut self, line: &mut Line<'_>, rows_seen: bool) -> Result<(), PlaError> {
        line.skip_space();
        let start = line.at;
        let pla_type = match line.word() {
            b"f" => PlaType::F,
            b"fd" => PlaType::Fd,
            b"fr" => PlaType::Fr,
            b"fdr" => PlaType::Fdr,
            word => return Err(PlaError::UnknownType { place: line.place(start), found: shown(word) }),
        };
        if let Some(first) = self.pla_type.filter(|&first| first != pla_type) {
            return Err(PlaError::Redeclared {
                place: line.place(start),
                keyword: ".type",
                first: first.name().into(),
                second: pla_type.name().into(),
            });
        }
        if rows_seen && pla_type != self.pla_type() {
            return Err(PlaError::TypeAfterRows { place: line.place(start) });
        }
        self.pla_type = Some(pla_type);
        Ok(())
    }

    fn open_names(
        &mut self,
        line: &mut Line<'_>,
        start: usize,
        keyword: &'static str,
        count: impl Fn(Shape) -> usize,
    ) -> Result<(), PlaError> {
        let shape =
            self.shape().map_err(|keyword| PlaError::SizeMissing { place: line.place(start), keyword })?;
        self.open = Some(OpenNames {
            keyword,
            line: line.number,
            column: start,
            expected: count(shape),
            names: Vec::new(),
        });
        line.skip_space();
        self.names(line)
    }

    /// Takes the names as they are, and makes up those that are missing.
    pub(super) fn close_names(&mut self) {
        if let Some(mut open) = self.open.take() {
            let (keyword, found, expected) = (open.keyword, open.names.len(), open.expected);
            if found < expected {
                open.make_up();
                self.notes.push(Note::MadeUpNames { keyword, found, expected });
            }
            let names = if open.keyword == ".ilb" { &mut self.input_names } else { &mut self.output_names };
            *names = Some(open.names);
        }
    }

    /// All outputs in positive phase is what every file means anyway; anything else would swap ON and OFF.
    fn phase(&self, line: &mut Line<'_>, start: usize) -> Result<(), PlaError> {
        line.skip_space();
        let phases = line.word();
        if Some(phases.len()) == self.outputs && phases.iter().all(|&phase| phase == b'1') {
            return Ok(());
        }
        Err(unsupported(line, start, b".phase"))
    }
}

impl OpenNames {
    /// `x1`, `x2`, ... for inputs and `y1`, `y2`, ... for outputs, none of them given already.
    fn make_up(&mut self) {
        let given: HashSet<String> = self.names.iter().cloned().collect();
        let letter = if self.keyword == ".ilb" { 'x' } else { 'y' };
        for number in self.names.len() + 1..=self.expected {
            let mut name = format!("{letter}{number}");
            while given.contains(&name) {
                name.push('_');
            }
            self.names.push(name);
        }
    }

    fn wrong(&self, line: &Line<'_>) -> PlaError {
        let mut place = line.place(self.column);
        place.line = self.line;
        PlaError::WrongNames {
            place,
            keyword: self.keyword,
            found: self.names.len(),
            expected: self.expected,
        }
    }
}

fn unsupported(line: &Line<'_>, start: usize, keyword: &[u8]) -> PlaError {
    PlaError::Unsupported { place: line.place(start), keyword: shown(keyword) }
}
