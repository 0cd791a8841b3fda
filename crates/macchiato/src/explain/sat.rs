//! Clauses and the SAT solver: formulas become variables (Tseitin), questions become assumptions.
//!
//! The same formula is the same variable, which is what makes equal parts of two circuits easy to prove equal. The solver
//! stops when its allowance of conflicts or the budget is spent; an answer that it gives is proven either way.

use std::cell::Cell;
use std::collections::HashMap;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

use super::logic::{Logic, Stopped};
use super::space::Space;
use crate::minimize::Budget;

/// Every question may meet this many conflicts, whatever was spent before: it settles what only looks hard.
const ALWAYS: u64 = 100;

/// What a question costs besides its conflicts, so that easy ones come to an end as well.
const PRICE: u64 = 20;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There is such a point: the value of each feature.
    Yes(Vec<usize>),
    /// There is none, and of the assumptions these are enough to say so.
    No(Vec<Lit>),
    /// The limits were reached.
    Unknown,
}

/// A space as clauses, and the formulas added to it.
pub(super) struct Sat {
    solver: Solver<SolverLimits>,
    yes: Lit,
    /// For each feature and value whether it is the one.
    is: Vec<Vec<Lit>>,
    sets: HashMap<(usize, Vec<bool>), Lit>,
    products: HashMap<Vec<Lit>, Lit>,
    sums: HashMap<(Lit, Lit), Lit>,
    /// Conflicts left.
    left: u64,
}

/// When to stop.
struct SolverLimits {
    budget: Budget,
    conflicts: u64,
    allowed: u64,
    asked: Cell<u32>,
    spent: Cell<bool>,
}

impl Callbacks for SolverLimits {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        // The clock is asked at the first of many decisions; the solver asks again after it was told to stop.
        let asked = self.asked.get();
        self.asked.set(asked.wrapping_add(1));
        if asked.is_multiple_of(256) && self.budget.spent() {
            self.spent.set(true);
        }
        self.spent.get() || self.conflicts >= self.allowed
    }
}

impl Sat {
    /// The points of a space, those near `near` first; `conflicts` may be met for all questions together.
    pub(super) fn new(space: &Space, near: &[usize], conflicts: u64, budget: &Budget) -> Self {
        let mut sat = Self::empty(conflicts, budget);
        for (feature, &value) in space.features.iter().zip(near) {
            let is = sat.one_of(feature.values, value);
            sat.is.push(is);
        }
        sat
    }

    /// No features.
    pub(super) fn empty(conflicts: u64, budget: &Budget) -> Self {
        let limits = SolverLimits {
            budget: budget.clone(),
            conflicts: 0,
            allowed: u64::MAX,
            asked: Cell::new(0),
            spent: Cell::new(false),
        };
        let mut solver = Solver::new(SolverOpts::default(), limits);
        let yes = Lit::new(solver.new_var_default(), true);
        let mut sat = Self {
            solver,
            yes,
            is: Vec::new(),
            sets: HashMap::new(),
            products: HashMap::new(),
            sums: HashMap::new(),
            left: conflicts,
        };
        sat.clause(&[yes]);
        sat
    }

    /// Literals of which exactly one holds, tried first with `near`.
    pub(super) fn one_of(&mut self, number: usize, near: usize) -> Vec<Lit> {
        match number {
            0 | 1 => return vec![self.yes; number],
            2 => {
                let one = self.tried_as(near == 1);
                return vec![!one, one];
            }
            _ => {}
        }
        let is: Vec<Lit> = (0..number).map(|value| self.tried_as(value == near)).collect();
        self.clause(&is);
        // One of those so far, from left to right.
        let mut before = is[0];
        for (at, &this) in is.iter().enumerate().skip(1) {
            self.clause(&[!before, !this]);
            if at + 1 < number {
                let upto = self.fresh();
                self.clause(&[!before, upto]);
                self.clause(&[!this, upto]);
                before = upto;
            }
        }
        is
    }

    /// Puts other literals in the place of a feature's values: formulas built from now on are about the copy.
    pub(super) fn replace(&mut self, feature: usize, is: Vec<Lit>) -> Vec<Lit> {
        self.sets.clear();
        std::mem::replace(&mut self.is[feature], is)
    }

    /// Whether a feature has this value.
    pub(super) fn is(&self, feature: usize, value: usize) -> Lit {
        self.is[feature][value]
    }

    /// A new variable that the solver tries with this value first.
    pub(super) fn tried_as(&mut self, value: bool) -> Lit {
        Lit::new(self.solver.new_var(lbool::new(value), true), true)
    }

    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// Whether all of these can hold together; meets at most `conflicts`, and those that are left for all questions.
    pub(super) fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Verdict {
        let limits = self.solver.cb_mut();
        let before = limits.conflicts;
        limits.allowed = before.saturating_add(conflicts.min(self.left).max(ALWAYS));
        limits.asked.set(0);
        let result = self.solver.solve_limited(assumptions);
        let met = self.solver.cb().conflicts - before;
        if self.left < u64::MAX {
            self.left = self.left.saturating_sub(met + PRICE);
        }
        if result == lbool::TRUE {
            let value = |is: &Vec<Lit>| is.iter().position(|&is| self.solver.value_lit(is) == lbool::TRUE);
            return Verdict::Yes(self.is.iter().map(|is| value(is).unwrap_or(0)).collect());
        }
        if result == lbool::FALSE {
            let needed = |lit: &&Lit| self.solver.unsat_core_contains_var(lit.var());
            return Verdict::No(assumptions.iter().filter(needed).copied().collect());
        }
        Verdict::Unknown
    }

    /// Whether nothing may be searched any more beyond what [`ALWAYS`] settles.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0 || self.solver.cb().budget.spent()
    }

    /// A literal that always holds.
    pub(super) const fn always(&self) -> Lit {
        self.yes
    }
}

impl Logic for Sat {
    type Bit = Lit;

    fn constant(&mut self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    fn within(&mut self, feature: usize, values: &[bool]) -> Result<Lit, Stopped> {
        let inside = values.iter().filter(|&&value| value).count();
        let only = |wanted: bool| values.iter().position(|&value| value == wanted);
        match (inside, values.len() - inside) {
            (0, _) => return Ok(!self.yes),
            (_, 0) => return Ok(self.yes),
            (1, _) => return Ok(self.is[feature][only(true).unwrap_or(0)]),
            (_, 1) => return Ok(!self.is[feature][only(false).unwrap_or(0)]),
            _ => {}
        }
        let key = (feature, values.to_vec());
        if let Some(&known) = self.sets.get(&key) {
            return Ok(known);
        }
        let set = self.fresh();
        for (value, &inside) in values.iter().enumerate() {
            let is = self.is[feature][value];
            self.clause(&[!is, if inside { set } else { !set }]);
        }
        self.sets.insert(key, set);
        Ok(set)
    }

    fn not(&mut self, bit: Lit) -> Result<Lit, Stopped> {
        Ok(!bit)
    }

    fn and(&mut self, bits: &[Lit]) -> Result<Lit, Stopped> {
        let mut bits: Vec<Lit> = bits.iter().copied().filter(|&bit| bit != self.yes).collect();
        bits.sort_unstable();
        bits.dedup();
        // A literal and its negation are neighbours.
        let contradict = bits.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradict || bits.contains(&!self.yes) {
            return Ok(!self.yes);
        }
        match bits.as_slice() {
            [] => return Ok(self.yes),
            [one] => return Ok(*one),
            _ => {}
        }
        if let Some(&known) = self.products.get(&bits) {
            return Ok(known);
        }
        let product = self.fresh();
        let mut all: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        for &bit in &bits {
            self.clause(&[!product, bit]);
        }
        all.push(product);
        self.clause(&all);
        self.products.insert(bits, product);
        Ok(product)
    }

    fn or(&mut self, bits: &[Lit]) -> Result<Lit, Stopped> {
        let negated: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        Ok(!self.and(&negated)?)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Result<Lit, Stopped> {
        // Signs go to the outside, so that the same pair is found again.
        let (same, a, b) = (a.sign() == b.sign(), Lit::new(a.var(), true), Lit::new(b.var(), true));
        let signed = |lit: Lit| if same { lit } else { !lit };
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == b {
            return Ok(signed(!self.yes));
        }
        if a == self.yes || b == self.yes {
            return Ok(signed(if a == self.yes { !b } else { !a }));
        }
        if let Some(&known) = self.sums.get(&(a, b)) {
            return Ok(signed(known));
        }
        let sum = self.fresh();
        for clause in [[!a, !b, !sum], [a, b, !sum], [a, !b, sum], [!a, b, sum]] {
            self.clause(&clause);
        }
        self.sums.insert((a, b), sum);
        Ok(signed(sum))
    }
}
