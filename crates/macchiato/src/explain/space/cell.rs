//! What a column can hold, as far as tests can tell: truth values, stretches of numbers, levels, a gap.

use std::collections::HashSet;

use crate::binarize::{Column, Test};
use crate::frame::Kind;

/// Cells that no test tells apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Boolean(bool),
    Number(Span),
    Level(String),
    /// A level that no training row has, or a rare one.
    Unseen,
    Missing,
}

/// The numbers between two bounds, which are among them or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) low: Option<(f64, bool)>,
    pub(super) high: Option<(f64, bool)>,
}

impl Span {
    /// Whether a whole number is between the bounds.
    fn has_whole(self) -> bool {
        let (Some((low, low_in)), Some((high, high_in))) = (self.low, self.high) else { return true };
        let first = if low_in { low.ceil() } else { low.floor() + 1.0 };
        first < high || high_in && first <= high
    }

    /// Whether any double is between the bounds.
    fn has_any(self) -> bool {
        match (self.low, self.high) {
            (Some((low, false)), Some((high, false))) => low.next_up() < high,
            _ => true,
        }
    }
}

impl Cell {
    /// Whether the cell passes a test; a level is another one if it is not among `levels`.
    #[allow(clippy::float_cmp)] // This very value.
    pub(super) fn passes(&self, test: &Test, levels: &HashSet<String>) -> bool {
        match (self, test) {
            (Self::Boolean(value), Test::True) => *value,
            (Self::Number(span), Test::Above(cut)) => {
                span.low.is_some_and(|(low, low_in)| low > *cut || low == *cut && !low_in)
            }
            (Self::Number(span), Test::Equals(value)) => {
                span.low == Some((*value + 0.0, true)) && span.high == span.low
            }
            (Self::Level(level), Test::Is(wanted)) => level == wanted,
            (Self::Level(level), Test::Other) => !levels.contains(level),
            (Self::Unseen, Test::Other) | (Self::Missing, Test::Missing) => true,
            _ => false,
        }
    }

    /// Takes in the cell after this one, if both are stretches of numbers.
    pub(super) fn join(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::Number(span), Self::Number(next)) => {
                span.high = next.high;
                true
            }
            _ => false,
        }
    }
}

/// What the training rows had in a column besides the levels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    gaps: bool,
    /// Rare levels.
    others: bool,
    /// Nothing but whole numbers: only those are asked for by themselves.
    whole: bool,
}

impl Seen {
    pub(super) fn of(column: &Column) -> Self {
        Self { gaps: column.gaps, ..Self::default() }
    }

    pub(super) fn add(&mut self, test: &Test) {
        self.others |= *test == Test::Other;
        self.whole |= matches!(test, Test::Equals(_));
    }
}

/// What the tests of a column speak of.
#[derive(Debug)]
pub(super) struct ColumnTests {
    kind: Kind,
    seen: Seen,
    /// Numbers at which some test changes, and whether they are asked for by themselves.
    numbers: Vec<(f64, bool)>,
    levels: Vec<String>,
    known: HashSet<String>,
}

impl ColumnTests {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, seen: Seen::default(), numbers: Vec::new(), levels: Vec::new(), known: HashSet::new() }
    }

    /// One more table's column, with what its rows had and these frequent levels.
    pub(super) fn add_column(&mut self, seen: Seen, levels: &[String]) {
        self.seen.gaps |= seen.gaps;
        self.seen.others |= seen.others;
        self.seen.whole |= seen.whole;
        for level in levels {
            self.level(level);
        }
    }

    /// One more test.
    pub(super) fn add(&mut self, test: &Test) {
        match test {
            // 0 and -0 are one number.
            Test::Above(cut) => self.numbers.push((*cut + 0.0, false)),
            Test::Equals(value) => self.numbers.push((*value + 0.0, true)),
            Test::Is(level) => self.level(level),
            Test::True | Test::Other | Test::Missing => {}
        }
    }

    fn level(&mut self, level: &str) {
        if self.known.insert(level.to_owned()) {
            self.levels.push(level.to_owned());
        }
    }

    /// All cells in order; `lenient` adds those that the training rows did not have.
    pub(super) fn list(&self, lenient: bool) -> Vec<Cell> {
        let mut cells = match self.kind {
            Kind::Boolean => vec![Cell::Boolean(false), Cell::Boolean(true)],
            Kind::Number => self.spans(lenient).into_iter().map(Cell::Number).collect(),
            Kind::Category => self.levels.iter().cloned().map(Cell::Level).collect(),
        };
        if self.kind == Kind::Category && (self.seen.others || lenient || cells.is_empty()) {
            cells.push(Cell::Unseen);
        }
        if self.seen.gaps || lenient {
            cells.push(Cell::Missing);
        }
        cells
    }

    /// The numbers that are asked for by themselves, and the stretches between them and the cuts.
    fn spans(&self, lenient: bool) -> Vec<Span> {
        let mut numbers = self.numbers.clone();
        // A number that is also a cut counts as the number.
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        numbers.dedup_by(|next, first| next.0.total_cmp(&first.0).is_eq());
        let mut spans = Vec::with_capacity(2 * numbers.len() + 1);
        let mut low = None;
        for &(number, alone) in &numbers {
            spans.push(Span { low, high: Some((number, !alone)) });
            if alone {
                spans.push(Span { low: Some((number, true)), high: Some((number, true)) });
            }
            low = Some((number, false));
        }
        spans.push(Span { low, high: None });
        let whole = self.seen.whole && !lenient;
        spans.retain(|span| if whole { span.has_whole() } else { span.has_any() });
        spans
    }
}
