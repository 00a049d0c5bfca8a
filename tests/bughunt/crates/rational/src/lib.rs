//! Fractions of 32-bit integers.

/// The greatest common divisor; `gcd(0, 0)` is 0.
pub fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        let r = a % b;
        a = b;
        b = r;
    }
    a
}

/// The least common multiple, or `None` if it does not fit.
pub fn lcm(a: u32, b: u32) -> Option<u32> {
    if a == 0 || b == 0 {
        return Some(0);
    }
    (a / gcd(a, b)).checked_mul(b)
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    num: i32,
    den: u32,
}

impl Fraction {
    /// `num / den` in lowest terms, or `None` if `den` is 0.
    pub fn new(num: i32, den: u32) -> Option<Fraction> {
        if den == 0 {
            return None;
        }
        let g = gcd(num.unsigned_abs(), den);
        Some(Fraction {
            num: (num as i64 / g as i64) as i32,
            den: den / g,
        })
    }

    /// The numerator.
    pub fn num(&self) -> i32 {
        self.num
    }

    /// The denominator; at least 1.
    pub fn den(&self) -> u32 {
        self.den
    }

    /// Whether it is less than `other`.
    pub fn less(&self, other: &Fraction) -> bool {
        (self.num as i64) * (other.den as i64) < (other.num as i64) * (self.den as i64)
    }

    /// The integer part, rounded down.
    pub fn floor(&self) -> i32 {
        (self.num as i64).div_euclid(self.den as i64) as i32
    }
}

/// `a / b`, rounded up.
///
/// # Panics
///
/// Panics if `b` is 0.
pub fn div_ceil(a: u32, b: u32) -> u32 {
    let q = a / b;
    if a % b == 0 {
        q
    } else {
        q + 1
    }
}

/// Reads `a/b`.
pub fn parse(text: &str) -> Option<Fraction> {
    let (a, b) = text.split_once('/')?;
    Fraction::new(a.trim().parse().ok()?, b.trim().parse().ok()?)
}
