//! Closed intervals of integers: midpoints, clamping, overlap.

pub mod span;

/// The midpoint of `a` and `b`, rounded down.
///
/// ```
/// assert_eq!(interval::midpoint(4, 7), 5);
/// assert_eq!(interval::midpoint(u32::MAX, u32::MAX), u32::MAX);
/// ```
pub fn midpoint(a: u32, b: u32) -> u32 {
    ((a as u64 + b as u64) / 2) as u32
}

/// The same as [`midpoint`], without a wider type.
pub fn midpoint_bits(a: u32, b: u32) -> u32 {
    (a & b) + ((a ^ b) >> 1)
}

/// Limits `value` to the range `lo..=hi`.
///
/// # Panics
///
/// Panics if `lo > hi`.
pub fn clamp(value: i32, lo: i32, hi: i32) -> i32 {
    assert!(lo <= hi, "clamp: the range is empty");
    if value < lo {
        lo
    } else if value > hi {
        hi
    } else {
        value
    }
}

/// How many integers are in `lo..=hi`; 0 if `lo > hi`.
pub fn count(lo: i32, hi: i32) -> u64 {
    if lo > hi {
        0
    } else {
        (hi as i64 - lo as i64) as u64 + 1
    }
}

/// The distance of two points; it fits, because it is unsigned.
pub fn distance(a: i32, b: i32) -> u32 {
    a.abs_diff(b)
}

/// Formats an interval as mathematicians do.
pub fn show(lo: i32, hi: i32) -> String {
    format!("[{lo}, {hi}]")
}
