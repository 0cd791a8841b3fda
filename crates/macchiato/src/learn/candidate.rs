//! A circuit that some search found, and what it is worth.

use super::gates::Gates;
use super::made::Made;
use super::score;
use crate::circuit::{Circuit, Source};
use crate::rows::Rows;
use crate::staged::Staged;

/// A kind of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Always the more frequent label.
    Constant,
    /// Carries, comparisons, priorities.
    Chain,
    /// How many of some literals hold.
    Count,
    /// Whole weights.
    Points,
    /// Decision graphs.
    Graph,
    /// At least half of some graphs.
    Vote,
    /// Points for conditions.
    Scorecard,
    /// Boosted rules of a few conditions.
    Rules,
    /// A decision tree, as a sum of products.
    Tree,
    /// Stages by evidence: linear inputs and tables.
    Tables,
    /// Sums of products over many inputs, alone, behind linear inputs or behind tables.
    Terms,
}

impl Family {
    /// Its name, as a person reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Chain => "chain",
            Self::Count => "count",
            Self::Points => "points",
            Self::Graph => "graph",
            Self::Vote => "vote of graphs",
            Self::Scorecard => "scorecard",
            Self::Rules => "rules",
            Self::Tree => "tree",
            Self::Tables => "tables",
            Self::Terms => "sum of products",
        }
    }
}

impl Family {
    /// What its search looks for.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Constant => "the more frequent label",
            Self::Chain => "carries and comparisons",
            Self::Count | Self::Points => "counts and points",
            Self::Graph | Self::Vote => "decision graphs",
            Self::Scorecard => "scorecards",
            Self::Rules => "rules that vote",
            Self::Tree => "trees",
            Self::Tables => "tables",
            Self::Terms => "sums of products",
        }
    }
}

/// How a circuit was found, so that the same can be done on other rows: a search and one of its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe {
    /// The search.
    pub family: Family,
    /// Which of its sizes; 0 where there is one.
    pub size: usize,
}

/// The size of a graph's recipe that says a whole graph of the first round; the next rounds follow.
pub(super) const WHOLE_GRAPH: usize = 1000;

/// The same for a graph that compares words to their last bits.
pub(super) const WHOLE_WORDS: usize = 2000;

/// The size of a rules' recipe that says that the cards of several decks are added up.
pub(super) const ADDED: usize = 100_000;

impl std::fmt::Display for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.size;
        match self.family {
            Family::Points => write!(f, "points up to {size}"),
            Family::Graph if size < WHOLE_GRAPH => write!(f, "graph of {size} nodes"),
            Family::Graph if size >= WHOLE_WORDS => {
                write!(f, "graph of whole words, round {}", size - WHOLE_WORDS + 1)
            }
            Family::Graph if size > WHOLE_GRAPH => write!(f, "graph, round {}", size - WHOLE_GRAPH + 1),
            Family::Vote => write!(f, "vote of {size} graphs"),
            Family::Scorecard => write!(f, "scorecard of {size}"),
            Family::Rules if size > ADDED => write!(f, "rules of several decks, {} each", size - ADDED),
            Family::Rules => write!(f, "{} rules of {} conditions", size % 1000, size / 1000),
            Family::Tables if size > 1 => f.write_str("count"),
            Family::Tree => write!(f, "tree {size}"),
            Family::Terms => write!(f, "sum of products {size}"),
            _ => f.write_str(self.family.name()),
        }
    }
}

/// A circuit with its score.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// How it was found.
    pub recipe: Recipe,
    /// The circuit, with one output.
    pub circuit: Circuit,
    /// ln P(labels | its answers) on the rows that it was learned from.
    pub evidence: f64,
    /// Nats that describe it.
    pub description: f64,
    /// Its training rows are all right.
    pub(super) exact: bool,
    /// The stages whose XOR it is, where it has such.
    pub(super) made: Option<Made>,
}

impl Candidate {
    /// A circuit in its shortest form, scored on rows.
    #[must_use]
    pub fn new(family: Family, size: usize, circuit: &Circuit, rows: &Rows) -> Self {
        Self::scored(Recipe { family, size }, circuit.simplified(), None, rows)
    }

    /// Stages, whose circuit is the shortest that these gates have.
    pub(super) fn of_stages(family: Family, size: usize, made: Made, rows: &Rows, gates: Gates) -> Self {
        let (inputs, target) = (rows.names().to_vec(), rows.target().to_owned());
        let circuit = gates.shortest(&Staged { inputs, target, stages: made.stages.clone() }.plain());
        Self::scored(Recipe { family, size }, circuit, Some(made), rows)
    }

    fn scored(recipe: Recipe, circuit: Circuit, made: Option<Made>, rows: &Rows) -> Self {
        let confusion = score::confusion(&score::answers(&circuit, rows), rows.labels(), rows.len());
        let description = score::description(&circuit);
        let exact = confusion[0][1] == 0 && confusion[1][0] == 0;
        Self { recipe, circuit, evidence: score::of_confusion(confusion), description, exact, made }
    }

    /// The same circuit, described as it was, with the evidence of other rows.
    pub(super) fn on(self, rows: &Rows) -> Self {
        let confusion = score::confusion(&score::answers(&self.circuit, rows), rows.labels(), rows.len());
        let exact = confusion[0][1] == 0 && confusion[1][0] == 0;
        Self { evidence: score::of_confusion(confusion), exact, ..self }
    }

    /// The same with another description, where that is shorter.
    pub(super) fn described(self, nats: f64) -> Self {
        Self { description: self.description.min(nats), ..self }
    }

    /// What it is worth in nats.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.evidence - self.description
    }

    /// Conditions that a person reads: literals on inputs.
    #[must_use]
    pub fn conditions(&self) -> usize {
        conditions(&self.circuit)
    }
}

/// Literals on inputs, an output that is an input among them.
#[must_use]
pub fn conditions(circuit: &Circuit) -> usize {
    let literals = circuit.gates().iter().flat_map(|gate| &gate.literals);
    let outputs = circuit.outputs().iter().map(|output| &output.literal);
    literals.chain(outputs).filter(|literal| matches!(literal.source, Source::Input(_))).count()
}

/// Of each recipe the candidate that is worth most, the first of equals, in order of recipes.
pub(super) fn best_of_each(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut best: std::collections::BTreeMap<Recipe, Candidate> = std::collections::BTreeMap::new();
    for candidate in candidates {
        match best.get(&candidate.recipe) {
            Some(known) if known.score() >= candidate.score() => {}
            _ => {
                best.insert(candidate.recipe, candidate);
            }
        }
    }
    best.into_values().collect()
}
