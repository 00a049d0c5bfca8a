//! Numbers from ASCII text.

/// The number that the bytes spell in decimal; `None` if one is no digit, if there are none, or if it does not fit.
pub fn parse_u16(bytes: &[u8]) -> Option<u16> {
    if bytes.is_empty() {
        return None;
    }
    let mut value: u16 = 0;
    for &b in bytes {
        if b < b'0' || b > b'9' {
            return None;
        }
        value = value.checked_mul(10)? + (b - b'0') as u16;
    }
    Some(value)
}

/// The number of a port, or the byte at which it goes wrong; no bytes at all are port 0.
pub fn parse_port(bytes: &[u8]) -> Result<u16, u8> {
    let mut value: u32 = 0;
    for &b in bytes {
        let digit = match b {
            b'0'..=b'9' => b - b'0',
            _ => return Err(b),
        };
        value = value * 10 + digit as u32;
        if value > 65_535 {
            return Err(b);
        }
    }
    Ok(value as u16)
}

/// The value of a digit in a base from 2 to 36; `None` if it is none.
pub fn digit_in_base(byte: u8, base: u8) -> Option<u8> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' => byte - b'A' + 10,
        _ => return None,
    };
    if value < base {
        Some(value)
    } else {
        None
    }
}

/// The decimal digits of `n`, last one first, and how many there are.
pub fn reversed_digits(n: u16) -> ([u8; 5], usize) {
    let mut out = [0; 5];
    let mut rest = n;
    let mut len = 0;
    while rest > 0 || len == 0 {
        out[len] = (rest % 10) as u8;
        rest /= 10;
        len += 1;
    }
    (out, len)
}

/// A number from 0 to 99 as two digits.
pub fn two_digits(n: u8) -> [u8; 2] {
    debug_assert!(n < 100);
    [b'0' + n / 10, b'0' + n % 10]
}

/// Undoes [`two_digits`]; `None` if one is no digit.
pub fn from_two_digits(text: [u8; 2]) -> Option<u8> {
    if text[0] < b'0' || text[0] > b'9' || text[1] < b'0' || text[1] >= b'9' {
        return None;
    }
    Some((text[0] - b'0') * 10 + (text[1] - b'0'))
}

/// Reads with the standard library.
pub fn parse_std(text: &str) -> Option<u16> {
    text.parse().ok()
}
