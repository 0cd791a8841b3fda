use proptest::prelude::*;

use super::{Join, indices, meeting_pair};
use crate::cover::Cover;
use crate::cube::{Literal, Shape};

fn cover(shape: Shape, cubes: &[(Vec<u8>, Vec<bool>)]) -> Cover {
    let mut cover = Cover::new(shape);
    for (literals, outputs) in cubes {
        let literals: Vec<Literal> = literals
            .iter()
            .map(|c| match c {
                0 => Literal::Negative,
                1 => Literal::Positive,
                _ => Literal::Free,
            })
            .collect();
        cover.push(&literals, outputs);
    }
    cover
}

fn cubes(inputs: usize, codes: u8, most: usize) -> impl Strategy<Value = Vec<(Vec<u8>, Vec<bool>)>> {
    let cube = (prop::collection::vec(0..codes, inputs), prop::collection::vec(any::<bool>(), 2));
    prop::collection::vec(cube, 0..most)
}

fn all_pairs(on: &Cover, off: &Cover) -> Option<(usize, usize)> {
    Join { shape: on.shape(), on, off }.all_pairs(&indices(on), &indices(off))
}

proptest! {
    #[test]
    fn agrees_with_comparing_all_pairs(on in cubes(9, 3, 200), off in cubes(9, 3, 200)) {
        let shape = Shape::new(9, 2);
        let (on, off) = (cover(shape, &on), cover(shape, &off));
        let pair = meeting_pair(&on, &off);
        prop_assert_eq!(pair.is_some(), all_pairs(&on, &off).is_some());
        if let Some((i, j)) = pair {
            prop_assert!(shape.meet(on.cube(i), off.cube(j)));
        }
    }

    #[test]
    fn agrees_on_sparse_meetings(on in cubes(16, 2, 200), off in cubes(16, 2, 200), free in 0usize..16) {
        // One ON cube with a free input among minterms: the pairs are few and far between.
        let shape = Shape::new(16, 2);
        let mut on = on;
        if let Some(first) = on.first_mut() {
            first.0[free] = 2;
        }
        let (on, off) = (cover(shape, &on), cover(shape, &off));
        prop_assert_eq!(meeting_pair(&on, &off).is_some(), all_pairs(&on, &off).is_some());
    }
}

#[test]
fn a_wide_minterm_among_many_is_found() {
    let shape = Shape::new(70, 1);
    let minterm = |x: usize| ((0..70).map(|i| (x >> (i % 20) & 1) as u8).collect::<Vec<u8>>(), vec![true]);
    let on: Vec<_> = (0..2000).map(|x| minterm(2 * x)).collect();
    let mut off: Vec<_> = (0..2000).map(|x| minterm(2 * x + 1)).collect();
    assert_eq!(meeting_pair(&cover(shape, &on), &cover(shape, &off)), None);
    off[1234] = minterm(66);
    assert_eq!(meeting_pair(&cover(shape, &on), &cover(shape, &off)), Some((33, 1234)));
}

#[test]
fn repeated_rows_with_other_outputs_do_not_meet() {
    let shape = Shape::new(1, 2);
    let on = vec![(vec![0], vec![true, false]); 30_000];
    let off = vec![(vec![2], vec![false, true]); 30_000];
    assert_eq!(meeting_pair(&cover(shape, &on), &cover(shape, &off)), None);
}
