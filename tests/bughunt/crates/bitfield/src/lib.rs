//! Fields of bits in a word of 32.

/// A word whose lowest `width` bits are set; `width` is at most 32.
pub fn low_mask(width: u32) -> u32 {
    assert!(width <= 32, "a word has 32 bits");
    (1 << width) - 1
}

/// A word whose highest `width` bits are set; `width` is at most 32.
pub fn high_mask(width: u32) -> u32 {
    assert!(width <= 32, "a word has 32 bits");
    if width == 0 {
        0
    } else {
        u32::MAX << (32 - width)
    }
}

/// Bit `index` of `word`.
///
/// # Panics
///
/// Panics if `index` is not less than 32.
pub fn bit(word: u32, index: u32) -> bool {
    assert!(index < 32);
    (word >> index) & 1 == 1
}

/// The `width` bits of `word` from bit `start` on.
///
/// # Panics
///
/// Panics if the field is empty or is not inside the word.
pub fn field(word: u32, start: u32, width: u32) -> u32 {
    assert!(width > 0 && width <= 32 && start <= 32 - width);
    (word >> start) & (u32::MAX >> (32 - width))
}

/// The word with the lowest set bit cleared.
pub fn clear_lowest(word: u32) -> u32 {
    word & word.wrapping_sub(1)
}

/// Reads the word at an address.
///
/// # Safety
///
/// `address` must be valid.
pub unsafe fn peek(address: *const u32) -> u32 {
    *address
}
