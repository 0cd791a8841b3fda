//! A cover: a list of cubes that stands for the OR of its product terms, for one output or several.
//!
//! Words lie end to end in one vector. An empty cover is constant 0; a cover with a cube without literals is constant
//! 1 on that cube's outputs (the paper's Appendix D.3 fixes which of them a degenerate table gets).

use crate::cube::{self, Literal, Shape};

/// A sum of products over `inputs` inputs for `outputs` outputs.
///
/// ```
/// use macchiato_minimize::{Cover, Literal, Shape};
///
/// let mut xor = Cover::new(Shape::new(2, 1));
/// xor.push(&[Literal::Positive, Literal::Negative], &[true]);
/// xor.push(&[Literal::Negative, Literal::Positive], &[true]);
/// assert_eq!((xor.terms(), xor.literals()), (2, 4));
/// assert!(xor.evaluate(0, &[true, false]));
/// assert!(!xor.evaluate(0, &[true, true]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    shape: Shape,
    words: Vec<u64>,
}

impl Cover {
    /// The empty cover: constant 0 on every output.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape, words: Vec::new() }
    }

    /// The cover of one cube without literals: constant 1 on every output.
    #[must_use]
    pub fn universe(shape: Shape) -> Self {
        Self { shape, words: shape.universe() }
    }

    /// Inputs and outputs.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of product terms.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.words.len() / self.shape.words().max(1)
    }

    /// Whether there is no term at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of literals over all terms.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.cubes().map(|cube| self.shape.literals(cube)).sum()
    }

    /// Adds the product of `literals`, one for each input, to the outputs that are `true`.
    ///
    /// # Panics
    /// If the slices do not have the shape's lengths: a mistake in the calling program.
    pub fn push(&mut self, literals: &[Literal], outputs: &[bool]) {
        assert_eq!((literals.len(), outputs.len()), (self.shape.inputs(), self.shape.outputs()));
        let mut cube = self.shape.universe();
        for (i, &literal) in literals.iter().enumerate() {
            self.shape.set_literal(&mut cube, i, literal);
        }
        for (o, &asserted) in outputs.iter().enumerate() {
            self.shape.set_output(&mut cube, o, asserted);
        }
        self.push_words(&cube);
    }

    /// The literal of input `input` in term `term`.
    ///
    /// # Panics
    /// If there is no such term or input.
    #[must_use]
    pub fn literal(&self, term: usize, input: usize) -> Literal {
        assert!(input < self.shape.inputs(), "input {input} of {}", self.shape.inputs());
        self.shape.literal(self.cube(term), input)
    }

    /// Whether term `term` belongs to output `output`.
    ///
    /// # Panics
    /// If there is no such term or output.
    #[must_use]
    pub fn asserts(&self, term: usize, output: usize) -> bool {
        assert!(output < self.shape.outputs(), "output {output} of {}", self.shape.outputs());
        self.shape.asserts(self.cube(term), output)
    }

    /// The value of output `output` at the point `x`.
    ///
    /// # Panics
    /// If `x` does not hold one value for each input.
    #[must_use]
    pub fn evaluate(&self, output: usize, x: &[bool]) -> bool {
        assert_eq!(x.len(), self.shape.inputs());
        let mut point = self.shape.universe();
        for (i, &value) in x.iter().enumerate() {
            self.shape.set_literal(&mut point, i, if value { Literal::Positive } else { Literal::Negative });
        }
        let inputs = self.shape.input_part(&point);
        self.cubes().any(|cube| self.shape.asserts(cube, output) && cube::contains(cube, inputs))
    }

    pub(crate) fn from_words(shape: Shape, words: Vec<u64>) -> Self {
        debug_assert_eq!(words.len() % shape.words().max(1), 0);
        Self { shape, words }
    }

    pub(crate) fn push_words(&mut self, cube: &[u64]) {
        debug_assert_eq!(cube.len(), self.shape.words());
        self.words.extend_from_slice(cube);
    }

    pub(crate) fn cube(&self, term: usize) -> &[u64] {
        let stride = self.shape.words();
        &self.words[term * stride..(term + 1) * stride]
    }

    pub(crate) fn cube_mut(&mut self, term: usize) -> &mut [u64] {
        let stride = self.shape.words();
        &mut self.words[term * stride..(term + 1) * stride]
    }

    pub(crate) fn cubes(&self) -> std::slice::ChunksExact<'_, u64> {
        self.words.chunks_exact(self.shape.words().max(1))
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        debug_assert_eq!(self.shape, other.shape);
        self.words.extend_from_slice(&other.words);
    }

    /// The terms whose index passes `keep`, in order.
    pub(crate) fn filtered(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut kept = Self::new(self.shape);
        for (term, cube) in self.cubes().enumerate() {
            if keep(term) {
                kept.push_words(cube);
            }
        }
        kept
    }

    /// The terms in lexicographic order, without repetitions: one spelling for one set of terms.
    pub(crate) fn sorted(&self) -> Self {
        let mut cubes: Vec<&[u64]> = self.cubes().collect();
        cubes.sort_unstable();
        cubes.dedup();
        Self { shape: self.shape, words: cubes.concat() }
    }
}
