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
            Self::Graph => "decision graphs",
            Self::Scorecard => "scorecards",
            Self::Rules => "rules that vote",
            Self::Tree => "trees",
            Self::Tables => "tables",
            Self::Terms => "sums of products",
        }
    }
}

/// How a circuit was found, so that the same can be done on other rows: a search, one of its forms and one of its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe {
    /// The search.
    pub family: Family,
    /// Which of its forms.
    pub form: Form,
    /// Which of the form's sizes; 0 where there is one.
    pub size: usize,
}

/// What circuits of one search differ in besides their size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The only form, or a graph cut off at so many nodes.
    Plain,
    /// Rules of at most so many conditions.
    Short(usize),
    /// A whole graph; its size is the round.
    Whole,
    /// A whole graph that compares words to their last bits; its size is the round.
    WholeWords,
    /// Rules of several decks, their points added up; its size is that of each deck.
    Added,
}

impl Recipe {
    /// That of the only form.
    #[must_use]
    pub const fn new(family: Family, size: usize) -> Self {
        Self { family, form: Form::Plain, size }
    }
}

impl std::fmt::Display for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.size;
        match (self.family, self.form) {
            (Family::Points, _) => write!(f, "points up to {size}"),
            (_, Form::Whole) => write!(f, "graph, round {}", size + 1),
            (_, Form::WholeWords) => write!(f, "graph of whole words, round {}", size + 1),
            (Family::Graph, _) => write!(f, "graph of {size} nodes"),
            (Family::Scorecard, _) => write!(f, "scorecard of {size}"),
            (_, Form::Added) => write!(f, "rules of several decks, {size} each"),
            (_, Form::Short(conditions)) => write!(f, "{size} rules of {conditions} conditions"),
            (Family::Tables, _) if size > 1 => f.write_str("count"),
            (Family::Tree, _) => write!(f, "tree {size}"),
            (Family::Terms, _) => write!(f, "sum of products {size}"),
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
    /// Training rows that it is wrong on.
    pub(super) errors: usize,
    /// The stages whose XOR it is, where it has such.
    pub(super) made: Option<Made>,
}

impl Candidate {
    /// A circuit in its shortest form, scored on rows.
    #[must_use]
    pub fn new(recipe: Recipe, circuit: &Circuit, rows: &Rows) -> Self {
        Self::scored(recipe, circuit.simplified(), None, rows)
    }

    /// Stages, whose circuit is the shortest that these gates have.
    pub(super) fn of_stages(recipe: Recipe, made: Made, rows: &Rows, gates: Gates) -> Self {
        let (inputs, target) = (rows.names().to_vec(), rows.target().to_owned());
        let circuit = gates.shortest(&Staged { inputs, target, stages: made.stages.clone() }.plain());
        Self::scored(recipe, circuit, Some(made), rows)
    }

    fn scored(recipe: Recipe, circuit: Circuit, made: Option<Made>, rows: &Rows) -> Self {
        let confusion = score::confusion(&score::answers(&circuit, rows), rows.labels(), rows.len());
        let description = score::description(&circuit);
        let evidence = score::of_confusion(confusion);
        Self { recipe, circuit, evidence, description, errors: errors(confusion), made }
    }

    /// The same circuit, described as it was, with the evidence of other rows.
    pub(super) fn on(self, rows: &Rows) -> Self {
        let confusion = score::confusion(&score::answers(&self.circuit, rows), rows.labels(), rows.len());
        Self { evidence: score::of_confusion(confusion), errors: errors(confusion), ..self }
    }

    /// The same with another description, where that is shorter.
    pub(super) fn described(self, nats: f64) -> Self {
        Self { description: self.description.min(nats), ..self }
    }

    /// Its training rows are all right.
    pub(super) const fn exact(&self) -> bool {
        self.errors == 0
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

const fn errors(confusion: [[u32; 2]; 2]) -> usize {
    (confusion[0][1] + confusion[1][0]) as usize
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
