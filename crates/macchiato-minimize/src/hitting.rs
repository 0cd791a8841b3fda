//! The smallest set that meets every one of some sets: the covering problem by its other name.

use crate::budget::Budget;
use crate::covering::{Covering, Effort};

/// Elements that meet every set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HittingSet {
    /// The elements, in increasing order.
    pub elements: Vec<usize>,
    /// No fewer elements meet every set: proven.
    pub lower_bound: usize,
}

/// Looks for the fewest of the elements `0..elements` that meet every one of `sets`; empty sets, and elements that there are
/// not, do not count. If `exact`, it searches until that is proven or the budget is spent.
///
/// ```
/// use macchiato_minimize::{Budget, hitting_set};
///
/// let sets = [vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 0]];
/// let hit = hitting_set(4, &sets, true, &Budget::unlimited());
/// assert_eq!((hit.elements.len(), hit.lower_bound), (2, 2));
/// assert!(sets.iter().all(|set| set.iter().any(|element| hit.elements.contains(element))));
/// ```
#[must_use]
pub fn hitting_set(elements: usize, sets: &[Vec<usize>], exact: bool, budget: &Budget) -> HittingSet {
    // Each set is a row, and the column of an element covers the sets that it is in.
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); elements];
    for (row, set) in sets.iter().enumerate() {
        for &element in set {
            if let Some(rows) = of.get_mut(element)
                && rows.last() != Some(&(row as u32))
            {
                rows.push(row as u32);
            }
        }
    }
    let mut covering = Covering::new(sets.len());
    for rows in of {
        covering.push_column(rows, 1);
    }
    let solution = covering.solve(&Effort { exact, seed: 0, budget: budget.clone() });
    HittingSet { elements: solution.columns, lower_bound: solution.lower_bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_smaller_set_hits_them_all(sets in prop::collection::vec(prop::collection::vec(0usize..9, 0..5), 0..12)) {
            let hit = hitting_set(9, &sets, true, &Budget::unlimited());
            let hits = |chosen: usize| {
                sets.iter().all(|set| set.is_empty() || set.iter().any(|element| chosen >> element & 1 == 1))
            };
            let chosen = hit.elements.iter().fold(0, |chosen, element| chosen | 1 << element);
            prop_assert!(hits(chosen));
            let fewest = (0..1usize << 9).filter(|&chosen| hits(chosen)).map(usize::count_ones).min();
            prop_assert_eq!(Some(hit.elements.len() as u32), fewest);
            prop_assert_eq!(hit.lower_bound, hit.elements.len());
            let quick = hitting_set(9, &sets, false, &Budget::unlimited());
            prop_assert!(Some(quick.lower_bound as u32) <= fewest && quick.lower_bound <= quick.elements.len());
        }
    }

    #[test]
    fn elements_that_there_are_not_do_not_count() {
        let hit = hitting_set(2, &[vec![0, 7], vec![9]], true, &Budget::unlimited());
        assert_eq!(hit, HittingSet { elements: vec![0], lower_bound: 1 });
    }
}
