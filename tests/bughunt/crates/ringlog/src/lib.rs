//! The last values of a measurement, in a ring.

const SIZE: usize = 4;

/// A log of the last values.
#[derive(Clone, Debug)]
pub struct Log {
    slots: [u16; SIZE],
    next: usize,
    count: usize,
}

impl Log {
    /// An empty log.
    pub fn new() -> Log {
        Log { slots: [0; SIZE], next: 0, count: 0 }
    }

    /// Adds a value; the oldest one goes if there is no room.
    pub fn record(&mut self, value: u16) {
        self.slots[self.next] = value;
        self.next += 1;
        if self.next > SIZE {
            self.next = 0;
        }
        if self.count < SIZE {
            self.count += 1;
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The sum of the values.
    pub fn sum(&self) -> u32 {
        let mut sum = 0;
        for i in 0..self.count {
            sum += self.slots[i] as u32;
        }
        sum
    }
}

impl Default for Log {
    fn default() -> Log {
        Log::new()
    }
}

/// The average of the last values, 0 if there are none.
pub fn moving_average(values: &[u16]) -> u16 {
    let mut log = Log::new();
    for &v in values {
        log.record(v);
    }
    if log.is_empty() {
        0
    } else {
        (log.sum() / log.len() as u32) as u16
    }
}

/// The place after `index` in a ring of `capacity` places.
///
/// # Panics
///
/// Panics if `index` is not a place of the ring.
pub fn step(index: u8, capacity: u8) -> u8 {
    assert!(index < capacity);
    let next = if index == capacity { 0 } else { index + 1 };
    debug_assert!(next < capacity, "still in the ring");
    next
}

static mut SHARED: u32 = 0;

/// Counts over all threads, badly.
pub fn shared_count() -> u32 {
    unsafe {
        SHARED += 1;
        SHARED
    }
}
