use super::{Prime, enumerate};
use crate::budget::Budget;
use crate::table::Table;
use proptest::prelude::*;

/// Every prime with an ON cell, straight from the definition.
fn brute_force(table: &Table) -> Vec<Prime> {
    let n = table.inputs();
    let full = (1u32 << n) - 1;
    let cells = |p: Prime| (0..1u32 << n).filter(move |x| x & p.care == p.value);
    let implicant = |p: Prime| cells(p).all(|x| table.cell(x as usize) != Some(false));
    let mut primes = Vec::new();
    for care in 0..=full {
        for value in (0..=full).filter(|value| value & !care == 0) {
            let p = Prime { care, value };
            let on = cells(p).any(|x| table.cell(x as usize) == Some(true));
            let wider = (0..n).filter(|i| care >> i & 1 == 1).any(|i| {
                let bit = 1 << i;
                implicant(Prime { care: care & !bit, value: value & !bit })
            });
            if on && implicant(p) && !wider {
                primes.push(p);
            }
        }
    }
    primes.sort_unstable();
    primes
}

fn any_table(inputs: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Table> {
    inputs.prop_flat_map(|n| {
        proptest::collection::vec(0u8..3, 1 << n).prop_map(move |cells| {
            Table::from_fn(n, |x| [Some(false), Some(true), None][cells[x] as usize]).expect("few inputs")
        })
    })
}

proptest! {
    #[test]
    fn primes_are_those_of_the_definition(table in any_table(0..=7)) {
        let mut found = enumerate(&table, usize::MAX, &Budget::unlimited()).expect("no cap");
        found.sort_unstable();
        prop_assert_eq!(found, brute_force(&table));
    }
}
