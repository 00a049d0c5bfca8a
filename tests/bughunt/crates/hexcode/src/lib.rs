//! Hexadecimal digits and a run-length code.

pub mod runs;

/// The digit of a value from 0 to 15.
///
/// # Panics
///
/// Panics if `value` is greater than 15.
pub fn digit(value: u8) -> u8 {
    assert!(value < 16);
    if value < 10 {
        b'0' + value
    } else {
        b'a' + value - 10
    }
}

/// The value of a hexadecimal digit, of either case.
pub fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Two digits a byte.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &b in bytes {
        out.push(digit(b >> 4));
        out.push(digit(b & 0x0f));
    }
    out
}

/// The bytes that `digits` spell; `None` if one is no digit or the last byte is not complete.
pub fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < digits.len() {
        let high = value(digits[i])?;
        let low = value(digits[i + 1])?;
        out.push(high << 4 | low);
        i += 2;
    }
    Some(out)
}

/// Prints bytes.
pub fn dump(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
