//! Intervals as values.

/// The integers from `lo` to `hi`, both included; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    lo: i64,
    hi: i64,
}

impl Span {
    /// `None` if `lo > hi`.
    pub fn new(lo: i64, hi: i64) -> Option<Span> {
        if lo <= hi {
            Some(Span { lo, hi })
        } else {
            None
        }
    }

    /// The smallest member.
    pub fn lo(&self) -> i64 {
        self.lo
    }

    /// The largest member.
    pub fn hi(&self) -> i64 {
        self.hi
    }

    /// Whether `x` is a member.
    pub fn contains(&self, x: i64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// The members that both have.
    pub fn intersection(self, other: Span) -> Option<Span> {
        let lo = if self.lo > other.lo { self.lo } else { other.lo };
        let hi = if self.hi < other.hi { self.hi } else { other.hi };
        Span::new(lo, hi)
    }

    /// The smallest span that contains both.
    pub fn hull(self, other: Span) -> Span {
        Span {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The member nearest to `x`.
    pub fn nearest(&self, x: i64) -> i64 {
        if x < self.lo {
            self.lo
        } else if x > self.hi {
            self.hi
        } else {
            x
        }
    }
}
