//! How much each column matters on rows: one number for a column, for those who want no more.
//!
//! Takes the bits of rows, gives shares of them; no search, and one evaluation of a circuit for each value of a column that it tells apart.

use super::data::Answers;
use super::{Data, check};
use crate::bits;
use crate::explain::space::Space;
use crate::explain::{ExplainError, Subject};

/// For each input or column, the share of the rows whose answer changes if this one alone takes another value; of several circuits the mean of
/// their shares. Exact, and 0 for what no circuit reads. `weights` say how much each row counts, by default the same.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::explain::{Data, Subject, row_influences};
///
/// // y = a AND b, on the four rows 00, 10, 01, 11; nothing reads c.
/// let gate = Gate::new(Rule::And, vec![Literal::input(0), Literal::input(1)]);
/// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
/// let circuit = Circuit::new(names, vec![gate], vec![Output::new("y", Literal::gate(0))])?;
/// let data = Data { columns: &[&[0b1010], &[0b1100], &[0]], labels: &[], rows: 4 };
/// assert_eq!(row_influences(&Subject::of_circuit(&circuit), &data, None)?, [0.5, 0.5, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Rows of another shape.
pub fn row_influences(
    subject: &Subject<'_>,
    data: &Data<'_>,
    weights: Option<&[u64]>,
) -> Result<Vec<f64>, ExplainError> {
    check(subject, data)?;
    let weight = |row: usize| weights.map_or(1, |weights| weights.get(row).copied().unwrap_or(0));
    let all: u128 = (0..data.rows).map(|row| u128::from(weight(row))).sum();
    let mut sums = vec![0u128; subject.feature_names().len()];
    for part in &subject.parts {
        let alone = Subject { parts: vec![part.clone()], ..subject.clone() };
        let space = Space::new(&[&alone], &[])?;
        let answers = Answers::new(&space, part, data);
        for (number, feature) in space.features.iter().enumerate() {
            let changed = answers.changed(number);
            let rows = (0..data.rows).filter(|&row| bits::get(&changed, row));
            sums[feature.place] += rows.map(|row| u128::from(weight(row))).sum::<u128>();
        }
    }
    // Without rows or circuits nothing changes.
    let of = (all * subject.parts.len() as u128).max(1) as f64;
    Ok(sums.into_iter().map(|sum| sum as f64 / of).collect())
}
