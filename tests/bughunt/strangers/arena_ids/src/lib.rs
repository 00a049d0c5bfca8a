//! Generational ids.

/// Handle to a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Id { index: u32, generation: u32 }

#[derive(Debug, Clone, Default)]
pub struct Ids { generations: Vec<u32>, free: Vec<u32> }

impl Ids {
    pub fn new() -> Self { Ids::default() }

    pub fn alloc(&mut self) -> Id {
        if let Some(index) = self.free.pop() {
            return Id { index, generation: self.generations[index as usize] };
        }
        let index = self.generations.len() as u32;
        self.generations.push(0);
        Id { index, generation: 0 }
    }

    /// Frees an id; `false` if it was stale.
    pub fn release(&mut self, id: Id) -> bool {
        if !self.is_live(id) { return false; }
        let g = &mut self.generations[id.index as usize];
        *g = g.wrapping_add(1);
        self.free.push(id.index);
        true
    }

    pub fn is_live(&self, id: Id) -> bool {
        self.generations.get(id.index as usize) == Some(&id.generation)
    }

    /// Generation of a slot that is known to exist.
    pub fn generation(&self, index: u32) -> u32 { self.generations[index as usize] }
}

impl Id {
    /// Packs into 64 bits.
    pub fn to_bits(self) -> u64 { (self.generation as u64) << 32 | self.index as u64 }
    /// Undoes `to_bits`.
    pub fn from_bits(b: u64) -> Id { Id { index: b as u32, generation: (b >> 32) as u32 } }
    /// The successor generation. Wraps after 2^32 uses.
    pub fn next(self) -> Id { Id { generation: self.generation.wrapping_add(1), ..self } }
}
