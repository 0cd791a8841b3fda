use super::*;
use crate::bits;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Influences straight from the definition.
fn brute_force(rows: &Rows, residual: &[u64]) -> Vec<Influence> {
    let distinct = rows.distinct();
    let point = |row: usize| -> Vec<bool> { rows.columns().iter().map(|c| bits::get(c, row)).collect() };
    let flips: BTreeMap<Vec<bool>, bool> =
        bits::ones(&distinct.members).map(|row| (point(row), bits::get(residual, row))).collect();
    (0..rows.inputs())
        .map(|i| {
            let mut influence = Influence::default();
            for (x, value) in flips.iter().filter(|(x, _)| !x[i]) {
                let mut neighbour = x.clone();
                neighbour[i] = true;
                if let Some(other) = flips.get(&neighbour) {
                    influence.pairs += 1;
                    influence.differing += u64::from(value != other);
                }
            }
            influence
        })
        .collect()
}

fn any_rows() -> impl Strategy<Value = Rows> {
    prop_oneof![1usize..9, Just(40), Just(70)].prop_flat_map(|inputs| {
        // Wide rows vary in a few inputs only, spread over the width, so that there are neighbours.
        proptest::collection::vec((0u32..256, any::<bool>()), 1..300).prop_map(move |list| {
            let mut columns = vec![bits::Column::default(); inputs];
            let mut labels = bits::Column::default();
            for (x, label) in list {
                for (i, column) in columns.iter_mut().enumerate() {
                    let stride = inputs.div_ceil(8);
                    column.push(i % stride == 0 && x >> (i / stride) & 1 == 1);
                }
                labels.push(label);
            }
            let len = labels.len();
            let columns = columns.into_iter().map(bits::Column::into_words).collect();
            Rows::new(columns, labels.into_words(), len).expect("rows")
        })
    })
}

proptest! {
    #[test]
    fn influences_equal_a_brute_force_count(rows in any_rows()) {
        let neighbours = Neighbours::new(&rows);
        let residual = Residual::new(&rows);
        let voted = residual.for_pairs(&rows, neighbours.distinct());
        prop_assert_eq!(neighbours.influences(&rows, &residual), brute_force(&rows, &voted));
    }

    #[test]
    fn bitmaps_and_joins_agree(rows in any_rows()) {
        prop_assume!(rows.inputs() <= 8);
        let (distinct, bitmap) = Bitmap::new(&rows);
        prop_assert_eq!(&distinct, &rows.distinct());
        let list = PairList::new(&rows, &distinct);
        prop_assert_eq!(bitmap.pairs(), list.pairs());
        let voted = Residual::new(&rows).for_pairs(&rows, &distinct);
        prop_assert_eq!(bitmap.differing(&voted, &distinct), list.differing(&voted));
    }
}

#[test]
fn fractions_are_compared_exactly() {
    let influence = |differing, pairs| Influence { differing, pairs };
    let big = 1 << 40;
    assert_eq!(influence(big, 3 * big).compare(influence(1, 3)), Ordering::Equal);
    assert_eq!(influence(big + 1, 3 * big).compare(influence(1, 3)), Ordering::Greater);
    assert_eq!(influence(0, 0).compare(influence(0, 7)), Ordering::Equal);
}
