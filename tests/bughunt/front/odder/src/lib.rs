//! More odd but valid Rust: names, constants, methods, conversions, long integers, loops that leave early.
#![allow(dead_code, unused, clippy::all)]

pub mod units {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Unit { Second, Minute, Hour }
    impl Unit {
        pub const ALL: [Unit; 3] = [Self::Second, Unit::Minute, Unit::Hour];
        pub const BASE: u64 = 60;
        pub fn factor(self) -> u64 {
            use Unit::*;
            match self { Second => 1, Minute => Self::BASE, Hour => Self::BASE * Unit::BASE }
        }
        pub fn of(n: u8) -> Option<Self> { Self::ALL.get(n as usize).copied() }
    }
    impl From<Unit> for u8 { fn from(u: Unit) -> u8 { u as u8 + 1 } }
    impl TryFrom<u8> for Unit { type Error = (); fn try_from(n: u8) -> Result<Self, Self::Error> { Unit::of(n).ok_or(()) } }
}
pub use units::Unit as Measure;
use units::Unit;

pub fn factors(n: u8, amount: u64) -> Option<(u64, u8)> {
    let unit = Measure::of(n % 5)?;
    Some((amount * unit.factor(), u8::from(unit)))
}
pub fn compare_units(a: Unit, b: Unit) -> (bool, bool, i32) { (a < b, a.max(b) == Unit::Hour, a as i32 - b as i32) }

const LOW: i32 = -(1 << 4) + 1;
const HIGH: i32 = Limits::TOP as i32 * 2;
const SIZES: [usize; Limits::COUNT] = [1, 2, Limits::TOP as usize];
static GRID: [[u8; 3]; 2] = [[1, 2, 3], [4; 3]];
pub struct Limits;
impl Limits { pub const TOP: u8 = 0x14; const COUNT: usize = 1 + 2; }
pub fn constants(x: i32, i: usize) -> (u8, usize, u8) {
    const LOW: u8 = 9;
    let kind = match x { self::LOW => 1, HIGH => 2, i32::MIN..self::LOW => 3, self::LOW..=HIGH => LOW, _ => Limits::TOP };
    (kind, SIZES[i % SIZES.len()], GRID[i % 2][i % 3])
}

// ---- names
fn max(a: u8, b: u8) -> u8 { a ^ b }
pub fn own_max(a: u8, b: u8) -> (u8, u8, u8) { (max(a, b), a.max(b), std::cmp::max(a, b)) }
pub struct Some2(pub u8);
pub fn like_names(x: u8) -> u8 {
    let len = x; let Some2(abs) = Some2(len / 2);
    let _ = 0;
    abs + len
}
pub mod a { pub mod b { pub fn f(x: u8) -> u8 { super::g(x) / 2 } pub fn g(x: u8) -> u8 { x } } pub fn g(x: u8) -> u8 { x | 1 } pub use self::b::f as h; }
pub fn through(x: u8) -> u8 { use a::{b::{self, g}, h}; g(x) ^ h(x) ^ b::f(x) ^ a::g(x) }

// ---- methods
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Clock { pub h: u8, pub m: u8 }
pub trait Tick { fn tick(&mut self) -> bool; fn run(&mut self, n: u8) -> u8 { let mut k = 0; for _ in 0..n % 8 { if self.tick() { k += 1 } } k } }
impl Tick for Clock { fn tick(&mut self) -> bool { self.m += 7; if self.m >= 60 { self.m -= 60; self.h = (self.h + 1) % 24; true } else { false } } }
impl Clock {
    fn early(self) -> bool { self.h < 12 }
    fn set(&mut self, m: u8) -> &Self { self.m = m; self }
    fn later(&self, o: &Clock) -> bool { self > o }
    pub fn add(mut self, m: u8) -> Self { self.m = self.m.saturating_add(m); self }
}
pub fn clocks(mut c: Clock, d: &Clock, n: u8) -> (Clock, u8, bool, bool, u8) {
    let k = c.run(n);
    let r = &c;
    let rr = &r;
    let e = rr.early() && !(&&d).later(rr);
    let m = c.set(n).m;
    (c.add(1).add(2), k, e, c.clone() == *d, m)
}
pub fn through_fields(cs: &mut [Clock; 2], i: usize) -> u8 { cs[i].tick(); let c = &cs[1 - i]; if c.early() { cs[0].run(3) } else { cs[1].h } }

// ---- long integers, bits
pub fn long(a: u128, b: i128, s: u32) -> (u128, i128, u32, Option<i128>) {
    (a.wrapping_mul(a) >> (s % 128), b.rem_euclid(7).abs(), a.leading_zeros() ^ (b as u128).count_ones(), b.checked_neg())
}
pub fn sizes(a: usize, b: isize) -> (u64, usize, isize, bool) { (a as u64, b.unsigned_abs(), b.wrapping_sub(a as isize), a > isize::MAX as usize) }
pub fn shifts(x: u16, y: i16, s: u32) -> (u16, i16, u16, Option<i16>, (u16, bool)) {
    (x.wrapping_shl(s), y >> (s % 16), x.rotate_left(s), y.checked_shl(s), x.overflowing_shr(s))
}
pub fn shift_any(x: u8, s: i8) -> u8 { x << s }
pub fn bytes(x: u32, b: [u8; 4]) -> ([u8; 4], u32, u32) { (x.to_be_bytes(), u32::from_le_bytes(b), u32::from_be_bytes(x.to_le_bytes())) }
pub fn divisions(a: i8, b: i8) -> (i8, i8, i8, i8) { (a / b, a % b, a.div_euclid(b), a.rem_euclid(b)) }
pub fn signed(a: i16, b: i16) -> (u16, i16, i16, Option<i16>, i16) { (a.abs_diff(b), a.signum(), a.saturating_sub(b), a.checked_rem(b), a.clamp(-5, 5)) }
pub fn overflow(a: u8, b: u8) -> (u8, bool, Option<u8>, u8) { let (x, c) = a.overflowing_add(b); (x, c, a.checked_pow(2), b.saturating_mul(3)) }
pub fn chars(x: u8, c: char) -> (bool, u8, Option<u32>, u32, char) { let d = x as char; (d.is_ascii_digit() || c.is_ascii_uppercase(), x.to_ascii_lowercase(), c.to_digit(16), c as u32, char::from(x).to_ascii_uppercase()) }

// ---- loops that leave early
pub fn search(xs: &[i8], t: i8) -> Result<usize, usize> {
    let (mut lo, mut hi) = (0, xs.len());
    while lo < hi { let mid = lo + (hi - lo) / 2; if xs[mid] == t { return Ok(mid) } else if xs[mid] < t { lo = mid + 1 } else { hi = mid } }
    Err(lo)
}
pub fn collatz(mut n: u8) -> Option<u8> { let mut steps = 0u8; while n != 1 { if n == 0 || steps > 40 { return None } n = if n % 2 == 0 { n / 2 } else { n.checked_mul(3)?.checked_add(1)? }; steps += 1; } Some(steps) }
pub fn find(xs: &[u8], y: u8) -> Option<(usize, u8)> { for (i, x) in xs.iter().enumerate() { let z = x.checked_sub(y)?; if z % 3 == 1 { return Some((i, z)); } if z > 200 { break; } } None }
pub fn sieve(n: u8) -> u32 { let mut p = [true; 64]; p[0] = false; p[1] = false; let mut i = 2; while i * i < 64 { if p[i] { let mut j = i * i; while j < 64 { p[j] = false; j += i; } } i += 1; } let mut k = 0; for (i, &q) in p.iter().enumerate() { if q && i < n as usize { k += i as u32 } } k }
pub fn sorted(mut xs: [u8; 5]) -> [u8; 5] { for i in 1..xs.len() { let mut j = i; while j > 0 && xs[j - 1] > xs[j] { xs.swap(j - 1, j); j -= 1; } } xs }
pub fn matrix(a: [[i8; 2]; 2], b: &[[i8; 2]; 2]) -> [[i8; 2]; 2] { let mut c = [[0; 2]; 2]; for i in 0..2 { for j in 0..2 { for k in 0..2 { c[i][j] += a[i][k] * b[k][j]; } } } c }
pub fn fields(mut p: (u8, (i8, [u8; 2])), n: u8) -> (u8, (i8, [u8; 2])) { p.0 += n; (p.1).1[0] ^= p.0; p.1.0 = -(p.1.0 / 2); let (ref a, (b, ref c)) = p; let d = *a ^ b as u8 ^ c[1]; (p.1).1[1] = d; p }
pub fn boundary(xs: &mut Vec<u8>, n: usize, x: u8) -> Option<u8> { xs.insert(n, x); xs.truncate(6); if xs.contains(&x) { xs.clear(); xs.push(3); } let y = xs.pop(); xs.resize(n % 5, x); xs.swap_remove(0); y }
pub fn windows(xs: &[u8], k: usize) -> (bool, u8, usize) { let mut up = true; for w in xs.windows(2) { up &= w[0] <= w[1]; } let mut m = u8::MIN; for c in xs.chunks_exact(2) { m = m.max(c[0] ^ c[1]) } (up, m, xs[k..].len() + xs[..=k].len()) }
pub fn nested_options(x: Option<Option<u8>>, y: Result<Option<u8>, u8>) -> u8 { match (x, y) { (Some(Some(a)), Ok(Some(b))) if a == b => a, (Some(None) | None, Err(e)) => e, (Some(inner), Ok(None)) => inner.unwrap_or(77), (_, Ok(Some(z @ 1..=9))) => z, (Some(_), _) => 2, _ => 3 } }

// ---- `&mut` in locals
#[derive(Clone, Copy)]
pub struct Cell3 { pub a: u8, pub b: [u8; 3] }
fn next(x: &mut usize) -> usize { *x = x.wrapping_add(1); *x }
pub fn kept(x: &mut [u8], mut i: usize) -> u8 { let t = &mut x[next(&mut i)..]; t[0] = 1; t[1] += 2; let u = &mut t[1]; *u ^= 7; let y = *u; x.len() as u8 ^ y ^ i as u8 }
pub fn kept_fields(s: &mut Cell3, k: usize) { let r = &mut *s; r.a ^= 1; let q = &mut r.b; q[k % 4] ^= r.a; fill(q, 3); if k > 3 { let z = &mut s.a; *z = z.wrapping_add(1); flip(z); } }
fn flip(x: &mut u8) { *x ^= 1 }
fn fill(x: &mut [u8; 3], v: u8) { x[0] = v }
pub fn kept_matched(s: &mut [Cell3; 2], k: usize) -> u8 { let e = &mut s[k % 3]; let f = &mut e.b; f.swap(0, 1); for x in f.iter_mut() { *x = x.wrapping_mul(3) } e.a = e.b[2]; match &mut e.a { 0 => 5, v => { *v = 4; *v + 1 } } }
