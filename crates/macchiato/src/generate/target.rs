//! The functions that rows are drawn from.

use super::rule::{Junta, Rule};
use super::{GenerateError, below, shuffle_first};
use crate::bits;
use crate::frame::MAX_INPUTS;
use crate::random::Stream;
use rand::Rng;
use rayon::prelude::*;

/// Largest support of a junta: its labels take 2^S bits. All blocks together may take as many.
const MAX_SUPPORT: usize = 30;
/// Most terms of a DNF.
const MAX_TERMS: usize = 65_535;

/// A known Boolean function of B named inputs.
///
/// ```
/// use macchiato::generate::Target;
///
/// let less = Target::comparator(2)?;
/// assert_eq!(less.names(), ["a1", "a2", "b1", "b2"]);
/// assert!(less.at(&[true, false, false, true]), "1 < 2, and a1 is the lowest bit");
/// # Ok::<(), macchiato::generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    names: Vec<String>,
    name: String,
    support: Vec<usize>,
    rule: Rule,
}

impl Target {
    /// The paper's random junta (Appendix D.2): `support` of the inputs `x1`, `x2`, ..., uniformly without replacement,
    /// and a fair coin for each of their 2^S cells. It may happen to depend on fewer inputs.
    ///
    /// ```
    /// use macchiato::generate::Target;
    ///
    /// let target = Target::junta(10, 3, 7)?;
    /// assert_eq!((target.inputs(), target.support().len()), (10, 3));
    /// # Ok::<(), macchiato::generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// No inputs or too many, or a support that is empty, larger than they are, or past 30.
    pub fn junta(inputs: usize, support: usize, seed: u64) -> Result<Self, GenerateError> {
        Self::juntas(inputs, 1, support, seed)
    }

    /// The XOR of `blocks` random functions, each of `support` inputs, no two of which share an input. The inputs are drawn
    /// together, as those of one junta of them all: the first `support` places of the shuffle are the first block, and so
    /// on. The labels of each block begin with a fresh draw; with one block it is [`Target::junta`].
    ///
    /// ```
    /// use macchiato::generate::Target;
    ///
    /// let target = Target::juntas(20, 2, 6, 7)?;
    /// assert_eq!((target.blocks().len(), target.support().len()), (2, 12));
    /// # Ok::<(), macchiato::generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// No inputs or too many, a support that is empty, larger than they are, or past 30, no blocks, or more than the
    /// inputs have room for or 2^30 labels are enough for.
    pub fn juntas(inputs: usize, blocks: usize, support: usize, seed: u64) -> Result<Self, GenerateError> {
        check_support(inputs, support, MAX_SUPPORT)?;
        let most = (inputs / support).min(1 << (MAX_SUPPORT - support));
        if !(1..=most).contains(&blocks) {
            return Err(GenerateError::Blocks { blocks, support, inputs, most });
        }
        let mut rng = Stream::Labels.of(seed);
        let cells = 1 << support;
        let juntas: Vec<Junta> = drawn(inputs, blocks * support, seed)
            .chunks(support)
            .map(|block| {
                let mut labels: Vec<u64> = (0..bits::words(cells)).map(|_| rng.next_u64()).collect();
                labels[bits::words(cells) - 1] &= bits::last_mask(cells);
                Junta { inputs: sorted(block.to_vec()), labels }
            })
            .collect();
        let support = sorted(juntas.iter().flat_map(|junta| &junta.inputs).copied().collect());
        Ok(Self::new(numbered("x", 1, inputs), "y", support, Rule::Juntas(juntas)))
    }

    /// The parity of `support` of the inputs `x1`, `x2`, ..., drawn as a junta's are.
    ///
    /// # Errors
    /// No inputs or too many, or a support that is empty or larger than they are.
    pub fn parity(inputs: usize, support: usize, seed: u64) -> Result<Self, GenerateError> {
        check_support(inputs, support, MAX_INPUTS)?;
        let support = sorted(drawn(inputs, support, seed));
        Ok(Self::new(numbered("x", 1, inputs), "y", support, Rule::Parity))
    }

    /// The carry of the sum of two numbers `a1`, `a2`, ... and `b1`, `b2`, ..., lowest bits first.
    ///
    /// # Errors
    /// No bits, or more than inputs can be numbered.
    pub fn adder(bits: usize) -> Result<Self, GenerateError> {
        Self::adder_output(bits, bits.saturating_add(1))
    }

    /// Output `output` of an adder: bit 1 of the sum, the lowest, to bit `bits`, or its carry, `bits + 1`.
    ///
    /// # Errors
    /// No bits, or more than inputs can be numbered; an output that there is not.
    pub fn adder_output(bits: usize, output: usize) -> Result<Self, GenerateError> {
        let names = two_numbers(bits)?;
        if !(1..=bits + 1).contains(&output) {
            return Err(GenerateError::Output { output, outputs: bits + 1 });
        }
        let read = output.min(bits);
        let support = (0..read).chain(bits..bits + read).collect();
        let name = if output > bits { "carry".to_owned() } else { format!("s{output}") };
        Ok(Self::new(names, &name, support, Rule::Sum { bits, output: output - 1 }))
    }

    /// Whether the number `a1`, `a2`, ... is less than `b1`, `b2`, ..., lowest bits first.
    ///
    /// # Errors
    /// No bits, or more than inputs can be numbered.
    pub fn comparator(bits: usize) -> Result<Self, GenerateError> {
        let names = two_numbers(bits)?;
        Ok(Self::new(names, "less", (0..2 * bits).collect(), Rule::Less { bits }))
    }

    /// The one of the data inputs `d0`, `d1`, ... that the number `a1`, `a2`, ..., lowest bit first, points at.
    ///
    /// # Errors
    /// No address bits, or more than inputs can be numbered.
    pub fn multiplexer(address: usize) -> Result<Self, GenerateError> {
        let most = MAX_INPUTS.ilog2() as usize;
        if !(1..=most).contains(&address) {
            return Err(GenerateError::Address { address, most });
        }
        let mut names = numbered("a", 1, address);
        names.extend(numbered("d", 0, 1 << address));
        let support = (0..names.len()).collect();
        Ok(Self::new(names, "y", support, Rule::Multiplexer { address }))
    }

    /// An OR of `terms` ANDs of `width` literals each: for each term its inputs as a junta's coordinates are drawn, then
    /// for each of them in increasing order whether it must be 1, the lowest bit of a draw of the labels' stream.
    ///
    /// # Errors
    /// No inputs or too many, no terms or past 65,535, or terms that are empty or wider than there are inputs.
    pub fn dnf(inputs: usize, terms: usize, width: usize, seed: u64) -> Result<Self, GenerateError> {
        check_inputs(inputs)?;
        if !(1..=MAX_TERMS).contains(&terms) {
            return Err(GenerateError::Terms { terms, most: MAX_TERMS });
        }
        if !(1..=inputs).contains(&width) {
            return Err(GenerateError::Width { width, inputs });
        }
        let mut places = Stream::Coordinates.of(seed);
        let mut signs = Stream::Labels.of(seed);
        let terms: Vec<Vec<(usize, bool)>> = (0..terms)
            .map(|_| {
                let mut chosen: Vec<usize> = (0..inputs).collect();
                shuffle_first(&mut places, &mut chosen, width);
                chosen.sort_unstable();
                chosen.into_iter().map(|input| (input, below(&mut signs, 2) == 1)).collect()
            })
            .collect();
        let mut support: Vec<usize> = terms.iter().flatten().map(|&(input, _)| input).collect();
        support.sort_unstable();
        support.dedup();
        Ok(Self::new(numbered("x", 1, inputs), "y", support, Rule::Terms(terms)))
    }

    fn new(names: Vec<String>, name: &str, support: Vec<usize>, rule: Rule) -> Self {
        Self { names, name: name.to_owned(), support, rule }
    }

    /// Number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.names.len()
    }

    /// Names of the inputs.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Name of the output.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The inputs that the target was made from, in increasing order.
    #[must_use]
    pub fn support(&self) -> &[usize] {
        &self.support
    }

    /// The inputs of each block of [`Target::juntas`], in the order in which they were drawn; of any other target, its support.
    #[must_use]
    pub fn blocks(&self) -> Vec<&[usize]> {
        match &self.rule {
            Rule::Juntas(juntas) => juntas.iter().map(|junta| junta.inputs.as_slice()).collect(),
            _ => vec![&self.support],
        }
    }

    /// The value at one point.
    ///
    /// # Panics
    /// If `x` has fewer values than the target has inputs.
    #[must_use]
    pub fn at(&self, x: &[bool]) -> bool {
        self.rule.word(&self.support, |input| u64::from(x[input])) & 1 == 1
    }

    /// The values on bit columns, 64 rows at a time; bits past the last row are whatever they are.
    ///
    /// # Panics
    /// If there are fewer columns than inputs, or one has fewer than `words` words.
    #[must_use]
    pub fn evaluate(&self, columns: &[&[u64]], words: usize) -> Vec<u64> {
        (0..words).into_par_iter().map(|w| self.rule.word(&self.support, |input| columns[input][w])).collect()
    }
}

/// So many of the inputs, uniformly without replacement, in the order of their draws.
fn drawn(inputs: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..inputs).collect();
    shuffle_first(&mut Stream::Coordinates.of(seed), &mut chosen, count);
    chosen
}

fn sorted(mut inputs: Vec<usize>) -> Vec<usize> {
    inputs.sort_unstable();
    inputs
}

fn check_support(inputs: usize, support: usize, most: usize) -> Result<(), GenerateError> {
    check_inputs(inputs)?;
    let most = most.min(inputs);
    if (1..=most).contains(&support) { Ok(()) } else { Err(GenerateError::Support { support, inputs, most }) }
}

fn check_inputs(inputs: usize) -> Result<(), GenerateError> {
    if (1..=MAX_INPUTS).contains(&inputs) { Ok(()) } else { Err(GenerateError::Inputs { inputs }) }
}

/// The names of two numbers of `bits` bits.
fn two_numbers(bits: usize) -> Result<Vec<String>, GenerateError> {
    let most = MAX_INPUTS / 2;
    if !(1..=most).contains(&bits) {
        return Err(GenerateError::Bits { bits, most });
    }
    let mut names = numbered("a", 1, bits);
    names.extend(numbered("b", 1, bits));
    Ok(names)
}

fn numbered(letter: &str, first: usize, count: usize) -> Vec<String> {
    (first..first + count).map(|number| format!("{letter}{number}")).collect()
}
