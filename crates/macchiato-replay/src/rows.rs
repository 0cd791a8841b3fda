//! The training rows, read from their file: CSV, TSV or PLA.
//!
//! CSV and TSV have a header with the columns' names; cells are `0`, `1` or a word for them, trimmed, and may be quoted, with
//! `""` for a quote. Empty lines do not count. The target is the column that the certificate names (the last one, if several have
//! the name); those of its other outputs are passed over, a column of weights is read as decimals, the rest must be its inputs, in its
//! order. Where the certificate names tests, any other column may be there, and cells are asked as it says. PLA files are of type `fr` with one output, and their rows are points: `0` and `1` only. Rows are kept once each, as bits,
//! with a count of their labels: linear in the file.

mod cell;

use crate::Refusal;
use crate::table::Table;
use crate::training::{Part, RowsFormat, Training, Weight};
use cell::{boolean, millionths, split};
use macchiato_check::{Certificate, Fault, Rejection, reject};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The most votes of all rows together, in millionths: 9 trillion.
const MOST: u64 = 9_000_000_000_000_000_000;

/// The weight of one row.
const UNIT: u64 = 1_000_000;

/// The most rows that one line stands for: what the learner repeats at most.
const MOST_REPEATED: u64 = 1 << 16;

/// The distinct rows, and how often each has label 0 and 1.
pub(crate) struct Rows {
    inputs: usize,
    /// `ceil(inputs / 64)` words for each distinct row.
    points: Vec<u64>,
    /// Their weight by label: millionths, or their number where they have no weights.
    pub(crate) votes: Vec<[u64; 2]>,
    /// Their number by label.
    pub(crate) counts: Vec<[u64; 2]>,
    /// Rows in the file.
    pub(crate) total: u64,
    /// The rows of the file that are kept.
    kept: Range<u64>,
    /// Their votes together.
    sum: u64,
    index: Index,
}

/// Finds rows by their bits. A row's hash is the XOR of one random word for each input that is 1, so that the hash of a
/// neighbour takes one step; the words are random so that no file can be made to collide. Matches are compared bit by bit.
struct Index {
    random: Vec<u64>,
    hashes: Vec<u64>,
    first: HashMap<u64, usize>,
    /// The next row of the same hash.
    next: Vec<Option<usize>>,
}

impl Rows {
    /// Reads the file of a certificate's training rows, with the labels of one output, and keeps those rows of it, counted from 0.
    pub(crate) fn read(
        training: &Training,
        bytes: &[u8],
        certificate: &Certificate,
        part: &Part,
        kept: Range<u64>,
    ) -> Result<Self, Refusal> {
        let unreadable = Refusal::Rows;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = good.split(|&byte| byte == b'\n').count();
            unreadable(Fault { line, column: 1, why: "this line is no UTF-8".to_owned() })
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let lines = lines.enumerate().map(|(l, line)| (l + 1, line)).filter(|(_, line)| !line.is_empty());
        let mut rows = Self::empty(certificate.inputs.len(), kept);
        let weight = training.weight.as_ref();
        let (output, class) = (part.output, part.class.as_deref().unwrap_or_default());
        match (training.format, &training.table) {
            (RowsFormat::Pla, Some(_)) => return Ok(reject("rows", "a PLA file has no columns to test")?),
            (format, Some(table)) => {
                let separator = if format == RowsFormat::Csv { ',' } else { '\t' };
                rows.read_tests(lines, separator, (table, class), weight)?;
                return Ok(rows);
            }
            _ => {}
        }
        match training.format {
            RowsFormat::Csv => rows.read_table(lines, ',', certificate, output, weight)?,
            RowsFormat::Tsv => rows.read_table(lines, '\t', certificate, output, weight)?,
            RowsFormat::Pla if weight.is_some() => return Ok(reject("rows", "a PLA file has no weights")?),
            RowsFormat::Pla => rows.read_pla(lines, certificate, output)?,
        }
        Ok(rows)
    }

    fn empty(inputs: usize, kept: Range<u64>) -> Self {
        let state = RandomState::new();
        let random = (0..inputs).map(|i| state.hash_one(i)).collect();
        let index = Index { random, hashes: Vec::new(), first: HashMap::new(), next: Vec::new() };
        let (points, votes, counts) = (Vec::new(), Vec::new(), Vec::new());
        Self { inputs, points, votes, counts, total: 0, kept, sum: 0, index }
    }

    fn read_table<'a>(
        &mut self,
        mut lines: impl Iterator<Item = (usize, &'a str)>,
        separator: char,
        certificate: &Certificate,
        output: usize,
        weight: Option<&Weight>,
    ) -> Result<(), Refusal> {
        let unreadable = Refusal::Rows;
        let mut cells = Vec::new();
        let (number, header) = lines.next().unwrap_or((1, ""));
        split(number, header, separator, &mut cells).map_err(unreadable)?;
        let names: Vec<String> = cells.iter().map(|(_, name)| name.trim().to_owned()).collect();
        let column = |target: &str| names.iter().rposition(|name| *name == target);
        let Some(target) = column(target_of(certificate, output)) else {
            let why = format!("no column is the target {:?}", target_of(certificate, output));
            return Ok(reject("rows", why)?);
        };
        let weights = weight.map(|weight| column(&weight.column).ok_or(weight)).transpose();
        let weights = match weights {
            Ok(weights) if weights != Some(target) => weights,
            _ => {
                return Ok(reject(
                    "rows",
                    format!("no column of weights is {:?}", weight.map_or("", |weight| &weight.column)),
                )?);
            }
        };
        // Labels of other outputs may be there too.
        let targets: HashSet<usize> =
            certificate.outputs.iter().filter_map(|output| column(&output.name)).chain(weights).collect();
        let is_input = |&(at, _): &(usize, &String)| !targets.contains(&at);
        let inputs = names.iter().enumerate().filter(is_input).map(|(_, name)| name.as_str());
        check_names(inputs, &certificate.inputs)?;
        let mut point = vec![0u64; self.words()];
        for (number, line) in lines {
            split(number, line, separator, &mut cells).map_err(unreadable)?;
            if cells.len() != names.len() {
                let why = format!("{} cells where the header has {}", cells.len(), names.len());
                return Err(unreadable(Fault { line: number, column: line.len() + 1, why }));
            }
            let (mut label, mut votes, mut input) = (false, 1, 0);
            point.fill(0);
            for (at, (column, cell)) in cells.iter().enumerate() {
                if weights == Some(at) {
                    let Some(weight) = millionths(cell.trim()) else {
                        let why = format!("{} is no weight", macchiato_check::text::quoted(cell));
                        return Err(unreadable(Fault { line: number, column: *column, why }));
                    };
                    votes = weight;
                    continue;
                }
                let Some(value) = boolean(cell.trim()) else {
                    let why = format!(
                        "{} is neither 0, 1 nor a word for them",
                        macchiato_check::text::quoted(cell)
                    );
                    return Err(unreadable(Fault { line: number, column: *column, why }));
                };
                if at == target {
                    label = value;
                } else if !targets.contains(&at) {
                    set(&mut point, input, value);
                    input += 1;
                }
            }
            self.add_weighted(&point, label, weight.map(|weight| (weight, votes)), number)?;
        }
        Ok(())
    }

    /// Rows of a table, whose cells the tests are asked about; columns are found by name.
    fn read_tests<'a>(
        &mut self,
        mut lines: impl Iterator<Item = (usize, &'a str)>,
        separator: char,
        (table, class): (&Table, &str),
        weight: Option<&Weight>,
    ) -> Result<(), Refusal> {
        let unreadable = Refusal::Rows;
        let mut cells = Vec::new();
        let (number, header) = lines.next().unwrap_or((1, ""));
        split(number, header, separator, &mut cells).map_err(unreadable)?;
        let names: Vec<String> = cells.iter().map(|(_, name)| name.trim().to_owned()).collect();
        let find = |wanted: &str| {
            let mut found = (0..names.len()).filter(|&at| names[at] == wanted);
            match (found.next(), found.next()) {
                (Some(at), None) => Ok(at),
                _ => reject("rows", format!("not exactly one column is {wanted:?}")),
            }
        };
        let target = find(&table.target)?;
        let columns = table.tests.iter().map(|(column, _)| find(column)).collect::<Result<Vec<_>, _>>()?;
        let weights = weight.map(|weight| find(&weight.column)).transpose()?;
        if columns.contains(&target) || weights.is_some_and(|at| at == target || columns.contains(&at)) {
            return Ok(reject("rows", "classes and weights are no columns to test")?);
        }
        let mut point = vec![0u64; self.words()];
        for (number, line) in lines {
            split(number, line, separator, &mut cells).map_err(unreadable)?;
            if cells.len() != names.len() {
                let why = format!("{} cells where the header has {}", cells.len(), names.len());
                return Err(unreadable(Fault { line: number, column: line.len() + 1, why }));
            }
            point.fill(0);
            let odd = |at: usize, what: &str| {
                let (column, cell) = &cells[at];
                let why = format!("{} {what}", macchiato_check::text::quoted(cell));
                unreadable(Fault { line: number, column: *column, why })
            };
            for (input, ((_, test), &at)) in table.tests.iter().zip(&columns).enumerate() {
                match test.passes(cells[at].1.trim(), boolean) {
                    Some(passes) => set(&mut point, input, passes),
                    None => return Err(odd(at, "is nothing that its column's test can be asked about")),
                }
            }
            let votes = match weights {
                Some(at) => millionths(cells[at].1.trim()).ok_or_else(|| odd(at, "is no weight"))?,
                None => 1,
            };
            let label = cells[target].1.trim() == class;
            self.add_weighted(&point, label, weight.map(|weight| (weight, votes)), number)?;
        }
        Ok(())
    }

    fn read_pla<'a>(
        &mut self,
        lines: impl Iterator<Item = (usize, &'a str)>,
        certificate: &Certificate,
        output: usize,
    ) -> Result<(), Refusal> {
        let mut names: Vec<String> = (1..=self.inputs).map(|i| format!("x{i}")).collect();
        let mut target = "y".to_owned();
        let mut typed = false;
        let mut point = vec![0u64; self.words()];
        for (number, line) in lines {
            let fault =
                |column: usize, why: &str| Refusal::Rows(Fault { line: number, column, why: why.to_owned() });
            let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
            let keyword = words.clone().next().unwrap_or_default();
            if !keyword.starts_with('.') {
                if !keyword.is_empty() {
                    if !typed {
                        return Err(fault(1, "a row before `.type fr`: only there do rows say 0"));
                    }
                    let label = self.pla_row(line, &mut point).map_err(|(column, why)| fault(column, why))?;
                    self.add(&point, label, 1);
                }
                continue;
            }
            words.next();
            let argument = words.clone().next().unwrap_or_default();
            match keyword {
                ".i" if argument != self.inputs.to_string() => {
                    return Ok(reject("rows", format!("they have {argument} inputs, not {}", self.inputs))?);
                }
                ".o" if argument != "1" => return Err(fault(1, "only one output can be the target")),
                ".type" if argument == "fr" => typed = true,
                ".type" => return Err(fault(1, "rows are labelled only in files of `.type fr`")),
                ".ilb" => names = words.map(str::to_owned).collect(),
                ".ob" => argument.clone_into(&mut target),
                ".phase" if argument != "1" => return Err(fault(1, "only positive phase is known")),
                ".i" | ".o" | ".p" | ".phase" => {}
                ".e" | ".end" => break,
                _ => return Err(fault(1, "this keyword is not known")),
            }
        }
        check_names(names.iter().map(String::as_str), &certificate.inputs)?;
        if target != target_of(certificate, output) {
            let why = format!("their target is {target:?}, not {:?}", target_of(certificate, output));
            return Ok(reject("rows", why)?);
        }
        Ok(())
    }

    /// One character for each input, then one for the output; space and `|` may stand between them.
    fn pla_row(&self, line: &str, point: &mut [u64]) -> Result<bool, (usize, &'static str)> {
        point.fill(0);
        let mut label = None;
        let mut read = 0;
        for (at, symbol) in line.bytes().enumerate() {
            let value = match symbol {
                b'0' => false,
                b'1' => true,
                b' ' | b'\t' | b'|' => continue,
                b'#' => break,
                _ => return Err((at + 1, "a row of labelled points has only 0 and 1")),
            };
            if read < self.inputs {
                set(point, read, value);
            } else if label.replace(value).is_some() {
                return Err((at + 1, "the row goes on after its output"));
            }
            read += 1;
        }
        label.ok_or((line.len() + 1, "the row ends before its output"))
    }

    fn words(&self) -> usize {
        self.inputs.div_ceil(64)
    }

    /// Number of distinct rows.
    pub(crate) fn len(&self) -> usize {
        self.votes.len()
    }

    /// The bits of a distinct row.
    pub(crate) fn point(&self, row: usize) -> &[u64] {
        self.points.chunks_exact(self.words()).nth(row).unwrap_or_default()
    }

    /// A row on line `number` with its weight in millionths, where it has one.
    fn add_weighted(
        &mut self,
        point: &[u64],
        label: bool,
        weight: Option<(&Weight, u64)>,
        number: usize,
    ) -> Result<(), Refusal> {
        let fault = |why: &str| Refusal::Rows(Fault { line: number, column: 1, why: why.to_owned() });
        let good = match weight {
            None => self.add(point, label, 1),
            Some((_, 0)) => true,
            Some((Weight { repeats: false, .. }, votes)) => self.add(point, label, votes),
            Some((_, votes)) => {
                // The learner repeats rows only while they stay few.
                let times = votes / UNIT;
                if votes % UNIT != 0 || times > MOST_REPEATED {
                    return Err(fault("this weight is no small number of rows"));
                }
                (0..times).all(|_| self.add(point, label, 1))
            }
        };
        if good { Ok(()) } else { Err(fault("the weights up to here add up to too much")) }
    }

    /// Whether all votes together can be counted.
    fn add(&mut self, point: &[u64], label: bool, votes: u64) -> bool {
        self.total += 1;
        if !self.kept.contains(&(self.total - 1)) {
            return true;
        }
        let hash = (0..self.inputs)
            .zip(&self.index.random)
            .filter(|&(i, _)| bit(point, i))
            .fold(0, |h, (_, r)| h ^ r);
        let found = self.find(hash, point, None);
        let row = found.unwrap_or_else(|| {
            self.points.extend(point);
            self.votes.push([0, 0]);
            self.counts.push([0, 0]);
            let row = self.votes.len() - 1;
            self.index.hashes.push(hash);
            self.index.next.push(self.index.first.insert(hash, row));
            row
        });
        self.sum = self.sum.saturating_add(votes);
        for (sums, more) in [(&mut self.votes, votes), (&mut self.counts, 1)] {
            if let Some([zeros, ones]) = sums.get_mut(row).filter(|_| self.sum <= MOST) {
                *if label { ones } else { zeros } += more;
            }
        }
        self.sum <= MOST
    }

    /// The row equal to `point` with input `flip` inverted.
    fn find(&self, hash: u64, point: &[u64], flip: Option<usize>) -> Option<usize> {
        let mut candidate = self.index.first.get(&hash).copied();
        while let Some(row) = candidate {
            let same = |(w, (a, b)): (usize, (&u64, &u64))| {
                let mask = flip.filter(|i| i / 64 == w).map_or(0, |i| 1u64 << (i % 64));
                *a == *b ^ mask
            };
            if self.point(row).iter().zip(point).enumerate().all(same) {
                return Some(row);
            }
            candidate = self.index.next.get(row).copied().flatten();
        }
        None
    }

    /// The pairs of an input: rows with 0 there, and the same rows with 1, both of which have a majority of labels.
    pub(crate) fn pairs(&self, input: usize) -> Vec<(usize, usize)> {
        let random = self.index.random.get(input).copied().unwrap_or_default();
        let mut pairs = Vec::new();
        let points = self.points.chunks_exact(self.words());
        for (row, (point, hash)) in points.zip(&self.index.hashes).enumerate() {
            if bit(point, input) || self.label(row).is_none() {
                continue;
            }
            let other = self.find(hash ^ random, point, Some(input));
            if let Some(other) = other.filter(|&other| self.label(other).is_some()) {
                pairs.push((row, other));
            }
        }
        pairs
    }

    /// The label of a row: the only one, or that of most votes.
    pub(crate) fn label(&self, row: usize) -> Option<bool> {
        let [zeros, ones] = match self.counts.get(row)? {
            // A label that is alone needs no vote.
            [zeros, ones] if *zeros > 0 && *ones > 0 => *self.votes.get(row)?,
            counts => *counts,
        };
        if zeros == ones { None } else { Some(ones > zeros) }
    }
}

/// Bit `i` of a row.
pub(crate) fn bit(point: &[u64], i: usize) -> bool {
    point.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
}

/// Sets bit `i` of an empty row.
pub(crate) fn set(point: &mut [u64], i: usize, value: bool) {
    if let Some(word) = point.get_mut(i / 64) {
        *word |= u64::from(value) << (i % 64);
    }
}

fn check_names<'a>(found: impl Iterator<Item = &'a str>, wanted: &[String]) -> Result<(), Rejection> {
    if found.eq(wanted.iter().map(String::as_str)) {
        return Ok(());
    }
    reject("rows", "their inputs are not the certificate's, name by name and in its order")
}

/// What the rows call an output.
fn target_of(certificate: &Certificate, output: usize) -> &str {
    certificate.outputs.get(output).map_or("", |output| &output.name)
}
