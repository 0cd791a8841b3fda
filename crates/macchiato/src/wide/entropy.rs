//! Entropies of counts in fixed point, the same on every platform.
//!
//! A table of n log2 n makes the information in the labels of a node three look-ups and no floating point.

/// Binary digits after the point of every quantity of information.
const POINT: u32 = 16;

/// n log2 n for n up to a bound, in units of 2^-16 bits.
#[derive(Debug, Clone)]
pub(crate) struct Entropy {
    table: Vec<i64>,
}

impl Entropy {
    /// The table for counts up to `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self { table: (0..=most as u64).map(|n| n as i64 * log2(n)).collect() }
    }

    /// The information of labels of which so many are 0 and so many are 1: the bits that an ideal code spends on them.
    pub(crate) fn bits(&self, [zeros, ones]: [usize; 2]) -> i64 {
        self.table[zeros + ones] - self.table[zeros] - self.table[ones]
    }
}

/// log2 n in units of 2^-16, rounded down; 0 for 0. Squares the mantissa once for each digit.
pub(crate) fn log2(n: u64) -> i64 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    let mut mantissa = u128::from(n) << 63 >> whole;
    let mut log = i64::from(whole);
    for _ in 0..POINT {
        mantissa = (mantissa * mantissa) >> 63;
        let digit = mantissa >> 64;
        mantissa >>= digit;
        log = 2 * log + digit as i64;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_the_last_digit() {
        for n in [1_u64, 2, 3, 5, 6400, 200_000, u64::from(u32::MAX)] {
            let exact = (n as f64).log2() * 65536.0;
            assert!((log2(n) as f64 - exact).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn pure_labels_carry_no_information_and_even_ones_a_bit_each() {
        let entropy = Entropy::new(100);
        assert_eq!(entropy.bits([7, 0]), 0);
        assert_eq!(entropy.bits([32, 32]), 64 << POINT);
    }
}
