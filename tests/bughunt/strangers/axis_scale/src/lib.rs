//! Integer scales for axes and sliders.

/// Restricts `v` to `[lo, hi]`.
///
/// Like [`Ord::clamp`], this panics when `lo > hi`.
pub fn limit(v: i32, lo: i32, hi: i32) -> i32 {
    v.clamp(lo, hi)
}

/// Position of `v` on a slider of `steps` steps that covers `lo..=hi`.
///
/// Requires `lo < hi`; `v` is restricted to the range first.
pub fn position(v: i32, lo: i32, hi: i32, steps: u16) -> u16 {
    debug_assert!(lo < hi);
    let v = v.clamp(lo, hi);
    let num = (v as i64 - lo as i64) * steps as i64;
    (num / (hi as i64 - lo as i64)) as u16
}

/// Linear interpolation with `t` out of 256.
///
/// `t` is expected to be at most 256, so that the result lies between `a` and `b`.
pub fn lerp(a: i32, b: i32, t: u32) -> i32 {
    let d = b as i64 - a as i64;
    (a as i64 + ((d * t as i64) >> 8)) as i32
}

/// Steps to the next multiple of `m`.
///
/// `m` must not be zero, and `x` must be small enough that the multiple exists.
pub fn next_multiple(x: u32, m: u32) -> u32 {
    (x / m + 1) * m
}

/// Largest tick not above `v`, for ticks that are `spacing` apart (`spacing` is positive).
pub fn tick_below(v: i32, spacing: i32) -> i64 {
    v.div_euclid(spacing) as i64 * spacing as i64
}

/// Number of digits needed to print `n`.
pub fn digits(n: u32) -> u32 {
    if n == 0 {
        1
    } else {
        n.ilog10() + 1
    }
}
