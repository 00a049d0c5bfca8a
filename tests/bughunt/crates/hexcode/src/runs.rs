//! Runs of equal bytes as pairs of a length and a byte.

/// The longest run that one pair holds.
pub const LONGEST: u8 = 15;

/// Runs of equal bytes; a long run makes several pairs.
pub fn encode(bytes: &[u8]) -> Vec<(u8, u8)> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        let mut length = 1;
        while i + 1 < bytes.len() && bytes[i + 1] == byte && length < LONGEST {
            length += 1;
            i += 1;
        }
        out.push((length, byte));
        i += 1;
    }
    out
}

/// Undoes [`encode`].
pub fn decode(runs: &[(u8, u8)]) -> Vec<u8> {
    let mut out = Vec::new();
    for &(length, byte) in runs {
        let mut n = 1;
        while n < length {
            out.push(byte);
            n += 1;
        }
        if n < LONGEST {
            out.push(byte);
        }
    }
    out
}

/// A run of `length` times a nibble in one byte: the length above, the nibble below.  `None` if they do not fit.
pub fn pack(length: u8, nibble: u8) -> Option<u8> {
    if length > LONGEST || nibble > 15 {
        return None;
    }
    Some(length << 4 | nibble)
}

/// Undoes [`pack`].
pub fn unpack(byte: u8) -> (u8, u8) {
    (byte >> 4, byte & 0x0f)
}
