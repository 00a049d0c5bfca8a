//! 128-bit unsigned arithmetic on two 64-bit limbs, for targets without `u128`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct U128 {
    pub hi: u64,
    pub lo: u64,
}

impl U128 {
    pub const ZERO: U128 = U128 { hi: 0, lo: 0 };
    pub const MAX: U128 = U128 { hi: u64::max_value(), lo: u64::max_value() };

    pub fn from_u64(lo: u64) -> U128 {
        U128 { hi: 0, lo: lo }
    }

    /// Adds modulo 2^128.
    pub fn wrapping_add(self, other: U128) -> U128 {
        let (lo, carry) = self.lo.overflowing_add(other.lo);
        let hi = self.hi.wrapping_add(other.hi).wrapping_add(carry as u64);
        U128 { hi: hi, lo: lo }
    }

    /// Adds, or gives `None` on overflow.
    pub fn checked_add(self, other: U128) -> Option<U128> {
        let (lo, carry) = self.lo.overflowing_add(other.lo);
        match self.hi.checked_add(other.hi) {
            Some(hi) => Some(U128 { hi: hi + carry as u64, lo: lo }),
            None => None,
        }
    }

    /// Subtracts modulo 2^128. The inverse of `wrapping_add`:
    /// `a.wrapping_add(b).wrapping_sub(b) == a`.
    pub fn wrapping_sub(self, other: U128) -> U128 {
        let lo = self.lo.wrapping_sub(other.lo);
        let hi = self.hi.wrapping_sub(other.hi);
        U128 { hi: hi, lo: lo }
    }

    /// Number of leading zero bits, at most 128.
    pub fn leading_zeros(self) -> u32 {
        if self.hi != 0 {
            self.hi.leading_zeros()
        } else {
            64 + self.lo.leading_zeros()
        }
    }

    /// Shifts left by `n` bits; bits shifted out are lost.
    ///
    /// # Panics
    ///
    /// Panics if `n` is 128 or more.
    pub fn shl(self, n: u32) -> U128 {
        assert!(n < 128, "shift too large");
        if n >= 64 {
            U128 { hi: self.lo << (n - 64), lo: 0 }
        } else if n == 0 {
            self
        } else {
            U128 { hi: self.hi << n | self.lo >> (64 - n), lo: self.lo << n }
        }
    }
}
