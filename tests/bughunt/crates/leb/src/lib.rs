//! Unsigned integers in seven-bit groups, least significant first.

/// The most bytes that a `u32` needs.
pub const MAX_LEN: usize = 5;

/// How many bytes [`encode`] uses for `value`.
pub fn encoded_len(value: u32) -> usize {
    let mut len = 1;
    let mut rest = value >> 7;
    while rest != 0 {
        len += 1;
        rest >>= 7;
    }
    len
}

/// The encoding of `value`, and how many bytes of the array it uses; the others are 0.
///
/// ```
/// assert_eq!(leb::encode(300), ([0xac, 0x02, 0, 0, 0], 2));
/// ```
pub fn encode(value: u32) -> ([u8; MAX_LEN], usize) {
    let mut out = [0u8; MAX_LEN];
    let mut rest = value;
    let mut len = 0;
    while rest >= 0x80 {
        out[len] = (rest & 0x7f) as u8 | 0x80;
        rest >>= 7;
        len += 1;
    }
    out[len] = rest as u8;
    (out, len + 1)
}

/// The number at the start of `bytes`, and how many bytes it takes.
///
/// `None` if the bytes end too early or the number does not fit.  Encodings that are longer than needed are accepted,
/// so different bytes can have the same value.
pub fn decode(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value: u32 = 0;
    let mut i = 0;
    while i < bytes.len() && i < MAX_LEN {
        let group = (bytes[i] & 0x7f) as u32;
        if i == MAX_LEN - 1 && group > 0x0f {
            return None;
        }
        value |= group << (7 * i);
        i += 1;
        if bytes[i - 1] & 0x80 == 0 {
            return Some((value, i));
        }
    }
    None
}

/// Maps small negative numbers to small numbers: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
///
/// ```
/// assert_eq!(leb::zigzag(-2), 3);
/// assert_eq!(leb::unzigzag(3), -2);
/// ```
pub fn zigzag(n: i32) -> u32 {
    ((n << 1) ^ (n >> 31)) as u32
}

/// Undoes [`zigzag`].
pub fn unzigzag(n: u32) -> i32 {
    ((n >> 1) as i32) ^ -((n & 1) as i32)
}

/// Reads from anything that gives bytes.
pub fn read(source: &mut dyn Iterator<Item = u8>) -> Option<u32> {
    let mut buffer = [0u8; MAX_LEN];
    for slot in buffer.iter_mut() {
        *slot = source.next()?;
        if *slot & 0x80 == 0 {
            break;
        }
    }
    decode(&buffer).map(|(value, _)| value)
}
