//! Gates as JSON: the form that they have in model files and in the export `json`, documented in `docs/model.md`.
//!
//! A literal names an input, or a gate by its number from 0; it is positive and has one point unless it says otherwise.

use super::fault::Fault;
use super::object::{Object, present};
use crate::circuit::{Gate, Literal, Role, Rule, Source};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A gate.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GateFile {
    rule: RuleName,
    /// Of `at least` alone.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    least: Option<u64>,
    /// Of `counts` alone: first and last of each range.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    counts: Option<Vec<(u64, u64)>>,
    literals: Vec<Object<LiteralFile>>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    role: Option<Object<RoleFile>>,
    /// Of models alone: training rows on which it holds.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) rows: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum RuleName {
    #[serde(rename = "and")]
    And,
    #[serde(rename = "or")]
    Or,
    #[serde(rename = "xor")]
    Xor,
    #[serde(rename = "at least")]
    AtLeast,
    #[serde(rename = "counts")]
    Counts,
    #[serde(rename = "sum")]
    Sum,
}

/// A literal: exactly one of `input` and `gate`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiteralFile {
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    input: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    gate: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    negated: bool,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    points: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleFile {
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    stage: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    term: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    output: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    name: Option<String>,
}

impl GateFile {
    pub(crate) fn new(gate: &Gate, inputs: &[String], rows: Option<usize>) -> Self {
        let (rule, least, counts) = match &gate.rule {
            Rule::And => (RuleName::And, None, None),
            Rule::Or => (RuleName::Or, None, None),
            Rule::Xor => (RuleName::Xor, None, None),
            Rule::Sum => (RuleName::Sum, None, None),
            Rule::AtLeast(least) => (RuleName::AtLeast, Some(*least), None),
            Rule::Counts(ranges) => (RuleName::Counts, None, Some(ranges.clone())),
        };
        let literals = gate.literals.iter().map(|literal| Object(LiteralFile::new(*literal, inputs)));
        Self { rule, least, counts, literals: literals.collect(), role: RoleFile::new(&gate.role), rows }
    }

    /// The gate; or the key inside it that is wrong, and why.
    pub(super) fn gate(&self, names: &HashMap<&str, usize>) -> Result<Gate, (String, Fault)> {
        for (key, given, rule) in [
            ("least", self.least.is_some(), RuleName::AtLeast),
            ("counts", self.counts.is_some(), RuleName::Counts),
        ] {
            if given != (self.rule == rule) {
                return Err((key.to_owned(), Fault::RuleKey { given }));
            }
        }
        let rule = match self.rule {
            RuleName::And => Rule::And,
            RuleName::Or => Rule::Or,
            RuleName::Xor => Rule::Xor,
            RuleName::Sum => return Err(("rule".to_owned(), Fault::Sum)),
            RuleName::AtLeast => Rule::AtLeast(self.least.unwrap_or_default()),
            RuleName::Counts => Rule::Counts(self.counts.clone().unwrap_or_default()),
        };
        let mut literals = Vec::with_capacity(self.literals.len());
        for (l, Object(literal)) in self.literals.iter().enumerate() {
            literals.push(literal.literal(names).map_err(|fault| (format!("literals[{l}]"), fault))?);
        }
        let role = match &self.role {
            None => Role::None,
            Some(Object(role)) => role.role().ok_or(("role".to_owned(), Fault::Role))?,
        };
        Ok(Gate { rule, literals, role })
    }
}

impl LiteralFile {
    pub(crate) fn new(literal: Literal, inputs: &[String]) -> Self {
        let (input, gate) = match literal.source {
            Source::Input(input) => (Some(inputs[input].clone()), None),
            Source::Gate(gate) => (None, Some(gate)),
        };
        let points = (literal.weight != 1).then_some(literal.weight);
        Self { input, gate, negated: !literal.positive, points }
    }

    pub(super) fn literal(&self, names: &HashMap<&str, usize>) -> Result<Literal, Fault> {
        let literal = match (&self.input, self.gate) {
            (Some(name), None) => match names.get(name.as_str()) {
                Some(&input) => Literal::input(input),
                None => return Err(Fault::UnknownInput { name: name.clone() }),
            },
            (None, Some(gate)) => Literal::gate(gate),
            _ => return Err(Fault::LiteralKey),
        };
        Ok(literal.signed(!self.negated).times(self.points.unwrap_or(1)))
    }
}

impl RoleFile {
    fn new(role: &Role) -> Option<Object<Self>> {
        let mut file = Self { stage: None, term: None, output: None, name: None };
        match role {
            Role::None => return None,
            Role::Stage(stage) => file.stage = Some(*stage),
            Role::Term { stage, term } => (file.stage, file.term) = (Some(*stage), Some(*term)),
            Role::Output(output) => file.output = Some(*output),
            Role::Named(name) => file.name = Some(name.clone()),
        }
        Some(Object(file))
    }

    fn role(&self) -> Option<Role> {
        match (self.stage, self.term, self.output, &self.name) {
            (Some(stage), None, None, None) => Some(Role::Stage(stage)),
            (Some(stage), Some(term), None, None) => Some(Role::Term { stage, term }),
            (None, None, Some(output), None) => Some(Role::Output(output)),
            (None, None, None, Some(name)) => Some(Role::Named(name.clone())),
            _ => None,
        }
    }
}
