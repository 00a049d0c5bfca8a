//! A set of up to 64 slots in one word.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotMask(u64);

impl SlotMask {
    pub const CAPACITY: u32 = 64;

    pub fn new() -> Self {
        SlotMask(0)
    }

    #[inline]
    fn bit(slot: u32) -> u64 {
        // slot < 64 was checked by every caller
        1u64 << slot
    }

    /// Adds a slot; `true` if it was not there before.
    ///
    /// # Panics
    /// If `slot >= 64`.
    pub fn insert(&mut self, slot: u32) -> bool {
        assert!(slot < Self::CAPACITY, "slot {} out of range", slot);
        let b = Self::bit(slot);
        let fresh = self.0 & b == 0;
        self.0 |= b;
        fresh
    }

    /// Whether the slot is in the set. Slots out of range never are.
    pub fn contains(&self, slot: u32) -> bool {
        slot < Self::CAPACITY && self.0 & Self::bit(slot) != 0
    }

    pub fn remove(&mut self, slot: u32) -> bool {
        if !self.contains(slot) {
            return false;
        }
        self.0 ^= Self::bit(slot);
        true
    }

    pub fn len(&self) -> u32 {
        self.0.count_ones()
    }

    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Lowest slot in the set.
    pub fn first(&self) -> Option<u32> {
        if self.0 == 0 {
            None
        } else {
            Some(self.0.trailing_zeros())
        }
    }

    /// Takes the lowest slot out.
    pub fn pop_first(&mut self) -> Option<u32> {
        let s = self.first()?;
        // clears the lowest bit that is set; not zero because `first` found one
        self.0 &= self.0 - 1;
        Some(s)
    }

    /// Rotates all slots upwards; slot 63 becomes slot 0.
    pub fn rotate(self, by: u32) -> Self {
        SlotMask(self.0.rotate_left(by % 64))
    }

    pub fn union(self, other: Self) -> Self {
        SlotMask(self.0 | other.0)
    }
}
