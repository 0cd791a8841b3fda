//! Every random stream of the library by name: no two uses of one seed ever draw the same numbers.
//!
//! A seed is a user's, or 0; a stream is a use. If two uses shared a stream, one would know what the other drew: rows that are
//! held out must not be those that chose the cuts. So generators are made here alone, which a test makes sure of. Those of
//! the minimizer, which draw orders in which to try things, are its own: stream 0 and the first ones after it.
//!
//! A number, once given, stays: those of [`crate::generate`] are its specification, and any other one changes what is learned.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What random numbers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Stream {
    /// Which inputs a generated target reads.
    Coordinates = 0,
    /// The labels of a generated target.
    Labels = 1,
    /// Generated rows.
    TrainingRows = 2,
    /// Generated rows to test on.
    TestRows = 3,
    /// Which generated labels are flipped.
    Noise = 4,
    /// The inputs of a stage by the rule `random`.
    RandomSelection = 5,
    /// The rows that a search reads.
    Sampling = 6,
    /// The rows that judge candidates.
    HoldingOut = 7,
    /// The sets of inputs from which a search begins anew.
    Restarts = 8,
    /// The rows that a scout reads.
    Scouting = 9,
    /// The rows that choose cuts; their seed is 0.
    Cuts = 10,
    /// The rows of an elimination over GF(2).
    Parity = 11,
    /// The values from which tables of blocks are fitted.
    Blocks = 12,
    /// The inputs that a tree pairs.
    Pairing = 13,
    /// The rows that choose a rule's literals.
    Rules = 17,
    /// The rounding of gradients, and the inputs of a boosted tree.
    Boosting = 18,
    /// The points at which an explanation looks for a change; their seed is 0.
    Explaining = 19,
    /// The words of a hash of wide rows; their seed is 0.
    Hashing = 20,
    /// The points at which influences are measured.
    Measuring = 21,
    /// The seeds of graphs.
    Graphs = 22,
    /// The tests of a graph, by its own seed.
    Shaking = 23,
    /// The rows that the points of a scorecard are fitted to.
    Scores = 24,
    /// The seeds of the graphs of one lineage, by its own seed.
    Lineage = 25,
    /// The rows that circuits of any shape are learned from, where there are too many.
    Taught = 26,
    /// The seeds of decks of rules.
    Decks = 27,
    /// The rows that are drawn by their weight.
    Weighing = 28,
    /// The points whose labels are asked for: "ask!".
    Asking = 0x6173_6b21,
    /// The rows that bound the error: "hold".
    PuttingAside = 0x686f_6c64,
    /// The families of subsets of a decomposition: this stream and all after it.
    Decomposing = 1 << 32,
}

impl Stream {
    /// The generator of this use.
    pub(crate) fn of(self, seed: u64) -> ChaCha8Rng {
        self.nth(seed, 0)
    }

    /// The `index`-th generator of a use that has several: the last one.
    pub(crate) fn nth(self, seed: u64, index: u64) -> ChaCha8Rng {
        debug_assert!(index == 0 || self == Self::Decomposing, "{self:?} has one stream");
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(self as u64 + index);
        rng
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// All source files below `folder`.
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// Streams of the enum are distinct because its discriminants are; so it is enough that nobody else makes a generator.
    #[test]
    fn generators_are_made_here_alone() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(files.len() > 100);
        for file in files {
            let name = file.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
            // Tests draw what they like.
            let exempt = ["random.rs", "bounds/simulation.rs"].contains(&name.as_str())
                || name.ends_with("tests.rs")
                || name.contains("/tests/");
            let text = fs::read_to_string(&file).expect("a text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for made in ["seed_from_u64(", "set_stream(", "from_seed(", "from_rng("] {
                let uses = code
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"))
                    .any(|line| line.contains(made));
                assert!(exempt || !uses, "{name} calls {made}...): give the use a name in random.rs");
            }
        }
    }
}
