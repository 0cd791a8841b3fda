//! Cubes in positional notation, as slices of words, and the shape that gives them their layout.
//!
//! A cube of `inputs` inputs and `outputs` outputs is three bit planes laid end to end: bit i of the *zeros* plane
//! says that the cube admits `x_i = 0`, bit i of the *ones* plane that it admits `x_i = 1`, bit o of the *outputs*
//! plane that it asserts output o. An input that admits both has no literal. Padding bits of the input planes are 1
//! and those of the outputs plane 0, so that no operation needs a mask: intersection is AND, supercube is OR,
//! containment is `b & !a == 0`. Each operation costs one pass over the words.

/// Number of inputs and outputs: the layout of a cube's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    inputs: usize,
    outputs: usize,
}

/// What one cube says of one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `!x_i`: the PLA character `0`.
    Negative,
    /// `x_i`: the PLA character `1`.
    Positive,
    /// No literal: the PLA character `-`.
    Free,
}

impl Shape {
    /// A shape of `inputs` inputs and `outputs` outputs.
    #[must_use]
    pub const fn new(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs }
    }

    /// Number of inputs.
    #[must_use]
    pub const fn inputs(self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    #[must_use]
    pub const fn outputs(self) -> usize {
        self.outputs
    }

    /// Words of one input plane.
    pub(crate) const fn input_words(self) -> usize {
        self.inputs.div_ceil(64)
    }

    /// Words of the outputs plane.
    pub(crate) const fn output_words(self) -> usize {
        self.outputs.div_ceil(64)
    }

    /// Words of a whole cube.
    pub(crate) const fn words(self) -> usize {
        2 * self.input_words() + self.output_words()
    }

    /// The words of the input planes.
    pub(crate) fn input_part(self, cube: &[u64]) -> &[u64] {
        &cube[..2 * self.input_words()]
    }

    /// The words of the outputs plane.
    pub(crate) fn output_part(self, cube: &[u64]) -> &[u64] {
        &cube[2 * self.input_words()..]
    }

    /// The words of the outputs plane, for writing.
    pub(crate) fn output_part_mut(self, cube: &mut [u64]) -> &mut [u64] {
        &mut cube[2 * self.input_words()..]
    }

    /// The cube without literals that asserts every output.
    pub(crate) fn universe(self) -> Vec<u64> {
        let mut cube = vec![u64::MAX; self.words()];
        let planes = 2 * self.input_words();
        for (w, word) in cube[planes..].iter_mut().enumerate() {
            let left = self.outputs - 64 * w;
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        cube
    }

    /// The literal of input `i`; an input that admits nothing never occurs in a cover.
    pub(crate) fn literal(self, cube: &[u64], i: usize) -> Literal {
        let (zero, one) = self.admits(cube, i);
        match (zero, one) {
            (true, true) => Literal::Free,
            (false, true) => Literal::Positive,
            _ => Literal::Negative,
        }
    }

    /// Whether the cube admits `x_i = 0` and `x_i = 1`.
    pub(crate) fn admits(self, cube: &[u64], i: usize) -> (bool, bool) {
        let (word, bit) = (i / 64, i % 64);
        (cube[word] >> bit & 1 == 1, cube[self.input_words() + word] >> bit & 1 == 1)
    }

    /// Gives input `i` the literal `literal`.
    pub(crate) fn set_literal(self, cube: &mut [u64], i: usize, literal: Literal) {
        let (word, bit) = (i / 64, 1 << (i % 64));
        let one = self.input_words() + word;
        match literal {
            Literal::Negative => (cube[word] |= bit, cube[one] &= !bit),
            Literal::Positive => (cube[word] &= !bit, cube[one] |= bit),
            Literal::Free => (cube[word] |= bit, cube[one] |= bit),
        };
    }

    /// Whether the cube asserts output `o`.
    pub(crate) fn asserts(self, cube: &[u64], o: usize) -> bool {
        cube[2 * self.input_words() + o / 64] >> (o % 64) & 1 == 1
    }

    /// Makes the cube assert output `o`, or not.
    pub(crate) fn set_output(self, cube: &mut [u64], o: usize, asserted: bool) {
        let word = &mut cube[2 * self.input_words() + o / 64];
        let bit = 1 << (o % 64);
        *word = if asserted { *word | bit } else { *word & !bit };
    }

    /// Number of inputs with a literal.
    pub(crate) fn literals(self, cube: &[u64]) -> usize {
        let w = self.input_words();
        (0..w).map(|i| (!(cube[i] & cube[w + i])).count_ones() as usize).sum()
    }

    /// Number of inputs on which the two cubes contradict each other; 0 means that their input parts meet.
    pub(crate) fn input_distance(self, a: &[u64], b: &[u64]) -> usize {
        let w = self.input_words();
        (0..w).map(|i| (!((a[i] & b[i]) | (a[w + i] & b[w + i]))).count_ones() as usize).sum()
    }

    /// Whether the input parts have a point in common.
    pub(crate) fn inputs_meet(self, a: &[u64], b: &[u64]) -> bool {
        let w = self.input_words();
        let ((zeros_a, ones_a), (zeros_b, ones_b)) = (a[..2 * w].split_at(w), b[..2 * w].split_at(w));
        let pairs = zeros_a.iter().zip(zeros_b).zip(ones_a.iter().zip(ones_b));
        // One pass without branches: most cubes have one word.
        pairs.fold(u64::MAX, |meet, ((a, b), (c, d))| meet & ((a & b) | (c & d))) == u64::MAX
    }

    /// Whether both cubes assert some output.
    pub(crate) fn outputs_meet(self, a: &[u64], b: &[u64]) -> bool {
        self.output_part(a).iter().zip(self.output_part(b)).any(|(x, y)| x & y != 0)
    }

    /// Whether the cubes have a point of some output in common.
    pub(crate) fn meet(self, a: &[u64], b: &[u64]) -> bool {
        self.outputs_meet(a, b) && self.inputs_meet(a, b)
    }

    /// The asserted outputs, in increasing order.
    pub(crate) fn asserted(self, cube: &[u64]) -> impl Iterator<Item = usize> + use<'_> {
        ones(self.output_part(cube))
    }
}

/// Whether `a` contains `b`, word for word.
pub(crate) fn contains(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| b & !a == 0)
}

/// Positions of the 1 bits, in increasing order.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + use<'_> {
    words.iter().enumerate().flat_map(|(w, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                64 * w + bit
            })
        })
    })
}
