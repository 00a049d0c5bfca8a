//! Reading and writing digits.

/// Why bytes are not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    Empty,
    BadDigit,
    TooLarge,
}

/// The value of an ASCII digit.
pub fn digit_value(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        _ => None,
    }
}

/// The ASCII digit of a value from 0 to 9.
///
/// # Panics
///
/// Panics if `value` is greater than 9.
pub fn digit_byte(value: u8) -> u8 {
    assert!(value <= 9);
    b'0' + value
}

/// The decimal number that `bytes` spell.
///
/// # Errors
///
/// If there are no bytes, if one is not a digit, and if the number does not fit.
///
/// ```
/// assert_eq!(numerals::parse(b"4096"), Ok(4096));
/// assert_eq!(numerals::parse(b"99999999999"), Err(numerals::ParseError::TooLarge));
/// ```
pub fn parse(bytes: &[u8]) -> Result<u32, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut value: u32 = 0;
    for &b in bytes {
        let digit = match digit_value(b) {
            Some(d) => d as u32,
            None => return Err(ParseError::BadDigit),
        };
        value = match value.checked_mul(10) {
            Some(v) => v,
            None => return Err(ParseError::TooLarge),
        };
        value = match value.checked_add(digit) {
            Some(v) => v,
            None => return Err(ParseError::TooLarge),
        };
    }
    Ok(value)
}

/// How many decimal digits `n` has; 0 has one.
pub fn digits(n: u32) -> u32 {
    let mut rest = n / 10;
    let mut count = 1;
    while rest > 0 {
        rest /= 10;
        count += 1;
    }
    count
}

/// The sum of the decimal digits.
pub fn digit_sum(n: u32) -> u32 {
    let mut rest = n;
    let mut sum = 0;
    while rest > 0 {
        sum += rest % 10;
        rest /= 10;
    }
    sum
}

/// Two binary coded decimal digits in a byte.
///
/// # Panics
///
/// Panics if `n` is not less than 100.
pub fn to_bcd(n: u8) -> u8 {
    assert!(n < 100, "two digits are all there is room for");
    (n / 10) << 4 | n % 10
}

/// Undoes [`to_bcd`]; `None` for a byte that is not two decimal digits.
pub fn from_bcd(byte: u8) -> Option<u8> {
    let (high, low) = (byte >> 4, byte & 0x0f);
    if high > 9 || low > 9 {
        None
    } else {
        Some(high * 10 + low)
    }
}

/// Groups digits in threes.
pub fn grouped(n: u32) -> String {
    let plain = n.to_string();
    let mut out = String::new();
    for (i, c) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i) % 3 == 0 {
            out.push('_');
        }
        out.push(c);
    }
    out
}
