//! Products of literals, and their sums as predictions.

/// A product of literals, sorted by input: (input, the value it must have). Empty for the constant 1.
pub(crate) type Cube = Vec<(usize, bool)>;

#[cfg(test)]
/// Whether a row lies in a cube.
#[must_use]
pub(crate) fn contains(cube: &[(usize, bool)], row: &[u64]) -> bool {
    cube.iter().all(|&(i, x)| (row[i / 64] >> (i % 64) & 1 == 1) == x)
}

/// A sum of products, or its complement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sop {
    /// The products.
    pub(crate) cubes: Vec<Cube>,
    /// Whether the cubes are where the prediction is 0: it is then 1 XOR the sum.
    pub(crate) negated: bool,
}

impl Sop {
    /// Literals of all products.
    #[must_use]
    pub(crate) fn literals(&self) -> usize {
        self.cubes.iter().map(Vec::len).sum()
    }

    #[cfg(test)]
    /// The prediction for a row.
    #[must_use]
    pub(crate) fn predict(&self, row: &[u64]) -> bool {
        self.negated != self.cubes.iter().any(|cube| contains(cube, row))
    }
}

/// The product of two sums of cubes, without contradictions and cubes that lie in others.
pub(crate) fn product(a: &[Cube], b: &[Cube]) -> Vec<Cube> {
    without_contained(a.iter().flat_map(|a| b.iter().filter_map(|b| meet(a, b))).collect())
}

/// The cubes that lie in no other, shortest first.
pub(crate) fn without_contained(mut cubes: Vec<Cube>) -> Vec<Cube> {
    cubes.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut kept: Vec<Cube> = Vec::with_capacity(cubes.len());
    for cube in cubes {
        if !kept.iter().any(|wider| wider.iter().all(|literal| cube.binary_search(literal).is_ok())) {
            kept.push(cube);
        }
    }
    kept
}

/// The cube of the points in both; none if there are none.
fn meet(a: &Cube, b: &Cube) -> Option<Cube> {
    let mut both = [&a[..], &b[..]].concat();
    both.sort_unstable();
    both.dedup();
    both.is_sorted_by(|(i, _), (j, _)| i < j).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_drop_contradictions_and_contained_cubes() {
        let differ = [vec![(0, true), (1, false)], vec![(0, false), (1, true)]];
        assert_eq!(product(&differ, &[vec![(0, true)]]), [vec![(0, true), (1, false)]]);
        let either = [vec![(0, true)], vec![(1, true)]];
        assert_eq!(product(&either, &either), either);
    }

    #[test]
    fn the_empty_sum_is_zero_and_the_empty_product_one() {
        assert!(!Sop::default().predict(&[7]));
        assert!(Sop { cubes: vec![vec![]], negated: false }.predict(&[7]));
        assert!(!Sop { cubes: vec![vec![(1, true)]], negated: true }.predict(&[2]));
    }
}
