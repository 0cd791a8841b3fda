//! How many of some literals may hold: a sequential counter (Sinz, 2005), which grows with the bound that is asked for.

use batsat::Lit;

use super::sat::Sat;

/// A counter over literals. Column `j` says after each literal whether more than `j` of those so far hold.
pub(super) struct AtMost {
    literals: Vec<Lit>,
    columns: Vec<Vec<Lit>>,
}

impl AtMost {
    pub(super) const fn new(literals: Vec<Lit>) -> Self {
        Self { literals, columns: Vec::new() }
    }

    /// The assumption that at most `bound` of the literals hold; none where that is always so.
    pub(super) fn bound(&mut self, sat: &mut Sat, bound: usize) -> Option<Lit> {
        if bound >= self.literals.len() {
            return None;
        }
        while self.columns.len() <= bound {
            self.grow(sat);
        }
        self.columns[bound].last().map(|&more| !more)
    }

    fn grow(&mut self, sat: &mut Sat) {
        let column: Vec<Lit> = self.literals.iter().map(|_| sat.fresh()).collect();
        for (i, (&literal, &more)) in self.literals.iter().zip(&column).enumerate() {
            if i > 0 {
                sat.clause(&[!column[i - 1], more]);
            }
            match self.columns.last() {
                None => sat.clause(&[!literal, more]),
                Some(fewer) if i > 0 => sat.clause(&[!literal, !fewer[i - 1], more]),
                Some(_) => {}
            }
        }
        self.columns.push(column);
    }
}
