//! Amounts of money, in hundredths.

/// An amount in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cents(pub i64);

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyError {
    Overflow,
    NoParts,
}

impl Cents {
    /// The sum, or an error if it does not fit.
    pub fn add(self, other: Cents) -> Result<Cents, MoneyError> {
        match self.0.checked_add(other.0) {
            Some(n) => Ok(Cents(n)),
            None => Err(MoneyError::Overflow),
        }
    }

    /// `quantity` times the amount, or an error if it does not fit.
    pub fn times(self, quantity: u32) -> Result<Cents, MoneyError> {
        let n = self.0.checked_mul(quantity as i64).ok_or(MoneyError::Overflow)?;
        Ok(Cents(n))
    }

    /// The share of each of `parts`, and what is left over; the share is rounded towards zero.
    pub fn split(self, parts: u32) -> Result<(Cents, Cents), MoneyError> {
        if parts == 0 {
            return Err(MoneyError::NoParts);
        }
        let n = parts as i64;
        Ok((Cents(self.0 / n), Cents(self.0 % n)))
    }

    /// Whether there is nothing owed.
    pub fn is_settled(self) -> bool {
        self.0 >= 0
    }
}

/// `rate` hundredths of a percent of `amount`, rounded half away from zero; an error if it does not fit.
pub fn interest(amount: Cents, rate: u16) -> Result<Cents, MoneyError> {
    let product = amount.0 as i128 * rate as i128;
    let half = if product < 0 { -5_000 } else { 5_000 };
    let rounded = (product + half) / 10_000;
    if rounded > i64::MAX as i128 || rounded < i64::MIN as i128 {
        Err(MoneyError::Overflow)
    } else {
        Ok(Cents(rounded as i64))
    }
}

/// The sum of a bill, or an error if it does not fit, or a part of it does not.
pub fn total(items: &[i64]) -> Result<i64, MoneyError> {
    let mut sum: i64 = 0;
    for &item in items {
        sum = sum.checked_add(item).ok_or(MoneyError::Overflow)?;
    }
    Ok(sum)
}

/// Whole units of an amount, rounded down.
pub fn floor_units(amount: Cents) -> i64 {
    amount.0.div_euclid(100)
}

/// The cents beyond [`floor_units`]: 0 to 99.
pub fn cents_part(amount: Cents) -> u8 {
    amount.0.rem_euclid(100) as u8
}

/// Asks the bank.
pub async fn balance(account: u32) -> Cents {
    Cents(account as i64)
}
