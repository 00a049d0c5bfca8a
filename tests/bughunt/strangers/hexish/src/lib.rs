//! Hexadecimal digits and the Luhn check.

/// Value of a hexadecimal digit of either case.
pub fn digit_value(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

/// Lower-case digit for a nibble.
///
/// Only the values 0 to 15 have one; any other is a bug in the caller and panics.
pub fn digit(n: u8) -> u8 {
    match n {
        0..=9 => b'0' + n,
        10..=15 => b'a' + (n - 10),
        _ => unreachable!("nibble out of range"),
    }
}

/// Writes every byte as two lower-case digits.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * bytes.len());
    for b in bytes {
        out.push(digit(b >> 4));
        out.push(digit(b & 15));
    }
    out
}

/// Reads digits of either case. `None` for an odd number of digits or a character that is none.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() % 2 != 0 {
        return None;
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < text.len() {
        let hi = digit_value(text[i])?;
        let lo = digit_value(text[i + 1])?;
        out.push(hi << 4 | lo);
        i += 2;
    }
    Some(out)
}

/// Whether the decimal digits (as numbers, most significant first) pass the Luhn check.
///
/// Every element must be a digit from 0 to 9.
pub fn luhn_ok(digits: &[u8]) -> bool {
    let mut sum = 0u32;
    let mut twice = false;
    for &d in digits.iter().rev() {
        let mut v = d as u32;
        if twice {
            v *= 2;
            if v > 9 {
                v -= 9;
            }
        }
        sum += v;
        twice = !twice;
    }
    sum % 10 == 0
}

/// Two's complement of the sum, modulo 256.
pub fn checksum(data: &[u8]) -> u8 {
    let mut s: u8 = 0;
    for &b in data {
        s = s.wrapping_add(b);
    }
    s.wrapping_neg()
}

/// Lower case of an ASCII letter; anything else is returned as it is.
pub fn lower(c: u8) -> u8 {
    if c >= b'A' && c <= b'Z' {
        c | 0x20
    } else {
        c
    }
}
