//! Common divisors and multiples.

/// The greatest common divisor of two numbers.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

/// The least common multiple, or `None` if it does not fit.
pub fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

/// The numerator and the denominator of `a / b + c / d`, or `None` if it does not fit or a denominator is 0.
pub fn add(a: u16, b: u16, c: u16, d: u16) -> Option<(u32, u32)> {
    if b == 0 || d == 0 {
        return None;
    }
    let num = a as u64 * d as u64 + c as u64 * b as u64;
    let den = b as u64 * d as u64;
    let g = gcd(num, den);
    let (num, den) = (num / g, den / g);
    if num > u32::MAX as u64 || den > u32::MAX as u64 {
        None
    } else {
        Some((num as u32, den as u32))
    }
}

/// Whether two numbers have no common divisor but 1.
pub fn coprime(a: u64, b: u64) -> bool {
    gcd(a, b) == 1
}

/// The multiple of both `a` and `b` that a gear needs to be back at its start.
pub fn teeth(a: u16, b: u16) -> u16 {
    if a == 0 || b == 0 {
        return 0;
    }
    a * b / gcd(a as u64, b as u64) as u16
}

/// The golden ratio, roughly.
pub fn golden() -> f64 {
    (1.0 + 5.0_f64.sqrt()) / 2.0
}
