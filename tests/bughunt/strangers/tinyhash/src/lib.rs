//! Small non-cryptographic hash functions.

const FNV_OFFSET: u64 = 0xcbf29ce484222325;
const FNV_PRIME: u64 = 0x100000001b3;

pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mut h = FNV_OFFSET;
    for b in bytes {
        h ^= *b as u64;
        h = h.wrapping_mul(FNV_PRIME);
    }
    h
}

/// Finalizer of MurmurHash3.
#[inline]
pub const fn fmix32(mut h: u32) -> u32 {
    h ^= h >> 16;
    h = h.wrapping_mul(0x85ebca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2ae35);
    h ^= h >> 16;
    h
}

fn rotl5(x: u32) -> u32 {
    (x << 5) | (x >> 27)
}

/// Combines a running hash with one more word. Not commutative.
pub fn combine(seed: u32, word: u32) -> u32 {
    (rotl5(seed) ^ word).wrapping_mul(0x9e3779b9)
}

/// Maps a hash to a bucket in `0..buckets`.
///
/// The number of buckets is never zero in a live table.
pub fn bucket(hash: u64, buckets: usize) -> usize {
    debug_assert!(buckets > 0);
    (hash % buckets as u64) as usize
}

/// Adler-32 of a buffer.
pub fn adler32(data: &[u8]) -> u32 {
    let mut a: u32 = 1;
    let mut b: u32 = 0;
    for &x in data {
        a = (a + x as u32) % 65521;
        b = (b + a) % 65521;
    }
    (b << 16) | a
}
