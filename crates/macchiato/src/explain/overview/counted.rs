//! Exact counts of a circuit: where it and its stages are 1, and where each feature changes its answer.
//!
//! One decision diagram of the whole circuit gives all of it. Where that grows too large, each stage, if there are any, is counted by itself, and a
//! feature by the stages that read it, since the others do not change with it. What is still too large has bounds: a sum
//! of products holds on no more points than its terms together, and an exclusive or on no more than its parts together.

use num_bigint::BigUint;

use crate::explain::diagram::{Diagram, Node};
use crate::explain::logic::{Boxes, Formulas, Logic, Stopped};
use crate::explain::space::Space;
use crate::explain::subject::Part;
use crate::explain::{Count, ExplainOptions};
use crate::minimize::Budget;

/// Diagrams that may fail, in nodes of one, before nothing more is counted.
const FAILURES: usize = 2;

/// The counts.
pub(super) struct Counted {
    pub(super) ones: Count,
    pub(super) stages: Vec<Count>,
    /// Of each feature of the space.
    pub(super) influences: Vec<Count>,
    /// The features that each stage reads, in increasing order.
    reads: Vec<Vec<usize>>,
}

impl Counted {
    pub(super) fn new(space: &Space, part: &Part<'_>, options: &ExplainOptions, budget: &Budget) -> Self {
        let counter = Counter::new(space, part, options, budget);
        let reads = counter.reads.clone();
        if let Ok((ones, stages, influences)) = counter.whole() {
            let exact = |number: BigUint| Count::exactly(number, counter.total.clone());
            return Self {
                ones: exact(ones),
                stages: stages.into_iter().map(exact).collect(),
                influences: influences.into_iter().map(exact).collect(),
                reads,
            };
        }
        let (ones, stages, influences) = counter.in_parts();
        Self { ones, stages, influences, reads }
    }

    /// The stages that read a feature.
    pub(super) fn readers(&self, feature: usize) -> Vec<usize> {
        (0..self.reads.len()).filter(|&stage| self.reads[stage].binary_search(&feature).is_ok()).collect()
    }

    /// The features that a stage reads.
    pub(super) fn features_of(&self, stage: usize) -> &[usize] {
        &self.reads[stage]
    }
}

struct Counter<'a> {
    space: &'a Space,
    part: &'a Part<'a>,
    options: &'a ExplainOptions,
    budget: &'a Budget,
    total: BigUint,
    /// For each stage its terms as what they ask of the features; impossible ones are left out.
    terms: Vec<Vec<Boxes>>,
    reads: Vec<Vec<usize>>,
}

impl<'a> Counter<'a> {
    fn new(space: &'a Space, part: &'a Part<'a>, options: &'a ExplainOptions, budget: &'a Budget) -> Self {
        let formulas = Formulas { space, subject: 0 };
        let terms: Vec<Vec<_>> = part
            .stages
            .iter()
            .map(|stage| stage.terms().filter_map(|term| formulas.asked(&term)).collect())
            .collect();
        let features = |terms: &Vec<Boxes>| {
            let mut features: Vec<usize> = terms.iter().flatten().map(|(feature, _)| *feature).collect();
            features.sort_unstable();
            features.dedup();
            features
        };
        let reads = terms.iter().map(features).collect();
        Self { space, part, options, budget, total: space.points(), terms, reads }
    }

    /// The formulas of some stages in a diagram of the features that they read, and how many points each of those stands for.
    fn diagram(&self, stages: &[usize]) -> (Diagram<'a>, BigUint) {
        let inputs = stages.iter().flat_map(|&stage| self.part.stages[stage].inputs.iter().copied());
        let mut order = self.space.order([(0, inputs.collect())]);
        order.retain(|feature| stages.iter().any(|&stage| self.reads[stage].binary_search(feature).is_ok()));
        self.over(&order)
    }

    /// A diagram of these features.
    fn over(&self, order: &[usize]) -> (Diagram<'a>, BigUint) {
        let inside: BigUint = order.iter().map(|&f| BigUint::from(self.space.features[f].values)).product();
        let diagram = Diagram::new(self.space, order, self.options.nodes, self.budget);
        (diagram, &self.total / inside)
    }

    fn stage(&self, diagram: &mut Diagram<'_>, stage: usize) -> Result<Node, Stopped> {
        let formulas = Formulas { space: self.space, subject: 0 };
        Ok(formulas.stage(diagram, &self.part.stages[stage])?.1)
    }

    /// Everything from one diagram.
    #[allow(clippy::type_complexity)] // The three fields of `Counted`.
    fn whole(&self) -> Result<(BigUint, Vec<BigUint>, Vec<BigUint>), Stopped> {
        let all: Vec<usize> = (0..self.terms.len()).collect();
        let (mut diagram, each) = if all.is_empty() {
            self.over(&self.space.order([(0, self.part.reads())]))
        } else {
            self.diagram(&all)
        };
        let mut answer = diagram.constant(false);
        let mut stages = Vec::new();
        if all.is_empty() {
            let formulas = Formulas { space: self.space, subject: 0 };
            answer = formulas.circuit(&mut diagram, &self.part.circuit)?.answer;
        }
        for stage in all {
            let sum = self.stage(&mut diagram, stage)?;
            stages.push(diagram.count(sum) * &each);
            answer = diagram.xor(answer, sum)?;
        }
        let mut influences = Vec::new();
        for feature in 0..self.space.features.len() {
            let changes = diagram.sensitive(answer, feature)?;
            influences.push(diagram.count(changes) * &each);
        }
        Ok((diagram.count(answer) * &each, stages, influences))
    }

    /// Everything by parts, and bounds where a part is too large.
    fn in_parts(&self) -> (Count, Vec<Count>, Vec<Count>) {
        if self.terms.is_empty() {
            let unknown = self.count(BigUint::default(), self.total.clone());
            return (unknown.clone(), Vec::new(), vec![unknown; self.space.features.len()]);
        }
        let mut room = FAILURES.saturating_mul(self.options.nodes);
        let mut stages = Vec::new();
        // For each stage what each of its features changes in it.
        let mut changes: Vec<Vec<Count>> = Vec::new();
        for stage in 0..self.terms.len() {
            let counted = self.try_stage(stage, &mut room);
            let (coverage, sensitive) = counted.unwrap_or_else(|Stopped| self.stage_bounds(stage));
            stages.push(coverage);
            changes.push(sensitive);
        }
        let ones = self.either(&stages.iter().collect::<Vec<_>>());
        let influence = |feature: usize| {
            let place = |stage: usize| self.reads[stage].binary_search(&feature).ok().map(|at| (stage, at));
            let readers: Vec<(usize, usize)> = (0..self.terms.len()).filter_map(place).collect();
            let parts: Vec<&Count> = readers.iter().map(|&(stage, at)| &changes[stage][at]).collect();
            let bounds = self.either(&parts);
            if bounds.exact().is_some() {
                return bounds;
            }
            let readers: Vec<usize> = readers.iter().map(|&(stage, _)| stage).collect();
            match self.try_feature(&readers, feature, &mut room) {
                Ok(number) => Count::exactly(number, self.total.clone()),
                Err(Stopped) => bounds,
            }
        };
        let influences = (0..self.space.features.len()).map(influence).collect();
        (ones, stages, influences)
    }

    fn try_stage(&self, stage: usize, room: &mut usize) -> Result<(Count, Vec<Count>), Stopped> {
        let (mut diagram, each) = self.diagram(&[stage]);
        let mut counts = || {
            let sum = self.stage(&mut diagram, stage)?;
            let exact = |number: BigUint| Count::exactly(number * &each, self.total.clone());
            let coverage = exact(diagram.count(sum));
            let mut sensitive = Vec::new();
            for &feature in &self.reads[stage] {
                let changes = diagram.sensitive(sum, feature)?;
                sensitive.push(exact(diagram.count(changes)));
            }
            Ok((coverage, sensitive))
        };
        let result = if *room == 0 { Err(Stopped) } else { counts() };
        spend(room, &result, &diagram);
        result
    }

    fn try_feature(&self, readers: &[usize], feature: usize, room: &mut usize) -> Result<BigUint, Stopped> {
        if *room == 0 {
            return Err(Stopped);
        }
        let (mut diagram, each) = self.diagram(readers);
        let mut count = || {
            let mut changed = diagram.constant(false);
            for &stage in readers {
                let sum = self.stage(&mut diagram, stage)?;
                changed = diagram.xor(changed, sum)?;
            }
            let changes = diagram.sensitive(changed, feature)?;
            Ok(diagram.count(changes) * &each)
        };
        let result = count();
        spend(room, &result, &diagram);
        result
    }

    /// Points that a product holds on, whatever one of the features is.
    fn term_size(&self, term: &[(usize, Vec<bool>)], but: Option<usize>) -> BigUint {
        let mut size = self.total.clone();
        for (feature, values) in term.iter().filter(|(feature, _)| Some(*feature) != but) {
            let held = values.iter().filter(|&&value| value).count();
            size = size / self.space.features[*feature].values * held;
        }
        size
    }

    /// No fewer points than the largest term has, and no more than all together.
    fn stage_bounds(&self, stage: usize) -> (Count, Vec<Count>) {
        let terms = &self.terms[stage];
        let sizes = terms.iter().map(|term| self.term_size(term, None));
        let at_least = sizes.clone().max().unwrap_or_default();
        let coverage = self.count(at_least, sizes.sum());
        let sensitive = |&feature: &usize| {
            let with = terms.iter().filter(|term| term.iter().any(|(other, _)| *other == feature));
            self.count(BigUint::default(), with.map(|term| self.term_size(term, Some(feature))).sum())
        };
        (coverage, self.reads[stage].iter().map(sensitive).collect())
    }

    /// Where an odd number of these hold: no more points than all together, no fewer than one has that the others do not reach.
    fn either(&self, parts: &[&Count]) -> Count {
        let at_most: BigUint = parts.iter().map(|part| &part.at_most).sum();
        let alone = |part: &&&Count| {
            let others = &at_most - &part.at_most;
            if part.at_least > others { &part.at_least - others } else { BigUint::default() }
        };
        let at_least = parts.iter().map(|part| alone(&part)).max().unwrap_or_default();
        self.count(at_least, at_most)
    }

    fn count(&self, at_least: BigUint, at_most: BigUint) -> Count {
        Count { at_least, at_most: at_most.min(self.total.clone()), of: self.total.clone() }
    }
}

/// Diagrams that failed, and only those, use up the room.
fn spend<T>(room: &mut usize, result: &Result<T, Stopped>, diagram: &Diagram<'_>) {
    if result.is_err() {
        *room = room.saturating_sub(diagram.size().max(1));
    }
}
