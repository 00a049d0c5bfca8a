//! A queue of bytes in a ring of fixed size.

mod ring;

pub use ring::{Ring, CAPACITY};

/// The sum of the last [`CAPACITY`] values.
pub fn recent_sum(values: &[u8]) -> u32 {
    let mut ring = Ring::new();
    for &v in values {
        if ring.is_full() {
            ring.pop();
        }
        ring.push(v);
    }
    let mut sum = 0;
    while let Some(v) = ring.pop() {
        sum += v as u32;
    }
    sum
}

/// The position `by` places after `index` in a ring of `capacity` places.
///
/// # Panics
///
/// Panics if `index` is not a place of the ring.
pub fn advance(index: u32, by: u32, capacity: u32) -> u32 {
    assert!(index < capacity, "not a place of the ring");
    let next = ((index as u64 + by as u64) % capacity as u64) as u32;
    debug_assert!(next < capacity);
    next
}
