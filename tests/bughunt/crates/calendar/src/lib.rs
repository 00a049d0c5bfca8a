//! Dates of the Gregorian calendar, extended to all years.

/// Whether `year` is a leap year.
///
/// ```
/// assert!(calendar::is_leap_year(2000));
/// assert!(!calendar::is_leap_year(1900));
/// assert!(calendar::is_leap_year(2024));
/// ```
pub fn is_leap_year(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The number of days of a month.
///
/// # Panics
///
/// Panics if `month` is not in `1..=12`.
pub fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap_year(year) => 29,
        2 => 28,
        _ => panic!("no month has the number {}", month),
    }
}

/// Whether there is such a date.
pub fn is_valid(year: i32, month: u32, day: u32) -> bool {
    1 <= month && month <= 12 && 1 <= day && day <= days_in_month(year, month)
}

/// Days since 1970-01-01; negative before it.
///
/// # Panics
///
/// Panics if there is no such date.
pub fn days_from_civil(year: i32, month: u32, day: u32) -> i64 {
    assert!(is_valid(year, month, day), "there is no such date");
    let y = if month <= 2 { year as i64 - 1 } else { year as i64 };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let shifted = (month as i64 + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + day as i64 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The day of the week of a day number: 0 is Monday, 6 is Sunday.
pub fn weekday(days: i32) -> u32 {
    (days as i64 + 3).rem_euclid(7) as u32
}

/// Seconds in `days` days, or `None` if that is more than a `u32` holds.
pub fn seconds_of(days: u32) -> Option<u32> {
    days.checked_mul(86_400)
}

/// Prints a date.
pub fn iso(year: i32, month: u32, day: u32) -> String {
    format!("{:04}-{:02}-{:02}", year, month, day)
}
