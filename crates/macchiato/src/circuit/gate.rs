//! A gate: what it counts, which counts it answers with 1, and what people call it.

use std::fmt;

/// A gate: what it counts, and which counts it answers with 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// For which counts it holds.
    pub rule: Rule,
    /// What it counts.
    pub literals: Vec<Literal>,
    /// What it is for people.
    pub role: Role,
}

/// For which counts a gate holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// All literals hold.
    And,
    /// Some literal holds.
    Or,
    /// An odd number of literals holds; they have one point each.
    Xor,
    /// The count is at least this.
    AtLeast(u64),
    /// The count lies in one of these ranges, first and last included, which ascend and leave gaps.
    Counts(Vec<(u64, u64)>),
    /// The gate's value is the count itself. Only an output may be such a gate.
    Sum,
}

/// An input or an earlier gate, positive or negated, with its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// What it reads.
    pub source: Source,
    /// Whether it holds where the source is 1.
    pub positive: bool,
    /// Points, from 1 to [`Literal::MOST`].
    pub weight: u32,
}

/// An input or a gate, by its number from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// An input.
    Input(usize),
    /// A gate.
    Gate(usize),
}

/// What a gate is for people; it changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Role {
    /// Nothing of its own.
    #[default]
    None,
    /// A stage of the paper's circuit, by its number from 1.
    Stage(usize),
    /// A term of a stage, both from 1.
    Term {
        /// The stage.
        stage: usize,
        /// The term.
        term: usize,
    },
    /// The gate of an output, by its number from 0.
    Output(usize),
    /// A word, such as `carry` or `score`.
    Named(String),
}

impl Gate {
    /// A gate without a role.
    #[must_use]
    pub const fn new(rule: Rule, literals: Vec<Literal>) -> Self {
        Self { rule, literals, role: Role::None }
    }

    /// The same gate in a role.
    #[must_use]
    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Whether its literals have other points than one each.
    #[must_use]
    pub fn has_points(&self) -> bool {
        self.literals.iter().any(|literal| literal.weight != 1)
    }

    /// What people call the gate, where that is a word.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.role {
            Role::Named(name) => Some(name),
            _ => None,
        }
    }

    /// The largest count: all points together.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.literals.iter().map(|literal| u64::from(literal.weight)).sum()
    }
}

impl Rule {
    /// The gate's value at a count, where all points together are `most`.
    #[must_use]
    pub fn value(&self, count: u64, most: u64) -> u64 {
        u64::from(match self {
            Self::And => count == most,
            Self::Or => count >= 1,
            Self::Xor => count % 2 == 1,
            Self::AtLeast(least) => count >= *least,
            Self::Counts(ranges) => ranges.iter().any(|&(from, to)| (from..=to).contains(&count)),
            Self::Sum => return count,
        })
    }
}

impl Literal {
    /// The most points.
    pub const MOST: u32 = 1000;

    /// An input, positive, for one point.
    #[must_use]
    pub const fn input(input: usize) -> Self {
        Self { source: Source::Input(input), positive: true, weight: 1 }
    }

    /// A gate, positive, for one point.
    #[must_use]
    pub const fn gate(gate: usize) -> Self {
        Self { source: Source::Gate(gate), positive: true, weight: 1 }
    }

    /// The same for so many points.
    #[must_use]
    pub const fn times(self, weight: u32) -> Self {
        Self { weight, ..self }
    }

    /// The same where `positive`, else its negation.
    #[must_use]
    pub const fn signed(self, positive: bool) -> Self {
        Self { positive: self.positive == positive, ..self }
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.signed(false)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(input) => write!(f, "input {input}"),
            Self::Gate(gate) => write!(f, "gate {gate}"),
        }
    }
}
