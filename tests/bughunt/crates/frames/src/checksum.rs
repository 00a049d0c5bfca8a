//! Checksums.

/// The sum of the bytes, for a frame of any length.
pub fn simple(bytes: &[u8]) -> u8 {
    let mut sum: u8 = 0;
    for &b in bytes {
        sum += b;
    }
    !sum
}

/// Fletcher's checksum, modulo 255.
pub fn fletcher(bytes: &[u8]) -> u16 {
    let mut a: u16 = 0;
    let mut b: u16 = 0;
    for &byte in bytes {
        a = (a + byte as u16) % 255;
        b = (b + a) % 255;
    }
    b << 8 | a
}

/// The exclusive or of the bytes.
pub fn longitudinal(bytes: &[u8]) -> u8 {
    let mut all = 0;
    for &b in bytes {
        all ^= b;
    }
    all
}

/// Whether the last byte of a frame is the exclusive or of those before it.
pub fn is_intact(frame: &[u8]) -> bool {
    let payload = &frame[..frame.len() - 1];
    longitudinal(payload) == frame[frame.len() - 1]
}
