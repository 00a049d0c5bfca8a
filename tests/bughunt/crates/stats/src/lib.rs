//! Averages and percentages.

/// The average of the values, rounded down.
pub fn average(values: &[u8]) -> u8 {
    let mut sum: u32 = 0;
    for &v in values {
        sum += v as u32;
    }
    (sum / values.len() as u32) as u8
}

/// `part` as a percentage of `whole`, rounded down; 0 if there is no whole.
pub fn percent(part: u32, whole: u32) -> u32 {
    if whole == 0 {
        return 0;
    }
    part * 100 / whole
}

/// `percent` of `amount`, rounded down.
///
/// # Panics
///
/// Panics if `percent` is more than 100.
pub fn share(amount: u32, percent: u8) -> u32 {
    assert!(percent <= 100, "more than all of it");
    (amount as u64 * percent as u64 / 100) as u32
}

/// The smallest and the largest value.
pub fn range(values: &[i32]) -> Option<(i32, i32)> {
    let mut low = *values.first()?;
    let mut high = low;
    for &v in values {
        low = low.min(v);
        high = high.max(v);
    }
    Some((low, high))
}

/// How far the values are apart.
pub fn spread(values: &[i32]) -> Option<u32> {
    let (low, high) = range(values)?;
    Some(high.abs_diff(low))
}

/// How many values are above the limit.
pub fn above(values: &[u8], limit: u8) -> usize {
    let mut count = 0;
    for &v in values {
        if v > limit {
            count += 1;
        }
    }
    count
}

/// The average of two temperatures, rounded towards zero.
pub fn mean(a: i32, b: i32) -> i32 {
    (a + b) / 2
}

/// The standard deviation.
pub fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt()
}
