//! Circuits in words: one line where that can be read, and a line of its own for every gate that others share or that lies deep.
//!
//! Constants, repetitions and gates of one literal are left out first, so a constant stage in front is a negation. Over bits, two cuts of
//! one column in an XOR are an interval.

use super::{Symbols, Words, many};
use crate::binarize::{Bit, Test};
use crate::circuit::{Circuit, Gate, Literal, Role, Rule, Source};
use crate::stage::Signed;

/// Gates inside each other on one line; what lies deeper gets a name.
const NESTED: usize = 3;

/// The first output of a circuit in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The gates that have a line of their own, by name, each after what it reads.
    pub gates: Vec<(String, String)>,
    /// The output: `0` and `1` where it is constant.
    pub formula: String,
    /// Where the output is a count or its negation: that count.
    count: Option<(String, bool)>,
    /// Where the output is the negation of a gate: that gate.
    negated: Option<String>,
    /// Whether the target is an equation itself.
    of_bits: bool,
}

impl Said {
    /// The output as an equation: `y = a ∧ b`, `y = 1 if at least 2 of: a, b, c`, `risk = high if age > 41.5`.
    #[must_use]
    pub fn equation(&self, target: &str) -> String {
        match (self.formula.as_str(), self.of_bits, &self.count) {
            ("0", true, _) => format!("{target} never, whatever the inputs are"),
            ("1", true, _) => format!("{target} always, whatever the inputs are"),
            ("0" | "1", false, _) => format!("{target} = {}, whatever the inputs are", self.formula),
            (_, false, Some((count, true))) => format!("{target} = 1 if {count}"),
            (_, false, Some((count, false))) => format!("{target} = 0 if {count}"),
            (_, true, Some((count, true))) => format!("{target} if {count}"),
            (formula, true, _) => format!("{target} if {formula}"),
            (formula, false, None) => format!("{target} = {formula}"),
        }
    }

    /// The same where the target is one of two classes: `risk = low if age > 41.5` instead of a negation; `other` is that equation for the other
    /// class.
    #[must_use]
    pub fn equation_of_two(&self, target: &str, other: &str) -> String {
        match &self.negated {
            Some(negated) if self.of_bits => format!("{other} if {negated}"),
            _ => self.equation(target),
        }
    }

    /// The output where it is constant.
    #[must_use]
    pub fn constant(&self) -> Option<bool> {
        match self.formula.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }

    /// Whether the output is a count or its negation.
    #[must_use]
    pub const fn is_count(&self) -> bool {
        self.count.is_some()
    }

    /// All on one line: `g1 ∨ c, where g1 = a ∧ b`.
    #[must_use]
    pub fn line(&self) -> String {
        let gates: Vec<String> = self.gates.iter().map(|(name, text)| format!("{name} = {text}")).collect();
        let gates = gates.join(", ");
        if gates.is_empty() { self.formula.clone() } else { format!("{}, where {gates}", self.formula) }
    }
}

impl Words<'_> {
    /// The first output of a circuit.
    ///
    /// # Panics
    /// If the circuit reads an input that there is not.
    #[must_use]
    pub fn circuit(&self, circuit: &Circuit, symbols: Symbols) -> Said {
        let circuit = circuit.shortened();
        let mut saying = Saying { words: *self, symbols, texts: Vec::new() };
        let (readers, mut gates) = (circuit.readers(), Vec::new());
        let output = circuit.outputs().first().map(|output| output.literal);
        let stem = if self.has("g1") { "gate " } else { "g" };
        let numbers = super::numbers::carries(&circuit);
        for (g, gate) in circuit.gates().iter().enumerate() {
            let name = |input: usize| self.term(&[(input, true)], symbols);
            let number = numbers[g].as_ref().and_then(|carry| carry.text(name));
            let mut text = match number {
                Some(text) => Phrase { text, kind: Kind::Condition, nested: 1 },
                None => saying.gate(gate),
            };
            let last = output.is_some_and(|output| output.source == Source::Gate(g));
            if readers[g] > 1 || !last && text.nested >= NESTED {
                let name = match &gate.role {
                    Role::Named(name) if !self.has(name) && !gates.iter().any(|(n, _)| n == name) => {
                        name.clone()
                    }
                    _ => format!("{stem}{}", gates.len() + 1),
                };
                gates.push((name.clone(), text.text));
                text = Phrase::atom(name);
            }
            saying.texts.push(text);
        }
        let (mut formula, mut count, mut negated) = ("0".to_owned(), None, None);
        if let Some(output) = output {
            formula = saying.literal(output).text;
            if let Source::Gate(gate) = output.source {
                let text = &saying.texts[gate];
                let counts = matches!(text.kind, Kind::Count | Kind::Score);
                count = counts.then(|| (text.whole(), output.positive));
                negated = (!output.positive).then(|| text.whole());
            }
        }
        Said { gates, formula, count, negated, of_bits: matches!(self, Self::Bits(_)) }
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::Names(names) => names.iter().any(|other| other == name),
            Self::Bits(binarizer) => binarizer.columns().iter().any(|column| column.name == name),
        }
    }

    /// Two positive cuts of one column, of which exactly one holds: between them.
    fn interval(&self, a: usize, b: usize, symbols: Symbols) -> Option<String> {
        let (Some((one, lower)), Some((other, upper))) = (self.cut(a), self.cut(b)) else { return None };
        let (a, b) = if lower < upper { (a, b) } else { (b, a) };
        (one == other).then(|| self.term(&[(a, true), (b, false)], symbols))
    }

    /// The column and the cut of an input that is one.
    fn cut(&self, input: usize) -> Option<(usize, f64)> {
        match self {
            Self::Names(_) => None,
            Self::Bits(binarizer) => match &binarizer.bits()[input] {
                Bit { column, test: Test::Above(cut) } => Some((*column, *cut)),
                _ => None,
            },
        }
    }
}

/// What a text is, for brackets around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name, its negation, or what has brackets already.
    Atom,
    /// A comparison.
    Condition,
    And,
    Or,
    Xor,
    Count,
    Score,
}

#[derive(Debug, Clone)]
struct Phrase {
    text: String,
    kind: Kind,
    /// Gates inside each other; a name has none.
    nested: usize,
}

impl Phrase {
    const fn atom(text: String) -> Self {
        Self { text, kind: Kind::Atom, nested: 0 }
    }

    /// The text, in brackets unless it is one of these.
    fn inside(&self, plain: &[Kind]) -> String {
        if self.kind == Kind::Atom || plain.contains(&self.kind) {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// The text after a target.
    fn whole(&self) -> String {
        if self.kind == Kind::Score { format!("score = {}", self.text) } else { self.text.clone() }
    }
}

struct Saying<'a> {
    words: Words<'a>,
    symbols: Symbols,
    /// Of each gate so far: its name, or itself.
    texts: Vec<Phrase>,
}

impl Saying<'_> {
    fn literal(&self, literal: Literal) -> Phrase {
        match literal.source {
            Source::Input(input) => self.input((input, literal.positive)),
            Source::Gate(gate) if literal.positive => self.texts[gate].clone(),
            Source::Gate(gate) => {
                let inner = &self.texts[gate];
                let text = match inner.text.as_str() {
                    "0" => "1".to_owned(),
                    "1" => "0".to_owned(),
                    _ => format!("{}{}", self.symbols.not, inner.inside(&[])),
                };
                Phrase { text, kind: Kind::Atom, nested: inner.nested }
            }
        }
    }

    fn input(&self, literal: Signed) -> Phrase {
        let text = self.words.term(&[literal], self.symbols);
        let kind = match self.words {
            Words::Names(_) => Kind::Atom,
            Words::Bits(_) if text.starts_with('(') => Kind::Atom,
            Words::Bits(binarizer) => match binarizer.bits()[literal.0].test {
                Test::True => Kind::Atom,
                _ => Kind::Condition,
            },
        };
        Phrase { text, kind, nested: 0 }
    }

    fn gate(&self, gate: &Gate) -> Phrase {
        let parts: Vec<Phrase> = gate.literals.iter().map(|&literal| self.literal(literal)).collect();
        let of_gates = |literal: &Literal| matches!(literal.source, Source::Gate(_));
        let read = gate.literals.iter().zip(&parts).filter(|(literal, _)| of_gates(literal));
        let nested = 1 + read.map(|(_, part)| part.nested).max().unwrap_or(0);
        let joined = |texts: Vec<String>, sign: &str, kind: Kind, none: &str| match texts.as_slice() {
            [] => Phrase::atom(none.to_owned()),
            [_] => Phrase { text: texts.concat(), kind: Kind::Condition, nested },
            _ => Phrase { text: texts.join(sign), kind, nested },
        };
        let weighted = gate.literals.iter().any(|literal| literal.weight != 1);
        match &gate.rule {
            Rule::And => joined(self.conditions(gate, &parts), self.symbols.and, Kind::And, "1"),
            Rule::Or => {
                let texts = parts.iter().map(|part| part.inside(&[Kind::Condition])).collect();
                joined(texts, &format!(" {} ", self.symbols.or), Kind::Or, "0")
            }
            Rule::Xor => {
                joined(self.either(gate, &parts), &format!(" {} ", self.symbols.xor), Kind::Xor, "0")
            }
            Rule::Sum | Rule::AtLeast(_) | Rule::Counts(_) if weighted || gate.rule == Rule::Sum => {
                let points = |(literal, part): (&Literal, &Phrase)| {
                    let mut text = part.inside(&[]);
                    if text.contains(' ') && !text.starts_with('(') {
                        text = format!("({text})");
                    }
                    if literal.weight == 1 { text } else { format!("{} * {text}", literal.weight) }
                };
                let score: Vec<String> = gate.literals.iter().zip(&parts).map(points).collect();
                let score = score.join(" + ");
                let text = match (&gate.rule, many(&gate.rule)) {
                    (Rule::AtLeast(least), _) => format!("{score} >= {least}"),
                    (_, Some(many)) => format!("{score} is {many}"),
                    _ => score,
                };
                Phrase { text, kind: Kind::Score, nested }
            }
            rule => {
                let many = many(rule).unwrap_or_default();
                let parts: Vec<String> = parts.iter().map(|part| part.inside(&[Kind::Condition])).collect();
                Phrase { text: format!("{many} of: {}", parts.join(", ")), kind: Kind::Count, nested }
            }
        }
    }

    /// The conditions of an AND: those on inputs, merged, then those on gates.
    fn conditions(&self, gate: &Gate, parts: &[Phrase]) -> Vec<String> {
        let inputs: Vec<Signed> = gate.literals.iter().filter_map(signed).collect();
        let mut texts = self.words.conditions(&inputs, self.symbols);
        let of_gates = gate.literals.iter().zip(parts).filter(|(literal, _)| signed(literal).is_none());
        texts.extend(of_gates.map(|(_, part)| part.inside(&[Kind::Condition])));
        texts
    }

    /// The parts of an XOR; two cuts of one column are one part.
    fn either(&self, gate: &Gate, parts: &[Phrase]) -> Vec<String> {
        let mut texts: Vec<(Option<usize>, Phrase)> = Vec::new();
        for (literal, part) in gate.literals.iter().zip(parts) {
            let input = signed(literal).filter(|&(_, positive)| positive).map(|(input, _)| input);
            let interval =
                |(other, _): &(Option<usize>, Phrase)| self.words.interval((*other)?, input?, self.symbols);
            match texts.iter().enumerate().find_map(|(at, known)| Some((at, interval(known)?))) {
                Some((at, text)) => texts[at] = (None, Phrase { text, kind: Kind::Condition, nested: 0 }),
                None => texts.push((input, part.clone())),
            }
        }
        match texts.as_slice() {
            [(_, only)] => vec![only.text.clone()],
            texts => texts.iter().map(|(_, text)| text.inside(&[])).collect(),
        }
    }
}

/// A literal of an input.
const fn signed(literal: &Literal) -> Option<Signed> {
    match literal.source {
        Source::Input(input) => Some((input, literal.positive)),
        Source::Gate(_) => None,
    }
}
