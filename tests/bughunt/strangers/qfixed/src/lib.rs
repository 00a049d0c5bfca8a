//! Signed 16.16 fixed-point numbers.

pub const FRAC_BITS: u32 = 16;
pub const ONE: i32 = 1 << FRAC_BITS;

/// Converts a whole number. Wraps around if it is too large.
pub fn from_int(n: i32) -> i32 {
    n.wrapping_shl(FRAC_BITS)
}

/// The integer part, rounded towards negative infinity.
pub fn floor(q: i32) -> i32 {
    q / ONE
}

/// The fractional part, always in `0..ONE`.
pub fn fract(q: i32) -> i32 {
    q & (ONE - 1)
}

/// Multiplies, saturating at the bounds instead of overflowing.
pub fn mul_sat(a: i32, b: i32) -> i32 {
    let wide = (a as i64 * b as i64) >> FRAC_BITS;
    if wide > i32::MAX as i64 {
        i32::MAX
    } else if wide < i32::MIN as i64 {
        i32::MIN
    } else {
        wide as i32
    }
}

/// Divides `a` by `b`.
///
/// Returns `None` when `b` is zero or when the quotient does not fit.
pub fn checked_div(a: i32, b: i32) -> Option<i32> {
    if b == 0 {
        return None;
    }
    let q = ((a as i64) << FRAC_BITS) / b as i64;
    Some(q as i32)
}

/// Average of two numbers without overflow, rounded down.
pub fn avg(a: i32, b: i32) -> i32 {
    (a & b) + ((a ^ b) >> 1)
}
