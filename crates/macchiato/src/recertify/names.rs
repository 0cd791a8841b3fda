//! What people call the gates of a certificate, and what changed, in their words.
//!
//! A certificate has no roles, so they are seen from its gates: an output that is an XOR has stages, an OR has terms. Relays and helpers are
//! called by what they carry.

use super::shape::Shape;
use crate::words::one_line;
use macchiato_check::Certificate;
use macchiato_check::certificate::{Gate, Kind, Operand, Rule, Source};

/// The names of all gates.
pub(super) struct Names<'a> {
    certificate: &'a Certificate,
    gates: Vec<Option<String>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(certificate: &'a Certificate) -> Self {
        let mut names = Self { certificate, gates: vec![None; certificate.gates.len()] };
        let several = certificate.outputs.len() > 1;
        for output in &certificate.outputs {
            let of = if several { format!(" of output `{}`", one_line(&output.name)) } else { String::new() };
            let whole = if several {
                format!("output `{}`", one_line(&output.name))
            } else {
                "the output".to_owned()
            };
            names.call(output.gate, &whole);
            let (Source::Gate(root), _) = names.origin(Source::Gate(output.gate), true) else { continue };
            names.call(root, &whole);
            if names.gate(root).is_some_and(|gate| gate.kind == Kind::Rule(Rule::Xor)) {
                let mut stages = Vec::new();
                names.parts(root, &mut stages);
                for (t, stage) in stages.into_iter().enumerate() {
                    if let Source::Gate(stage) = stage {
                        names.call(stage, &format!("stage {}{of}", t + 1));
                        names.terms(stage, &format!(" of stage {}{of}", t + 1));
                    }
                }
            } else {
                names.terms(root, &of);
            }
        }
        names
    }

    fn gate(&self, gate: usize) -> Option<&'a Gate> {
        self.certificate.gates.get(gate)
    }

    /// Calls a gate so, unless it is called something already.
    fn call(&mut self, gate: usize, name: &str) {
        if let Some(known @ None) = self.gates.get_mut(gate) {
            *known = Some(name.to_owned());
        }
    }

    /// What a signal is behind its relays, and with which sign.
    fn origin(&self, mut source: Source, mut positive: bool) -> (Source, bool) {
        while let Source::Gate(gate) = source
            && let Some(Gate { kind: Kind::Relay, operands, .. }) = self.gate(gate)
            && let [only] = operands.as_slice()
        {
            (source, positive) = (only.source, positive == only.positive);
        }
        (source, positive)
    }

    /// What an XOR is of, through its folds.
    fn parts(&self, gate: usize, all: &mut Vec<Source>) {
        for operand in self.gate(gate).map_or(&[][..], |gate| &gate.operands) {
            let (source, _) = self.origin(operand.source, true);
            match source {
                // A gate reads earlier ones alone, so this ends.
                Source::Gate(fold) if self.gate(fold).is_some_and(|gate| gate.kind == Kind::Fold) => {
                    self.parts(fold, all);
                }
                source => all.push(source),
            }
        }
    }

    /// Calls the terms of an OR, which may be the negation of a NOR.
    fn terms(&mut self, or: usize, of: &str) {
        let Some(gate) = self.gate(or).filter(|gate| gate.kind == Kind::Rule(Rule::Or)) else { return };
        let mut operands = &gate.operands;
        if let [Operand { source: Source::Gate(nor), .. }] = operands.as_slice()
            && let Some(Gate { kind: Kind::Nor, operands: read, .. }) = self.gate(*nor)
        {
            if let Some(name) = self.gates[or].clone() {
                self.call(*nor, &name);
            }
            operands = read;
        }
        for (i, operand) in operands.iter().enumerate() {
            if let (Source::Gate(term), _) = self.origin(operand.source, true) {
                self.call(term, &format!("term {}{of}", i + 1));
            }
        }
    }

    /// What a gate is called.
    pub(super) fn of(&self, gate: usize) -> String {
        if let Some(Some(name)) = self.gates.get(gate) {
            return name.clone();
        }
        match self.gate(gate) {
            Some(Gate { kind: Kind::Relay, operands, layer, .. }) if operands.len() == 1 => {
                format!("the relay of {} in layer {layer}", self.literal(&operands[0]))
            }
            _ => format!("gate {gate}"),
        }
    }

    /// What a signal is called.
    pub(super) fn source(&self, source: Source) -> String {
        self.literal(&Operand { source, positive: true, weight: 1 })
    }

    fn literal(&self, operand: &Operand) -> String {
        let (source, positive) = self.origin(operand.source, operand.positive);
        let points = if operand.weight == 1 { String::new() } else { format!("{} * ", operand.weight) };
        match source {
            Source::Input(input) => {
                let name = self.certificate.inputs.get(input).map_or("", String::as_str);
                format!("{points}`{}{}`", if positive { "" } else { "NOT " }, one_line(name))
            }
            Source::Gate(gate) => {
                format!("{points}{}{}", if positive { "" } else { "not " }, self.of(gate))
            }
        }
    }

    fn list(&self, operands: &[Operand], last: &str) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.literal(operand)).collect();
        match texts.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
        }
    }

    /// What happened to a gate, as the end of a sentence that begins with its name.
    pub(super) fn change(&self, gate: &Gate, shape: &Shape) -> String {
        let (rule, operands) = match shape {
            Shape::Terms(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.said(&Rule::And, term)).collect();
                return format!("is now ({}), where it was {}", terms.join(") OR ("), self.before(gate));
            }
            Shape::Rule(rule, operands) => (rule, operands),
        };
        match (rule, operands.as_slice()) {
            (Rule::And, []) => return "is always true now".to_owned(),
            (Rule::Or, []) => return "is never true now".to_owned(),
            (Rule::And, [_]) if gate.kind == Kind::Relay => return "is negated now".to_owned(),
            _ => {}
        }
        let kept = |operand: &&Operand| operands.iter().any(|now| now.source == operand.source);
        let lost: Vec<Operand> = gate.operands.iter().filter(|operand| !kept(operand)).copied().collect();
        let turned: Vec<Operand> = gate
            .operands
            .iter()
            .filter(|operand| {
                operands.iter().any(|now| now.source == operand.source && now.positive != operand.positive)
            })
            .copied()
            .collect();
        let mut said = Vec::new();
        if !lost.is_empty() {
            said.push(format!("lost {}", self.list(&lost, "and")));
        }
        for operand in &turned {
            let now = Operand { positive: !operand.positive, ..*operand };
            said.push(format!("reads {} in place of {}", self.literal(&now), self.literal(operand)));
        }
        let counted = |rule: &Rule| matches!(rule, Rule::Least(_) | Rule::Counts(_));
        match &gate.kind {
            Kind::Rule(old) if old == rule && (!counted(rule) || lost.is_empty()) => {}
            Kind::Rule(old) if turned.is_empty() && (counted(old) || counted(rule)) => {
                let was = many(old, whole(&gate.operands));
                said.push(format!("holds now where {} hold, not {was}", many(rule, whole(operands))));
            }
            _ => return format!("is now {}, where it was {}", self.said(rule, operands), self.before(gate)),
        }
        said.join(" and ")
    }

    fn before(&self, gate: &Gate) -> String {
        match &gate.kind {
            Kind::Rule(rule) => self.said(rule, &gate.operands),
            Kind::Relay => self.list(&gate.operands, "and"),
            Kind::Nor => format!("none of {}", self.list(&gate.operands, "and")),
            Kind::Fold => self.said(&Rule::Xor, &gate.operands),
        }
    }

    fn said(&self, rule: &Rule, operands: &[Operand]) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.literal(operand)).collect();
        match (rule, texts.as_slice()) {
            (Rule::And, []) => "1".to_owned(),
            (Rule::Or | Rule::Xor, []) => "0".to_owned(),
            (Rule::And, texts) => texts.join(" AND "),
            (Rule::Or, texts) => texts.join(" OR "),
            (Rule::Xor, texts) => texts.join(" XOR "),
            (rule, texts) => format!("{} of: {}", many(rule, whole(operands)), texts.join(", ")),
        }
    }
}

fn whole(operands: &[Operand]) -> u64 {
    operands.iter().map(|operand| operand.weight).sum()
}

/// `at least 3 of 7`.
fn many(rule: &Rule, whole: u64) -> String {
    match rule {
        Rule::And => format!("all {whole}"),
        Rule::Or => format!("at least 1 of {whole}"),
        Rule::Xor => format!("an odd number of {whole}"),
        Rule::Least(least) => format!("at least {least} of {whole}"),
        Rule::Counts(ranges) => {
            let range = |&(from, to): &(u64, u64)| {
                if from == to { from.to_string() } else { format!("{from} to {to}") }
            };
            let ranges: Vec<String> = ranges.iter().map(range).collect();
            format!("{} of {whole}", ranges.join(" or "))
        }
        Rule::Sum => "the sum".to_owned(),
    }
}
