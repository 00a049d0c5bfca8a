use std::fmt;

/// Width or height of a grid: 1 to 4096.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Extent(u16);

impl Extent {
    pub const MAX: u16 = 4096;

    pub fn new(n: u16) -> Option<Self> {
        if n >= 1 && n <= Self::MAX {
            Some(Extent(n))
        } else {
            None
        }
    }

    pub fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    w: Extent,
    h: Extent,
}

impl Grid {
    pub fn new(w: Extent, h: Extent) -> Grid {
        Grid { w, h }
    }

    pub fn area(&self) -> u32 {
        self.w.0 as u32 * self.h.0 as u32
    }

    /// Row-major index of a tile, or `None` outside of the grid.
    pub fn index(&self, x: u16, y: u16) -> Option<u32> {
        if x >= self.w.0 || y >= self.h.0 {
            return None;
        }
        Some(y as u32 * self.w.0 as u32 + x as u32)
    }

    /// The tile at an index.
    ///
    /// The index has to come from this grid; a larger one trips the assertion.
    pub fn tile(&self, index: u32) -> (u16, u16) {
        assert!(index < self.area());
        let w = u32::from(self.w.0);
        ((index % w) as u16, (index / w) as u16)
    }

    /// Manhattan distance.
    pub fn distance(a: (u16, u16), b: (u16, u16)) -> u32 {
        let dx = if a.0 > b.0 { a.0 - b.0 } else { b.0 - a.0 };
        let dy = if a.1 > b.1 { a.1 - b.1 } else { b.1 - a.1 };
        dx as u32 + dy as u32
    }

    /// The last tile.
    pub fn last(&self) -> (u16, u16) {
        self.tile(self.area() - 1)
    }

    /// Half of the grid in both directions, but never smaller than one tile.
    pub fn halved(&self) -> Grid {
        Grid { w: Extent::new((self.w.0 + 1) / 2).unwrap(), h: Extent::new((self.h.0 + 1) / 2).unwrap() }
    }
}
