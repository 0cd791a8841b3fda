//! What formulas are made of, for whatever evaluates them.

/// The limits were reached before the formula was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// What formulas are made of.
pub(super) trait Logic {
    /// A formula.
    type Bit: Copy;

    fn constant(&mut self, value: bool) -> Self::Bit;
    /// Whether the value of a feature is one of these.
    fn within(&mut self, feature: usize, values: &[bool]) -> Result<Self::Bit, Stopped>;
    fn not(&mut self, bit: Self::Bit) -> Result<Self::Bit, Stopped>;
    fn and(&mut self, bits: &[Self::Bit]) -> Result<Self::Bit, Stopped>;
    fn or(&mut self, bits: &[Self::Bit]) -> Result<Self::Bit, Stopped>;
    fn xor(&mut self, a: Self::Bit, b: Self::Bit) -> Result<Self::Bit, Stopped>;
}
