//! Shorter circuits that compute the same.
//!
//! One pass from the inputs on gives every gate its shortest form: constants go, literals that repeat or contradict each other are put
//! together, a gate of one literal is that literal, an equal gate is shared, and points have no common factor. Then a gate whose
//! answer depends on nothing but how many of at most [`SYMMETRIC`] literals hold becomes that count, where this is shorter: `monk2`, "exactly two
//! of six", is fifteen terms of six literals or one gate. Gates that nothing reads are left out. The function on the cube stays the same for every
//! output; roles stay with the gates that are kept.

use super::{Circuit, Gate, Literal, Output, Rule, Source};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most inputs of a gate that is tried as a count: its table has 2^16 cells, a kilobyte of words for each gate on the way.
const SYMMETRIC: usize = 16;

/// What a gate has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    Constant(bool),
    Literal(Source, bool),
}

impl Circuit {
    /// The same function in fewer gates and literals.
    ///
    /// ```
    /// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
    ///
    /// // a and b, or a and c, or b and c.
    /// let and = |i, j| Gate::new(Rule::And, vec![Literal::input(i), Literal::input(j)]);
    /// let or = Gate::new(Rule::Or, (0..3).map(Literal::gate).collect());
    /// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    /// let gates = vec![and(0, 1), and(0, 2), and(1, 2), or];
    /// let circuit = Circuit::new(names, gates, vec![Output::new("y", Literal::gate(3))])?;
    /// let majority = Gate::new(Rule::AtLeast(2), (0..3).map(Literal::input).collect());
    /// assert_eq!(circuit.simplified().gates(), [majority]);
    /// # Ok::<(), macchiato::circuit::CircuitError>(())
    /// ```
    #[must_use]
    pub fn simplified(&self) -> Self {
        self.shortened().counted().shortened()
    }

    /// Number of literals of all gates: what a person reads.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.gates.iter().map(|gate| gate.literals.len()).sum()
    }

    /// The same function without constants, repetitions and gates of one literal: no gate becomes another kind of gate that people
    /// would not recognize.
    #[must_use]
    pub fn shortened(&self) -> Self {
        let mut gates: Vec<Gate> = Vec::new();
        let mut known: HashMap<(Rule, Vec<Literal>), usize> = HashMap::new();
        let mut now: Vec<Now> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let mut positive = true;
            let form = match Form::new(gate, &now).finish(&mut positive) {
                Ok(constant) => {
                    now.push(Now::Constant(constant == positive));
                    continue;
                }
                Err(form) => form,
            };
            if let (Rule::And | Rule::Or | Rule::Xor, &[literal]) = (&form.rule, form.literals.as_slice()) {
                now.push(Now::Literal(literal.source, literal.positive == positive));
                continue;
            }
            let mut key = (form.rule.clone(), form.literals.clone());
            key.1.sort_unstable();
            let at = *known.entry(key).or_insert_with(|| {
                gates.push(form.role(gate.role.clone()));
                gates.len() - 1
            });
            now.push(Now::Literal(Source::Gate(at), positive));
        }
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for output in &self.outputs {
            let literal = match through(output.literal, &now) {
                Now::Literal(source, positive) => Literal { source, positive, weight: 1 },
                Now::Constant(value) => {
                    let rule = if value { Rule::And } else { Rule::Or };
                    gates.push(Gate::new(rule, Vec::new()));
                    Literal::gate(gates.len() - 1)
                }
            };
            outputs.push(Output::new(&output.name, literal));
        }
        Self { inputs: self.inputs.clone(), gates, outputs }.pruned()
    }

    /// Without the gates that no output needs.
    pub(super) fn pruned(mut self) -> Self {
        let mut needed = vec![false; self.gates.len()];
        let mut need = |literal: &Literal| {
            if let Source::Gate(gate) = literal.source {
                needed[gate] = true;
            }
        };
        self.outputs.iter().for_each(|output| need(&output.literal));
        for at in (0..self.gates.len()).rev() {
            if needed[at] {
                for literal in &self.gates[at].literals {
                    if let Source::Gate(gate) = literal.source {
                        needed[gate] = true;
                    }
                }
            }
        }
        let mut place = Vec::with_capacity(needed.len());
        let mut next = 0;
        for &needed in &needed {
            place.push(next);
            next += usize::from(needed);
        }
        let mut keep = needed.iter();
        self.gates.retain(|_| *keep.next().unwrap_or(&false));
        let move_to = |literal: &mut Literal| {
            if let Source::Gate(gate) = &mut literal.source {
                *gate = place[*gate];
            }
        };
        self.gates.iter_mut().flat_map(|gate| &mut gate.literals).for_each(move_to);
        self.outputs.iter_mut().for_each(|output| move_to(&mut output.literal));
        self
    }

    /// With gates that only count replaced by counts, from the outputs on.
    fn counted(mut self) -> Self {
        for at in (0..self.gates.len()).rev() {
            let cone = Cone::new(&self, at);
            if cone.inputs.len() <= SYMMETRIC
                && cone.literals > cone.inputs.len()
                && let Some(count) = self.symmetric(&cone)
            {
                let role = self.gates[at].role.clone();
                self.gates[at] = count.role(role);
            }
        }
        self
    }

    /// The count that a gate is, if it is one.
    fn symmetric(&self, cone: &Cone) -> Option<Gate> {
        let n = cone.inputs.len();
        let table = self.table(cone);
        let bit = |cell: usize| table[cell / 64] >> (cell % 64) & 1 == 1;
        // Swapping two inputs, or one with the negation of the other, must leave the table as it is; against the first input is enough.
        let mut positive = vec![true; n];
        for (j, positive) in positive.iter_mut().enumerate().skip(1) {
            let others = (0..1usize << n).filter(|cell| cell & (1 | 1 << j) == 0);
            let same = |a: usize, b: usize| others.clone().all(|cell| bit(cell | a) == bit(cell | b));
            if !same(1, 1 << j) {
                if !same(0, 1 | 1 << j) {
                    return None;
                }
                *positive = false;
            }
        }
        let flip =
            positive.iter().enumerate().fold(0, |flip, (i, &positive)| flip | usize::from(!positive) << i);
        let mut answers: Vec<Option<bool>> = vec![None; n + 1];
        for cell in 0..1usize << n {
            let answer = &mut answers[(cell ^ flip).count_ones() as usize];
            if *answer.get_or_insert(bit(cell)) != bit(cell) {
                return None;
            }
        }
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (count, _) in answers.iter().enumerate().filter(|(_, answer)| **answer == Some(true)) {
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == count as u64 => *to = count as u64,
                _ => ranges.push((count as u64, count as u64)),
            }
        }
        let literal = |(&input, &positive): (&usize, &bool)| Literal::input(input).signed(positive);
        Some(Gate::new(Rule::Counts(ranges), cone.inputs.iter().zip(&positive).map(literal).collect()))
    }

    /// The gate's value in every cell of its inputs.
    fn table(&self, cone: &Cone) -> Vec<u64> {
        let n = cone.inputs.len();
        let words = (1usize << n).div_ceil(64);
        let column = |i: usize| -> Vec<u64> {
            let word = |w: usize| (0..64).fold(0, |word, b| word | ((((64 * w + b) >> i & 1) as u64) << b));
            (0..words).map(word).collect()
        };
        let own: Vec<Vec<u64>> = (0..n).map(column).collect();
        let nothing: Vec<u64> = Vec::new();
        let mut columns: Vec<&[u64]> = vec![&nothing; self.inputs.len()];
        cone.inputs.iter().zip(&own).for_each(|(&input, column)| columns[input] = column);
        self.part(cone).evaluate(&columns, words).swap_remove(0)
    }

    /// A circuit of one gate and what it needs.
    fn part(&self, cone: &Cone) -> Self {
        let place: HashMap<usize, usize> =
            cone.gates.iter().enumerate().map(|(to, &from)| (from, to)).collect();
        let moved = |literal: &Literal| match literal.source {
            Source::Gate(gate) => Literal { source: Source::Gate(place[&gate]), ..*literal },
            Source::Input(_) => *literal,
        };
        let copy = |&at: &usize| {
            let gate = &self.gates[at];
            Gate::new(gate.rule.clone(), gate.literals.iter().map(moved).collect())
        };
        let outputs = vec![Output::new("", Literal::gate(cone.gates.len() - 1))];
        Self { inputs: self.inputs.clone(), gates: cone.gates.iter().map(copy).collect(), outputs }
    }
}

/// All that a gate needs, in increasing order: gates, itself last, and inputs. Ends early where there are too many inputs.
struct Cone {
    gates: Vec<usize>,
    inputs: Vec<usize>,
    literals: usize,
}

impl Cone {
    fn new(circuit: &Circuit, gate: usize) -> Self {
        let (mut gates, mut inputs, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![gate]);
        let mut literals = 0;
        while let Some(gate) = open.pop() {
            if inputs.len() > SYMMETRIC {
                break;
            }
            if !gates.insert(gate) {
                continue;
            }
            for literal in &circuit.gates[gate].literals {
                literals += 1;
                match literal.source {
                    Source::Input(input) => {
                        inputs.insert(input);
                    }
                    Source::Gate(gate) => open.push(gate),
                }
            }
        }
        Self { gates: gates.into_iter().collect(), inputs: inputs.into_iter().collect(), literals }
    }
}

fn through(literal: Literal, now: &[Now]) -> Now {
    match literal.source {
        Source::Input(_) => Now::Literal(literal.source, literal.positive),
        Source::Gate(gate) => match now[gate] {
            Now::Constant(value) => Now::Constant(value == literal.positive),
            Now::Literal(source, positive) => Now::Literal(source, positive == literal.positive),
        },
    }
}

/// A gate on its way to its shortest form: points by literal, and points that always count.
struct Form {
    rule: Rule,
    /// Of each source, the points where it is 0 and where it is 1.
    points: BTreeMap<Source, [u64; 2]>,
    /// The sources in the order in which they were read, which people know.
    order: Vec<Source>,
    always: u64,
    /// All points, as the rule sees them.
    most: u64,
}

impl Form {
    fn new(gate: &Gate, now: &[Now]) -> Self {
        let mut form = Self {
            rule: gate.rule.clone(),
            points: BTreeMap::new(),
            order: Vec::new(),
            always: 0,
            most: gate.most(),
        };
        for &literal in &gate.literals {
            let weight = u64::from(literal.weight);
            match through(literal, now) {
                Now::Constant(value) => form.always += if value { weight } else { 0 },
                Now::Literal(source, positive) => {
                    let points = form.points.entry(source).or_insert_with(|| {
                        form.order.push(source);
                        [0, 0]
                    });
                    points[usize::from(positive)] += weight;
                }
            }
        }
        for points in form.points.values_mut() {
            let both = points[0].min(points[1]);
            form.always += both;
            *points = points.map(|points| points - both);
        }
        form.points.retain(|_, points| *points != [0, 0]);
        form
    }

    /// The gate, or the constant that it is. `positive` is turned where the gate is the negation of what is wanted.
    fn finish(self, positive: &mut bool) -> Result<bool, Gate> {
        let Self { rule, points, order, always, most } = self;
        let literal =
            |&source: &Source| points.get(&source).map(|&[zero, one]| (source, one > 0, zero.max(one)));
        let all: Vec<(Source, bool, u64)> = order.iter().filter_map(literal).collect();
        if rule == Rule::Sum {
            return Err(sum(&all, always));
        }
        if rule == Rule::Xor {
            // Points are single, so what is left of a source after pairs have gone is a parity.
            let odd: Vec<&(Source, bool, u64)> =
                all.iter().filter(|(_, _, weight)| weight % 2 == 1).collect();
            let negated = odd.iter().filter(|(_, positive, _)| !positive).count() as u64;
            *positive = (always + negated).is_multiple_of(2);
            let literals: Vec<Literal> =
                odd.iter().map(|&&(source, ..)| Literal { source, positive: true, weight: 1 }).collect();
            return if literals.is_empty() { Ok(false) } else { Err(Gate::new(Rule::Xor, literals)) };
        }
        // What is left counts from `always` to `top`, and no count in between is certain to be possible.
        let left: u64 = all.iter().map(|(_, _, weight)| weight).sum();
        let ranges: Vec<(u64, u64)> = match &rule {
            Rule::And => vec![(most, most)],
            Rule::Or => vec![(1, u64::MAX)],
            Rule::AtLeast(least) => vec![(*least, u64::MAX)],
            Rule::Counts(ranges) => ranges.clone(),
            Rule::Xor | Rule::Sum => Vec::new(),
        };
        let shift = |&(from, to): &(u64, u64)| {
            (to >= always)
                .then(|| (from.saturating_sub(always), (to - always).min(left)))
                .filter(|(from, to)| from <= to)
        };
        let factor = all.iter().fold(0, |factor, &(_, _, weight)| gcd(factor, weight)).max(1);
        // Only multiples of the common factor occur.
        let divide = |(from, to): (u64, u64)| (from.div_ceil(factor), to / factor);
        let mut ranges: Vec<(u64, u64)> =
            ranges.iter().filter_map(shift).map(divide).filter(|(from, to)| from <= to).collect();
        let joined = ranges.len();
        for at in (1..joined).rev() {
            if ranges[at - 1].1 + 1 == ranges[at].0 {
                ranges[at - 1].1 = ranges[at].1;
                ranges.remove(at);
            }
        }
        let top = left / factor;
        let literals = |weighted: bool| -> Vec<Literal> {
            let literal = |&(source, positive, weight): &(Source, bool, u64)| Literal {
                source,
                positive,
                weight: if weighted { (weight / factor) as u32 } else { 1 },
            };
            all.iter().map(literal).collect()
        };
        let single = top == all.len() as u64;
        Err(match ranges.as_slice() {
            [] => return Ok(false),
            &[(0, to)] if to == top => return Ok(true),
            &[(from, to)] if to == top && from == top => Gate::new(Rule::And, literals(false)),
            &[(1, to)] if to == top => Gate::new(Rule::Or, literals(false)),
            &[(0, 0)] => {
                *positive = false;
                Gate::new(Rule::Or, literals(false))
            }
            &[(from, to)] if to == top => Gate::new(Rule::AtLeast(from), literals(true)),
            ranges if single && parity(ranges, top) => {
                let literals = literals(false);
                *positive = literals.iter().filter(|literal| !literal.positive).count() % 2
                    == usize::from(ranges[0].0 == 0);
                Gate::new(
                    Rule::Xor,
                    literals.into_iter().map(|literal| Literal { positive: true, ..literal }).collect(),
                )
            }
            ranges => Gate::new(Rule::Counts(ranges.to_vec()), literals(true)),
        })
    }
}

/// A sum keeps what always counts as literals of nothing: there is no other way to write a constant.
fn sum(all: &[(Source, bool, u64)], always: u64) -> Gate {
    let weighted = |&(source, positive, weight): &(Source, bool, u64)| {
        let most = u64::from(Literal::MOST);
        let pieces = (0..weight.div_ceil(most)).map(move |piece| (weight - piece * most).min(most));
        pieces.map(move |weight| Literal { source, positive, weight: weight as u32 })
    };
    let both = [(Source::Input(0), true, always), (Source::Input(0), false, always)];
    let always = if always > 0 { &both[..] } else { &[] };
    Gate::new(Rule::Sum, all.iter().chain(always).flat_map(weighted).collect())
}

/// Every second count, up to `top`: an XOR, or its negation where it begins with 0.
fn parity(ranges: &[(u64, u64)], top: u64) -> bool {
    let first = ranges[0].0;
    first <= 1
        && ranges.iter().zip((first..).step_by(2)).all(|(&(from, to), count)| from == count && to == count)
        && ranges.last().is_some_and(|&(_, to)| to + 2 > top)
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
