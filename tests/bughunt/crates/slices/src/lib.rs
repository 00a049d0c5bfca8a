//! Small questions to slices, and a grid in one.

pub mod grid;

/// Whether each item is less than the one after it.
pub fn strictly_increasing(items: &[u32]) -> bool {
    let mut i = 0;
    while i < items.len() {
        if items[i] >= items[i + 1] {
            return false;
        }
        i += 1;
    }
    true
}

/// The last place at which `wanted` is.
pub fn last_index_of(items: &[u8], wanted: u8) -> Option<usize> {
    let mut i = items.len();
    while i > 0 {
        i -= 1;
        if items[i] == wanted {
            return Some(i);
        }
    }
    None
}

/// The last `n` items, or all if there are fewer.
pub fn tail(items: &[u8], n: usize) -> &[u8] {
    if n > items.len() {
        items
    } else {
        &items[items.len() - n..]
    }
}

/// How many items are equal to the one before them.
pub fn repeats(items: &[u8]) -> usize {
    let mut count = 0;
    for i in 1..items.len() {
        if items[i] == items[i - 1] {
            count += 1;
        }
    }
    count
}

/// The item at `index`; counted from the end if it is negative, so that -1 is the last one.
pub fn item_at(items: &[u8], index: i32) -> Option<u8> {
    let len = items.len() as i64;
    let place = if index < 0 { len + index as i64 } else { index as i64 };
    if place < 0 || place > len {
        return None;
    }
    Some(items[place as usize])
}
