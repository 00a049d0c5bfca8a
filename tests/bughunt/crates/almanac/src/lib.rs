//! Leap years and days of the year.

const BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// Whether a year of the Gregorian calendar has 366 days.
///
/// ```
/// assert!(almanac::is_leap(2024));
/// assert!(!almanac::is_leap(2023));
/// ```
pub fn is_leap(year: u16) -> bool {
    year % 4 == 0 && year % 100 != 0 || year % 1000 == 0
}

/// The same as [`is_leap`], step by step.
pub fn is_leap_slow(year: u16) -> bool {
    if year % 400 == 0 {
        return true;
    }
    if year % 100 == 0 {
        return false;
    }
    year % 4 == 0
}

/// Which day of a year of 365 days a date is, from 1 on; `None` for months that do not exist.
pub fn day_of_year(month: u8, day: u8) -> Option<u16> {
    if month > 12 {
        return None;
    }
    Some(BEFORE[month as usize - 1] + day as u16)
}

/// The month of a day of a year of 365 days.
///
/// # Panics
///
/// Panics if `day` is not in `1..=365`.
pub fn month_of(day: u16) -> u8 {
    assert!(day >= 1 && day <= 365);
    let mut month = 1;
    while month < 12 && BEFORE[month] < day {
        month += 1;
    }
    month as u8
}

/// The quarter of a month: 1 to 4, or `None`.
pub fn quarter(month: u8) -> Option<u8> {
    if month == 0 || month > 12 {
        None
    } else {
        Some((month - 1) / 3 + 1)
    }
}

/// Today, as days since 1970.
pub fn today() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|d| d.as_secs() / 86_400).unwrap_or(0)
}
