//! Which exact gate realizations a compilation uses: the paper's own, or those of Appendix F.3.

/// How a product term becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AndGate {
    /// Two neurons, one layer: Proposition `prop:relu-gate-modules`.
    #[default]
    Two,
    /// One neuron, one layer: Lemma `lem:and-width-one-appendix`.
    Narrow,
}

/// How a stage's OR becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrGate {
    /// Two neurons, one layer: Proposition `prop:relu-gate-modules`.
    #[default]
    Two,
    /// One neuron in each of two layers: Lemma `lem:or-depth-two-width-one-appendix`.
    Deep,
}

/// How the XOR of the stages becomes neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum XorGate {
    /// M neurons, then one: Proposition `prop:relu-gate-modules`.
    #[default]
    Flat,
    /// Two neurons, then one, for each halving of M: Proposition `prop:telgarsky-xor-realization`.
    Triangle,
    /// At most d rounds of small flat XORs: Proposition `prop:depth-parameterized-xor`.
    Depth(usize),
}

/// How to compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompileOptions {
    /// Product terms.
    pub and: AndGate,
    /// Stages.
    pub or: OrGate,
    /// Their XOR.
    pub xor: XorGate,
    /// Leave out literals that no term reads; without it the first layer has the paper's 2B neurons.
    pub prune: bool,
    /// Leave out the last ReLU, which changes nothing on the cube.
    pub linear_output: bool,
}
