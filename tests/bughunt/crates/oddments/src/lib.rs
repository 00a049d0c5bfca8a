//! A bit of everything: half of this crate is outside of what is hunted, the rest must be hunted all the same.

use std::fmt;

extern "C" {
    fn abs(n: i32) -> i32;
}

/// The absolute value, by the C library.
pub fn c_abs(n: i32) -> i32 {
    unsafe { abs(n) }
}

/// For callers in C.
#[no_mangle]
pub extern "C" fn oddments_add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// Something with an area.
pub trait Shape {
    /// The area.
    fn area(&self) -> u64;
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub width: u32,
    pub height: u32,
}

impl Shape for Rectangle {
    fn area(&self) -> u64 {
        self.width as u64 * self.height as u64
    }
}

/// The area of all shapes.
pub fn total_area(shapes: &[Box<dyn Shape>]) -> u64 {
    shapes.iter().map(|s| s.area()).sum()
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// Waits for nothing.
pub async fn ready() -> u32 {
    1
}

/// Sums what the function gives for each index.
pub fn sum_with<F: Fn(u32) -> u32>(n: u32, f: F) -> u32 {
    let mut sum = 0u32;
    for i in 0..n {
        sum = sum.wrapping_add(f(i));
    }
    sum
}

static mut CALLS: u32 = 0;

/// Counts its calls.
pub fn counted() -> u32 {
    unsafe {
        CALLS += 1;
        CALLS
    }
}

/// The root of `n`, rounded down.
///
/// ```
/// assert_eq!(oddments::isqrt(99), 9);
/// assert_eq!(oddments::isqrt(100), 10);
/// ```
pub fn isqrt(n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let mut lo: u32 = 1;
    let mut hi: u32 = 65_536;
    while hi - lo > 1 {
        let mid = lo + (hi - lo) / 2;
        if mid as u64 * mid as u64 <= n as u64 {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    lo
}

/// The logarithm of `n` to base 2, rounded down; `None` for 0.
pub fn log2(n: u32) -> Option<u32> {
    if n == 0 {
        None
    } else {
        Some(31 - n.leading_zeros())
    }
}

/// Whether `n` is a power of two.
pub fn is_power_of_two(n: u32) -> bool {
    n != 0 && n & (n - 1) == 0
}

/// The larger of two.
pub fn larger<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if b > a {
        b
    } else {
        a
    }
}

/// The greatest of three.
pub fn greatest(a: i32, b: i32, c: i32) -> i32 {
    a.max(b).max(c)
}

/// Twice each of two numbers; wraps.
pub fn doubled(a: u32, b: u32) -> (u32, u32) {
    let twice = |n: u32| n.wrapping_mul(2);
    (twice(a), twice(b))
}
