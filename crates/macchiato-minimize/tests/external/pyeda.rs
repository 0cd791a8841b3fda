//! Berkeley's Espresso, as `PyEDA` carries it, never needs fewer terms than the lower bound that is claimed as proven.

use crate::tool::python_with;
use macchiato_minimize::{Options, Table, minimize_table};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::process::Command;

/// Prints the number of terms of Espresso's cover of each table among the arguments.
const COUNT_TERMS: &str = r"
import sys
from pyeda.inter import espresso_tts, truthtable, ttvars
from pyeda.boolalg.expr import OrOp
for cells in sys.argv[1:]:
    inputs = ttvars('x', len(cells).bit_length() - 1)
    cover, = espresso_tts(truthtable(inputs, cells))
    print(len(cover.xs) if isinstance(cover, OrOp) else 1)
";

fn terms_of_espresso(python: &Path, tables: &[Vec<Option<bool>>]) -> Vec<usize> {
    let spell = |&cell: &Option<bool>| cell.map_or('-', |value| if value { '1' } else { '0' });
    let output = Command::new(python)
        .args(["-c", COUNT_TERMS])
        .args(tables.iter().map(|cells| cells.iter().map(spell).collect::<String>()))
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts = String::from_utf8(output.stdout).expect("Python prints text");
    counts.lines().map(|line| line.parse().expect("one number on a line")).collect()
}

#[test]
fn espresso_never_beats_a_lower_bound() {
    let Some(python) = python_with("pyeda.inter", "espresso_never_beats_a_lower_bound") else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut tables = Vec::new();
    for inputs in 3..=8 {
        for percent_open in [0, 30, 70] {
            for _ in 0..4 {
                let mut cells: Vec<Option<bool>> = (0..1 << inputs)
                    .map(|_| (rng.random_range(0..100) >= percent_open).then(|| rng.random_bool(0.5)))
                    .collect();
                // Neither constant: `PyEDA` treats those on its own.
                (cells[0], cells[1]) = (Some(false), Some(true));
                tables.push(cells);
            }
        }
    }
    let espresso = terms_of_espresso(&python, &tables);
    assert_eq!(espresso.len(), tables.len());
    for exact in [false, true] {
        let mut options = Options::default();
        options.exact = exact;
        for (cells, &theirs) in tables.iter().zip(&espresso) {
            let inputs = cells.len().ilog2() as usize;
            let table = Table::from_fn(inputs, |x| cells[x]).expect("few inputs");
            let ours = minimize_table(&table, &options).expect("a table can be minimized");
            assert!(ours.lower_bound <= theirs, "{} is no bound: Espresso has {theirs}", ours.lower_bound);
            assert!(ours.proven_optimal() || !exact);
        }
    }
}
