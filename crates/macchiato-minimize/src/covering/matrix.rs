//! A sparse 0/1 matrix read both ways, by columns and by rows.

/// Columns over rows. Column and row numbers are local; [`Matrix::name`] gives a column's number in the full problem.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    column_starts: Vec<usize>,
    column_rows: Vec<u32>,
    row_starts: Vec<usize>,
    row_columns: Vec<u32>,
    literals: Vec<u32>,
    names: Vec<u32>,
}

impl Matrix {
    /// The matrix whose column j covers `entries[starts[j]..starts[j + 1]]`.
    pub(super) fn new(rows: usize, starts: &[usize], entries: &[u32], literals: &[u32]) -> Self {
        let names = (0..literals.len() as u32).collect();
        Self::transposed(rows, starts.to_vec(), entries.to_vec(), literals.to_vec(), names)
    }

    fn transposed(
        rows: usize,
        column_starts: Vec<usize>,
        column_rows: Vec<u32>,
        literals: Vec<u32>,
        names: Vec<u32>,
    ) -> Self {
        let mut row_starts = vec![0usize; rows + 1];
        for &row in &column_rows {
            row_starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            row_starts[row + 1] += row_starts[row];
        }
        let mut next = row_starts.clone();
        let mut row_columns = vec![0u32; column_rows.len()];
        for column in 0..literals.len() {
            for &row in &column_rows[column_starts[column]..column_starts[column + 1]] {
                row_columns[next[row as usize]] = column as u32;
                next[row as usize] += 1;
            }
        }
        Self { column_starts, column_rows, row_starts, row_columns, literals, names }
    }

    pub(super) fn rows(&self) -> usize {
        self.row_starts.len() - 1
    }

    pub(super) fn columns(&self) -> usize {
        self.literals.len()
    }

    pub(super) fn entries(&self) -> usize {
        self.column_rows.len()
    }

    /// The rows of a column, in increasing order.
    pub(super) fn column(&self, column: usize) -> &[u32] {
        &self.column_rows[self.column_starts[column]..self.column_starts[column + 1]]
    }

    /// The columns of a row, in increasing order.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.row_columns[self.row_starts[row]..self.row_starts[row + 1]]
    }

    pub(super) fn literals(&self, column: usize) -> u32 {
        self.literals[column]
    }

    /// The column's number in the full problem.
    pub(super) fn name(&self, column: usize) -> usize {
        self.names[column] as usize
    }

    /// The part of the matrix in the rows and columns that are kept; columns left without a row are dropped.
    pub(super) fn restricted(
        &self,
        keep_row: impl Fn(usize) -> bool,
        keep_column: impl Fn(usize) -> bool,
    ) -> Self {
        let mut renumbered = vec![u32::MAX; self.rows()];
        let mut rows = 0;
        for row in (0..self.rows()).filter(|&row| keep_row(row)) {
            renumbered[row] = rows;
            rows += 1;
        }
        let (mut starts, mut entries) = (vec![0], Vec::new());
        let (mut literals, mut names) = (Vec::new(), Vec::new());
        for column in (0..self.columns()).filter(|&column| keep_column(column)) {
            let before = entries.len();
            let local = self.column(column).iter().map(|&row| renumbered[row as usize]);
            entries.extend(local.filter(|&row| row != u32::MAX));
            if entries.len() > before {
                starts.push(entries.len());
                literals.push(self.literals[column]);
                names.push(self.names[column]);
            }
        }
        Self::transposed(rows as usize, starts, entries, literals, names)
    }

    /// The independent blocks: parts that share neither row nor column, in the order of their first row.
    pub(super) fn blocks(&self) -> Vec<Self> {
        let mut block_of_row = vec![u32::MAX; self.rows()];
        let mut block_of_column = vec![u32::MAX; self.columns()];
        let mut count = 0;
        let mut queue = Vec::new();
        for first in 0..self.rows() {
            if block_of_row[first] != u32::MAX {
                continue;
            }
            block_of_row[first] = count;
            queue.push(first);
            while let Some(row) = queue.pop() {
                for &column in self.row(row) {
                    if block_of_column[column as usize] != u32::MAX {
                        continue;
                    }
                    block_of_column[column as usize] = count;
                    for &next in self.column(column as usize) {
                        if block_of_row[next as usize] == u32::MAX {
                            block_of_row[next as usize] = count;
                            queue.push(next as usize);
                        }
                    }
                }
            }
            count += 1;
        }
        match count {
            0 => Vec::new(),
            1 => vec![self.clone()],
            _ => (0..count)
                .map(|b| self.restricted(|row| block_of_row[row] == b, |column| block_of_column[column] == b))
                .collect(),
        }
    }
}
