//! Search by halving.

/// The point in the middle of `low` and `high`, rounded down.
pub fn midpoint(low: u32, high: u32) -> u32 {
    (low + high) / 2
}

/// The place of `wanted` in sorted `items`, or `None` if it is not there.
pub fn find(items: &[i32], wanted: i32) -> Option<usize> {
    if items.is_empty() {
        return None;
    }
    let mut low = 0;
    let mut high = items.len() - 1;
    while low <= high {
        let mid = low + (high - low) / 2;
        if items[mid] == wanted {
            return Some(mid);
        } else if items[mid] < wanted {
            low = mid + 1;
        } else {
            high = mid - 1;
        }
    }
    None
}

/// How many of the items are less than `bound`, if they are sorted.
pub fn lower_bound(items: &[i32], bound: i32) -> usize {
    let mut low = 0;
    let mut high = items.len();
    while low < high {
        let mid = low + (high - low) / 2;
        if items[mid] < bound {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    low
}

/// The first index for which the predicate holds.
pub fn partition_point(len: usize, pred: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let mid = low + (high - low) / 2;
        if pred(mid) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    low
}
