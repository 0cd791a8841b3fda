//! Input-only cube lists of one output: what the unate recursive paradigm recurs on.
//!
//! A list holds the two input planes of each cube and a tag that says where the cube came from. Cofactoring by a cube c
//! keeps the cubes that meet c and frees the inputs on which c has a literal: `g | !c`, word by word.

use crate::cover::Cover;
use crate::cube::{Shape, ones};

/// Tag of a cube that covers for free: don't-cares and terms that stay anyway.
pub(super) const FREE: u32 = u32::MAX;

/// Cubes over the inputs alone, with tags.
#[derive(Debug, Clone)]
pub(super) struct List {
    /// Words of one plane.
    words: usize,
    cubes: Vec<u64>,
    tags: Vec<u32>,
}

/// How often an input occurs with each literal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) negative: u32,
    pub(super) positive: u32,
}

impl Count {
    fn binate(self) -> bool {
        self.negative > 0 && self.positive > 0
    }
}

/// The literals that occur in a list.
pub(super) struct Signs {
    words: usize,
    /// Inputs with the positive literal, then those with the negative one.
    planes: Vec<u64>,
}

impl Signs {
    /// The inputs of word `w` with one literal only.
    pub(super) fn unate(&self, w: usize) -> u64 {
        self.planes[w] ^ self.planes[self.words + w]
    }

    /// The inputs of word `w` with both literals.
    fn binate(&self, w: usize) -> u64 {
        self.planes[w] & self.planes[self.words + w]
    }

    /// Whether input `i` has the positive literal.
    pub(super) fn positive(&self, i: usize) -> bool {
        self.planes[i / 64] >> (i % 64) & 1 == 1
    }

    /// The inputs with a literal, if they are at most six.
    pub(super) fn few_inputs(&self) -> Option<Vec<usize>> {
        let used = |w: usize| self.planes[w] | self.planes[self.words + w];
        let count: u32 = (0..self.words).map(|w| used(w).count_ones()).sum();
        if count > 6 {
            return None;
        }
        let mut inputs = Vec::with_capacity(6);
        for w in 0..self.words {
            inputs.extend(ones(&[used(w)]).map(|i| 64 * w + i));
        }
        Some(inputs)
    }
}

/// Which input a recursion splits next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// The most frequent input that occurs with both literals.
    Binate(usize),
    /// No input occurs with both literals.
    Unate,
}

/// The cubes that meet one cube, cofactored by it once for all of its outputs.
#[derive(Debug)]
pub(super) struct Around<'a> {
    shape: Shape,
    by: &'a [u64],
    cubes: Vec<u64>,
    outputs: Vec<u64>,
    tags: Vec<u32>,
    /// Outputs on which one cube alone covers everything for free.
    free: Vec<u64>,
}

impl<'a> Around<'a> {
    /// Nothing yet, around the cube `by`.
    pub(super) fn new(shape: Shape, by: &'a [u64]) -> Self {
        let free = vec![0; shape.output_words()];
        Self { shape, by, cubes: Vec::new(), outputs: Vec::new(), tags: Vec::new(), free }
    }

    /// Adds the cubes of `cover` that meet the cube and have a tag.
    pub(super) fn add(&mut self, cover: &Cover, mut tag: impl FnMut(usize) -> Option<u32>) {
        let planes = 2 * self.shape.input_words();
        for (at, cube) in cover.cubes().enumerate() {
            if self.shape.meet(cube, self.by)
                && let Some(tag) = tag(at)
            {
                let start = self.cubes.len();
                self.cubes.extend(cube[..planes].iter().zip(self.by).map(|(g, c)| g | !c));
                self.outputs.extend_from_slice(&cube[planes..]);
                self.tags.push(tag);
                if tag == FREE && self.cubes[start..].iter().all(|&word| word == u64::MAX) {
                    self.free.iter_mut().zip(&cube[planes..]).for_each(|(to, from)| *to |= from);
                }
            }
        }
    }

    /// The cubes that assert `output`; only the one that covers everything for free, where there is one.
    pub(super) fn list(&self, output: usize) -> List {
        let words = self.shape.input_words();
        let (word, bit) = (output / 64, 1u64 << (output % 64));
        let mut list = List { words, cubes: Vec::new(), tags: Vec::new() };
        if self.free[word] & bit != 0 {
            list.cubes.resize(2 * words, u64::MAX);
            list.tags.push(FREE);
            return list;
        }
        let outputs = self.outputs.chunks_exact(self.shape.output_words());
        for (at, _) in outputs.enumerate().filter(|(_, outputs)| outputs[word] & bit != 0) {
            list.push(&self.cubes[2 * words * at..2 * words * (at + 1)], self.tags[at]);
        }
        list
    }
}

impl List {
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    pub(super) fn cube(&self, at: usize) -> &[u64] {
        &self.cubes[at * 2 * self.words..(at + 1) * 2 * self.words]
    }

    pub(super) fn tag(&self, at: usize) -> u32 {
        self.tags[at]
    }

    fn push(&mut self, cube: &[u64], tag: u32) {
        self.cubes.extend_from_slice(cube);
        self.tags.push(tag);
    }

    pub(super) fn is_universal(&self, at: usize) -> bool {
        self.cube(at).iter().all(|&word| word == u64::MAX)
    }

    pub(super) fn has_universal(&self) -> bool {
        (0..self.len()).any(|at| self.is_universal(at))
    }

    /// The bits of word `w` on which cube `at` has a literal.
    pub(super) fn literal_bits(&self, at: usize, w: usize) -> u64 {
        let cube = self.cube(at);
        !(cube[w] & cube[self.words + w])
    }

    pub(super) fn literals(&self, at: usize) -> u32 {
        (0..self.words).map(|w| self.literal_bits(at, w).count_ones()).sum()
    }

    /// Which literals occur at all: what most questions need, and far cheaper than counting them.
    pub(super) fn signs(&self) -> Signs {
        let mut signs = Signs { words: self.words, planes: vec![0; 2 * self.words] };
        for cube in self.cubes.chunks_exact(2 * self.words.max(1)) {
            signs.planes.iter_mut().zip(cube).for_each(|(to, admitted)| *to |= !admitted);
        }
        signs
    }

    /// Occurrences of each literal on the inputs of `mask`, for 64 inputs a word.
    fn counts(&self, mask: impl Fn(usize) -> u64) -> Vec<Count> {
        let mut counts = vec![Count::default(); 64 * self.words];
        for at in 0..self.len() {
            let cube = self.cube(at);
            for w in 0..self.words {
                let mut bits = !(cube[w] & cube[self.words + w]) & mask(w);
                while bits != 0 {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let count = &mut counts[64 * w + bit];
                    if cube[self.words + w] >> bit & 1 == 1 {
                        count.positive += 1;
                    } else {
                        count.negative += 1;
                    }
                }
            }
        }
        counts
    }

    /// Which input to split next.
    pub(super) fn split(&self, signs: &Signs) -> Split {
        if (0..self.words).all(|w| signs.binate(w) == 0) {
            return Split::Unate;
        }
        most_binate(&self.counts(|w| signs.binate(w)))
    }

    /// The same where unate inputs are split too: the most frequent of them.
    pub(super) fn any_split(&self, signs: &Signs) -> usize {
        match self.split(signs) {
            Split::Binate(i) => i,
            Split::Unate => {
                let counts = self.counts(|_| u64::MAX);
                let total = |i: usize| counts[i].negative + counts[i].positive;
                (0..counts.len()).max_by_key(|&i| (total(i), std::cmp::Reverse(i))).unwrap_or(0)
            }
        }
    }

    /// The list without the cubes that have a literal on an input of one literal only: at the point where that literal
    /// fails they are of no help. `None` if there is no such input.
    pub(super) fn without_unate(&self, signs: &Signs) -> Option<Self> {
        if (0..self.words).all(|w| signs.unate(w) == 0) {
            return None;
        }
        let mut rest = Self { words: self.words, cubes: Vec::new(), tags: Vec::new() };
        for at in 0..self.len() {
            if (0..self.words).all(|w| self.literal_bits(at, w) & signs.unate(w) == 0) {
                rest.push(self.cube(at), self.tags[at]);
            }
        }
        Some(rest)
    }

    /// The cofactor at `x_i = value`.
    pub(super) fn cofactor(&self, i: usize, value: bool) -> Self {
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        let plane = if value { self.words + word } else { word };
        let mut part = Self {
            words: self.words,
            cubes: Vec::with_capacity(self.cubes.len()),
            tags: Vec::with_capacity(self.tags.len()),
        };
        for at in 0..self.len() {
            let cube = self.cube(at);
            if cube[plane] & bit != 0 {
                let start = part.cubes.len();
                part.push(cube, self.tags[at]);
                part.cubes[start + word] |= bit;
                part.cubes[start + self.words + word] |= bit;
            }
        }
        part
    }

    /// The truth table of the list over `active`, which must hold every input with a literal; unused bits are 0.
    pub(super) fn truth_table(&self, active: &[usize]) -> u64 {
        let mut table = 0;
        for at in 0..self.len() {
            let cube = self.cube(at);
            let mut term = full_table(active.len());
            for (position, &i) in active.iter().enumerate() {
                let (word, bit) = (i / 64, i % 64);
                let low = crate::primes::LOW[position];
                if cube[word] >> bit & 1 == 0 {
                    term &= !low;
                } else if cube[self.words + word] >> bit & 1 == 0 {
                    term &= low;
                }
            }
            table |= term;
        }
        table
    }
}

/// The most frequent input that occurs with both literals.
pub(super) fn most_binate(counts: &[Count]) -> Split {
    counts
        .iter()
        .enumerate()
        .filter(|(_, count)| count.binate())
        .max_by_key(|&(i, count)| {
            (count.negative + count.positive, count.negative.min(count.positive), std::cmp::Reverse(i))
        })
        .map_or(Split::Unate, |(i, _)| Split::Binate(i))
}

/// The table of constant 1 over `inputs` inputs, at most six.
pub(super) const fn full_table(inputs: usize) -> u64 {
    if inputs == 6 { u64::MAX } else { (1 << (1 << inputs)) - 1 }
}
