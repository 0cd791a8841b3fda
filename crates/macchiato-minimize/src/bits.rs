//! Squares of bits: 64 words of 64 bits, by which rows become columns and columns rows.

/// Transposes 64 x 64 bits: bit j of word i becomes bit i of word j. Six passes over the words, each of which swaps the halves of smaller
/// squares.
pub fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_FFFF_FFFFu64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            for k in row..row + width {
                let swap = (square[k] >> width ^ square[k + width]) & mask;
                square[k] ^= swap << width;
                square[k + width] ^= swap;
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let word = |r: u64| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(r + 3).rotate_left(7);
        let mut square: [u64; 64] = std::array::from_fn(|r| word(r as u64));
        transpose(&mut square);
        for (c, column) in square.into_iter().enumerate() {
            for r in 0..64 {
                assert_eq!(column >> r & 1, word(r) >> c & 1);
            }
        }
    }
}
