//! The wire format of Protocol Buffers, as much of it as ONNX files use.
//!
//! A message is a sequence of fields, each a number, a wire type and a value; what the number means is for the reader of
//! that message to say. Submessages are slices of their parent, so nothing is copied, and each kind of message has its own
//! reader, so nothing recurses. Usual readers of this format pass over what they do not know and merge what comes twice. A
//! checker must not, or it would see another network than the runtime does: [`Fields::pick`] takes the fields that a message
//! may have, each once, and refuses all others.

use crate::verdict::{Rejection, reject};

/// The fields of a message that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    /// Where `rest` is in the file, for messages.
    at: usize,
}

/// A field's value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Fixed32([u8; 4]),
    Bytes(Fields<'a>),
}

/// A field: its number, its value, and where it begins in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) number: u64,
    pub(crate) value: Value<'a>,
    at: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest, at: 0 }
    }

    /// The bytes themselves, where they are no message but a string or an array.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.rest
    }

    /// The next field, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<Field<'a>>, Rejection> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let tag = self.varint()?;
        let number = tag >> 3;
        // Field numbers have 29 bits; readers differ in what they do with more.
        if number == 0 || tag > u64::from(u32::MAX) {
            return reject(byte(at), "this is no field of a Protocol Buffers message");
        }
        let value = match tag & 7 {
            0 => Value::Varint(self.varint()?),
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed32(self.take(4)?.rest.try_into().unwrap_or_default()),
            kind => return reject(byte(at), format!("a field of wire type {kind}, which no network has")),
        };
        Ok(Some(Field { number, value, at }))
    }

    /// The rest of a message that may have the fields `wanted`, each at most once, and `ignored`, which are passed over.
    pub(crate) fn pick<const N: usize>(
        mut self,
        message: &str,
        wanted: [u64; N],
        ignored: &[u64],
    ) -> Result<[Option<Field<'a>>; N], Rejection> {
        let mut picked = [None; N];
        while let Some(field) = self.next()? {
            let number = field.number;
            let slot = wanted.iter().position(|&known| known == number).and_then(|at| picked.get_mut(at));
            match slot {
                Some(slot @ None) => *slot = Some(field),
                Some(_) => return reject(byte(field.at), format!("field {number} comes a second time")),
                None if ignored.contains(&number) => {}
                None => return field.unknown(message),
            }
        }
        Ok(picked)
    }

    /// The numbers of a packed array.
    pub(crate) fn varints(mut self) -> Result<Vec<u64>, Rejection> {
        let mut numbers = Vec::new();
        while !self.rest.is_empty() {
            numbers.push(self.varint()?);
        }
        Ok(numbers)
    }

    fn take(&mut self, length: u64) -> Result<Self, Rejection> {
        let split = usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length));
        let Some((taken, rest)) = split else {
            let left = self.rest.len();
            return reject(byte(self.at), format!("a length of {length} where only {left} bytes are left"));
        };
        let at = self.at;
        (self.rest, self.at) = (rest, at + taken.len());
        Ok(Self { rest: taken, at })
    }

    /// Seven bits a byte, least significant first; the top bit says that another byte follows.
    fn varint(&mut self) -> Result<u64, Rejection> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let Some((&first, rest)) = self.rest.split_first() else {
                return reject(byte(self.at), "the message ends within a number");
            };
            let bits = u64::from(first & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            (self.rest, self.at) = (rest, self.at + 1);
            value |= bits << shift;
            if first & 0x80 == 0 {
                return Ok(value);
            }
        }
        reject(byte(self.at), "a number of more than 64 bits")
    }
}

impl<'a> Field<'a> {
    pub(crate) fn varint(&self) -> Result<u64, Rejection> {
        match self.value {
            Value::Varint(value) => Ok(value),
            _ => self.unexpected("a number"),
        }
    }

    pub(crate) fn float(&self) -> Result<f32, Rejection> {
        match self.value {
            Value::Fixed32(bytes) => Ok(f32::from_le_bytes(bytes)),
            _ => self.unexpected("a float"),
        }
    }

    pub(crate) fn message(&self) -> Result<Fields<'a>, Rejection> {
        match self.value {
            Value::Bytes(fields) => Ok(fields),
            _ => self.unexpected("bytes"),
        }
    }

    pub(crate) fn text(&self) -> Result<&'a [u8], Rejection> {
        Ok(self.message()?.bytes())
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, Rejection> {
        reject(byte(self.at), format!("field {} must be {wanted}", self.number))
    }

    /// The field is none that this message may have here.
    pub(crate) fn unknown<T>(&self, message: &str) -> Result<T, Rejection> {
        let why = format!("field {} of {message} is not part of a certified network", self.number);
        reject(byte(self.at), why)
    }
}

fn byte(at: usize) -> String {
    format!("network, byte {at}")
}
