//! Points and distances on a grid of integers.

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub x: i16,
    pub y: i16,
}

/// How long a step is, whatever its direction.
pub fn step_length(step: i32) -> i32 {
    if step < 0 {
        -step
    } else {
        step
    }
}

/// The number of bytes between two offsets in a file.
pub fn gap(a: i64, b: i64) -> i64 {
    (a - b).abs()
}

impl Point {
    /// The origin.
    pub fn origin() -> Point {
        Point { x: 0, y: 0 }
    }

    /// The distance along the axes.
    pub fn taxicab(self, other: Point) -> u32 {
        self.x.abs_diff(other.x) as u32 + self.y.abs_diff(other.y) as u32
    }

    /// The quadrant, counted from 1; 0 on an axis.
    pub fn quadrant(self) -> u8 {
        match (self.x.signum(), self.y.signum()) {
            (1, 1) => 1,
            (-1, 1) => 2,
            (-1, -1) => 3,
            (1, -1) => 4,
            _ => 0,
        }
    }

    /// The point, mirrored at the diagonal.
    pub fn transposed(self) -> Point {
        Point { x: self.y, y: self.x }
    }

    /// The distance as the crow flies.
    pub fn euclid(self, other: Point) -> f64 {
        let dx = self.x as f64 - other.x as f64;
        let dy = self.y as f64 - other.y as f64;
        (dx * dx + dy * dy).sqrt()
    }
}
