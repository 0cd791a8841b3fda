//! What the tests of one column exclude: a value is not above 7 without being above 5, and has one level at most.
//!
//! A column's *cells* are the answers that its tests can give together, one for each stretch of numbers, level, and the gap. A product asks
//! for some cells of each column: if for none of one, it never holds; a literal without which it asks for the same cells says
//! nothing; a product that asks for cells of another one only is inside it. Leaving all three out changes no answer on any row
//! of any table. Time is linear in the tests of the columns that a product reads, times its literals.

use super::{Binarizer, Test};

/// An input, and whether it is asked to be 1.
type Signed = (usize, bool);

/// The cells of each column.
pub(crate) struct Possible {
    /// The column of each bit.
    column: Vec<usize>,
    /// For each column its bits, and for each of its cells which of them hold.
    columns: Vec<(Vec<usize>, Vec<Vec<bool>>)>,
}

impl Possible {
    pub(crate) fn new(binarizer: &Binarizer) -> Self {
        let mut bits: Vec<Vec<usize>> = vec![Vec::new(); binarizer.columns().len()];
        for (at, bit) in binarizer.bits().iter().enumerate() {
            bits[bit.column].push(at);
        }
        let columns = bits.into_iter().map(|bits| {
            let tests: Vec<&Test> = bits.iter().map(|&bit| &binarizer.bits()[bit].test).collect();
            let cells = cells(&tests);
            (bits, cells)
        });
        let column = binarizer.bits().iter().map(|bit| bit.column).collect();
        Self { column, columns: columns.collect() }
    }

    /// Whether some column has several tests, which may exclude each other.
    pub(crate) fn excludes(&self) -> bool {
        self.columns.iter().any(|(bits, _)| bits.len() > 1)
    }

    /// The products that can hold, without the literals that say nothing and the products inside others; their order stays.
    pub(crate) fn reduced(&self, products: &[Vec<Signed>]) -> Vec<Vec<Signed>> {
        let short: Vec<Short> = products.iter().filter_map(|product| self.short(product)).collect();
        let redundant = |at: usize| {
            let own = &short[at];
            let inside = |(other, wide): (usize, &Short)| {
                other != at && own.is_inside(wide) && (other < at || !wide.is_inside(own))
            };
            short.iter().enumerate().any(inside)
        };
        (0..short.len()).filter(|&at| !redundant(at)).map(|at| short[at].literals.clone()).collect()
    }

    /// The product without what says nothing; none if it never holds.
    fn short(&self, product: &[Signed]) -> Option<Short> {
        let mut kept = product.to_vec();
        for (_, cells) in self.asked(product) {
            cells.contains(&true).then_some(())?;
        }
        // Negated literals first: `job = cook` is a better word than three that it is not.
        for positive in [false, true] {
            for &literal in product.iter().filter(|literal| literal.1 == positive) {
                let column = self.column[literal.0];
                let others: Vec<Signed> = kept.iter().copied().filter(|other| *other != literal).collect();
                if self.cells_of(column, &kept) == self.cells_of(column, &others) {
                    kept = others;
                }
            }
        }
        let asked = self.asked(&kept);
        let columns = asked.iter().fold(0, |columns, (column, _)| columns | 1 << (column % 64));
        Some(Short { literals: kept, asked, columns })
    }

    /// The columns that a product asks about, each with the cells that it asks for.
    fn asked(&self, product: &[Signed]) -> Vec<(usize, Vec<bool>)> {
        let mut columns: Vec<usize> = product.iter().map(|&(input, _)| self.column[input]).collect();
        columns.sort_unstable();
        columns.dedup();
        columns.into_iter().map(|column| (column, self.cells_of(column, product))).collect()
    }

    fn cells_of(&self, column: usize, product: &[Signed]) -> Vec<bool> {
        let (bits, cells) = &self.columns[column];
        let asked: Vec<(usize, bool)> = product
            .iter()
            .filter_map(|&(input, positive)| bits.iter().position(|&bit| bit == input).map(|p| (p, positive)))
            .collect();
        cells.iter().map(|cell| asked.iter().all(|&(p, positive)| cell[p] == positive)).collect()
    }
}

/// A product without what says nothing.
struct Short {
    literals: Vec<Signed>,
    /// The columns that it asks about, each with the cells that it asks for.
    asked: Vec<(usize, Vec<bool>)>,
    /// One bit for each of these columns, to see at a glance that another product asks about more.
    columns: u64,
}

impl Short {
    /// Whether the other one holds wherever this one does: it asks about no further column, and for all cells that this one asks for.
    fn is_inside(&self, wide: &Self) -> bool {
        let covers = |(column, cells): &(usize, Vec<bool>)| {
            let own = self.asked.binary_search_by_key(column, |(own, _)| *own);
            own.is_ok_and(|at| self.asked[at].1.iter().zip(cells).all(|(&own, &wide)| !own || wide))
        };
        wide.columns & !self.columns == 0 && wide.asked.iter().all(covers)
    }
}

/// The answers that tests of one column can give together.
fn cells(tests: &[&Test]) -> Vec<Vec<bool>> {
    let mut numbers: Vec<f64> = tests
        .iter()
        .filter_map(|test| match test {
            Test::Above(number) | Test::Equals(number) => Some(*number),
            _ => None,
        })
        .collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let number = |value: f64| -> Vec<bool> {
        tests
            .iter()
            .map(|test| match test {
                Test::Above(cut) => value > *cut,
                #[allow(clippy::float_cmp)] // This very value.
                Test::Equals(wanted) => value == *wanted,
                _ => false,
            })
            .collect()
    };
    let only =
        |wanted: &dyn Fn(&Test) -> bool| -> Vec<bool> { tests.iter().map(|test| wanted(test)).collect() };
    let mut cells = vec![
        // No value, and a value of which no test holds: false, or a frequent level without a test.
        only(&|test| *test == Test::Missing),
        only(&|_| false),
        only(&|test| *test == Test::True),
        only(&|test| *test == Test::Other),
    ];
    for test in tests.iter().filter(|test| matches!(test, Test::Is(_))) {
        cells.push(only(&|other| other == *test));
    }
    // Each number that is named, and one between any two: the next float does for both sides of a cut.
    for &named in &numbers {
        cells.extend([named.next_down(), named, named.next_up()].map(number));
    }
    for pair in numbers.windows(2) {
        cells.push(number(pair[0].midpoint(pair[1])));
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests {
    use super::super::{Bit, Column};
    use super::*;
    use crate::frame::Kind;
    use proptest::prelude::*;

    fn binarizer() -> Binarizer {
        let tests = [
            vec![Test::Equals(3.0), Test::Above(1.0), Test::Above(3.0), Test::Above(7.5), Test::Missing],
            vec![Test::Is("cook".into()), Test::Is("clerk".into()), Test::Other, Test::Missing],
            vec![Test::True],
        ];
        let kinds = [Kind::Number, Kind::Category, Kind::Boolean];
        let column = |(at, kind): (usize, &Kind)| Column {
            name: format!("c{at}"),
            kind: *kind,
            gaps: at < 2,
            levels: if at == 1 { vec!["baker".into(), "clerk".into(), "cook".into()] } else { Vec::new() },
        };
        let columns = kinds.iter().enumerate().map(column).collect();
        let bits = tests.into_iter().enumerate();
        let bits = bits.flat_map(|(column, tests)| tests.into_iter().map(move |test| Bit { column, test }));
        Binarizer::new(columns, bits.collect())
    }

    /// Every combination of cells, as bits.
    fn points(possible: &Possible) -> Vec<Vec<bool>> {
        let mut points: Vec<Vec<bool>> = vec![Vec::new()];
        for (_, cells) in &possible.columns {
            let mut longer = Vec::new();
            for point in &points {
                longer.extend(cells.iter().map(|cell| [point.as_slice(), cell].concat()));
            }
            points = longer;
        }
        points
    }

    fn holds(product: &[Signed], point: &[bool]) -> bool {
        product.iter().all(|&(input, positive)| point[input] == positive)
    }

    #[test]
    fn cells_are_what_values_can_answer() {
        let possible = Possible::new(&binarizer());
        // Up to 1, above it, 3, above that, above 7.5, and the gap; cook, clerk, baker, any other, the gap; false and true.
        assert_eq!(possible.columns.iter().map(|(_, cells)| cells.len()).collect::<Vec<_>>(), [6, 5, 2]);
    }

    proptest! {
        #[test]
        fn nothing_is_superfluous_and_nothing_changes(
            products in prop::collection::vec(prop::collection::btree_map(0usize..10, any::<bool>(), 0..6), 0..6)
        ) {
            let possible = Possible::new(&binarizer());
            let products: Vec<Vec<Signed>> = products.into_iter().map(|product| product.into_iter().collect()).collect();
            let reduced = possible.reduced(&products);
            let points = points(&possible);
            let any = |products: &[Vec<Signed>], point: &[bool]| products.iter().any(|product| holds(product, point));
            for point in &points {
                prop_assert_eq!(any(&products, point), any(&reduced, point));
            }
            for (at, product) in reduced.iter().enumerate() {
                prop_assert!(points.iter().any(|point| holds(product, point)), "{:?} never holds", product);
                for literal in product {
                    let less: Vec<Signed> = product.iter().copied().filter(|other| other != literal).collect();
                    prop_assert!(points.iter().any(|point| holds(&less, point) && !holds(product, point)));
                }
                for (other, wide) in reduced.iter().enumerate() {
                    prop_assert!(at == other || points.iter().any(|point| holds(product, point) && !holds(wide, point)));
                }
            }
        }
    }
}
