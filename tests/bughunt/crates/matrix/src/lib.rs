//! Matrices of three rows and four columns, in one array, row by row.

pub const ROWS: usize = 3;
pub const COLUMNS: usize = 4;

/// A matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    pub cells: [i32; ROWS * COLUMNS],
}

/// The place of a cell in the array.
///
/// # Panics
///
/// Panics if there is no such cell.
pub fn index(row: usize, column: usize) -> usize {
    assert!(row < ROWS);
    assert!(column < COLUMNS);
    row * COLUMNS + column
}

/// The row and the column of a place in the array; undoes [`index`].
pub fn position(index: usize) -> (usize, usize) {
    (index / COLUMNS, index % COLUMNS)
}

impl Matrix {
    /// The cell, or `None` outside of the matrix.
    pub fn get(&self, row: usize, column: usize) -> Option<i32> {
        if row < ROWS && column < COLUMNS {
            Some(self.cells[row * COLUMNS + column])
        } else {
            None
        }
    }

    /// Writes a cell; false outside of the matrix.
    pub fn set(&mut self, row: usize, column: usize, value: i32) -> bool {
        if row >= ROWS || column >= COLUMNS {
            return false;
        }
        self.cells[row * COLUMNS + column] = value;
        true
    }

    /// The sum of a row; it fits, because it is wide.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    pub fn row_sum(&self, row: usize) -> i64 {
        assert!(row < ROWS);
        let mut sum = 0i64;
        for column in 0..COLUMNS {
            sum += self.cells[row * COLUMNS + column] as i64;
        }
        sum
    }

    /// Swaps two rows.
    ///
    /// # Panics
    ///
    /// Panics if one of them does not exist.
    pub fn swap_rows(&mut self, a: usize, b: usize) {
        for column in 0..COLUMNS {
            let (i, j) = (index(a, column), index(b, column));
            let kept = self.cells[i];
            self.cells[i] = self.cells[j];
            self.cells[j] = kept;
        }
    }
}

/// The largest value of a slice, or `None` if there is none.
pub fn largest(values: &[i32]) -> Option<i32> {
    let mut best = *values.first()?;
    for &v in values {
        if v > best {
            best = v;
        }
    }
    Some(best)
}

/// Applies `f` to every cell.
pub fn map(m: &Matrix, f: &dyn Fn(i32) -> i32) -> Matrix {
    let mut out = *m;
    for cell in out.cells.iter_mut() {
        *cell = f(*cell);
    }
    out
}
