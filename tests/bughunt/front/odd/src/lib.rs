//! Odd but valid Rust: where a reader of syntax is likely to be wrong.
#![allow(dead_code, unused, clippy::all)]

use std::cmp::Ordering::{self, *};
use std::ops::{Add, AddAssign, Mul, Neg, Not, Sub};

pub mod outer {
    pub const STEP: u32 = 3;
    pub fn name() -> u8 { 1 }
    pub mod inner {
        use super::STEP as S;
        pub fn name() -> u8 { super::name() + self::own() }
        fn own() -> u8 { crate::name() + S as u8 }
    }
}
pub fn name() -> u8 { 40 }
pub fn names() -> u8 {
    use outer::inner;
    fn name() -> u8 { 100 }
    name() / 2 + inner::name() + self::name() + outer::name()
}

// ---- precedence, signs, literals
pub fn precedence(a: i32, b: i32, c: u8) -> (i32, bool, u8, i64) {
    (a - b - 1 * 2 % 3 << 1 & 7 | a ^ b, a & 1 == 0 || !(b < a) && a != b, !c & c | c ^ c << 1 >> 1, -a as i64 - -(b as i64))
}
pub fn casts(x: i16, y: u32) -> ((u8, u64, i8), u64, u32, (char, i128)) {
    ((x as u8, x as u64, y as i8), !0 as u64, (x < 0) as u32, (y as u8 as char, x as u32 as i128 - 1))
}
pub fn powers(x: i32) -> (i32, i32) { (-2i32.pow(2), -x.wrapping_pow(2)) }
pub fn limits() -> (i8, i64, u32, u8) { (-128, -9_223_372_036_854_775_808, u32::MAX - 0xFF_u32 + 0b1_0 + 0o7, b'\\' + b'\x01') }

// ---- statements and tails
pub fn tails(c: bool, mut x: i32) -> i32 {
    if c { x = x.wrapping_add(1) } else { x = 2 }
    -x.wrapping_neg()
}
pub fn deref_tail(c: bool, x: &mut i32) -> i32 {
    match c { true => {} false => { *x = 5; } }
    *x = x.wrapping_mul(2);
    if c {}
    (*x)
}
pub fn never(c: u8) -> u8 {
    let x = match c { 0 => return 9, 1 => panic!("one {}", c), n if n > 200 => { return n - 1 } n => n };
    let y: u8 = if x == 5 { return 55 } else { x };
    y / { if y > 100 { unreachable!() } 2 }
}
pub fn order(x: &mut u32) -> (u32, u32, u32) {
    (bump(x), bump(x) * 10 + bump(x), { let t = bump(x); *x += t; bump(x) })
}
fn bump(x: &mut u32) -> u32 { *x = x.wrapping_add(1); *x }
pub fn assign_order(xs: &mut [u8; 4], i: &mut u32) {
    xs[{ bump(i); (*i % 4) as usize }] = { *i = i.wrapping_add(7); (*i % 256) as u8 };
    xs[(bump(i) % 4) as usize] ^= { *i = i.wrapping_add(1); (*i % 256) as u8 };
}
pub fn short(x: &mut u32, a: bool) -> bool { a && bump(x) > 3 || bump(x) % 2 == 0 }
pub fn shadow(x: u8) -> (u8, u16) {
    let y = x; let x = x as u16 + 1; let x = { let x = x * 2; x + y as u16 };
    let (x, y) = (y, x); let y = { let y = y + 1; let y = y + 1; y };
    (x, y)
}
pub fn late(c: bool) -> i64 { let x; let y: i64; if c { x = 1; y = -1 } else { x = 300; y = x + 1 } x + y }

// ---- inference
pub fn infer(v: &[u64], k: u8) -> (u64, usize, Option<i16>, Vec<u8>) {
    let mut total = 0; let mut n = 0; let mut best = None; let mut out = Vec::new();
    for (i, &x) in v.iter().enumerate() {
        total ^= x << (i % 3); n = n.max(i + 1);
        if x > 3 { best = Some(x as i16 - 1); }
        out.push(k ^ 1);
    }
    out.extend_from_slice(&[1, 2]);
    (total, n, best, out)
}
pub fn default_int() -> i32 { let x = 2_000_000_000; let y = x / 3; (y as i64 * 2) as i32 }
pub fn literal_cast(x: u8) -> (u64, i64, u8) { (-1i8 as u8 as u64, -1 as i64, (x as u32 * 300) as u8) }

// ---- patterns
pub enum Tree { Leaf, Node { left: u8, right: (i8, bool) }, Pair(Option<u8>, [u8; 2]) }
use Tree::{Leaf, Node as N};
const SPECIAL: u8 = 7;
pub fn patterns(t: &Tree) -> i32 {
    match t {
        Leaf => -1,
        N { left: SPECIAL, .. } => -7,
        N { left: l @ (1 | 3..=5), right: (r, true) } => *l as i32 * *r as i32,
        N { right: (r, false), left } if *left as i8 == *r => 1000,
        &N { left, right: (-128..=-1, _) } => left as i32 - 1,
        N { right: (_, b), .. } => *b as i32,
        Tree::Pair(None, [a, b]) | Tree::Pair(Some(b), [a, 0]) => (*a as i32) * 256 + *b as i32,
        Tree::Pair(Some(x), [.., last]) => *x as i32 - *last as i32,
    }
}
pub fn slices(xs: &[i16]) -> i32 {
    match xs {
        [] => 0,
        [x] => *x as i32,
        &[a, b] => a as i32 - b as i32,
        [first, middle @ .., last] if middle.len() % 2 == 0 => *first as i32 + *last as i32 + middle.len() as i32,
        [_, rest @ ..] => slices(rest),
    }
}
pub fn ranges(c: char, n: i8) -> (u8, u8) {
    let a = match c { 'a'..='z' => 1, 'A'..='Z' | '_' => 2, '0'..='9' => 3, '\u{80}'.. => 4, _ => 5 };
    let b = match n { i8::MIN..=-100 => 1, -99..0 => 2, 0 => 3, 1..=i8::MAX => 4 };
    (a, b)
}
pub fn let_else(x: Option<Result<u8, i8>>) -> i16 {
    let Some(inner) = x else { return -1000 };
    if let Err(e) = inner { return e as i16 }
    let Ok(v) = inner else { unreachable!() };
    v as i16
}

// ---- traits, operators, generics
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct V { pub x: i16, pub y: i16 }
impl V { pub const UNIT: V = V { x: 1, y: 1 }; pub const fn new(x: i16, y: i16) -> Self { Self { x, y } } }
impl Add for V { type Output = Self; fn add(self, o: Self) -> Self::Output { V { x: self.x.wrapping_add(o.x), ..self } } }
impl Sub<i16> for V { type Output = V; fn sub(self, o: i16) -> V { V { y: self.y.wrapping_sub(o), ..self } } }
impl Sub for V { type Output = i16; fn sub(self, o: V) -> i16 { self.x ^ o.y } }
impl Mul<V> for i16 { type Output = V; fn mul(self, v: V) -> V { V::new(self.wrapping_mul(v.x), v.y) } }
impl Neg for V { type Output = (i16, i16); fn neg(self) -> (i16, i16) { (self.y, self.x) } }
impl Not for &V { type Output = bool; fn not(self) -> bool { self.x == 0 } }
impl AddAssign<&V> for V { fn add_assign(&mut self, o: &V) { self.x = o.y; } }
pub fn operators(mut a: V, b: V) -> (V, i16, (i16, i16), bool) {
    a += &b;
    a += &V::UNIT;
    let k: i16 = 3;
    (a + b - 2 + k * b, a - b, -b, a > b && a != V::default())
}
#[derive(Clone, Copy)]
pub struct Mod5(pub u8);
impl PartialEq for Mod5 { fn eq(&self, o: &Self) -> bool { self.0 % 5 == o.0 % 5 } }
impl PartialOrd for Mod5 { fn partial_cmp(&self, o: &Self) -> Option<Ordering> { if self.0 > 250 { None } else { (self.0 % 5).partial_cmp(&(o.0 % 5)) } } }
pub fn compared(a: Mod5, b: Mod5) -> (bool, bool, bool, bool, bool, bool) { (a == b, a != b, a < b, a <= b, &a > &b, a >= b) }
pub trait Area { const SIDES: u8; fn area(&self) -> u32; fn twice(&self) -> u32 { self.area().wrapping_mul(2) + Self::SIDES as u32 } fn unit() -> Self where Self: Sized; }
#[derive(Clone, Copy)] pub struct Sq(pub u16);
#[derive(Clone, Copy)] pub struct Rect { pub w: u16, pub h: u16 }
impl Area for Sq { const SIDES: u8 = 4; fn area(&self) -> u32 { self.0 as u32 * self.0 as u32 } fn unit() -> Self { Sq(1) } }
impl Area for Rect { const SIDES: u8 = 5; fn area(&self) -> u32 { u32::from(self.w) * u32::from(self.h) } fn twice(&self) -> u32 { 7 } fn unit() -> Self { Rect { w: 1, h: 2 } } }
pub fn areas(s: Sq, r: Rect) -> (u32, u32, u32, u32) { (s.twice(), r.twice(), Sq::unit().area() + <Rect as Area>::unit().area(), s.area() / Area_or(&r)) }
fn Area_or(r: &Rect) -> u32 { r.area().max(1) }
pub struct Queue<T> { items: Vec<T>, cap: usize }
impl<T: Copy> Queue<T> {
    pub fn with(cap: usize) -> Self { Queue { items: Vec::with_capacity(cap), cap } }
    pub fn put(&mut self, x: T) -> Result<usize, T> { if self.items.len() >= self.cap { Err(x) } else { self.items.push(x); Ok(self.items.len()) } }
    pub fn take(&mut self) -> Option<T> { if self.items.is_empty() { None } else { Some(self.items.remove(0)) } }
}
pub fn queue(xs: &[u8], cap: usize) -> (u32, Vec<u8>) {
    let mut q = Queue::with(cap % 4); let mut lost = Vec::new(); let mut sum = 0;
    for x in xs { match q.put(*x) { Ok(n) if n > 2 => sum += 100, Ok(_) => {} Err(y) => lost.push(y) } }
    while let Some(x) = q.take() { sum += x as u32; }
    (sum, lost)
}
pub fn first_or<T: Copy>(xs: &[T], d: T) -> T { match xs.first() { Some(&x) => x, None => d } }
pub fn pair<A, B>(a: A, b: B) -> (B, A) { (b, a) }
pub fn generic(x: u8) -> (u8, (bool, i64), u16) { (first_or(&[x, 2], 9), pair(-1, x > 3), first_or::<u16>(&[], 5)) }

// ---- errors
#[derive(Clone, Copy, PartialEq)] pub enum E { Small, Neg(i8), Num(u8) }
impl From<i8> for E { fn from(x: i8) -> Self { E::Neg(x) } }
impl From<std::num::TryFromIntError> for E { fn from(_: std::num::TryFromIntError) -> E { E::Small } }
type R<T> = Result<T, E>;
fn neg(x: i8) -> Result<u8, i8> { if x < 0 { Err(x) } else { Ok(x as u8) } }
pub fn errors(x: i8, y: i32) -> R<u16> { let a = neg(x)?; let b: u16 = (y - 1).try_into()?; if a == 9 { return Err(E::Num(a)); } let c = u8::try_from(y).unwrap_or(3); Ok(b ^ u16::from(a.max(c))) }
pub fn options(a: Option<u8>, b: Option<u8>) -> Option<u16> { let b = b.as_ref(); let x = a.or(b.copied())?; let y = b?; Some(x as u16 * 2 + *y as u16 + a.ok_or(E::Small).ok().unwrap_or_default() as u16) }

// ---- loops
pub fn labels(n: u8) -> (u32, u8) {
    let mut k = 0u32;
    let r = 'a: loop {
        for i in (1..=n % 10).rev() {
            'b: for j in (0..i).step_by(2) {
                k += 1;
                if j == 3 { continue 'b }
                if (i + j) % 7 == 6 { break 'a i * 10 + j }
                if k % 11 == 10 { continue 'a }
                while k % 5 == 3 { k += 1; if k > 60 { break 'b } }
            }
        }
        if k > 50 || n % 10 == 0 { break 0 }
        k += 1;
    };
    (k, r)
}
pub fn iterators(xs: &mut [u8], n: usize) -> (u32, Option<u8>, usize, Vec<(usize, u8)>) {
    for (i, x) in xs.iter_mut().enumerate().skip(1).take(n % 8) { *x = x.wrapping_add(i as u8); }
    for x in &mut xs[..] { *x ^= 1 }
    let mut s = 0;
    for (a, b) in xs.iter().zip(xs.iter().rev()) { s += *a as u32 * 3 + *b as u32; }
    for w in xs.windows(2) { if let [a, b] = w { s ^= (*a as u32) << (b % 3) } }
    for c in xs.chunks(3) { s += c.len() as u32 * 1000; }
    let mut pairs = vec![];
    for (i, &x) in xs.iter().enumerate() { if x % 2 == 0 { pairs.push((i, x)) } }
    (s, xs.iter().copied().max(), xs.iter().count(), pairs)
}
pub fn sums(xs: &[u8], ys: [i32; 3]) -> (u8, i32, u64) { let s: u8 = xs.iter().sum(); let mut t = 0; for y in ys { t += y } (s, t, (1..=xs.len() as u64).product()) }
pub fn empty_ranges(a: u8, b: u8) -> (u32, u32, u32) {
    let (mut x, mut y, mut z) = (0, 0, 0);
    for _ in a..b { x += 1 } for _ in a..=b { y += 1 } for i in (a..b).rev().skip(1) { z += i as u32 }
    (x, y, z)
}
pub fn orders(a: V, b: V, x: char, y: char) -> (Ordering, bool, char, V, i8) {
    let o = a.cmp(&b).then(x.cmp(&y));
    (o.reverse(), matches!(o, Less | Equal), x.max(y), a.min(b), match o { Less => -1, Equal => 0, Greater => 1 })
}
pub fn nested(m: &mut [[u8; 3]; 2], r: usize) -> u8 { m[r % 2][1] += 1; let row = &m[1]; let t = row[0]; m[0].swap(0, 2); m[1][..2].copy_from_slice(&[t, 3]); m[r][r] }
pub struct Deep { a: (u8, [V; 2]), b: Option<V> }
pub fn deep(d: &mut Deep, k: usize) -> i16 { d.a.1[k].x += 1; d.a.0 <<= 1; let v = d.a.1[0]; d.b = match d.b { Some(V { x, .. }) if x > 0 => None, Some(_) => Some(v), None => Some(V::UNIT) }; if let Some(V { y, .. }) = &mut d.b { *y = 9; } d.b.unwrap_or(v).y }
pub fn fib(n: u8) -> u32 { match n % 16 { 0 => 0, 1 => 1, k => fib(k - 1) + fib(k - 2) } }
