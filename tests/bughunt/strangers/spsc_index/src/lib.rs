//! Index arithmetic of a single-producer single-consumer ring.
//!
//! `head` and `tail` run freely and wrap at 2^32; the slot is found by masking.

/// Positions of a ring whose capacity is a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    head: u32,
    tail: u32,
    cap: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingError {
    Full,
    Empty,
    BadCapacity,
}

impl Cursor {
    /// Capacity must be a power of two, otherwise `BadCapacity` is returned.
    pub fn with_capacity(cap: u32) -> Result<Cursor, RingError> {
        if cap == 0 || !cap.is_power_of_two() {
            return Err(RingError::BadCapacity);
        }
        Ok(Cursor { head: 0, tail: 0, cap })
    }

    pub fn len(&self) -> u32 {
        self.head.wrapping_sub(self.tail)
    }

    pub fn is_empty(&self) -> bool {
        self.head == self.tail
    }

    pub fn capacity(&self) -> u32 {
        self.cap
    }

    /// Reserves a slot and returns its index, which is always less than `capacity()`.
    pub fn push(&mut self) -> Result<u32, RingError> {
        if self.len() >= self.cap {
            return Err(RingError::Full);
        }
        let slot = self.head & (self.cap - 1);
        self.head = self.head.wrapping_add(1);
        Ok(slot)
    }

    pub fn pop(&mut self) -> Result<u32, RingError> {
        if self.is_empty() {
            return Err(RingError::Empty);
        }
        let slot = self.tail & (self.cap - 1);
        self.tail = self.tail.wrapping_add(1);
        Ok(slot)
    }
}

/// Smallest power of two that is not less than `n`.
/// Returns `None` if it does not fit into a `u32`.
pub fn ring_size_for(n: u32) -> Option<u32> {
    if n <= 1 {
        return Some(1);
    }
    let mut v = n - 1;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    Some(v + 1)
}

/// Maps a free-running position to a slot.
///
/// The result is always less than `cap`. `cap` must be a power of two.
pub fn slot_of(pos: u32, cap: u32) -> u32 {
    pos & cap
}
