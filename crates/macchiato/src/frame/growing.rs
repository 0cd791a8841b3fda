//! A column that grows cell by cell and takes the narrowest type that holds them all.
//!
//! It begins as Boolean. The first other number makes it a column of numbers, the first other text a category, whose levels are the cells
//! as they were spelled. So a cell whose value does not say how it was spelled (`007`, `2.50`, `Yes` among `yes`) is kept as text beside
//! its value until the end of the file: a file is read once, whatever its last cell is.

use std::collections::HashMap;

use super::cell::{self, Number};
use super::{Kind, NO_LEVEL, Values, is_missing, shown};
use crate::bits::{self, Column};

/// What a cell should be and is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    Boolean,
    Number,
    Finite,
    Text,
    /// Its column would need more memory than there is to be.
    Room,
}

#[derive(Debug)]
pub(super) struct Growing {
    /// The type, where it is not left to the cells.
    known: Option<Kind>,
    state: State,
}

#[derive(Debug)]
enum State {
    Boolean(Booleans),
    Number(Numbers),
    Category(Levels),
}

/// The cells that are not spelled as their values would be, in the order of their rows.
#[derive(Debug, Default)]
struct Spellings {
    /// Each cell's row, and where its text ends.
    cells: Vec<(usize, usize)>,
    text: String,
}

#[derive(Debug, Default)]
struct Booleans {
    bits: Column,
    /// The rows without a value.
    gaps: Vec<usize>,
    /// How false and true are spelled first.
    words: [Option<String>; 2],
    otherwise: Spellings,
}

#[derive(Debug, Default)]
struct Numbers {
    values: Vec<f64>,
    otherwise: Spellings,
}

#[derive(Debug, Default)]
struct Levels {
    codes: Vec<u32>,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// Bytes that the levels take besides their codes.
    bytes: u64,
}

/// What a text says.
#[derive(Clone, Copy)]
enum Cell {
    Gap,
    Boolean(bool),
    Number(f64),
    Infinite,
    Text,
}

impl Growing {
    /// An empty column, of a known type or not.
    pub(super) fn new(known: Option<Kind>) -> Self {
        let state = match known {
            None | Some(Kind::Boolean) => State::Boolean(Booleans::default()),
            Some(Kind::Number) => State::Number(Numbers::default()),
            Some(Kind::Category) => State::Category(Levels::default()),
        };
        Self { known, state }
    }

    /// Bytes that are reserved, or that the end of the file will ask for.
    pub(super) fn bytes(&self) -> u64 {
        match &self.state {
            State::Boolean(cells) => {
                let rows = cells.bits.len() as u64;
                // Two bits a row, and codes where there turns out to be nothing but gaps.
                let codes = if cells.words == [None, None] { 4 * rows } else { 0 };
                rows / 4 + codes + 8 * cells.gaps.capacity() as u64 + cells.otherwise.bytes()
            }
            State::Number(numbers) => 8 * numbers.values.capacity() as u64 + numbers.otherwise.bytes(),
            State::Category(levels) => 4 * levels.codes.capacity() as u64 + levels.bytes,
        }
    }

    /// One more cell, as text; `left` bytes are left for what must change its type.
    pub(super) fn text(&mut self, text: &[u8], left: u64) -> Result<(), Odd> {
        let text = std::str::from_utf8(text.trim_ascii()).map_err(|_| Odd::Text)?;
        self.push(Cell::of(text), || text.into(), left)
    }

    /// One more cell, `0` or `1`; false where it must be handed over as text.
    pub(super) fn digit(&mut self, bit: bool) -> bool {
        let word = if bit { "1" } else { "0" };
        match &mut self.state {
            State::Boolean(cells) if cells.words[usize::from(bit)].as_deref() == Some(word) => {
                cells.bits.push(bit);
                true
            }
            State::Number(numbers) => {
                numbers.values.push(f64::from(u8::from(bit)));
                true
            }
            State::Category(levels) => {
                levels.push(word);
                true
            }
            State::Boolean(_) => false,
        }
    }

    /// One more cell, as a number.
    pub(super) fn number(&mut self, number: Number, left: u64) -> Result<(), Odd> {
        let value = number.value();
        let cell = match number.boolean() {
            _ if value.is_nan() => Cell::Gap,
            _ if value.is_infinite() => Cell::Infinite,
            Some(bit) => Cell::Boolean(bit),
            None => Cell::Number(value),
        };
        self.push(cell, || number.to_string().into(), left)
    }

    /// One more cell, which is spelled as `spelled` says.
    fn push<'t>(
        &mut self,
        cell: Cell,
        spelled: impl Fn() -> std::borrow::Cow<'t, str>,
        left: u64,
    ) -> Result<(), Odd> {
        self.widen(cell, &spelled, left)?;
        match (&mut self.state, cell) {
            (State::Boolean(cells), Cell::Gap) => cells.push(None, ""),
            (State::Boolean(cells), Cell::Boolean(bit)) => cells.push(Some(bit), &spelled()),
            (State::Number(numbers), Cell::Gap) => numbers.values.push(f64::NAN),
            (State::Number(numbers), Cell::Boolean(bit)) => numbers.values.push(f64::from(u8::from(bit))),
            (State::Number(numbers), Cell::Number(value)) => {
                let (row, text) = (numbers.values.len(), spelled());
                if self.known.is_none() && !is_usual(&text) {
                    numbers.otherwise.push(row, &text);
                }
                numbers.values.push(value);
            }
            (State::Category(levels), Cell::Gap) => levels.codes.push(NO_LEVEL),
            (State::Category(levels), _) => levels.push(&spelled()),
            // `widen` leaves nothing else.
            _ => return Err(Odd::Text),
        }
        Ok(())
    }

    /// Makes the column one that can hold the cell.
    fn widen<'t>(
        &mut self,
        cell: Cell,
        spelled: &impl Fn() -> std::borrow::Cow<'t, str>,
        left: u64,
    ) -> Result<(), Odd> {
        let odd = match (&self.state, cell) {
            (State::Boolean(_), Cell::Number(_) | Cell::Infinite | Cell::Text) => Odd::Boolean,
            (State::Number(_), Cell::Infinite) => return Err(Odd::Finite),
            (State::Number(_), Cell::Text) => Odd::Number,
            // 0 and 1 are numbers as well.
            (State::Number(_), Cell::Boolean(_)) if !matches!(&*spelled(), "0" | "1") => Odd::Number,
            _ => return Ok(()),
        };
        if self.known.is_some() {
            return Err(odd);
        }
        let state = std::mem::replace(&mut self.state, State::Category(Levels::default()));
        self.state = match (state, cell) {
            // Bits become numbers all at once.
            (State::Boolean(cells), Cell::Number(_) | Cell::Infinite) if cells.are_digits() => {
                if 8 * cells.bits.len() as u64 > left {
                    return Err(Odd::Room);
                }
                State::Number(cells.into_numbers())
            }
            (State::Boolean(cells), _) => State::Category(cells.into_levels(left)?),
            (State::Number(numbers), _) => State::Category(numbers.into_levels(left)?),
            (state, _) => state,
        };
        match (&self.state, cell) {
            (State::Number(_), Cell::Infinite) => Err(Odd::Finite),
            _ => Ok(()),
        }
    }

    pub(super) fn finish(self) -> Values<'static> {
        match self.state {
            // Nothing but gaps: whatever other rows have there is welcome.
            State::Boolean(cells) if self.known.is_none() && cells.words == [None, None] => {
                Values::Category { codes: vec![NO_LEVEL; cells.bits.len()].into(), levels: Vec::new().into() }
            }
            State::Boolean(cells) => {
                let rows = cells.bits.len();
                let missing = (!cells.gaps.is_empty()).then(|| {
                    let mut missing = vec![0; bits::words(rows)];
                    cells.gaps.iter().for_each(|&row| bits::set(&mut missing, row));
                    missing.into()
                });
                Values::Boolean { bits: cells.bits.into_words().into(), missing }
            }
            State::Number(numbers) => Values::Number(numbers.values.into()),
            State::Category(levels) => {
                Values::Category { codes: levels.codes.into(), levels: levels.names.into() }
            }
        }
    }
}

impl Spellings {
    fn push(&mut self, row: usize, text: &str) {
        self.text.push_str(text);
        self.cells.push((row, self.text.len()));
    }

    fn bytes(&self) -> u64 {
        (16 * self.cells.capacity() + self.text.capacity()) as u64
    }

    /// The rows and their texts, in order.
    fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        let starts = std::iter::once(0).chain(self.cells.iter().map(|&(_, end)| end));
        starts.zip(&self.cells).map(|(start, &(row, end))| (row, &self.text[start..end]))
    }

    /// The levels of `rows` cells that are spelled as `usual` says, but for these; none are gaps.
    fn levels<'t>(
        &'t self,
        rows: usize,
        left: u64,
        usual: impl Fn(usize) -> Option<std::borrow::Cow<'t, str>>,
    ) -> Result<Levels, Odd> {
        let mut levels = Levels::default();
        let mut odd = self.iter().peekable();
        for row in 0..rows {
            match odd.next_if(|&(at, _)| at == row).map(|(_, text)| text.into()).or_else(|| usual(row)) {
                Some(text) => levels.push(&text),
                None => levels.codes.push(NO_LEVEL),
            }
            if levels.bytes + 4 * levels.codes.capacity() as u64 > left {
                return Err(Odd::Room);
            }
        }
        Ok(levels)
    }
}

impl Booleans {
    fn push(&mut self, bit: Option<bool>, spelled: &str) {
        let row = self.bits.len();
        self.bits.push(bit == Some(true));
        let Some(bit) = bit else { return self.gaps.push(row) };
        match &self.words[usize::from(bit)] {
            None => self.words[usize::from(bit)] = Some(spelled.to_owned()),
            Some(word) if word != spelled => self.otherwise.push(row, spelled),
            Some(_) => {}
        }
    }

    /// Whether all are spelled `0` and `1`.
    fn are_digits(&self) -> bool {
        let is = |word: &Option<String>, digit: &str| word.as_ref().is_none_or(|word| word == digit);
        is(&self.words[0], "0") && is(&self.words[1], "1") && self.otherwise.cells.is_empty()
    }

    fn into_numbers(self) -> Numbers {
        let rows = self.bits.len();
        let bits = self.bits.into_words();
        let mut values: Vec<f64> = (0..rows).map(|row| f64::from(u8::from(bits::get(&bits, row)))).collect();
        self.gaps.iter().for_each(|&row| values[row] = f64::NAN);
        Numbers { values, otherwise: Spellings::default() }
    }

    fn into_levels(self, left: u64) -> Result<Levels, Odd> {
        let rows = self.bits.len();
        let (bits, gaps) = (self.bits.into_words(), self.gaps);
        self.otherwise.levels(rows, left, |row| {
            let word = self.words[usize::from(bits::get(&bits, row))].as_deref();
            word.filter(|_| gaps.binary_search(&row).is_err()).map(Into::into)
        })
    }
}

impl Numbers {
    fn into_levels(self, left: u64) -> Result<Levels, Odd> {
        let values = &self.values;
        self.otherwise
            .levels(values.len(), left, |row| (!values[row].is_nan()).then(|| shown(values[row]).into()))
    }
}

/// Whether a number is spelled as [`shown`] spells its value: no sign but `-`, no superfluous zero, no power of ten, and few enough digits
/// that none is lost.
fn is_usual(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "5"));
    let numeric = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numeric(whole)
        && numeric(fraction)
        && digits.len() <= 15
        && (whole == "0" || !whole.starts_with('0'))
        && !fraction.ends_with('0')
        // Smaller ones have a power of ten.
        && !(whole == "0" && fraction.starts_with("0000"))
        && text != "-0"
}

impl Levels {
    fn push(&mut self, level: &str) {
        // A level is kept twice, and each time with its allocation's own needs.
        const BESIDES: usize = 112;
        let known = self.numbers.get(level).copied();
        self.codes.push(known.unwrap_or_else(|| {
            let next = self.names.len() as u32;
            self.bytes += (2 * level.len() + BESIDES) as u64;
            self.names.push(level.to_owned());
            self.numbers.insert(level.to_owned(), next);
            next
        }));
    }
}

impl Cell {
    fn of(text: &str) -> Self {
        if is_missing(text) {
            return Self::Gap;
        }
        if let Some(bit) = cell::boolean(text.as_bytes()) {
            return Self::Boolean(bit);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Self::Number(value),
            Ok(value) if value.is_infinite() => Self::Infinite,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_usual, shown};
    use proptest::prelude::*;

    proptest! {
        /// What counts as usual need not be kept: its value spells it.
        #[test]
        fn a_usual_spelling_follows_from_the_value(text in "-?[0-9]{0,9}(\\.[0-9]{0,9})?") {
            if let (true, Ok(value)) = (is_usual(&text), text.parse::<f64>()) {
                prop_assert_eq!(shown(value), text);
            }
        }
    }

    #[test]
    fn an_unusual_spelling_is_told_apart() {
        for usual in ["2", "-3", "41.5", "0.25", "-0.5", "123456789012.25"] {
            assert!(is_usual(usual), "{usual}");
        }
        for odd in ["007", "2.50", "+2", "1e3", "-0", ".5", "5.", "0.00001", "12345678901234567", ""] {
            assert!(!is_usual(odd), "{odd}");
        }
    }
}
