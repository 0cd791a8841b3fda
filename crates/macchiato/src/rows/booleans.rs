//! Rows from Booleans, row by row or column by column.

use super::{Rows, RowsError};
use crate::bits::Column;

impl Rows {
    /// Rows from Booleans: the inputs of each row, and its label. The names are `x1`, `x2`, ... and `y`.
    ///
    /// ```
    /// use macchiato::rows::Rows;
    ///
    /// let points = [[false, false], [true, false], [false, true], [true, true]];
    /// let rows = Rows::from_bools(points.map(|x| (x, x[0] != x[1])))?;
    /// assert_eq!((rows.inputs(), rows.len(), rows.labels()), (2, 4, &[0b0110][..]));
    /// # Ok::<(), macchiato::rows::RowsError>(())
    /// ```
    ///
    /// # Errors
    /// No rows, no inputs or too many, a row with another number of inputs than the first.
    pub fn from_bools<R: IntoIterator<Item = bool>>(
        rows: impl IntoIterator<Item = (R, bool)>,
    ) -> Result<Self, RowsError> {
        let (mut columns, mut labels): (Vec<Column>, _) = (Vec::new(), Column::default());
        for (row, (inputs, label)) in rows.into_iter().enumerate() {
            let mut found = 0;
            for input in inputs {
                if row == 0 {
                    columns.push(Column::default());
                }
                if let Some(column) = columns.get_mut(found) {
                    column.push(input);
                }
                found += 1;
            }
            if found != columns.len() {
                return Err(RowsError::Number {
                    what: format!("inputs of row {row}"),
                    found,
                    expected: columns.len(),
                });
            }
            labels.push(label);
        }
        let len = labels.len();
        Self::new(columns.into_iter().map(Column::into_words).collect(), labels.into_words(), len)
    }

    /// Rows from named columns of Booleans; the last one is the target.
    ///
    /// ```
    /// use macchiato::rows::Rows;
    ///
    /// let columns = [("rain", [true, true, false]), ("wind", [true, false, false]), ("storm", [true, false, false])];
    /// let rows = Rows::from_columns(columns)?;
    /// assert_eq!((rows.names().join(" ").as_str(), rows.target()), ("rain wind", "storm"));
    /// # Ok::<(), macchiato::rows::RowsError>(())
    /// ```
    ///
    /// # Errors
    /// No rows, no inputs or too many, a name that occurs twice, a column of another length than the first.
    pub fn from_columns<C: IntoIterator<Item = bool>>(
        columns: impl IntoIterator<Item = (impl Into<String>, C)>,
    ) -> Result<Self, RowsError> {
        let (mut names, mut words, mut len) = (Vec::new(), Vec::new(), None);
        for (name, bits) in columns {
            let (name, mut column) = (name.into(), Column::default());
            bits.into_iter().for_each(|bit| column.push(bit));
            let expected = *len.get_or_insert(column.len());
            if column.len() != expected {
                let what = format!("rows of column {name:?}");
                return Err(RowsError::Number { what, found: column.len(), expected });
            }
            names.push(name);
            words.push(column.into_words());
        }
        let (Some(target), Some(labels)) = (names.pop(), words.pop()) else {
            return Err(RowsError::Empty { source_name: "rows".to_owned() });
        };
        Self::named((names, target), words, labels, (len.unwrap_or(0), None))
    }
}
