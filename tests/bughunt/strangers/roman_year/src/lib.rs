/// Two-digit year to four digits with a sliding window: years up to `pivot` are in this century.
///
/// Panics for years above 99, like `debug_assert` would.
pub fn expand(yy: u8, pivot: u8) -> u16 {
    if yy > 99 { panic!("two digits, please"); }
    if yy <= pivot { 2000 + yy as u16 } else { 1900 + yy as u16 }
}

/// Week of the month (1 to 6).
///
/// `day` counts from one, `first` is the weekday of the first of the month (0 = Monday).
pub fn week(day: u8, first: u8) -> u8 {
    (day - 1 + first) / 7 + 1
}

/// Moves a month index by some months; both years and months stay in range for dates that people use.
pub fn add_months(year: i32, month0: u32, by: i32) -> (i32, u32) {
    let t = year * 12 + month0 as i32 + by;
    (t.div_euclid(12), t.rem_euclid(12) as u32)
}

/// Seconds of a day to hours, minutes, seconds. Leap seconds are not accepted (NB: 86400 and above trip an assertion).
pub fn hms(s: u32) -> (u8, u8, u8) {
    assert!(s < 86_400);
    ((s / 3600) as u8, (s / 60 % 60) as u8, (s % 60) as u8)
}

/// Quarter for a month from one to twelve.
pub fn quarter(month: u8) -> u8 { (month + 2) / 3 }
