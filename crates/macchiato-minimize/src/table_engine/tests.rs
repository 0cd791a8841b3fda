use super::minimize_table;
use crate::outcome::Options;
use crate::table::Table;

#[test]
#[ignore]
fn random_tables() {
    use rand::{RngExt, SeedableRng};
    for k in [6usize, 8, 10, 12] { for dc in [0u32, 30, 70] {
        let mut terms = 0; let mut lb = 0; let mut lits = 0; let mut proven = 0;
        let mut time = std::time::Duration::ZERO;
        for s in 0..20 {
        let mut r = rand_chacha::ChaCha8Rng::seed_from_u64(s);
        let t = Table::from_fn(k, |_| if r.random_range(0..100) < dc { None } else { Some(r.random::<bool>()) }).unwrap();
        let t0 = std::time::Instant::now();
        let m = minimize_table(&t, &Options::default()).unwrap();
        time += t0.elapsed();
        terms += m.cover.terms(); lb += m.lower_bound; lits += m.cover.literals(); proven += usize::from(m.proven_optimal());
        }
        eprintln!("{k} {dc} terms {:.2} lb {:.2} lits {:.1} proven {proven} time {:?}", terms as f64/20., lb as f64/20., lits as f64/20., time/20);
    } }
}
