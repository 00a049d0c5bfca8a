//! Release numbers with an optional pre-release tag.

use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pre {
    Alpha(u8),
    Beta(u8),
    Rc(u8),
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub major: u16,
    pub minor: u16,
    pub pre: Pre,
}

fn rank(p: Pre) -> u8 {
    match p {
        Pre::Alpha(_) => 0,
        Pre::Beta(_) => 1,
        Pre::Rc(_) => 2,
        Pre::None => 3,
    }
}

impl Ord for Pre {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Pre::Alpha(a), Pre::Alpha(b)) => a.cmp(b),
            (Pre::Beta(a), Pre::Beta(b)) => a.cmp(b),
            (Pre::Rc(a), Pre::Rc(b)) => a.cmp(b),
            (Pre::None, _) => Ordering::Greater,
            (_, Pre::None) => Ordering::Less,
            _ => rank(*self).cmp(&rank(*other)),
        }
    }
}

impl PartialOrd for Pre {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Release {
    fn cmp(&self, other: &Self) -> Ordering {
        self.major
            .cmp(&other.major)
            .then(self.minor.cmp(&other.minor))
            .then(self.pre.cmp(&other.pre))
    }
}

impl PartialOrd for Release {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Release {
    /// Packs into an integer that sorts like the release.
    pub fn to_sort_key(&self) -> u64 {
        let pre = match self.pre {
            Pre::Alpha(n) => n as u64,
            Pre::Beta(n) => 0x100 | n as u64,
            Pre::Rc(n) => 0x200 | n as u64,
            Pre::None => 0x300,
        };
        (self.major as u64) << 32 | (self.minor as u64) << 16 | pre
    }

    /// Reads what `to_sort_key` wrote.
    pub fn from_sort_key(key: u64) -> Release {
        let n = (key & 0xff) as u8;
        let pre = match (key >> 8) & 0xff {
            0 => Pre::Alpha(n),
            1 => Pre::Beta(n),
            2 => Pre::Rc(n),
            _ => Pre::None,
        };
        Release { major: (key >> 32) as u16, minor: ((key >> 16) & 0xfff) as u16, pre }
    }
}
