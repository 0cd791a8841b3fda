use super::{Covering, Effort};
use crate::budget::Budget;
use proptest::prelude::*;

fn covering(rows: usize, columns: &[Vec<u32>]) -> Covering {
    let mut covering = Covering::new(rows);
    for (at, column) in columns.iter().enumerate() {
        covering.push_column(column.iter().copied(), at % 3);
    }
    covering
}

/// Fewest columns, by trying every set of them.
fn brute_force(rows: usize, columns: &[Vec<u32>]) -> usize {
    let masks: Vec<u32> = columns.iter().map(|c| c.iter().fold(0, |m, row| m | 1 << row)).collect();
    let coverable = masks.iter().fold(0, |m, c| m | c) & ((1u32 << rows) - 1);
    (0u32..1 << columns.len())
        .filter(|set| {
            let union =
                masks.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).fold(0, |m, (_, c)| m | c);
            union == coverable
        })
        .map(u32::count_ones)
        .min()
        .expect("all columns cover what can be covered") as usize
}

fn any_columns() -> impl Strategy<Value = (usize, Vec<Vec<u32>>)> {
    (1usize..10).prop_flat_map(|rows| {
        let column = proptest::collection::btree_set(0..rows as u32, 0..=rows.min(4));
        let columns = proptest::collection::vec(column.prop_map(|c| c.into_iter().collect()), 0..12);
        (Just(rows), columns)
    })
}

proptest! {
    #[test]
    fn exact_choices_are_smallest_and_bounds_hold((rows, columns) in any_columns()) {
        let fewest = brute_force(rows, &columns);
        for exact in [false, true] {
            let effort = Effort { exact, seed: 0, budget: Budget::unlimited() };
            let solution = covering(rows, &columns).solve(&effort);
            for row in 0..rows as u32 {
                let coverable = columns.iter().any(|c| c.contains(&row));
                let covered = solution.columns.iter().any(|&c| columns[c].contains(&row));
                prop_assert_eq!(coverable, covered);
            }
            prop_assert!(solution.lower_bound <= fewest);
            prop_assert!(solution.columns.len() >= fewest);
            if exact {
                prop_assert_eq!(solution.columns.len(), fewest);
                prop_assert_eq!(solution.lower_bound, fewest);
            }
        }
    }
}

/// The lines of a Steiner triple system of order 9 have a gap between bound and cover: 5, where prices prove 3 or 4.
#[test]
fn branching_closes_the_gap_of_a_steiner_system() {
    let points = |l: [u32; 3]| l;
    let lines = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [1, 5, 6],
        [2, 3, 7],
        [0, 5, 7],
        [1, 3, 8],
        [2, 4, 6],
    ]
    .map(points);
    let columns: Vec<Vec<u32>> =
        (0..9).map(|p| (0..12).filter(|&l| lines[l as usize].contains(&p)).collect()).collect();
    let effort = Effort { exact: true, seed: 0, budget: Budget::unlimited() };
    let solution = covering(12, &columns).solve(&effort);
    assert_eq!((solution.columns.len(), solution.lower_bound), (5, 5));
}

/// Random columns of three rows each leave a gap that only branching closes; more threads must not change a single column.
#[test]
fn the_answer_is_the_same_for_every_number_of_threads() {
    for seed in 0..20u64 {
        let mut state = seed;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let columns: Vec<Vec<u32>> = (0..60)
            .map(|_| {
                let rows: std::collections::BTreeSet<u32> = (0..3).map(|_| draw(30)).collect();
                rows.into_iter().collect()
            })
            .collect();
        let solved = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let effort = Effort { exact: true, seed, budget: Budget::unlimited() };
            let solution = pool.install(|| covering(30, &columns).solve(&effort));
            assert_eq!(solution.columns.len(), solution.lower_bound, "seed {seed} is proven");
            solution.columns
        };
        let alone = solved(1);
        assert_eq!(alone, solved(2), "seed {seed}");
        assert_eq!(alone, solved(7), "seed {seed}");
    }
}
