//! Retry delays.

/// Policy of an exponential backoff, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    pub base: u32,
    pub max: u32,
}

impl Backoff {
    /// Delay before retry number `attempt` (from 0). The result never exceeds `self.max`.
    pub fn delay(&self, attempt: u32) -> u32 {
        let d = self.base << attempt.min(31);
        d.min(self.max)
    }

    /// Sum of the first `n` delays.
    pub fn total(&self, n: u32) -> u64 {
        let mut t = 0u64;
        for i in 0..n.min(64) {
            t += self.delay(i) as u64;
        }
        t
    }
}

/// Splits a delay into whole seconds and milliseconds.
/// `join_ms(split_ms(x).0, split_ms(x).1)` is `x`.
pub fn split_ms(ms: u32) -> (u32, u16) {
    (ms / 1000, (ms % 1000) as u16)
}

pub fn join_ms(secs: u32, ms: u16) -> u32 {
    secs * 1000 + ms as u32
}

/// Jitter: a value in `0..span`, from random bits.
///
/// The result is always less than `span`; `span` must not be zero.
pub fn jitter(bits: u32, span: u32) -> u32 {
    ((bits as u64 * span as u64) >> 31) as u32
}
