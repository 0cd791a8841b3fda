//! PLA files of `.type fr` with one output: labelled minterms.
//!
//! The learner's own reader: [`macchiato_minimize::pla`] keeps cubes and refuses contradictions, while here a row is a
//! sample, repeated rows count, contradictory rows are noise, and a row costs one bit for each input. Lenient where that
//! reader is (rows without a gap, with `|`, or cut over lines; comments; titles; a wrong `.p`), and faults that every PLA
//! file can have are its [`PlaError`]s. Names stand on the line of their keyword.

mod line;

use std::io::{BufRead, Read};

use macchiato_minimize::pla::line::{Line, is_space, shown};
use macchiato_minimize::pla::{self, MAX_LINE, PlaError};

use super::builder::{Builder, default_names};
use super::{Frame, FrameOptions, MAX_INPUTS, Place, ReadError};
use line::{names, place, value};

pub(super) fn read(
    reader: &mut dyn BufRead,
    source: &str,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    let mut file = PlaFile::new(source, options);
    let mut text = Vec::new();
    let mut number = 0;
    loop {
        number += 1;
        text.clear();
        let length = (&mut *reader)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut text)
            .map_err(|reason| ReadError::io(Place::new(source, number, 1), reason))?;
        let mut line = Line::new(source, number, &text);
        if length > MAX_LINE {
            return Err(PlaError::LineTooLong { place: line.place(0) }.into());
        }
        if length == 0 || file.line(&mut line)? == Flow::End {
            return file.finish(&line);
        }
    }
}

/// Whether more can follow a line.
#[derive(PartialEq, Eq)]
enum Flow {
    More,
    End,
}

/// What has been read so far.
struct PlaFile<'a> {
    source: &'a str,
    options: &'a FrameOptions,
    inputs: Option<usize>,
    outputs: Option<usize>,
    is_fr: bool,
    input_names: Option<Vec<String>>,
    output_name: Option<String>,
    builder: Option<Builder>,
    /// The values of the row under way, 0 or 1, and where it begins.
    row: Vec<u8>,
    began: pla::Place,
}

impl<'a> PlaFile<'a> {
    fn new(source: &'a str, options: &'a FrameOptions) -> Self {
        Self {
            source,
            options,
            inputs: None,
            outputs: None,
            is_fr: false,
            input_names: None,
            output_name: None,
            builder: None,
            row: Vec::new(),
            began: pla::Place { file: source.to_owned(), line: 1, column: 1 },
        }
    }

    fn line(&mut self, line: &mut Line<'_>) -> Result<Flow, ReadError> {
        if self.plain_row(line.text())? {
            return Ok(Flow::More);
        }
        let mut row_ended = false;
        loop {
            line.skip_space();
            let Some(&byte) = line.rest().first() else { return Ok(Flow::More) };
            if byte == b'.' && self.row.is_empty() {
                if self.keyword(line)? == Flow::End {
                    return Ok(Flow::End);
                }
            } else if self.size().is_err() && line.is_title() {
                return Ok(Flow::More);
            } else if row_ended {
                let expected = self.inputs.unwrap_or_default() + 1;
                let place = line.place(line.at);
                return Err(PlaError::RowTooLong { place, line: self.began.line, expected }.into());
            } else {
                row_ended = self.values(line)?;
            }
        }
    }

    /// Takes a row as `write_to` spells it, without looking at its values one by one.
    fn plain_row(&mut self, text: &[u8]) -> Result<bool, ReadError> {
        let (Some(builder), Some((&label, inputs))) = (&mut self.builder, text.split_last()) else {
            return Ok(false);
        };
        let Some((b' ', inputs)) = inputs.split_last() else { return Ok(false) };
        let odd = inputs.iter().fold(label ^ b'0', |odd, value| odd | (value ^ b'0'));
        let plain = odd <= 1 && inputs.len() + 1 == builder.width() && builder.takes_booleans();
        if plain && self.row.is_empty() {
            builder.booleans(inputs.iter().copied().chain([label]))?;
            builder.end_row()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn keyword(&mut self, line: &mut Line<'_>) -> Result<Flow, ReadError> {
        let start = line.at;
        let word = line.word();
        match word {
            b".i" => self.inputs = Some(line.size(".i", self.inputs, MAX_INPUTS)?),
            b".o" => {
                let found = line.size(".o", self.outputs, pla::MAX_OUTPUTS)?;
                if found != 1 {
                    return Err(ReadError::PlaOutputs { place: place(line, start), found });
                }
                self.outputs = Some(found);
            }
            // The number of rows is advice that real files get wrong, so only its spelling is checked.
            b".p" => drop(line.digits(".p")?),
            b".type" => self.read_type(line)?,
            b".ilb" => {
                let inputs = self.size_at(line, start)?;
                self.input_names = Some(names(line, inputs, start, ".ilb")?);
            }
            b".ob" => {
                self.size_at(line, start)?;
                self.output_name = names(line, 1, start, ".ob")?.pop();
            }
            b".e" | b".end" => return Ok(Flow::End),
            b".phase" => {
                line.skip_space();
                if line.word() != b"1" {
                    return Err(
                        PlaError::Unsupported { place: line.place(start), keyword: shown(word) }.into()
                    );
                }
            }
            _ => {
                return Err(
                    PlaError::UnknownKeyword { place: line.place(start), keyword: shown(word) }.into()
                );
            }
        }
        Ok(Flow::More)
    }

    fn read_type(&mut self, line: &mut Line<'_>) -> Result<(), ReadError> {
        line.skip_space();
        let start = line.at;
        let found = match line.word() {
            b"fr" => {
                self.is_fr = true;
                return Ok(());
            }
            b"f" => "f",
            b"fd" => "fd",
            b"fdr" => "fdr",
            word => return Err(PlaError::UnknownType { place: line.place(start), found: shown(word) }.into()),
        };
        Err(ReadError::PlaType { place: place(line, start), found })
    }

    /// The number of inputs, or which of `.i` and `.o` is missing.
    fn size(&self) -> Result<usize, &'static str> {
        self.outputs.map_or_else(|| Err(self.inputs.map_or(".i", |_| ".o")), |_| self.inputs.ok_or(".i"))
    }

    fn size_at(&self, line: &Line<'_>, at: usize) -> Result<usize, PlaError> {
        self.size().map_err(|keyword| PlaError::SizeMissing { place: line.place(at), keyword })
    }

    /// Reads values up to the end of the row, which gives true, or of the line.
    fn values(&mut self, line: &mut Line<'_>) -> Result<bool, ReadError> {
        let inputs = self.size_at(line, line.at)?;
        if self.row.is_empty() {
            self.began = line.place(line.at);
        }
        while let Some(&byte) = line.rest().first() {
            match byte {
                b'|' => {}
                b'.' => return Err(self.too_short(inputs)),
                _ if is_space(byte) => {}
                _ => self.row.push(value(line, byte, self.row.len() < inputs)?),
            }
            line.at += 1;
            if self.row.len() > inputs {
                self.end_row(line, inputs)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn end_row(&mut self, line: &Line<'_>, inputs: usize) -> Result<(), ReadError> {
        if !self.is_fr {
            let place = Place::new(self.source, self.began.line, self.began.column);
            return Err(ReadError::PlaType { place, found: "fd" });
        }
        let builder = match &mut self.builder {
            Some(builder) => builder,
            none => {
                let mut names: Vec<_> = default_names(inputs).collect();
                if let Some(given) = self.input_names.take() {
                    names.splice(..inputs, given);
                }
                if let Some(given) = self.output_name.take() {
                    names[inputs] = given;
                }
                none.insert(Builder::new(self.source, line.number(), names, self.options)?)
            }
        };
        for (column, value) in self.row.drain(..).enumerate() {
            builder.text(self.began.line, column, &[value])?;
        }
        builder.end_row()
    }

    fn too_short(&self, inputs: usize) -> ReadError {
        let (place, found) = (self.began.clone(), self.row.len());
        PlaError::RowTooShort { place, found, expected: inputs + 1 }.into()
    }

    fn finish(self, line: &Line<'_>) -> Result<Frame, ReadError> {
        if line.number() == 1 && line.text().is_empty() {
            return Err(ReadError::Empty { place: place(line, 0), expected: "`.i`" });
        }
        let inputs = self.size_at(line, line.at)?;
        if !self.row.is_empty() {
            return Err(self.too_short(inputs));
        }
        let none = ReadError::NoRows { place: place(line, 0) };
        self.builder.map_or(Err(none), |builder| builder.finish(line.number()))
    }
}
