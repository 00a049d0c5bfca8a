//! Version numbers and their order.

use std::cmp::Ordering;

/// Three numbers; the first counts most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    pub major: u16,
    pub minor: u16,
    pub patch: u16,
}

/// Which of two versions is newer.
pub fn compare(a: Version, b: Version) -> Ordering {
    if a.major != b.major {
        a.major.cmp(&b.major)
    } else if a.minor != b.minor {
        a.minor.cmp(&b.minor)
    } else {
        a.patch.cmp(&b.patch)
    }
}

/// Whether `a` is older than `b`.
pub fn older(a: Version, b: Version) -> bool {
    compare(a, b) == Ordering::Less
}

/// All three numbers in one; keeps the order.
pub fn pack(v: Version) -> u64 {
    (v.major as u64) << 32 | (v.minor as u64) << 16 | v.patch as u64
}

/// Undoes [`pack`]; what is above 48 bits is dropped.
pub fn unpack(n: u64) -> Version {
    Version {
        major: (n >> 32) as u16,
        minor: (n >> 16) as u16,
        patch: n as u16,
    }
}

/// The next version that may break things.
///
/// # Panics
///
/// Panics if there is no greater major version.
pub fn next_major(v: Version) -> Version {
    Version { major: v.major + 1, minor: 0, patch: 0 }
}

/// Whether `have` will do where `want` is asked for: the same major version, and not older.
pub fn satisfies(have: Version, want: Version) -> bool {
    have.major == want.major && !older(have, want)
}

/// How urgent an update from `from` to `to` is: 3 for a major one, 0 for none.
pub fn urgency(from: Version, to: Version) -> u8 {
    match (from.major == to.major, from.minor == to.minor, from.patch == to.patch) {
        (false, _, _) => 3,
        (true, false, _) => 2,
        (true, true, false) => 1,
        (true, true, true) => 0,
    }
}

macro_rules! version {
    ($a:expr, $b:expr, $c:expr) => {
        Version { major: $a, minor: $b, patch: $c }
    };
}

/// The first version that was released.
pub fn first_release() -> Version {
    version!(1, 0, 0)
}
