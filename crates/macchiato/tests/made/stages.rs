//! The paper's circuits of any size from a seed: stages of random terms over random inputs. Tests draw them, and so does `lab explain`.

use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How large a circuit is.
pub(crate) struct Size {
    pub(crate) inputs: usize,
    pub(crate) stages: usize,
    /// Inputs that a stage may read.
    pub(crate) width: usize,
    /// Terms of a stage.
    pub(crate) terms: usize,
    /// Literals of a term, at most: an input that is drawn again keeps its last sign.
    pub(crate) literals: usize,
}

/// A circuit of this size.
pub(crate) fn staged(size: &Size, rng: &mut ChaCha8Rng) -> Staged {
    let &Size { inputs, stages, width, terms, literals } = size;
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    let mut stage = || {
        let mut chosen: Vec<usize> = (0..inputs).collect();
        while chosen.len() > width {
            chosen.remove(below(chosen.len()));
        }
        let mut cover = Cover::new(Shape::new(width, 1));
        for _ in 0..terms {
            let mut term = vec![Literal::Free; width];
            for _ in 0..literals {
                term[below(width)] = if below(2) == 0 { Literal::Positive } else { Literal::Negative };
            }
            cover.push(&term, &[true]);
        }
        Stage { inputs: chosen, cover }
    };
    let stages = (0..stages).map(|_| stage()).collect();
    Staged { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".to_owned(), stages }
}
