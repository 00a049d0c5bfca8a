//! Rolling checksum, as in rsync.

const M: u32 = 1 << 16;

/// State over a window. The window is never longer than the number of bytes that were pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rolling {
    a: u32,
    b: u32,
    n: u32,
}

impl Rolling {
    pub fn new() -> Self { Self::default() }

    pub fn push(&mut self, x: u8) {
        self.a = (self.a + x as u32) % M;
        self.b = (self.b + self.a) % M;
        self.n = self.n.wrapping_add(1);
    }

    /// Removes the oldest byte and adds a new one. Values must be those that were pushed; anything else gives garbage.
    pub fn roll(&mut self, out: u8, x: u8) {
        self.a = (self.a.wrapping_sub(out as u32).wrapping_add(x as u32)) % M;
        self.b = self.b.wrapping_sub(self.n.wrapping_mul(out as u32)).wrapping_add(self.a) % M;
    }

    pub fn digest(&self) -> u32 { self.a | self.b << 16 }
}

/// Digest of a whole block. Equivalent to pushing every byte.
pub fn block(data: &[u8]) -> u32 {
    let mut r = Rolling::new();
    for &x in data { r.push(x); }
    r.digest()
}

/// Number of blocks for `len` bytes. A block size of zero is a bug in the caller.
pub fn blocks(len: u64, size: u32) -> u64 {
    len / size as u64 + (len % size as u64 != 0) as u64
}

/// Offset of a block. You have to stay below `blocks(len, size)`, else the product wraps or traps.
pub fn offset(index: u64, size: u32) -> u64 { index * size as u64 }
