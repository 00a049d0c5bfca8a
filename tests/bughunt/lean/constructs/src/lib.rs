//! Every construct of the subset at least once; run against its translation.
#![allow(dead_code, clippy::all)]

use std::cmp::Ordering;

pub const LIMIT: u32 = 1 << 10;
pub const TABLE: [u8; 5] = [3, 1, 4, 1, 5];
pub const NEGATIVE: i32 = -7;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meters(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    Red = 1,
    Green = 4,
    Blue = 9,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Dot,
    Circle(u32),
    Rect { w: u32, h: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    pub items: Vec<u8>,
    pub head: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

impl Point {
    pub fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }
    pub fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
    pub fn norm(&self) -> i32 {
        self.x.abs() + self.y.abs()
    }
    pub fn shift(&mut self, dx: i32) {
        self.x += dx;
        self.y = self.y.wrapping_sub(dx);
    }
    pub fn swapped(&self) -> Point {
        Point { x: self.y, ..*self }
    }
}

impl Shape {
    pub fn area(&self) -> u32 {
        match self {
            Shape::Dot => 0,
            Shape::Circle(r) => 3 * r * r,
            Shape::Rect { w, h } => w * h,
        }
    }
    pub fn grow(&mut self, by: u32) {
        match self {
            Shape::Dot => {}
            Shape::Circle(r) => *r += by,
            Shape::Rect { w, h } => {
                *w += by;
                if *h > 10 {
                    return;
                }
                *h += by;
            }
        }
    }
}

impl Ring {
    pub fn push(&mut self, item: u8) -> bool {
        if self.items.len() >= 4 {
            self.items[self.head] = item;
            self.head = (self.head + 1) % self.items.len();
            return false;
        }
        self.items.push(item);
        true
    }
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
    pub fn total(&self) -> u8 {
        let mut sum = 0u8;
        for item in self.items.iter() {
            sum += *item;
        }
        sum
    }
}

pub fn arithmetic(a: u8, b: u8) -> u8 {
    a * 2 + b / 3 - b % 5
}
pub fn arithmetic_signed(a: i8, b: i8) -> i8 {
    a / b - a % b
}
pub fn literals(a: i32) -> (i32, i32, i32, i32) {
    (a / 7, a % 7, a >> 3, a & 15)
}
pub fn bits(a: i16, b: i16) -> (i16, i16, i16, i16) {
    (a & b, a | b, a ^ b, !a)
}
pub fn bits_unsigned(a: u64, b: u64) -> u64 {
    (a & b) ^ (a | !b)
}
pub fn shifts(a: u32, s: u32) -> u32 {
    (a << s) ^ (a >> s)
}
pub fn shifts_signed(a: i8, s: i32) -> i8 {
    (a << s).wrapping_add(a >> s)
}
pub fn shift_literal(a: i16) -> i16 {
    (a << 5) | (a >> 9)
}
pub fn wide(a: u128, b: u128) -> u128 {
    a.wrapping_mul(b) ^ (a + b)
}
pub fn wide_signed(a: i128, b: i128) -> i128 {
    a.wrapping_mul(b) - (a / b)
}
pub fn negate(a: i64) -> i64 {
    -a
}
pub fn casts(a: i32) -> (u8, i8, u64, u32, i64) {
    (a as u8, a as i8, a as u64, a as u32, a as i64)
}
pub fn casts_more(c: char, b: bool, k: u8) -> (u8, u32, u8, char) {
    (c as u8, c as u32, b as u8, k as char)
}
pub fn cast_enum(c: Colour) -> i32 {
    c as i32 * 2
}
pub fn wrapping(a: i8, b: i8) -> (i8, i8, i8, i8, i8) {
    (a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg(), a.wrapping_abs())
}
pub fn wrapping_shift(a: i8, s: u32) -> (i8, i8, i8) {
    (a.wrapping_shl(s), a.wrapping_shr(s), a.wrapping_pow(s))
}
pub fn checked(a: i8, b: i8) -> (Option<i8>, Option<i8>, Option<i8>, Option<i8>, Option<i8>) {
    (a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b), a.checked_rem(b))
}
pub fn checked_more(a: i8, s: u32) -> (Option<i8>, Option<i8>, Option<i8>, Option<i8>, Option<i8>) {
    (a.checked_neg(), a.checked_abs(), a.checked_pow(s), a.checked_shl(s), a.checked_shr(s))
}
pub fn checked_euclid(a: i16, b: i16) -> (Option<i16>, Option<i16>) {
    (a.checked_div_euclid(b), a.checked_rem_euclid(b))
}
pub fn saturating(a: i16, b: i16, s: u32) -> (i16, i16, i16, i16) {
    (a.saturating_add(b), a.saturating_sub(b), a.saturating_mul(b), a.saturating_pow(s))
}
pub fn saturating_unsigned(a: u8, b: u8) -> (u8, u8, u8) {
    (a.saturating_add(b), a.saturating_sub(b), a.saturating_mul(b))
}
pub fn overflowing(a: u16, b: u16) -> ((u16, bool), (u16, bool), (u16, bool)) {
    (a.overflowing_add(b), a.overflowing_sub(b), a.overflowing_mul(b))
}
pub fn overflowing_signed(a: i32, s: u32) -> ((i32, bool), (i32, bool), (i32, bool)) {
    (a.overflowing_neg(), a.overflowing_shl(s), a.overflowing_pow(s))
}
pub fn euclid(a: i32, b: i32) -> (i32, i32) {
    (a.div_euclid(b), a.rem_euclid(b))
}
pub fn powers(a: i16, n: u32) -> i16 {
    a.pow(n)
}
pub fn powers_unsigned(a: u64, n: u32) -> u64 {
    a.pow(n)
}
pub fn counting(a: u32) -> (u32, u32, u32, u32) {
    (a.leading_zeros(), a.trailing_zeros(), a.count_ones(), a.count_zeros())
}
pub fn counting_signed(a: i8) -> (u32, u32, u32, u32) {
    (a.leading_zeros(), a.trailing_ones(), a.count_ones(), a.leading_ones())
}
pub fn rotations(a: u16, s: u32) -> (u16, u16) {
    (a.rotate_left(s), a.rotate_right(s))
}
pub fn rotations_signed(a: i8, s: u32) -> (i8, i8) {
    (a.rotate_left(s), a.rotate_right(s))
}
pub fn bytes(a: u32) -> u32 {
    a.swap_bytes() ^ a.reverse_bits()
}
pub fn to_bytes(a: i32) -> ([u8; 4], [u8; 4]) {
    (a.to_be_bytes(), a.to_le_bytes())
}
pub fn from_bytes(a: [u8; 4]) -> (u32, i32) {
    (u32::from_be_bytes(a), i32::from_le_bytes(a))
}
pub fn absolute(a: i32, b: i32) -> (i32, u32, u32, i32) {
    (a.abs(), a.unsigned_abs(), a.abs_diff(b), a.signum())
}
pub fn powers_of_two(a: u16) -> (bool, u16, Option<u16>) {
    (a.is_power_of_two(), a.next_power_of_two(), a.checked_next_power_of_two())
}
pub fn logs(a: u32) -> (u32, u32) {
    (a.ilog2(), a.ilog10())
}
pub fn root(a: u64) -> u64 {
    a.isqrt()
}
pub fn ceil(a: u32, b: u32) -> u32 {
    a.div_ceil(b)
}
pub fn extremes(a: i32, b: i32) -> (i32, i32) {
    (a.min(b), a.max(b))
}
pub fn clamped(a: i32, lo: i32, hi: i32) -> i32 {
    a.clamp(lo, hi)
}
pub fn ordering(a: u8, b: u8) -> Ordering {
    a.cmp(&b)
}
pub fn ordering_points(a: Point, b: Point) -> (Ordering, bool, bool) {
    (a.cmp(&b), a < b, a >= b)
}
pub fn ordering_shapes(a: Shape, b: Shape) -> (Ordering, bool) {
    (a.cmp(&b).reverse(), a == b)
}
pub fn try_narrow(a: i64) -> Option<u8> {
    u8::try_from(a).ok()
}
pub fn comparisons(a: i16, b: i16) -> (bool, bool, bool, bool, bool, bool) {
    (a == b, a != b, a < b, a <= b, a > b, a >= b)
}
pub fn logic(a: bool, b: bool, n: u8) -> bool {
    (a && n / 2 > 3) || (!b && 100 / n > 4) ^ a
}
pub fn conditional(a: u8, b: u8) -> u8 {
    if a > b && b > 0 {
        a / b
    } else if a == b {
        a + b
    } else {
        b - a
    }
}
pub fn early(a: u32) -> u32 {
    if a > LIMIT {
        return 0;
    }
    let mut b = a * 2;
    if b % 3 == 0 {
        b += 1;
        if b > 100 {
            return b;
        }
    }
    b + 1
}
pub fn state(a: u8, flag: bool) -> u8 {
    let mut x = a;
    let mut y = 1;
    if flag {
        x -= 1;
        y = x * 2;
    } else if a > 7 {
        y += 3;
    }
    x ^ y
}
pub fn matching(a: u8) -> u8 {
    match a {
        0 => 1,
        1 | 2 => 10,
        3..=9 => a + 1,
        n if n % 2 == 0 => n / 2,
        255 => 0,
        _ => a - 3,
    }
}
pub fn matching_option(a: Option<u8>, b: Option<i8>) -> i32 {
    match (a, b) {
        (Some(x), Some(y)) if x > 3 => x as i32 * y as i32,
        (Some(0), _) => -1,
        (None, Some(y)) => y as i32,
        (Some(x), None) => x as i32 + 1,
        _ => 0,
    }
}
pub fn matching_enum(c: Colour) -> u8 {
    match c {
        Colour::Red | Colour::Blue => 1,
        Colour::Green => 2,
    }
}
pub fn matching_state(a: Option<u32>) -> u32 {
    let mut total = 5;
    match a {
        Some(x) if x > 10 => total += x,
        Some(x) => {
            if x == 3 {
                return 33;
            }
            total -= x;
        }
        None => {}
    }
    total * 2
}
pub fn if_let(a: Option<u8>) -> u8 {
    if let Some(x) = a {
        x + 1
    } else {
        0
    }
}
pub fn let_else(a: Option<u8>) -> u8 {
    let Some(x) = a else {
        return 9;
    };
    x * 2
}
pub fn question(a: Option<u8>, b: u8) -> Option<u8> {
    let x = a?;
    let y = x.checked_sub(b)?;
    Some(y / 2)
}
pub fn question_result(a: Result<u8, u16>, b: u8) -> Result<u8, u16> {
    let x = a?;
    if b == 0 {
        return Err(7);
    }
    Ok(x / b)
}
pub fn options(a: Option<u8>, b: Option<u8>) -> (bool, u8, Option<u8>, Result<u8, i8>) {
    (a.is_some(), a.unwrap_or(3), a.or(b), b.ok_or(-1))
}
pub fn unwrapping(a: Option<u8>, b: Result<u8, bool>) -> u8 {
    a.unwrap() ^ b.unwrap()
}
pub fn sum_range(n: u8) -> u8 {
    let mut total = 0u8;
    for i in 0..n {
        total += i;
    }
    total
}
pub fn sum_inclusive(a: i8, b: i8) -> i32 {
    let mut total = 0;
    for i in a..=b {
        if i == 5 {
            continue;
        }
        if i > 100 {
            break;
        }
        total += i as i32 * 3;
    }
    total
}
pub fn nested(n: u8, m: u8) -> u32 {
    let mut count = 0u32;
    for i in 0..n % 12 {
        for j in i..m % 12 {
            if i * j == 35 {
                return count;
            }
            count += (i ^ j) as u32;
        }
    }
    count
}
pub fn collatz(n: u16) -> u32 {
    let mut x = n as u32;
    let mut steps = 0;
    while x > 1 {
        if x % 2 == 0 {
            x /= 2;
        } else {
            x = x * 3 + 1;
        }
        steps += 1;
        if steps > 200 {
            return 0;
        }
    }
    steps
}
pub fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        let t = b;
        b = a % b;
        a = t;
    }
    a
}
pub fn first_square(n: u16) -> u16 {
    let mut i = 0;
    let found = loop {
        if i * i >= n {
            break i;
        }
        i += 1;
    };
    found + 1
}
pub fn factorial(n: u8) -> u32 {
    if n == 0 {
        1
    } else {
        n as u32 * factorial(n - 1)
    }
}
pub fn index(xs: &[u8], i: usize) -> u8 {
    xs[i]
}
pub fn table(i: usize) -> u8 {
    TABLE[i] + TABLE[0]
}
pub fn slices(xs: &[u8], a: usize, b: usize) -> usize {
    let part = &xs[a..b];
    part.len() + xs[a..].len() + xs[..b].len()
}
pub fn slice_inclusive(xs: &[u8], a: usize, b: usize) -> u8 {
    xs[a..=b][0]
}
pub fn maximum(xs: &[i32]) -> Option<i32> {
    if xs.is_empty() {
        return None;
    }
    let mut best = xs[0];
    for &x in &xs[1..] {
        if x > best {
            best = x;
        }
    }
    Some(best)
}
pub fn checksum(xs: &[u8]) -> u8 {
    let mut total: u8 = 0;
    for (i, x) in xs.iter().enumerate() {
        total = total.wrapping_mul(31).wrapping_add(*x ^ i as u8);
    }
    total
}
pub fn reversed(xs: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for x in xs.iter().rev() {
        out.push(*x);
    }
    out
}
pub fn zipped(xs: &[u8], ys: &[u8]) -> u8 {
    let mut total = 0;
    for (x, y) in xs.iter().zip(ys.iter()) {
        total += x * y;
    }
    total
}
pub fn stepped(n: u8, k: usize) -> u32 {
    let mut total = 0;
    for i in (0..n).step_by(k) {
        total += i as u32;
    }
    total
}
pub fn skipped(xs: &[u8], n: usize, m: usize) -> u32 {
    let mut total = 0;
    for x in xs.iter().skip(n).take(m) {
        total += *x as u32;
    }
    total
}
pub fn countdown(n: u8) -> u32 {
    let mut total = 1u32;
    for i in (1..=n).rev() {
        total = total.wrapping_mul(7) + i as u32;
        if total > 1_000_000 {
            break;
        }
    }
    total
}
pub fn windowed(xs: &[u8], n: usize) -> usize {
    let mut up = 0;
    for w in xs.windows(n) {
        if w[0] <= w[w.len() - 1] {
            up += 1;
        }
    }
    up
}
pub fn chunked(xs: &[u8], n: usize) -> usize {
    let mut total = 0;
    for c in xs.chunks(n) {
        total = total * 3 + c.len();
    }
    total
}
pub fn doubled(xs: &mut [u8]) {
    for x in xs.iter_mut() {
        *x *= 2;
    }
}
pub fn numbered(xs: &mut [u8]) -> bool {
    for (i, x) in xs.iter_mut().enumerate() {
        if *x == 0 {
            return false;
        }
        *x -= i as u8;
    }
    true
}
pub fn swap_ends(xs: &mut [u8]) {
    let n = xs.len();
    xs.swap(0, n - 1);
}
pub fn bubble(xs: &mut [u8]) -> usize {
    let mut swaps = 0;
    let n = xs.len();
    for i in 0..n {
        for j in 0..n - 1 - i {
            if xs[j] > xs[j + 1] {
                xs.swap(j, j + 1);
                swaps += 1;
            }
        }
    }
    swaps
}
pub fn binary_search(xs: &[u16], key: u16) -> Option<usize> {
    let (mut lo, mut hi) = (0, xs.len());
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if xs[mid] == key {
            return Some(mid);
        }
        if xs[mid] < key {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    None
}
pub fn getters(xs: &[u8], i: usize) -> (Option<u8>, Option<u8>, Option<u8>) {
    (xs.get(i).copied(), xs.first().copied(), xs.last().copied())
}
pub fn splitting(xs: &[u8], i: usize) -> usize {
    let (a, b) = xs.split_at(i);
    a.len() * 10 + b.len()
}
pub fn slice_pattern(xs: &[u8]) -> u8 {
    match xs {
        [] => 0,
        [x] => *x,
        [x, y] => x ^ y,
        [x, rest @ ..] => x.wrapping_add(rest.len() as u8),
    }
}
pub fn containing(xs: &[u8], ys: &[u8], x: u8) -> (bool, bool, bool) {
    (xs.contains(&x), xs.starts_with(ys), xs.ends_with(ys))
}
pub fn fill_and_reverse(xs: &mut [u8], v: u8) {
    xs.reverse();
    let n = xs.len();
    if n > 2 {
        xs[1..n - 1].fill(v);
    }
}
pub fn sorted(xs: &mut [i16]) {
    xs.sort();
}
pub fn rotate(xs: &mut [u8], n: usize) {
    xs.rotate_left(n);
}
pub fn copy(xs: &mut [u8], ys: &[u8]) {
    xs.copy_from_slice(ys);
}
pub fn vectors(n: u8, i: usize) -> Vec<u8> {
    let mut v = vec![1u8, 2, 3];
    v.push(n);
    v.insert(i, 9);
    v.truncate(6);
    let x = v.remove(0);
    v.push(x);
    v
}
pub fn vector_of(n: u8) -> Vec<u16> {
    let mut v = vec![7u16; n as usize];
    v.extend_from_slice(&[1, 2]);
    v.resize(5, 4);
    v
}
pub fn arrays(a: [u8; 4], i: usize) -> [u8; 4] {
    let mut b = a;
    b[i] = 7;
    b[0] += a[i];
    b
}
pub fn repeated(i: usize) -> [u16; 6] {
    let mut grid = [0u16; 6];
    grid[i] = 5;
    grid[i + 1] = grid[i] * 2;
    grid
}
pub fn matrix(m: [[u8; 2]; 2], i: usize) -> u8 {
    let mut n = m;
    n[i][1] = 3;
    n[0][i] + n[1][1] * m[1][0]
}
pub fn array_pattern(a: [u8; 3]) -> u8 {
    let [x, y, z] = a;
    x ^ y ^ z
}
fn bump(x: &mut u8, by: u8) -> u8 {
    let old = *x;
    *x += by;
    old
}
pub fn lending(a: u8, b: u8) -> u8 {
    let mut x = a;
    let y = bump(&mut x, b);
    x ^ y
}
pub fn lending_parts(p: Point, xs: [u8; 3], i: usize) -> (Point, [u8; 3]) {
    let mut p = p;
    let mut xs = xs;
    p.shift(3);
    bump(&mut xs[i], 4);
    (p, xs)
}
pub fn swap_values(a: &mut u8, b: &mut u8) -> u8 {
    std::mem::swap(a, b);
    std::mem::replace(a, 5)
}
pub fn take_option(a: &mut Option<u8>) -> Option<u8> {
    a.take()
}
pub fn structures(p: Point, q: Point) -> (Point, i32, bool) {
    let r = p.add(q).swapped();
    (r, r.norm(), p == q)
}
pub fn tuple_struct(m: Meters, k: u16) -> Meters {
    let Meters(n) = m;
    Meters(n * k + m.0)
}
pub fn make_shape(w: u32, h: u32) -> Shape {
    if h == 0 {
        Shape::Circle(w)
    } else if w == 0 {
        Shape::Dot
    } else {
        Shape::Rect { w, h }
    }
}
fn choose<T: Copy>(flag: bool, a: T, b: T) -> T {
    if flag {
        a
    } else {
        b
    }
}
pub fn generic(flag: bool, a: u8, b: u8) -> (u8, Pair<i16>) {
    (choose(flag, a, b), Pair { a: choose(!flag, 1, -1), b: 3 })
}
pub fn asserting(a: u8, b: u8) -> u8 {
    assert!(a > 3);
    debug_assert!(b < 200, "large");
    assert_eq!(a % 2, 0);
    if b == 77 {
        panic!("seven");
    }
    a ^ b
}
pub fn unreachable_arm(a: u8) -> u8 {
    match a % 3 {
        0 => 5,
        1 => 6,
        2 => 7,
        _ => unreachable!(),
    }
}
pub fn blocks(a: u8) -> u8 {
    let b = {
        let c = a / 2;
        c + 1
    };
    let a = b * 3;
    a - b
}
pub fn late(a: bool) -> u8 {
    let x;
    if a {
        x = 3;
    } else {
        x = 4;
    }
    x
}
pub fn digits(s: &[u8]) -> Option<u32> {
    let mut n: u32 = 0;
    for &c in s {
        if !c.is_ascii_digit() {
            return None;
        }
        n = n.checked_mul(10)?.checked_add((c - b'0') as u32)?;
    }
    Some(n)
}
pub fn chars(c: char) -> (bool, bool, char, Option<u32>) {
    (c.is_ascii_alphabetic(), c.is_ascii_punctuation(), c.to_ascii_uppercase(), c.to_digit(16))
}
pub fn char_match(c: char) -> u8 {
    match c {
        'a'..='f' => c as u8 - b'a' + 10,
        '0'..='9' => c as u8 - b'0',
        'é' => 77,
        _ => 99,
    }
}
pub fn hex(n: u8) -> Option<char> {
    char::from_digit(n as u32, 16)
}
pub fn leap(y: u32) -> bool {
    (y % 4 == 0 && y % 100 != 0) || y % 400 == 0
}
pub fn varint(xs: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0u32;
    let mut shift = 0;
    for (i, &b) in xs.iter().enumerate() {
        if shift >= 32 {
            return None;
        }
        value |= ((b & 0x7f) as u32) << shift;
        if b & 0x80 == 0 {
            return Some((value, i + 1));
        }
        shift += 7;
    }
    None
}
