/// A date in the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

pub fn is_leap(year: u16) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Number of days in `month` (1 to 12) of `year`; between 28 and 31.
///
/// # Panics
///
/// Panics if `month` is not in `1..=12`.
pub fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => panic!("no such month: {}", month),
    }
}

impl Date {
    /// `None` if there is no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        if month == 0 || month > 12 || day == 0 || day > days_in_month(year, month) {
            return None;
        }
        Some(Date { year, month, day })
    }

    pub fn year(self) -> u16 {
        self.year
    }
    pub fn month(self) -> u8 {
        self.month
    }
    pub fn day(self) -> u8 {
        self.day
    }

    /// Day of the year, 1 for the first of January.
    pub fn ordinal(self) -> u16 {
        let mut n = self.day as u16;
        let mut m = 1;
        while m < self.month {
            n += days_in_month(self.year, m) as u16;
            m += 1;
        }
        n
    }

    /// The inverse of `ordinal`: `from_ordinal(d.year(), d.ordinal())` is `Some(d)`.
    pub fn from_ordinal(year: u16, ordinal: u16) -> Option<Date> {
        if ordinal == 0 || ordinal > 365 {
            return None;
        }
        let mut rest = ordinal;
        let mut month = 1u8;
        while rest > days_in_month(year, month) as u16 {
            rest -= days_in_month(year, month) as u16;
            month += 1;
        }
        Some(Date { year, month, day: rest as u8 })
    }

    /// The day after this one.
    pub fn succ(self) -> Option<Date> {
        if self.day < days_in_month(self.year, self.month) {
            Some(Date { day: self.day + 1, ..self })
        } else if self.month < 12 {
            Some(Date { year: self.year, month: self.month + 1, day: 1 })
        } else {
            Some(Date { year: self.year + 1, month: 1, day: 1 })
        }
    }
}
