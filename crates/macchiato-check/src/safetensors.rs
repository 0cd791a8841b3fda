//! safetensors files, in the one form that the compiler writes.
//!
//! Eight bytes with the header's length, the header, the tensors' bytes. The header is a JSON object with one entry for each
//! tensor (`{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}`) and maybe `__metadata__`, strings that are passed over. The
//! tensors are the `nn.Linear` of an `nn.Sequential` with a `ReLU` between any two: `0.weight`, `0.bias`, `2.weight`, `2.bias`
//! and so on. Their bytes must fill the file without overlap, hole or remainder. The JSON reader knows just this shape, so
//! that nothing recurses; a key that comes twice, of which readers take one or the other, is refused.

use crate::network::{Layer, Network, Tensor};
use crate::verdict::{Rejection, reject};
use std::collections::{HashMap, HashSet};

/// The longest header, as the reference reader has it.
const MAX_HEADER: u64 = 100_000_000;

/// An entry of the header: name, shape, and where its bytes begin and end.
type Entry<'a> = (&'a str, Vec<u64>, [u64; 2]);

/// Reads a network. Whether its widths are right is not known here.
pub(crate) fn read(bytes: &[u8]) -> Result<Network<'_>, Rejection> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return reject("network", "the file is too short for the length of its header");
    };
    let length = u64::from_le_bytes(*length);
    let header = usize::try_from(length).ok().filter(|_| length <= MAX_HEADER);
    let Some((header, data)) = header.and_then(|header| rest.split_at_checked(header)) else {
        let why = format!("a header of {length} bytes: {} are left, {MAX_HEADER} are allowed", rest.len());
        return reject("network", why);
    };
    let mut entries = Json { text: header, at: 0 }.header()?;
    entries.sort_by_key(|&(_, _, offsets)| offsets);
    let (mut tensors, mut reached, mut rest) = (HashMap::new(), 0, data);
    for (name, shape, [from, to]) in entries {
        let length = to.checked_sub(from).filter(|_| from == reached).and_then(|n| usize::try_from(n).ok());
        let Some((bytes, after)) = length.and_then(|length| rest.split_at_checked(length)) else {
            let why = format!("tensor {name:?} leaves a hole, overlaps, or ends where it cannot");
            return reject("network header", why);
        };
        (reached, rest) = (to, after);
        tensors.insert(name, Tensor { shape, bytes });
    }
    if !rest.is_empty() {
        return reject("network header", format!("{} bytes of the file belong to no tensor", rest.len()));
    }
    let mut layers = Vec::new();
    while !tensors.is_empty() {
        let position = 2 * layers.len();
        let mut take = |part: &str| tensors.remove(format!("{position}.{part}").as_str());
        let (Some(weights), Some(biases)) = (take("weight"), take("bias")) else {
            let why = format!("{position}.weight or .bias is missing, or a tensor has another name");
            return reject("network header", why);
        };
        layers.push(Layer::new(layers.len() + 1, &weights, &biases)?);
    }
    Ok(Network { layers })
}

/// A JSON text, and how far it has been read.
struct Json<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Json<'a> {
    /// The whole header.
    fn header(mut self) -> Result<Vec<Entry<'a>>, Rejection> {
        let mut entries = Vec::new();
        // The reference reader wants the brace first; spaces may only come after the object.
        if self.text.first() != Some(&b'{') {
            return self.wrong("the header must begin with `{`");
        }
        self.object(|json, key| {
            if key == "__metadata__" {
                return json.object(|json, _| json.string().map(|_| ()));
            }
            let (shape, offsets) = json.entry()?;
            entries.push((key, shape, offsets));
            Ok(())
        })?;
        self.space();
        match self.text.len() - self.at {
            0 => Ok(entries),
            _ => self.wrong("there is text after the header's object"),
        }
    }

    fn entry(&mut self) -> Result<(Vec<u64>, [u64; 2]), Rejection> {
        let (mut float, mut shape, mut offsets) = (false, None, None);
        self.object(|json, key| {
            match key {
                "dtype" => float = json.string()? == "F32",
                "shape" => shape = Some(json.numbers()?),
                "data_offsets" => offsets = Some(json.numbers()?),
                _ => return json.wrong("a tensor has no such key"),
            }
            Ok(())
        })?;
        match (float, shape, offsets.as_deref().and_then(<[u64]>::first_chunk)) {
            (true, Some(shape), Some(&offsets)) => Ok((shape, offsets)),
            _ => self.wrong("a tensor needs dtype F32, a shape and two data_offsets"),
        }
    }

    /// `{"key": value, ...}`, each key once; `value` reads what follows the colon.
    fn object(
        &mut self,
        mut value: impl FnMut(&mut Self, &'a str) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mut seen = HashSet::new();
        self.expect(b'{')?;
        if self.accept(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            if !seen.insert(key) {
                return self.wrong("this key comes a second time");
            }
            self.expect(b':')?;
            value(self, key)?;
            if !self.accept(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// `[1, 2]`: at most two numbers, which is all that a tensor here has.
    fn numbers(&mut self) -> Result<Vec<u64>, Rejection> {
        let mut numbers = Vec::new();
        self.expect(b'[')?;
        loop {
            self.space();
            let rest = self.text.get(self.at..).unwrap_or_default();
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let word = std::str::from_utf8(rest.get(..length).unwrap_or_default()).unwrap_or_default();
            let Some(number) = crate::text::decimal(word) else {
                return self.wrong("this is no whole number");
            };
            self.at += length;
            numbers.push(number);
            if numbers.len() > 2 {
                return self.wrong("more than two numbers");
            }
            if !self.accept(b',') {
                self.expect(b']')?;
                return Ok(numbers);
            }
        }
    }

    /// A string, without its quotes. Escapes are passed over, not decoded: no name that matters has any.
    fn string(&mut self) -> Result<&'a str, Rejection> {
        self.expect(b'"')?;
        let from = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => {
                    let bytes = self.text.get(from..self.at).unwrap_or_default();
                    self.at += 1;
                    return std::str::from_utf8(bytes).or_else(|_| self.wrong("a string that is no UTF-8"));
                }
                b'\\' => self.at += 2,
                0..b' ' => return self.wrong("a control character within a string"),
                _ => self.at += 1,
            }
        }
        self.wrong("a string without end")
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn accept(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Rejection> {
        if self.accept(byte) { Ok(()) } else { self.wrong(&format!("`{}` is missing", char::from(byte))) }
    }

    fn wrong<T>(&self, why: &str) -> Result<T, Rejection> {
        reject(format!("network header, byte {}", self.at + 8), why)
    }
}
