//! Numbers of variable length, seven bits a byte, least significant first.

/// The bytes of `value`.
pub fn encode(value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = value;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out
}

/// The number that `bytes` begin with; `None` if it does not end.
pub fn decode(bytes: &[u8]) -> Option<u64> {
    let mut value: u64 = 0;
    let mut shift = 0;
    for &b in bytes {
        value |= ((b & 0x7f) as u64) << shift;
        if b & 0x80 == 0 {
            return Some(value);
        }
        shift += 7;
    }
    None
}

/// How many bytes [`encode`] makes of `value`.
pub fn size(value: u64) -> usize {
    let bits = 64 - value.leading_zeros() as usize;
    if bits == 0 {
        1
    } else {
        (bits + 6) / 7
    }
}

/// A signed number as an unsigned one, small if it is near 0.
pub fn zigzag_encode(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

/// Undoes [`zigzag_encode`].
pub fn zigzag_decode(n: u64) -> i64 {
    (n >> 1) as i64 ^ (n & 1) as i64
}

/// Writes to anything that takes bytes.
pub fn write_to(out: &mut dyn std::io::Write, value: u64) -> std::io::Result<()> {
    out.write_all(&encode(value))
}
