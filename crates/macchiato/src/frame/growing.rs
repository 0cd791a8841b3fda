//! A column that grows cell by cell and takes the narrowest type that holds them all.
//!
//! It begins as Boolean. The first other number makes it a column of numbers, the first other text a category, for which the
//! cells so far must be known as they were spelled. Where they are not, the column is *lost*: it only counts as text then, and
//! must be read again as a category.

use std::collections::HashMap;

use super::{Kind, NO_LEVEL, Values, is_missing};
use crate::bits::Column;
use crate::table::cell::{self, Number};

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
    Number(Vec<f64>),
    Category(Levels),
    Lost,
}

#[derive(Debug, Default)]
struct Booleans {
    bits: Column,
    missing: Column,
    gaps: bool,
    /// How false and true are spelled.
    words: [Option<String>; 2],
    /// Whether one of them has several spellings.
    mixed: bool,
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
            Some(Kind::Number) => State::Number(Vec::new()),
            Some(Kind::Category) => State::Category(Levels::default()),
        };
        Self { known, state }
    }

    pub(super) const fn is_lost(&self) -> bool {
        matches!(self.state, State::Lost)
    }

    /// Bytes that are reserved, or that the end of the file will ask for.
    pub(super) fn bytes(&self) -> u64 {
        match &self.state {
            State::Boolean(cells) => {
                let rows = cells.bits.len() as u64;
                // Two bits a row, and codes where there turns out to be nothing but gaps.
                rows / 4 + if cells.words == [None, None] { 4 * rows } else { 0 }
            }
            State::Number(values) => 8 * values.capacity() as u64,
            State::Category(levels) => 4 * levels.codes.capacity() as u64 + levels.bytes,
            State::Lost => 0,
        }
    }

    /// One more cell, as text; `left` bytes are left for what must change its type.
    pub(super) fn text(&mut self, text: &[u8], left: u64) -> Result<(), Odd> {
        let text = std::str::from_utf8(text.trim_ascii()).map_err(|_| Odd::Text)?;
        self.push(Cell::of(text), || text.to_owned(), left)
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
        self.push(cell, || number.to_string(), left)
    }

    /// One more cell, which is spelled as `spelled` says.
    fn push(&mut self, cell: Cell, spelled: impl Fn() -> String, left: u64) -> Result<(), Odd> {
        if let (State::Boolean(cells), Cell::Number(_) | Cell::Infinite | Cell::Text) =
            (&mut self.state, &cell)
        {
            if self.known == Some(Kind::Boolean) {
                return Err(Odd::Boolean);
            }
            // Bits become numbers or codes all at once.
            let width = if matches!(cell, Cell::Text) { 4 } else { 8 };
            if width * cells.bits.len() as u64 > left {
                return Err(Odd::Room);
            }
            self.state = match cell {
                Cell::Text => std::mem::take(cells).into_category(),
                _ => std::mem::take(cells).into_numbers(),
            };
        }
        match (&mut self.state, cell) {
            (State::Boolean(cells), Cell::Gap) => cells.push(None, spelled),
            (State::Boolean(cells), Cell::Boolean(bit)) => cells.push(Some(bit), spelled),
            (State::Number(values), Cell::Gap) => values.push(f64::NAN),
            (State::Number(values), Cell::Number(value)) => values.push(value),
            (State::Number(_), Cell::Infinite) => return Err(Odd::Finite),
            (State::Number(values), other) => match spelled().parse() {
                // 0 and 1 are numbers as well.
                Ok(value) if matches!(other, Cell::Boolean(_)) => values.push(value),
                _ if self.known.is_some() => return Err(Odd::Number),
                _ => self.state = State::Lost,
            },
            (State::Category(levels), Cell::Gap) => levels.codes.push(NO_LEVEL),
            (State::Category(levels), _) => levels.push(spelled()),
            // Boolean columns that meet anything else have become another state above.
            (State::Boolean(_) | State::Lost, _) => {}
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Values<'static> {
        match self.state {
            // Nothing but gaps: whatever other rows have there is welcome.
            State::Boolean(cells) if self.known.is_none() && cells.words == [None, None] => {
                Values::Category { codes: vec![NO_LEVEL; cells.bits.len()].into(), levels: Vec::new().into() }
            }
            State::Boolean(cells) => Values::Boolean {
                bits: cells.bits.into_words().into(),
                missing: cells.gaps.then(|| cells.missing.into_words().into()),
            },
            State::Number(values) => Values::Number(values.into()),
            State::Category(levels) => {
                Values::Category { codes: levels.codes.into(), levels: levels.names.into() }
            }
            State::Lost => Values::Number(Vec::new().into()),
        }
    }
}

impl Booleans {
    fn push(&mut self, bit: Option<bool>, spelled: impl Fn() -> String) {
        self.bits.push(bit == Some(true));
        self.missing.push(bit.is_none());
        self.gaps |= bit.is_none();
        let Some(bit) = bit else { return };
        match &self.words[usize::from(bit)] {
            None => self.words[usize::from(bit)] = Some(spelled()),
            Some(_) if self.mixed => {}
            Some(word) => self.mixed = *word != spelled(),
        }
    }

    fn values(self) -> impl Iterator<Item = Option<bool>> {
        let rows = self.bits.len();
        let (bits, missing) = (self.bits.into_words(), self.missing.into_words());
        (0..rows).map(move |row| (!crate::bits::get(&missing, row)).then(|| crate::bits::get(&bits, row)))
    }

    fn into_numbers(self) -> State {
        let is = |word: &Option<String>, digit: &str| word.as_ref().is_none_or(|word| word == digit);
        if self.mixed || !is(&self.words[0], "0") || !is(&self.words[1], "1") {
            return State::Lost;
        }
        State::Number(self.values().map(|bit| bit.map_or(f64::NAN, |bit| f64::from(u8::from(bit)))).collect())
    }

    fn into_category(mut self) -> State {
        if self.mixed {
            return State::Lost;
        }
        let words = std::mem::take(&mut self.words);
        let mut levels = Levels::default();
        for bit in self.values() {
            match bit.and_then(|bit| words[usize::from(bit)].clone()) {
                Some(word) => levels.push(word),
                None => levels.codes.push(NO_LEVEL),
            }
        }
        State::Category(levels)
    }
}

impl Levels {
    fn push(&mut self, level: String) {
        // A level is kept twice, and each time with its allocation's own needs.
        const BESIDES: usize = 112;
        let next = self.names.len() as u32;
        let code = *self.numbers.entry(level).or_insert_with_key(|level| {
            self.bytes += (2 * level.len() + BESIDES) as u64;
            self.names.push(level.clone());
            next
        });
        self.codes.push(code);
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
