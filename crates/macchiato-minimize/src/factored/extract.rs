//! Fast extraction: the divisor that saves the most gates becomes a node, until none saves any.
//!
//! All outputs and all nodes made so far are looked at together. For each divisor the places are kept where it occurs: pairs of
//! products of one sum, or single products. A place that has gone since is noticed when its divisor's turn comes, so that
//! nothing has to be taken back.

use super::divisor::Divisor;
use super::sum::{Literal, Product, union, without};
use crate::budget::Budget;
use crate::cover::Cover;
use crate::cube::Literal as Value;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// Products of one sum up to which all pairs of them are looked at: some two million.
const MOST_PRODUCTS: usize = 2_000;
/// Literals of one product up to which all pairs of them are looked at.
const MOST_LITERALS: usize = 256;

/// Sums over inputs and nodes: those of the outputs first, then those of the nodes.
pub(super) struct Network {
    pub(super) outputs: usize,
    pub(super) sums: Vec<Vec<Product>>,
}

/// Every output of the cover as a sum, with shared divisors as nodes after them.
pub(super) fn extract(cover: &Cover, budget: &Budget) -> Network {
    let shape = cover.shape();
    let mut search = Search::new(shape.inputs(), shape.outputs());
    for output in 0..shape.outputs() {
        let terms = (0..cover.terms()).filter(|&term| cover.asserts(term, output));
        let mut products: Vec<Product> = terms.map(|term| product(cover, term)).collect();
        products.sort_unstable();
        products.dedup();
        search.add_sum(products, None);
    }
    while !budget.spent()
        && let Some((divisor, chosen)) = search.best()
    {
        search.take(divisor, &chosen);
    }
    let members = search.sums.iter().map(|sum| sum.members.iter());
    let sums = members.map(|ids| ids.map(|&id| search.products[id as usize].clone()).collect()).collect();
    Network { outputs: shape.outputs(), sums }
}

fn product(cover: &Cover, term: usize) -> Product {
    let literal = |i: usize| match cover.literal(term, i) {
        Value::Free => None,
        Value::Positive => Some(2 * i as Literal),
        Value::Negative => Some(2 * i as Literal + 1),
    };
    (0..cover.shape().inputs()).filter_map(literal).collect()
}

/// One sum: the numbers of its products, and the divisor that it was made as.
struct Sum {
    members: Vec<u32>,
    own: Option<Divisor>,
}

/// Where a divisor occurs.
struct Places {
    /// At most so many gates are saved by all places together; the queue's other entries of the divisor are out of date.
    most: i64,
    /// Whether that has risen since the queue had it last.
    raised: bool,
    pairs: Vec<(u32, u32)>,
    singles: Vec<u32>,
    /// The node, once there is one.
    node: Option<Literal>,
}

/// Places that can all be taken at once, and what that saves.
struct Chosen {
    worth: i64,
    pairs: Vec<(u32, u32)>,
    singles: Vec<u32>,
}

struct Search {
    inputs: usize,
    outputs: usize,
    sums: Vec<Sum>,
    products: Vec<Product>,
    /// The sum that a product belongs to; `u32::MAX` once it is gone.
    sum_of: Vec<u32>,
    places: HashMap<Divisor, Places>,
    queue: BinaryHeap<(i64, Reverse<Divisor>)>,
    raised: Vec<Divisor>,
}

impl Search {
    fn new(inputs: usize, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            sums: Vec::new(),
            products: Vec::new(),
            sum_of: Vec::new(),
            places: HashMap::new(),
            queue: BinaryHeap::new(),
            raised: Vec::new(),
        }
    }

    fn add_sum(&mut self, products: Vec<Product>, own: Option<Divisor>) {
        self.sums.push(Sum { members: Vec::new(), own });
        for product in products {
            self.add(product, self.sums.len() - 1);
        }
    }

    /// Adds a product to a sum, and its places to their divisors.
    fn add(&mut self, product: Product, sum: usize) {
        let id = self.products.len() as u32;
        self.products.push(product);
        self.sum_of.push(sum as u32);
        self.add_places(id);
        self.sums[sum].members.push(id);
    }

    /// Takes a product away; its places are noticed to be gone later.
    fn remove(&mut self, id: u32) {
        let sum = self.sum_of[id as usize] as usize;
        self.sums[sum].members.retain(|&other| other != id);
        self.sum_of[id as usize] = u32::MAX;
    }

    /// Adds the places of one product, with the other members of its sum.
    fn add_places(&mut self, id: u32) {
        let product = &self.products[id as usize];
        let sum = &self.sums[self.sum_of[id as usize] as usize];
        let mut touch = |divisor: Divisor, saved: i64, pair: Option<u32>| {
            if sum.own == Some(divisor) {
                return;
            }
            let places = self.places.entry(divisor).or_insert_with(|| Places::new(divisor));
            match pair {
                Some(other) => places.pairs.push((other, id)),
                None => places.singles.push(id),
            }
            places.most += saved;
            if places.most > 0 && !std::mem::replace(&mut places.raised, true) {
                self.raised.push(divisor);
            }
        };
        if product.len() <= MOST_LITERALS {
            for (at, &a) in product.iter().enumerate() {
                product[at + 1..].iter().for_each(|&b| touch(Divisor::product(a, b), 1, None));
            }
        }
        if sum.members.len() <= MOST_PRODUCTS {
            for &other in &sum.members {
                let with = &self.products[other as usize];
                if let Some((divisor, _)) = Divisor::between(with, product) {
                    touch(divisor, saved(with, product, divisor), Some(other));
                }
            }
        }
    }

    /// The divisor that is worth most, if any is worth its node, with its places.
    fn best(&mut self) -> Option<(Divisor, Chosen)> {
        for divisor in std::mem::take(&mut self.raised) {
            let places = self.places.get_mut(&divisor).expect("a divisor is raised by its places");
            places.raised = false;
            self.queue.push((places.most, Reverse(divisor)));
        }
        while let Some((most, Reverse(divisor))) = self.queue.pop() {
            if self.places.get(&divisor).is_none_or(|places| places.most != most) {
                continue;
            }
            let chosen = self.choose(divisor);
            // Places that went, or that share a product, make it worth less than it was thought to be.
            let next = self.queue.peek().map_or(0, |&(most, _)| most);
            if chosen.worth > 0 && chosen.worth >= next {
                return Some((divisor, chosen));
            }
            if chosen.worth > 0 {
                self.queue.push((chosen.worth, Reverse(divisor)));
            }
        }
        None
    }

    /// The places of a divisor that are still there, each product in one of them at most.
    fn choose(&mut self, divisor: Divisor) -> Chosen {
        let places = self.places.get_mut(&divisor).expect("a divisor in the queue has places");
        let there = |id: u32| self.sum_of[id as usize] != u32::MAX;
        places.pairs.retain(|&(a, b)| there(a) && there(b));
        places.singles.retain(|&id| there(id));
        let mut taken = BTreeSet::new();
        let mut chosen =
            Chosen { worth: places.without_places(divisor), pairs: Vec::new(), singles: Vec::new() };
        for &(a, b) in &places.pairs {
            if !taken.contains(&a) && !taken.contains(&b) {
                taken.extend([a, b]);
                chosen.worth += saved(&self.products[a as usize], &self.products[b as usize], divisor);
                chosen.pairs.push((a, b));
            }
        }
        for &id in places.singles.iter().filter(|&id| !taken.contains(id)) {
            chosen.worth += 1;
            chosen.singles.push(id);
        }
        places.most = chosen.worth;
        chosen
    }

    /// Makes a node of the divisor and reads it in the places chosen.
    fn take(&mut self, divisor: Divisor, chosen: &Chosen) {
        let known = self.places[&divisor].node;
        let node = known.unwrap_or(2 * (self.inputs + self.sums.len() - self.outputs) as Literal);
        let parts = divisor.products();
        for &(a, b) in &chosen.pairs {
            let (first, second) = (&self.products[a as usize], &self.products[b as usize]);
            let negated = Divisor::between(first, second).is_some_and(|(_, negated)| negated);
            let shared = without(first, &without(first, second));
            self.replace(&[a, b], union(&shared, &[node + Literal::from(negated)]));
        }
        for &id in &chosen.singles {
            let rest = without(&self.products[id as usize], &parts[0]);
            self.replace(&[id], union(&rest, &[node]));
        }
        if known.is_none() {
            self.places.get_mut(&divisor).expect("as above").node = Some(node);
            self.add_sum(parts, Some(divisor));
        }
    }

    /// Puts one product in the place of others of the same sum; not if the sum has it already.
    fn replace(&mut self, ids: &[u32], product: Product) {
        let sum = self.sum_of[ids[0] as usize] as usize;
        for &id in ids {
            self.remove(id);
        }
        if !self.sums[sum].members.iter().any(|&id| self.products[id as usize] == product) {
            self.add(product, sum);
        }
    }
}

impl Places {
    fn new(divisor: Divisor) -> Self {
        let mut places = Self { most: 0, raised: false, pairs: Vec::new(), singles: Vec::new(), node: None };
        places.most = places.without_places(divisor);
        places
    }

    /// Gates of two inputs that the divisor would save without any place: a form of n literals has n - 1 of them, and that is what
    /// a node costs that is not there yet.
    fn without_places(&self, divisor: Divisor) -> i64 {
        if self.node.is_some() { 0 } else { 1 - divisor.literals() as i64 }
    }
}

/// Literals saved where two products become one that reads the divisor.
fn saved(a: &Product, b: &Product, divisor: Divisor) -> i64 {
    let apart = divisor.literals() as i64;
    let both = (a.len() + b.len()) as i64;
    // The shared literals are written once instead of twice, those apart become one.
    (both - apart) / 2 + apart - 1
}
