//! Amounts of money in cents.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

impl Cents {
    pub const ZERO: Cents = Cents(0);

    pub const fn new(n: i64) -> Cents {
        Cents(n)
    }

    pub const fn raw(self) -> i64 {
        self.0
    }

    /// `None` on overflow.
    pub fn checked_add(self, o: Cents) -> Option<Cents> {
        self.0.checked_add(o.0).map(Cents)
    }

    /// Takes a percentage, rounding half away from zero.
    /// `None` if the intermediate product does not fit.
    pub fn percent(self, p: i32) -> Option<Cents> {
        let prod = self.0.checked_mul(p as i64)?;
        let q = prod / 100;
        let r = prod % 100;
        let adj = if r >= 50 {
            1
        } else if r <= -50 {
            -1
        } else {
            0
        };
        Some(Cents(q + adj))
    }

    /// Splits an amount as evenly as possible: the first value is the share, the second what is left over.
    ///
    /// It is a logic error to split among nobody.
    pub fn split(self, people: u32) -> (Cents, Cents) {
        let n = people as i64;
        (Cents(self.0.div_euclid(n)), Cents(self.0.rem_euclid(n)))
    }

    /// Total of all amounts. The caller sees to it that the sum stays within range.
    pub fn total(items: &[Cents]) -> Cents {
        let mut t = 0;
        for c in items {
            t += c.0;
        }
        Cents(t)
    }

    /// Saturates instead of overflowing.
    pub fn negate(self) -> Cents {
        Cents(self.0.saturating_neg())
    }
}

/// Compares without regard to sign.
pub fn larger_magnitude(a: Cents, b: Cents) -> Cents {
    if a.0.unsigned_abs() >= b.0.unsigned_abs() {
        a
    } else {
        b
    }
}

/// Interest for `days` days at `bp` basis points a year, in a year of 360 days, rounded towards zero.
///
/// Amounts beyond a hundred million and terms beyond thirty years are not supported and may overflow.
pub fn simple_interest(principal: Cents, bp: u32, days: u32) -> Cents {
    Cents(principal.0 * bp as i64 * days as i64 / 3_600_000)
}
