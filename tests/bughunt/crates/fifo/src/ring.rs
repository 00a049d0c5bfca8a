/// How many bytes fit.
pub const CAPACITY: usize = 4;

/// First in, first out.
#[derive(Clone, Debug)]
pub struct Ring {
    data: [u8; CAPACITY],
    head: usize, // < CAPACITY
    len: usize,  // <= CAPACITY
}

impl Ring {
    /// An empty ring.
    pub fn new() -> Ring {
        Ring { data: [0; CAPACITY], head: 0, len: 0 }
    }

    /// How many bytes are in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nothing to pop.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is no room.
    pub fn is_full(&self) -> bool {
        self.len == CAPACITY
    }

    /// Adds a byte at the end; false if there is no room.
    pub fn push(&mut self, value: u8) -> bool {
        if self.is_full() {
            return false;
        }
        let tail = (self.head + self.len) % CAPACITY;
        self.data[tail] = value;
        self.len += 1;
        true
    }

    /// Takes the oldest byte.
    pub fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let value = self.data[self.head];
        self.head = (self.head + 1) % CAPACITY;
        self.len -= 1;
        Some(value)
    }

    /// The address of the storage, for a device that reads it.
    pub fn as_ptr(&self) -> *const u8 {
        self.data.as_ptr()
    }

    /// The byte at a place, whatever it is.
    ///
    /// # Safety
    ///
    /// `index` must be less than [`CAPACITY`].
    pub unsafe fn get_unchecked(&self, index: usize) -> u8 {
        *self.data.get_unchecked(index)
    }
}

impl Default for Ring {
    fn default() -> Ring {
        Ring::new()
    }
}
