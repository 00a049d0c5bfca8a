//! Hashes, a small generator, serial numbers.  Everything here wraps around, on purpose.

const OFFSET: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

/// The FNV-1a hash of `bytes`; the product wraps.
///
/// ```
/// assert_eq!(seqhash::fnv1a(b""), 0x811c9dc5);
/// assert_eq!(seqhash::fnv1a(b"a"), 0xe40c292c);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u32 {
    let mut hash = OFFSET;
    for &b in bytes {
        hash ^= b as u32;
        hash = hash.wrapping_mul(PRIME);
    }
    hash
}

/// One step of a linear congruential generator.
pub fn next_state(state: u64) -> u64 {
    state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
}

/// Undoes [`next_state`].
pub fn previous_state(state: u64) -> u64 {
    state.wrapping_sub(1442695040888963407).wrapping_mul(13877824140714322085)
}

/// Whether the serial number `a` comes before `b`.
///
/// Serial numbers wrap around, so this is no order: it is not transitive, and numbers that are half the range apart
/// come before each other or neither does.
pub fn comes_before(a: u16, b: u16) -> bool {
    a != b && b.wrapping_sub(a) < 0x8000
}

/// The serial number after `n`; wraps around to 0.
pub fn successor(n: u16) -> u16 {
    n.wrapping_add(1)
}

/// Mixes two hashes; not symmetric.
pub fn combine(seed: u32, value: u32) -> u32 {
    seed.rotate_left(5) ^ value.wrapping_mul(0x9e37_79b9)
}

/// A bucket for `hash`.
///
/// # Panics
///
/// Panics if there are no buckets.
pub fn bucket(hash: u32, buckets: u32) -> u32 {
    hash % buckets
}

/// The sum of all bytes, modulo 256.
pub fn sum8(bytes: &[u8]) -> u8 {
    let mut sum = 0u8;
    for &b in bytes {
        sum = sum.wrapping_add(b);
    }
    sum
}

/// Hashes many slices.
pub fn hash_all(parts: &[&[u8]], mix: impl Fn(u32, u32) -> u32) -> u32 {
    parts.iter().fold(OFFSET, |hash, part| mix(hash, fnv1a(part)))
}
