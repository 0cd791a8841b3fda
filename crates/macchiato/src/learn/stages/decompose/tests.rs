//! Laws of any decomposition, the tables that must be found exactly, and how near random tables come.

use super::*;
use proptest::prelude::*;
use rand::SeedableRng;

fn run(votes: &[[u64; 2]], s: usize, k: usize, m: usize, seed: u64) -> Vec<Part> {
    decompose(votes, s, k, m, seed, 4, &|| false)
}

fn xor(parts: &[Part], s: usize) -> Vec<bool> {
    let mut word = vec![false; 1 << s];
    for part in parts {
        word.iter_mut().zip(part.word(1 << s)).for_each(|(bit, value)| *bit ^= value);
    }
    word
}

fn full(table: &[bool]) -> Vec<[u64; 2]> {
    table.iter().map(|&bit| if bit { [0, 3] } else { [3, 0] }).collect()
}

fn random_table(s: usize, seed: u64) -> Vec<bool> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..1 << s).map(|_| rng.random()).collect()
}

/// Votes of `rows` uniform rows, of which `noise` percent have the wrong label.
fn sample(table: &[bool], rows: usize, noise: u32, seed: u64) -> Vec<[u64; 2]> {
    let mut rng = ChaCha8Rng::seed_from_u64(!seed);
    let mut votes = vec![[0; 2]; table.len()];
    for _ in 0..rows {
        let cell = rng.random_range(0..table.len());
        votes[cell][usize::from(table[cell] ^ (rng.random_range(0..100) < noise))] += 1;
    }
    votes
}

/// The mean share of cells that are right, in thousandths.
fn accuracy(s: usize, k: usize, rows: usize, noise: u32, seeds: u64) -> usize {
    let right = |seed| {
        let table = random_table(s, seed);
        let word = xor(&run(&sample(&table, rows, noise, seed), s, k, 20, seed), s);
        word.iter().zip(&table).filter(|(bit, truth)| bit == truth).count()
    };
    (0..seeds).map(right).sum::<usize>() * 1000 / ((seeds as usize) << s)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn parts_keep_the_limits_and_never_lose_more_than_a_constant(
        (s, votes) in (1usize..7).prop_flat_map(|s| {
            (Just(s), proptest::collection::vec(proptest::array::uniform2(0u64..3), 1 << s))
        }),
        k in 1usize..6,
        m in 1usize..6,
        seed: u64,
    ) {
        let parts = run(&votes, s, k, m, seed);
        prop_assert!(parts.len() <= m);
        for part in &parts {
            prop_assert!(part.inputs.len() <= k && part.inputs.is_sorted_by(|a, b| a < b));
            prop_assert!(part.inputs.iter().all(|&input| input < s));
            prop_assert_eq!(part.values.len(), 1 << part.inputs.len());
        }
        let against = |word: &[bool]| lost(word, &differences(&votes));
        let word = xor(&parts, s);
        prop_assert!(against(&word) <= against(&vec![false; 1 << s]).min(against(&vec![true; 1 << s])));
        if k >= s {
            prop_assert_eq!(against(&word), 0);
        }
        prop_assert_eq!(parts, run(&votes, s, k, m, seed));
    }

    #[test]
    fn parts_of_a_word_of_the_span_give_it_back(seed: u64, sets in proptest::collection::vec(0u32..64, 1..5)) {
        let mut word = random_table(6, seed);
        word.iter_mut().zip(code::span(6, &sets)).for_each(|(bit, inside)| *bit &= inside);
        code::transform(&mut word);
        let parts = code::parts(word.clone(), &sets, &[true; 64]);
        prop_assert!(parts.iter().all(|part| part.values.iter().all(Option::is_some)));
        prop_assert_eq!(xor(&parts, 6), word);
    }

    #[test]
    fn decoded_words_are_in_the_code_and_a_free_block_is_copied(seed: u64, sets in proptest::collection::vec(0u32..32, 1..4)) {
        let beliefs: Vec<i32> = random_table(5, seed).into_iter().map(|bit| if bit { -2 } else { 1 }).collect();
        let span = code::span(5, &sets);
        let mut word = Decoder::new(&span, 8).decode(&beliefs);
        code::transform(&mut word);
        prop_assert!(word.iter().zip(&span).all(|(&monomial, &inside)| inside || !monomial));
        let copy = Decoder::new(&[true; 32], 8).decode(&beliefs);
        prop_assert_eq!(copy, random_table(5, seed));
    }
}

#[test]
fn a_wide_decoder_finds_the_nearest_word() {
    for seed in 0..20 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let span = code::span(4, &[0b0011, 0b0110, 0b1100]);
        let beliefs: Vec<i32> = (0..16).map(|_| rng.random_range(-9..10)).collect();
        let against = |word: &[bool]| -> i32 {
            word.iter()
                .zip(&beliefs)
                .map(|(&bit, &belief)| if bit { belief.max(0) } else { (-belief).max(0) })
                .sum()
        };
        let nearest = (0..1u32 << 16).filter_map(|normal| {
            let mut word: Vec<bool> = (0..16).map(|monomial| normal >> monomial & 1 == 1).collect();
            let inside = word.iter().zip(&span).all(|(&monomial, &inside)| inside || !monomial);
            code::transform(&mut word);
            inside.then(|| against(&word))
        });
        assert_eq!(Some(against(&Decoder::new(&span, 256).decode(&beliefs))), nearest.min());
    }
}

#[test]
fn two_disjoint_functions_are_two_parts() {
    for seed in 0..10 {
        let halves = random_table(4, seed);
        let table: Vec<bool> = (0..64).map(|x: usize| halves[x & 7] ^ halves[8 | x >> 3]).collect();
        let parts = run(&full(&table), 6, 3, 20, seed);
        assert!(parts.len() <= 2);
        assert_eq!(xor(&parts, 6), table);
    }
}

#[test]
fn structure_fills_in_unseen_cells() {
    let halves = random_table(6, 1);
    let table: Vec<bool> = (0..1024).map(|x: usize| halves[x & 31] ^ halves[32 | x >> 5]).collect();
    let parts = run(&sample(&table, 1000, 0, 1), 10, 5, 20, 1);
    assert_eq!(xor(&parts, 10), table);
    let parity: Vec<bool> = (0..1024usize).map(|x| x.count_ones() % 2 == 1).collect();
    assert_eq!(xor(&run(&sample(&parity, 500, 0, 2), 10, 5, 20, 2), 10), parity);
}

#[test]
fn nothing_seen_gives_no_parts() {
    assert_eq!(run(&[[0, 0]; 16], 4, 2, 3, 0), []);
    assert_eq!(run(&[[2, 2]; 16], 4, 2, 3, 0), []);
    assert_eq!(run(&[[0, 1]; 2], 1, 1, 1, 0), [Part { inputs: vec![], values: vec![Some(true)] }]);
}

#[test]
fn one_part_follows_the_strongest_subset() {
    let table = random_table(6, 5);
    let votes = full(&table);
    let parts = run(&votes, 6, 4, 1, 0);
    let best = code::subsets(6, 4).into_iter().map(|set| {
        let (mut left, mut word) = (differences(&votes), vec![false; 64]);
        guess::follow_majorities(&mut left, &mut word, set);
        lost(&word, &differences(&votes))
    });
    assert_eq!(Some(lost(&xor(&parts, 6), &differences(&votes))), best.min());
}

#[test]
fn random_tables_come_near() {
    assert!(accuracy(8, 6, 4000, 0, 5) >= 980);
    assert!(accuracy(8, 6, 4000, 10, 5) >= 975);
    assert!(accuracy(8, 6, 1000, 0, 5) >= 950);
    assert!(accuracy(8, 6, 500, 0, 5) >= 890);
    assert!(accuracy(6, 4, 1000, 0, 5) >= 950);
    assert!(accuracy(10, 8, 40_000, 0, 2) >= 990);
}

#[test]
fn threads_change_nothing() {
    let votes = sample(&random_table(7, 3), 300, 5, 3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&votes, 7, 4, 6, 3))
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn no_time_left_still_gives_an_answer() {
    let votes = full(&random_table(8, 0));
    assert!(!decompose(&votes, 8, 6, 20, 0, 100, &|| true).is_empty());
}

#[test]
fn enormous_votes_do_not_overflow() {
    let votes: Vec<[u64; 2]> = random_table(6, 0)
        .into_iter()
        .map(|bit| if bit { [0, u64::MAX >> 8] } else { [u64::MAX >> 8, 1] })
        .collect();
    assert!(run(&votes, 6, 4, 3, 0).len() <= 3);
}
