//! Division with rounding.

/// `a / b`, rounded to the nearest integer; halves are rounded away from zero.
///
/// # Panics
///
/// Panics if `b` is 0.
///
/// ```
/// assert_eq!(rounding::div_round(7, 2), 4);
/// assert_eq!(rounding::div_round(-7, 2), -4);
/// ```
pub fn div_round(a: i64, b: u32) -> i64 {
    let b = b as i64;
    let q = a / b;
    let r = a % b;
    if r * 2 >= b {
        q + 1
    } else {
        q
    }
}

/// `n` divided by 10, rounded up.
pub fn tenths_up(n: u32) -> u32 {
    (n + 9) / 10
}

/// The same as [`tenths_up`], by the remainder.
pub fn tenths_up_by_rest(n: u32) -> u32 {
    if n % 10 == 0 {
        n / 10
    } else {
        n / 10 + 1
    }
}

/// `n` rounded down to a multiple of `step`.
///
/// # Panics
///
/// Panics if `step` is 0.
pub fn round_down(n: u32, step: u32) -> u32 {
    n - n % step
}

/// `n` rounded up to a multiple of 16, or `None` if there is none.
pub fn align16(n: u32) -> Option<u32> {
    match n.checked_add(15) {
        Some(m) => Some(m & !15),
        None => None,
    }
}

/// Rounds a float.
pub fn round_float(x: f64) -> i64 {
    (x + 0.5).floor() as i64
}
