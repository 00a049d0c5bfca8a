//! Signed and unsigned LEB128 for `i32` and `u32`, as used by DWARF and WebAssembly.

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum LebError {
    UnexpectedEnd,
    Overflow,
}

/// Appends the unsigned LEB128 encoding of `value` to `out`.
pub fn write_u32(out: &mut Vec<u8>, mut value: u32) {
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            out.push(byte);
            return;
        }
        out.push(byte | 0x80);
    }
}

/// Reads an unsigned LEB128 number, and gives it with the number of bytes read.
pub fn read_u32(input: &[u8]) -> Result<(u32, usize), LebError> {
    let mut result: u32 = 0;
    let mut shift = 0;
    let mut i = 0;
    loop {
        if i >= input.len() {
            return Err(LebError::UnexpectedEnd);
        }
        let byte = input[i];
        i += 1;
        result |= ((byte & 0x7f) as u32) << shift;
        if byte & 0x80 == 0 {
            return Ok((result, i));
        }
        shift += 7;
    }
}

/// Encodes a signed number.
pub fn encode_i32(value: i32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut v = value;
    loop {
        let byte = (v & 0x7f) as u8;
        v >>= 7;
        let sign = byte & 0x40 != 0;
        if (v == 0 && !sign) || (v == -1 && sign) {
            out.push(byte);
            break;
        }
        out.push(byte | 0x80);
    }
    out
}

/// Decodes a signed number; the inverse of [`encode_i32`].
pub fn decode_i32(input: &[u8]) -> Result<i32, LebError> {
    let mut result: i64 = 0;
    let mut shift = 0u32;
    for &byte in input.iter() {
        if shift > 28 {
            return Err(LebError::Overflow);
        }
        result |= ((byte & 0x7f) as i64) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            if shift < 28 && byte & 0x40 != 0 {
                result |= -1i64 << shift;
            }
            return Ok(result as i32);
        }
    }
    Err(LebError::UnexpectedEnd)
}
