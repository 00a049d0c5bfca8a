//! A grid of five columns and three rows.

pub const WIDTH: usize = 5;
pub const HEIGHT: usize = 3;

/// The cells, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub cells: [u8; WIDTH * HEIGHT],
}

impl Grid {
    /// The cell, or `None` outside of the grid.
    pub fn get(&self, x: usize, y: usize) -> Option<u8> {
        if x < HEIGHT && y < WIDTH {
            Some(self.cells[y * WIDTH + x])
        } else {
            None
        }
    }

    /// How many cells are not 0.
    pub fn filled(&self) -> usize {
        let mut count = 0;
        for &cell in self.cells.iter() {
            if cell != 0 {
                count += 1;
            }
        }
        count
    }

    /// One line of text for each row.
    pub fn lines(&self) -> Vec<String> {
        self.cells.chunks(WIDTH).map(|row| String::from_utf8_lossy(row).into_owned()).collect()
    }
}
