//! Prices and invoices, in cents.

/// What an order costs, or `None` if that does not fit.
pub fn order_price(unit: u32, quantity: u32, shipping: u32) -> Option<u32> {
    let goods = unit.checked_mul(quantity)?;
    Some(goods + shipping)
}

/// What an order costs, as a customer would say it: never more than `u32::MAX`.
pub fn capped_price(unit: u32, quantity: u32) -> u32 {
    unit.checked_mul(quantity).unwrap_or(u32::MAX)
}

/// The bill of many items, or `None` if it does not fit.
pub fn total(items: &[u16]) -> Option<u16> {
    let mut sum: u16 = 0;
    for &item in items {
        sum = sum.wrapping_add(item);
        if sum < item {
            return None;
        }
    }
    Some(sum)
}

/// A refund in cents; never more than was paid.
pub fn refund(paid: u32, claimed: u32) -> u32 {
    if claimed > paid {
        paid
    } else {
        claimed
    }
}

/// The balance after a payment, or `None` if the account does not have so much.
pub fn pay(balance: u32, amount: u32) -> Option<u32> {
    let (left, borrowed) = balance.overflowing_sub(amount);
    if borrowed {
        None
    } else {
        Some(left)
    }
}

/// The number of the next invoice.
pub fn next_invoice(number: u32) -> u32 {
    number.checked_add(1).unwrap()
}

/// A line for the printer.
pub fn line(name: &str, cents: u32) -> String {
    format!("{name}: {}.{:02}", cents / 100, cents % 100)
}
