//! What a minimization is asked for and what it answers: options, result, notes, errors.

use crate::budget::Budget;
use crate::cover::Cover;

/// Which algorithm minimizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Engine {
    /// The one that fits the input.
    #[default]
    Auto,
    /// All primes, then a cover: up to 16 inputs.
    Primes,
    /// Expand against OFF rows, cover the ON rows: any width.
    Rows,
    /// The Espresso loop on covers: several outputs, any PLA type.
    Espresso,
}

impl Engine {
    /// The name that the command and the JSON use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Primes => "primes",
            Self::Rows => "rows",
            Self::Espresso => "espresso",
        }
    }
}

/// How to minimize. `Options::default()` suits everyone: no limit, seed 0, the engine that fits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The algorithm.
    pub engine: Engine,
    /// Branch and bound until the minimum is proven or the budget is spent.
    pub exact: bool,
    /// How long the Espresso engine goes on improving, from 1 to 9. At 1 it runs the Berkeley loop once, as Espresso itself
    /// does, and bounds the terms by the essential primes alone; 5 is the default; 9 is for those who can wait. The other
    /// engines do the same at every effort.
    pub effort: u8,
    /// Seed of every random choice: restarts, tie-breaks.
    pub seed: u64,
    /// Deadline, cancel flag, observer.
    pub budget: Budget,
    /// Most primes the primes engine enumerates before another engine takes over.
    pub prime_cap: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::Auto,
            exact: false,
            effort: 5,
            seed: 0,
            budget: Budget::unlimited(),
            prime_cap: 400_000,
        }
    }
}

/// Something about a run that its user should know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// There were more primes than [`Options::prime_cap`].
    #[error("more than {cap} primes: the {fallback} engine took over", fallback = .fallback.name())]
    PrimeCap {
        /// The cap.
        cap: usize,
        /// The engine that minimized instead.
        fallback: Engine,
    },
    /// The complement grew past its cap, so cubes were expanded by tautology checks.
    #[error("the complement has more than {cap} cubes: expanded by tautology checks instead")]
    ComplementCap {
        /// The cap.
        cap: usize,
    },
    /// A PLA file names fewer inputs or outputs than it has; the rest have made-up names.
    #[error("`{keyword}` has {found} names where there are {expected} to be named: the rest are made up")]
    MadeUpNames {
        /// `.ilb` or `.ob`.
        keyword: &'static str,
        /// Names in the file.
        found: usize,
        /// Inputs or outputs.
        expected: usize,
    },
    /// Exact minimization was asked for, but the primes were too many to prove anything.
    #[error("too many primes for an exact proof: this is the best cover found")]
    NotExact,
}

/// A verified cover and what is known about it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Minimized {
    /// 1 on every ON point, 0 on every OFF point: verified.
    pub cover: Cover,
    /// No cover has fewer terms than this: proven.
    pub lower_bound: usize,
    /// The engine that found the cover.
    pub engine: Engine,
    /// The budget was spent first: valid, but more time might have found a smaller cover.
    pub interrupted: bool,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl Minimized {
    /// Whether no cover with fewer terms exists.
    #[must_use]
    pub fn proven_optimal(&self) -> bool {
        self.lower_bound == self.cover.terms()
    }
}

/// Why there is no cover.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MinimizeError {
    /// A table of more than 16 inputs.
    #[error("a table of {inputs} inputs: at most {max} fit, give rows instead")]
    TooManyInputs {
        /// Inputs asked for.
        inputs: usize,
        /// The most that fit.
        max: usize,
    },
    /// Columns, labels or cells that do not have the lengths they should.
    #[error("{what}: {found} where {expected} were expected")]
    Length {
        /// Which part.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// A point that is ON and OFF at once.
    #[error("ON row {on} and OFF row {off} contradict each other{output}", output = .output.map_or(String::new(), |o| format!(" for output {o}")))]
    Contradiction {
        /// Index of the ON row (or cell).
        on: usize,
        /// Index of the OFF row (or cell).
        off: usize,
        /// The output, where there are several.
        output: Option<usize>,
    },
    /// The engine cannot take this kind of input.
    #[error("the {engine} engine cannot take this: {why}", engine = .engine.name())]
    EngineDoesNotFit {
        /// The engine asked for.
        engine: Engine,
        /// The reason and the remedy.
        why: &'static str,
    },
    /// A cover failed its verification: a defect of this crate, never of the input.
    #[error("internal: the {engine} engine's cover failed verification; please report this input", engine = .engine.name())]
    Unverified {
        /// The engine whose cover failed.
        engine: Engine,
    },
    /// A factored form failed its verification: a defect of this crate, never of the input.
    #[error("internal: the factored form failed verification; please report this input")]
    UnverifiedFactors,
}
