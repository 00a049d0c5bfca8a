//! Fixed-point numbers with 16 bits after the point.

/// One.
pub const ONE: i32 = 1 << 16;

/// A fixed-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed(pub i32);

impl Fixed {
    /// The integer `n`.
    pub fn from_int(n: i16) -> Fixed {
        Fixed(n as i32 * ONE)
    }

    /// The integer part, rounded down.
    pub fn to_int(self) -> i16 {
        (self.0 >> 16) as i16
    }

    /// The sum; saturates.
    pub fn add(self, other: Fixed) -> Fixed {
        Fixed(self.0.saturating_add(other.0))
    }

    /// The product, rounded down, or `None` if it does not fit.
    pub fn mul(self, other: Fixed) -> Option<Fixed> {
        let product = (self.0 * other.0) >> 16;
        Some(Fixed(product))
    }

    /// The quotient, rounded towards zero, or `None` for a division by zero or if it does not fit.
    pub fn div(self, other: Fixed) -> Option<Fixed> {
        if other.0 == 0 {
            return None;
        }
        let wide = ((self.0 as i64) << 16) / other.0 as i64;
        if wide > i32::MAX as i64 || wide < i32::MIN as i64 {
            None
        } else {
            Some(Fixed(wide as i32))
        }
    }

    /// The nearest integer; halves are rounded up.
    ///
    /// # Panics
    ///
    /// Panics if the nearest integer does not fit.
    pub fn round(self) -> i16 {
        let n = (self.0 as i64 + 0x8000) >> 16;
        assert!(n <= i16::MAX as i64, "does not fit");
        n as i16
    }

    /// The number, without its sign; saturates.
    pub fn abs(self) -> Fixed {
        Fixed(self.0.saturating_abs())
    }

    /// What is after the point, as a number from 0 to 65535.
    pub fn fraction(self) -> u32 {
        (self.0 % ONE) as u32
    }
}

/// A step from `a` to `b`, `t` of 256 parts on the way.
pub fn lerp(a: i16, b: i16, t: u8) -> i16 {
    a + (b - a) * t as i16 / 256
}

/// From a float.
pub fn from_float(x: f32) -> Fixed {
    Fixed((x * ONE as f32) as i32)
}
