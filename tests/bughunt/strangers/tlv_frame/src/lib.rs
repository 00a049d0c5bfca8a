//! Type-length-value frames.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub kind: u8,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    TooShort,
    Trailing,
}

pub fn encode(frame: &Frame) -> Vec<u8> {
    let mut out = Vec::with_capacity(frame.body.len() + 2);
    out.push(frame.kind);
    out.push(frame.body.len() as u8);
    out.extend_from_slice(&frame.body);
    out
}

pub fn decode(bytes: &[u8]) -> Result<Frame, DecodeError> {
    if bytes.len() < 2 {
        return Err(DecodeError::TooShort);
    }
    let len = bytes[1] as usize;
    if bytes.len() < 2 + len {
        return Err(DecodeError::TooShort);
    }
    if bytes.len() > 2 + len {
        return Err(DecodeError::Trailing);
    }
    Ok(Frame { kind: bytes[0], body: bytes[2..].to_vec() })
}

/// Kind of the first frame of a stream, if there is one.
pub fn peek_kind(bytes: &[u8]) -> Option<u8> {
    bytes.first().copied()
}

/// Splits off the first frame of a stream.
///
/// Returns `None` if the stream does not hold a whole frame.
pub fn next_frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let len = bytes[1] as usize;
    if bytes.len() < len + 2 {
        return None;
    }
    Some((&bytes[2..2 + len], &bytes[2 + len..]))
}
