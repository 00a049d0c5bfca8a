//! Checksums and bit order for frames on a wire.

pub mod checksum;

/// The bits of a byte in reverse order.
pub fn reverse_bits(byte: u8) -> u8 {
    let b = (byte & 0xf0) >> 4 | (byte & 0x0f) << 4;
    let b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
    (b & 0xaa) >> 1 | (b & 0x54) << 1
}

/// Gray code of `n`.
pub fn to_gray(n: u16) -> u16 {
    n ^ (n >> 1)
}

/// Undoes [`to_gray`].
pub fn from_gray(gray: u16) -> u16 {
    let mut n = gray;
    n ^= n >> 8;
    n ^= n >> 4;
    n ^= n >> 2;
    n ^= n >> 1;
    n
}

/// Two bytes as one number, the high one first.
pub fn join(high: u8, low: u8) -> u16 {
    (high as u16) << 8 | low as u16
}

/// Undoes [`join`].
pub fn split(n: u16) -> (u8, u8) {
    ((n >> 8) as u8, n as u8)
}

/// Whether an odd number of bits is set.
pub fn parity(byte: u8) -> bool {
    byte.count_ones() % 2 == 1
}

/// Sends a frame through the driver.
pub fn send(frame: &[u8]) -> i32 {
    extern "C" {
        fn write(fd: i32, data: *const u8, len: usize) -> isize;
    }
    unsafe { write(1, frame.as_ptr(), frame.len()) as i32 }
}
