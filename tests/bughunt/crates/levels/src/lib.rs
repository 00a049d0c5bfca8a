//! Levels between 0 and a maximum: light, health, fuel.

/// Makes a colour brighter; stops at 255.
pub fn brighten(colour: u8, by: u8) -> u8 {
    (colour as u16).saturating_add(by as u16) as u8
}

/// The same as [`brighten`], step by step.
pub fn brighten_slow(colour: u8, by: u8) -> u8 {
    let mut c = colour;
    for _ in 0..by {
        if c < 255 {
            c += 1;
        }
    }
    c
}

/// Makes a colour darker; stops at 0.
pub fn darken(colour: u8, by: u8) -> u8 {
    colour.saturating_sub(by)
}

/// A tank with a capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tank {
    pub fuel: u16,
    pub capacity: u16,
}

impl Tank {
    /// Room that is left; 0 if it is overfull.
    pub fn room(self) -> u16 {
        self.capacity - self.fuel
    }

    /// Fills in `amount`; what does not fit is spilled.
    pub fn fill(self, amount: u16) -> Tank {
        let wanted = self.fuel.saturating_add(amount);
        Tank { fuel: if wanted > self.capacity { self.capacity } else { wanted }, capacity: self.capacity }
    }

    /// Takes out `amount`, or what there is.
    pub fn drain(self, amount: u16) -> Tank {
        Tank { fuel: self.fuel.saturating_sub(amount), capacity: self.capacity }
    }
}

/// Health after a hit and a cure.  Nobody has less than 0 or more than 100.
pub fn after(health: u8, hit: u8, cure: u8) -> u8 {
    let left = health.saturating_sub(hit).saturating_add(cure);
    if left > 100 {
        100
    } else {
        left
    }
}

/// A bar of text.
pub fn bar(level: u8) -> String {
    "#".repeat(level as usize / 10)
}
