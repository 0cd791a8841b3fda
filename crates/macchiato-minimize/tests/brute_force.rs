//! Every engine against brute force: all partial functions of up to three inputs, samples of four and five, and
//! functions of two outputs. Valid, never below the true minimum, bounds never above it, exact answers equal to it.

use macchiato_minimize::{
    Cover, Engine, Function, Literal, Minimized, Options, Rows, Shape, Table, minimize_function,
    minimize_rows, minimize_table,
};
use proptest::prelude::*;

/// One cell of one output: ON, OFF or don't-care.
type Cell = Option<bool>;

/// A function of several outputs, cell by cell: `cells[output][x]`.
#[derive(Debug, Clone)]
struct Specified {
    inputs: usize,
    cells: Vec<Vec<Cell>>,
}

impl Specified {
    fn single(inputs: usize, cells: Vec<Cell>) -> Self {
        Self { inputs, cells: vec![cells] }
    }

    fn table(&self) -> Table {
        Table::from_fn(self.inputs, |x| self.cells[0][x]).expect("few inputs")
    }

    fn minterm(&self, x: usize) -> Vec<Literal> {
        (0..self.inputs)
            .map(|i| if x >> i & 1 == 1 { Literal::Positive } else { Literal::Negative })
            .collect()
    }

    /// The cells with `value` as a cover, one term for each cell.
    fn cover(&self, value: Cell) -> Cover {
        let mut cover = Cover::new(Shape::new(self.inputs, self.cells.len()));
        for x in 0..1 << self.inputs {
            let outputs: Vec<bool> = self.cells.iter().map(|cells| cells[x] == value).collect();
            if outputs.contains(&true) {
                cover.push(&self.minterm(x), &outputs);
            }
        }
        cover
    }

    fn on_dont_care(&self) -> Function {
        Function::on_dont_care(self.cover(Some(true)), self.cover(None)).expect("one shape")
    }

    fn on_off(&self) -> Function {
        Function::on_off(self.cover(Some(true)), self.cover(Some(false))).expect("one shape, disjoint")
    }

    fn rows(&self) -> Rows {
        let mut rows = Rows::new(self.inputs);
        for x in 0..1usize << self.inputs {
            if let Some(label) = self.cells[0][x] {
                rows.push_bits(&[x as u64], label);
            }
        }
        rows
    }

    /// Every implicant as the mask of the ON pairs (output, cell) that it covers, with all the outputs it can have.
    fn implicants(&self) -> Vec<u64> {
        let cells = 1usize << self.inputs;
        let mut masks = Vec::new();
        for care in 0..cells {
            for value in (0..cells).filter(|value| value & !care == 0) {
                let inside: Vec<usize> = (0..cells).filter(|x| x & care == value).collect();
                let mut mask = 0;
                for (output, column) in self.cells.iter().enumerate() {
                    if inside.iter().all(|&x| column[x] != Some(false)) {
                        let on = inside.iter().filter(|&&x| column[x] == Some(true));
                        mask |= on.fold(0u64, |mask, x| mask | 1 << (output * cells + x));
                    }
                }
                masks.push(mask);
            }
        }
        masks.sort_unstable_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
        masks.dedup();
        let all = masks.clone();
        masks.retain(|mask| *mask != 0 && !all.iter().any(|wide| wide != mask && wide & mask == *mask));
        masks
    }

    /// Fewest terms, by trying every implicant on the first uncovered pair.
    fn fewest_terms(&self) -> usize {
        let implicants = self.implicants();
        let on = implicants.iter().fold(0, |on, mask| on | mask);
        (0..=implicants.len()).find(|&terms| coverable(on, &implicants, terms)).expect("all implicants cover")
    }

    fn check(&self, answer: &Minimized) {
        for (output, cells) in self.cells.iter().enumerate() {
            for (x, cell) in cells.iter().enumerate() {
                let point: Vec<bool> = (0..self.inputs).map(|i| x >> i & 1 == 1).collect();
                let value = answer.cover.evaluate(output, &point);
                assert!(cell.is_none_or(|cell| cell == value), "output {output} at {x:b} in {self:?}");
            }
        }
        let fewest = self.fewest_terms();
        assert!(answer.cover.terms() >= fewest, "{} terms below {fewest}: {self:?}", answer.cover.terms());
        assert!(answer.lower_bound <= fewest, "bound {} above {fewest}: {self:?}", answer.lower_bound);
    }

    fn check_exact(&self, answer: &Minimized) {
        self.check(answer);
        assert_eq!((answer.cover.terms(), answer.lower_bound), (self.fewest_terms(), self.fewest_terms()));
    }
}

fn coverable(on: u64, implicants: &[u64], terms: usize) -> bool {
    if on == 0 {
        return true;
    }
    let first = on & on.wrapping_neg();
    terms > 0
        && implicants.iter().any(|mask| mask & first != 0 && coverable(on & !mask, implicants, terms - 1))
}

fn options(engine: Engine, exact: bool) -> Options {
    let mut options = Options::default();
    options.engine = engine;
    options.exact = exact;
    options
}

fn check_every_engine(specified: &Specified) {
    for exact in [false, true] {
        let answer = minimize_table(&specified.table(), &options(Engine::Primes, exact)).expect("primes");
        specified.check(&answer);
        if exact {
            specified.check_exact(&answer);
        }
        for function in [specified.on_dont_care(), specified.on_off()] {
            let answer = minimize_function(&function, &options(Engine::Espresso, exact)).expect("espresso");
            if exact { specified.check_exact(&answer) } else { specified.check(&answer) }
        }
    }
    for effort in [1, 2, 9] {
        let mut options = options(Engine::Espresso, false);
        options.effort = effort;
        specified.check(&minimize_function(&specified.on_off(), &options).expect("espresso"));
    }
    specified.check(&minimize_rows(&specified.rows(), &options(Engine::Rows, false)).expect("rows"));
    specified
        .check(&minimize_function(&specified.on_dont_care(), &options(Engine::Rows, false)).expect("rows"));
}

const VALUES: [Cell; 3] = [Some(false), Some(true), None];

#[test]
fn all_partial_functions_of_up_to_three_inputs() {
    for inputs in 0..=3 {
        let cells = 1 << inputs;
        for code in 0..3usize.pow(cells) {
            let cells = (0..cells).map(|x| VALUES[code / 3usize.pow(x) % 3]).collect();
            check_every_engine(&Specified::single(inputs, cells));
        }
    }
}

fn any_cells(inputs: usize) -> impl Strategy<Value = Vec<Cell>> {
    // From fully specified to mostly don't-care.
    (0u8..4).prop_flat_map(move |open| {
        proptest::collection::vec((0u8..4, any::<bool>()), 1 << inputs).prop_map(move |cells| {
            cells.into_iter().map(|(draw, label)| (draw >= open).then_some(label)).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn samples_of_four_and_five_inputs(
        specified in (4usize..=5).prop_flat_map(|n| any_cells(n).prop_map(move |cells| Specified::single(n, cells)))
    ) {
        check_every_engine(&specified);
    }

    #[test]
    fn samples_of_several_outputs(
        specified in (1usize..=4, 2usize..=3).prop_flat_map(|(inputs, outputs)| {
            proptest::collection::vec(any_cells(inputs), outputs)
                .prop_map(move |cells| Specified { inputs, cells })
        })
    ) {
        for function in [specified.on_dont_care(), specified.on_off()] {
            specified.check(&minimize_function(&function, &options(Engine::Auto, false)).expect("auto"));
            specified.check_exact(&minimize_function(&function, &options(Engine::Espresso, true)).expect("espresso"));
            specified.check(&minimize_function(&function, &options(Engine::Rows, false)).expect("rows"));
        }
    }
}
