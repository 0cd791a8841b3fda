//! Berkeley PLA: one cover of the whole circuit. The XOR is flattened through the table over the inputs that the
//! circuit reads, which must be few, and minimized; the minimizer verifies its cover against the table.

use super::formula::Formula;
use super::{ExportError, ExportReport, names};
use macchiato_minimize::{Cover, Literal, Options, Shape, Table, minimize_table, pla};

pub(super) fn file(formula: &Formula<'_>, report: &mut ExportReport) -> Result<Vec<u8>, ExportError> {
    let (support, inputs) = (&formula.support, formula.inputs.len());
    if support.len() > Table::MAX_INPUTS {
        return Err(ExportError::TooWide { found: support.len(), limit: Table::MAX_INPUTS });
    }
    let narrow = minimize_table(&table(formula)?, &Options::default())?.cover;
    let mut cover = Cover::new(Shape::new(inputs, 1));
    for term in 0..narrow.terms() {
        let mut literals = vec![Literal::Free; inputs];
        for (p, &input) in support.iter().enumerate() {
            literals[input] = narrow.literal(term, p);
        }
        cover.push(&literals, &[true]);
    }
    (report.stages, report.terms, report.literals) = (1, cover.terms(), cover.literals());
    if cover.is_empty() {
        // ABC takes a file without rows for one without inputs; this row asserts nothing.
        cover.push(&vec![Literal::Free; inputs], &[false]);
    }
    let words: Vec<String> = formula.inputs.iter().map(|name| names::word(name)).collect();
    let mut out = Vec::new();
    pla::write(&mut out, &cover, Some(&words), Some(&[names::word(formula.target)]))?;
    Ok(out)
}

/// The circuit at every point of the inputs that it reads.
fn table(formula: &Formula<'_>) -> Result<Table, ExportError> {
    let support = &formula.support;
    let words = (1usize << support.len()).div_ceil(64);
    let mut columns = vec![Vec::new(); formula.inputs.len()];
    for (p, &input) in support.iter().enumerate() {
        columns[input] = (0..words).map(|w| word_of_input(p, w)).collect();
    }
    // A literal that the formula dropped (in a term that is never 1) may read an input outside the support.
    for column in columns.iter_mut().filter(|column| column.is_empty()) {
        column.resize(words, 0);
    }
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let values = formula.circuit.evaluate(&columns, words);
    Ok(Table::from_fn(support.len(), |x| Some(values[x / 64] >> (x % 64) & 1 == 1))?)
}

/// Word `w` of the column in which row x holds bit `p` of x.
fn word_of_input(p: usize, w: usize) -> u64 {
    match p {
        0..6 => (0..64).filter(|x| x >> p & 1 == 1).fold(0, |word, x| word | 1u64 << x),
        _ if w >> (p - 6) & 1 == 1 => u64::MAX,
        _ => 0,
    }
}
