// The part of a test program that is the same for every crate: choices, search, shrinking, report.
// An input is drawn from a sequence of numbers.  A failing sequence is made smaller, then read as Rust text.
extern crate std;
use self::std::boxed::Box;
use self::std::convert::TryFrom; // not in the prelude of the older editions
use self::std::format;
use self::std::prelude::v1::*;
use self::std::string::String;
use self::std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use self::std::sync::Mutex;
use self::std::vec;
use self::std::vec::Vec;

const MAX_LENGTH: u128 = 24;
const MAX_DRAWS: usize = 400;
const LONGEST: usize = 320; // of the few long lists, made for lengths that do not fit a byte
const MOST_DRAWS: usize = 1400;
const MAX_PLACES: usize = 8; // failures at different places that are kept for one property
const SHRINKS: usize = 4000;
const CORNERED: usize = 8; // numbers of an input that are pushed to their ends
const EACH: u64 = 64; // every so many random inputs, one of them is

pub enum Verdict {
    Holds,
    Fails,
    Discard,
}

enum Mode {
    Random { state: u64, small: bool },
    Replay,
    Enumerate,
}

pub struct Choices {
    values: Vec<u128>,
    limits: Vec<u128>,
    at: usize,
    mode: Mode,
    pub recording: bool,
    open_ended: bool,
    sticky: bool,                 // this input repeats itself
    theme: Option<(u128, u128)>,  // this input's numbers are mostly from here
    queue: Vec<u128>,             // what is drawn next, last one first
    pub text: Vec<(String, String, String)>, // name, type, Rust expression
}

impl Choices {
    fn new(mode: Mode, values: Vec<u128>) -> Self {
        let mut made = Choices {
            values, limits: Vec::new(), at: 0, mode, recording: false, open_ended: false, sticky: false, theme: None,
            queue: Vec::new(), text: Vec::new(),
        };
        let known = words();
        made.sticky = made.random() % 4 == 0;
        if known.len() > 1 && made.random() % 3 == 0 {
            let first = made.random() as usize % known.len();
            let last = (first + made.random() as usize % 3).min(known.len() - 1);
            made.theme = Some((known[first], known[last]));
        }
        made
    }

    fn random(&mut self) -> u64 {
        if let Mode::Random { state, .. } = &mut self.mode {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        } else {
            0
        }
    }

    fn small(&self) -> bool {
        matches!(self.mode, Mode::Random { small: true, .. })
    }

    // A number from 0 to `limit`; `draw` makes one at random.
    fn choose(&mut self, limit: u128, draw: impl FnOnce(&mut Self) -> u128) -> u128 {
        let value = if matches!(self.mode, Mode::Random { .. }) {
            let last = self.limits.iter().rposition(|l| *l == limit).map(|i| self.values[i]);
            let again = self.sticky && self.random() % 8 != 0;
            if let Some(next) = self.queue.pop() {
                next.min(limit)
            } else if let (Some(value), true) = (last, again) {
                value
            } else {
                draw(self).min(limit)
            }
        } else {
            self.values.get(self.at).copied().unwrap_or(0).min(limit)
        };
        if self.at < self.values.len() {
            self.values[self.at] = value;
        } else {
            self.values.push(value);
        }
        self.limits.push(limit);
        self.at += 1;
        value
    }

    pub fn below(&mut self, count: u128) -> u128 {
        self.choose(count - 1, |c| u128::from(c.random()) % count)
    }

    pub fn more(&mut self, have: usize) -> bool {
        self.open_ended = true;
        if have >= LONGEST || self.at >= MOST_DRAWS {
            return false;
        }
        let full = have as u128 >= MAX_LENGTH || self.at >= MAX_DRAWS;
        if full && self.queue.is_empty() && matches!(self.mode, Mode::Random { .. }) {
            self.queue.push(0);
        }
        self.choose(1, |c| u128::from(c.random() % 8 != 0)) == 1
    }

    fn unsigned(&mut self, bits: u32) -> u128 {
        let max = if bits == 128 { u128::MAX } else { (1u128 << bits) - 1 };
        self.choose(max, |c| {
            let wide = (u128::from(c.random()) << 64) | u128::from(c.random());
            let pick = c.random() % 16;
            if c.small() {
                return wide % 40;
            }
            if let Some(value) = c.themed(wide) {
                return value;
            }
            let near = u128::from(c.random() % 4);
            let power = 1u128 << (c.random() % u64::from(bits));
            match pick {
                0..=4 => wide % 20,
                5 => max - near,
                6 => (max / 2 + 2).saturating_sub(near),
                7 => power.saturating_sub(1) + near.min(2),
                8 => u128::from(bits) + 1 - near.min(2),
                9 | 10 => wide % 300,
                11..=13 => (wide & max) >> (c.random() % u64::from(bits)),
                _ => wide & max,
            }
        })
    }

    fn signed(&mut self, bits: u32) -> i128 {
        let max = if bits == 128 { u128::MAX } else { (1u128 << bits) - 1 };
        let folded = self.choose(max, |c| {
            let wide = (u128::from(c.random()) << 64) | u128::from(c.random());
            let top = max / 2; // of the positive numbers
            let near = u128::from(c.random() % 4);
            let power = (1u128 << (c.random() % u64::from(bits - 1))).saturating_sub(1) + near.min(2);
            let negative = c.random() % 2;
            let themed = c.themed(wide);
            let size = if c.small() {
                wide % 20
            } else if let Some(value) = themed {
                value
            } else {
                match c.random() % 16 {
                    0..=4 => wide % 12,
                    5 | 6 => top - near,
                    7 => power,
                    8 => u128::from(bits) + 1 - near.min(2),
                    9 | 10 => wide % 300,
                    11..=13 => (wide & top) >> (c.random() % u64::from(bits - 1)),
                    _ => wide & top,
                }
            };
            (size.min(top) << 1) | u128::from(negative)
        });
        // 0, -1, 1, -2, 2 ... folded: even numbers are not negative
        if folded & 1 == 0 { (folded >> 1) as i128 } else { -((folded >> 1) as i128) - 1 }
    }

    // A number of this input's theme, or one that the crate's code names.
    fn themed(&mut self, wide: u128) -> Option<u128> {
        let known = words();
        let chance = self.random();
        if let Some((low, high)) = self.theme {
            return if chance % 8 != 0 { Some(low + wide % (high - low).saturating_add(1)) } else { None };
        }
        if known.is_empty() || chance % 10 != 0 {
            return None;
        }
        let value = known[wide as usize % known.len()];
        Some((value + u128::from(self.random() % 3)).saturating_sub(1))
    }

    // The next items of a list are the digits of a number at an edge.
    fn spell(&mut self) {
        let bits = [8, 16, 31, 32, 63, 64][self.random() as usize % 6];
        let edge = (1u128 << bits) - 6 + u128::from(self.random() % 12);
        let text = if self.random() % 4 == 0 { format!("{:x}", edge) } else { format!("{}", edge) };
        self.queue = vec![0];
        for byte in text.bytes().rev() {
            self.queue.push(u128::from(byte));
            self.queue.push(1);
        }
    }

    // The next items of a list are about as many as a byte counts.
    fn long(&mut self) {
        let count = 252 + self.random() % 8;
        let item = u128::from(self.random() % 4);
        self.queue = vec![0];
        for _ in 0..count {
            self.queue.push(item);
            self.queue.push(1);
        }
    }

    pub fn input(&mut self, name: &str, kind: &str, text: String) {
        if self.recording {
            self.text.push((name.into(), kind.into(), text));
        }
    }
}

pub trait Generate: Sized {
    fn generate(c: &mut Choices) -> Option<(Self, String)>;
}

macro_rules! integers {
    ($($unsigned:ident $signed:ident)*) => {$(
        impl Generate for $unsigned {
            fn generate(c: &mut Choices) -> Option<(Self, String)> {
                let value = c.unsigned($unsigned::BITS) as $unsigned;
                let text = if !c.recording { String::new() } else if value == $unsigned::MAX {
                    format!("{}::MAX", stringify!($unsigned))
                } else { format!("{}", value) };
                Some((value, text))
            }
        }
        impl Generate for $signed {
            fn generate(c: &mut Choices) -> Option<(Self, String)> {
                let value = c.signed($signed::BITS) as $signed;
                let text = if !c.recording { String::new() } else if value == $signed::MAX {
                    format!("{}::MAX", stringify!($signed))
                } else if value == $signed::MIN {
                    format!("{}::MIN", stringify!($signed))
                } else { format!("{}", value) };
                Some((value, text))
            }
        }
    )*};
}
integers! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize }

impl Generate for bool {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        let value = c.below(2) == 1;
        Some((value, format!("{}", value)))
    }
}

impl Generate for char {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        const LIKELY: &[u8] = b"a0bA9 zZ-+_.,:;/\\\"'\n\t%#fF";
        let code = c.choose(0x10ffff, |c| {
            let r = c.random();
            match r % 8 {
                0..=4 => u128::from(LIKELY[(r >> 8) as usize % LIKELY.len()]),
                5 => u128::from(r >> 8) % 128,
                6 => u128::from(r >> 8) % 0x800,
                _ => u128::from(r >> 8) % 0x11_0000,
            }
        });
        let value = std::char::from_u32(code as u32).unwrap_or('a');
        Some((value, format!("{:?}", value)))
    }
}

impl Generate for () {
    fn generate(_: &mut Choices) -> Option<(Self, String)> {
        Some(((), "()".into()))
    }
}

impl<T: Generate> Generate for Option<T> {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        if c.below(4) == 0 {
            return Some((None, "None".into()));
        }
        let (value, text) = T::generate(c)?;
        Some((Some(value), format!("Some({})", text)))
    }
}

impl<T: Generate, E: Generate> Generate for Result<T, E> {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        if c.below(2) == 0 {
            let (value, text) = T::generate(c)?;
            return Some((Ok(value), format!("Ok({})", text)));
        }
        let (value, text) = E::generate(c)?;
        Some((Err(value), format!("Err({})", text)))
    }
}

impl Generate for std::cmp::Ordering {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        use self::std::cmp::Ordering::*;
        let value = [Equal, Less, Greater][c.below(3) as usize];
        Some((value, format!("core::cmp::Ordering::{:?}", value)))
    }
}

const NUMBERS: &[&str] = &["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize"];

impl<T: Generate> Generate for Vec<T> {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        let mut values = Vec::new();
        let mut texts = Vec::new();
        if std::mem::size_of::<T>() == 1 && c.random() % 16 == 1 {
            c.spell();
        } else if NUMBERS.contains(&std::any::type_name::<T>()) && c.random() % 64 == 2 {
            c.long();
        }
        while c.more(values.len()) {
            let (value, text) = T::generate(c)?;
            values.push(value);
            if c.recording {
                texts.push(text);
            }
        }
        if texts.len() > MAX_LENGTH as usize && texts.iter().all(|t| *t == texts[0]) {
            return Some((values, format!("vec![{}; {}]", texts[0], texts.len())));
        }
        Some((values, format!("vec![{}]", texts.join(", "))))
    }
}

impl<T: Generate, const N: usize> Generate for [T; N] {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        let mut values = Vec::with_capacity(N);
        let mut texts = Vec::new();
        for _ in 0..N {
            let (value, text) = T::generate(c)?;
            values.push(value);
            if c.recording {
                texts.push(text);
            }
        }
        Some((<[T; N]>::try_from(values).ok()?, format!("[{}]", texts.join(", "))))
    }
}

impl Generate for String {
    fn generate(c: &mut Choices) -> Option<(Self, String)> {
        let mut value = String::new();
        let mut count = 0;
        if c.random() % 8 == 1 {
            c.spell();
        }
        while c.more(count) {
            value.push(char::generate(c)?.0);
            count += 1;
        }
        let text = format!("String::from({:?})", value);
        Some((value, text))
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: Generate),+> Generate for ($($name,)+) {
            fn generate(c: &mut Choices) -> Option<(Self, String)> {
                let mut texts: Vec<String> = Vec::new();
                let value = ($({ let (v, t) = $name::generate(c)?; texts.push(t); v },)+);
                let text = if texts.len() == 1 { format!("({},)", texts[0]) } else { format!("({})", texts.join(", ")) };
                Some((value, text))
            }
        }
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

// ---- running

static CAUGHT: Mutex<Option<(String, String)>> = Mutex::new(None); // place, message
static STARTED: AtomicU64 = AtomicU64::new(0); // milliseconds since the start at which this input began, plus 1
static CURRENT: Mutex<(Vec<u128>, u64)> = Mutex::new((Vec::new(), 0));

enum Seen {
    Holds,
    Discard,
    Fails { place: String, message: String },
}

pub type Body = fn(&mut Choices) -> Verdict;

fn once(body: Body, c: &mut Choices) -> Seen {
    *lock(&CAUGHT) = None;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(c)));
    match result {
        Ok(Verdict::Holds) => Seen::Holds,
        Ok(Verdict::Discard) => Seen::Discard,
        Ok(Verdict::Fails) => Seen::Fails { place: "false".into(), message: "the property is false".into() },
        Err(_) => {
            let (place, message) = lock(&CAUGHT).take().unwrap_or_default();
            Seen::Fails { place, message }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

// The class of a message: what differs between two inputs (numbers, quoted values) is not part of it.
fn class(message: &str) -> String {
    let mut found = String::new();
    for c in message.chars().take(160) {
        if !c.is_ascii_digit() && c != '-' {
            found.push(c);
        }
    }
    found
}

fn escape(text: &str) -> String {
    let mut found = String::new();
    for c in text.chars().take(4000) {
        match c {
            '"' => found.push_str("\\\""),
            '\\' => found.push_str("\\\\"),
            c if (c as u32) < 32 || (c as u32) == 127 => found.push_str(&format!("\\u{:04x}", c as u32)),
            c => found.push(c),
        }
    }
    format!("\"{}\"", found)
}

fn numbers(values: &[u128]) -> String {
    values.iter().map(|v| format!("{}", v)).collect::<Vec<_>>().join(" ")
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::args().find_map(|a| a.strip_prefix(&format!("{}=", name)).and_then(|v| v.parse().ok())).unwrap_or(default)
}

fn list(name: &str) -> Vec<u128> {
    let all = std::env::args().find_map(|a| a.strip_prefix(&format!("{}=", name)).map(String::from));
    all.unwrap_or_default().split_whitespace().filter_map(|w| w.parse().ok()).collect()
}

// Numbers that the crate's code names, in order.
fn words() -> &'static [u128] {
    static WORDS: std::sync::OnceLock<Vec<u128>> = std::sync::OnceLock::new();
    WORDS.get_or_init(|| list("words"))
}

fn say(kind: &str, mark: u64, fields: &[(&str, String)]) {
    let inner = fields.iter().map(|(k, v)| format!("\"{}\":{}", k, v)).collect::<Vec<_>>().join(",");
    std::println!("\n@{} {{\"kind\":{},{}}}", mark, escape(kind), inner);
}

fn describe(body: Body, values: &[u128]) -> (String, Seen) {
    let mut c = Choices::new(Mode::Replay, values.to_vec());
    c.recording = true;
    let seen = once(body, &mut c);
    let parts: Vec<String> =
        c.text.iter().map(|(n, t, x)| format!("[{},{},{}]", escape(n), escape(t), escape(x))).collect();
    (format!("[{}]", parts.join(",")), seen)
}

fn same(body: Body, values: &[u128], place: &str, kind: &str, watch: &Watch) -> Option<Vec<u128>> {
    let mut c = Choices::new(Mode::Replay, values.to_vec());
    watch.begin(values, u64::MAX);
    let seen = once(body, &mut c);
    watch.end();
    match seen {
        Seen::Fails { place: p, message } if p == place && class(&message) == kind => {
            c.values.truncate(c.at);
            Some(c.values)
        }
        _ => None,
    }
}

// Smaller: shorter, then smaller at the first difference.
fn shrink(body: Body, mut best: Vec<u128>, place: &str, kind: &str, watch: &Watch) -> Vec<u128> {
    let mut tries = 0;
    let mut better = true;
    while better && tries < SHRINKS {
        better = false;
        let mut size = best.len().min(8);
        while size > 0 {
            let mut at = 0;
            while at + size <= best.len() && tries < SHRINKS {
                let mut next = best.clone();
                next.drain(at..at + size);
                tries += 1;
                match same(body, &next, place, kind, watch) {
                    Some(found) if (found.len(), &found) < (best.len(), &best) => {
                        best = found;
                        better = true;
                    }
                    _ => at += 1,
                }
            }
            size /= 2;
        }
        let mut at = 0;
        while at < best.len() && tries < SHRINKS {
            for step in [1u128, 2] {
                // the smallest value of this parity that still fails, if failing is monotone in it
                let (mut low, mut high) = (best[at] % step, best[at]);
                if high == 0 {
                    continue;
                }
                let mut first = true;
                while low < high && tries < SHRINKS {
                    let middle = if first { low } else { low + (high - low) / 2 / step * step };
                    first = false;
                    let mut next = best.clone();
                    next[at] = middle;
                    tries += 1;
                    match same(body, &next, place, kind, watch) {
                        Some(found) if (found.len(), &found) < (best.len(), &best) => {
                            best = found;
                            better = true;
                            if at >= best.len() {
                                break;
                            }
                            high = best[at].min(middle);
                        }
                        _ => low = middle + step,
                    }
                }
                if at >= best.len() {
                    break;
                }
            }
            at += 1;
        }
    }
    best
}

// A smaller first number, at the price of the largest second one.
fn trade(body: Body, mut best: Vec<u128>, place: &str, kind: &str, watch: &Watch) -> Vec<u128> {
    if best.len() > 6 {
        return best;
    }
    let mut c = Choices::new(Mode::Replay, best.clone());
    watch.begin(&best, u64::MAX);
    let _ = once(body, &mut c);
    watch.end();
    let limits = c.limits;
    for at in 0..best.len() {
        for other in at + 1..best.len().min(limits.len()) {
            for top in [limits[other], limits[other].saturating_sub(1)] {
                let mut next = best.clone();
                next[other] = top;
                if let Some(found) = same(body, &next, place, kind, watch) {
                    let mut low = 0;
                    let mut high = found[at];
                    while low < high {
                        let middle = low + (high - low) / 2;
                        next[at] = middle;
                        match same(body, &next, place, kind, watch) {
                            Some(_) => high = middle,
                            None => low = middle + 1,
                        }
                    }
                    next[at] = high;
                    if let Some(found) = same(body, &next, place, kind, watch) {
                        if (found.len(), &found) < (best.len(), &best) {
                            best = found;
                        }
                    }
                }
            }
        }
    }
    best
}

// An input at a corner of what is accepted: each number as large as may be, or the largest that the code names.
fn corner(
    body: Body, c: &Choices, mut chance: u64, begin: &mut dyn FnMut(&[u128]), note: &mut dyn FnMut(&Choices, Seen),
) {
    let (mut values, mut limits) = (c.values.clone(), c.limits.clone());
    let mut at = 0;
    while at < values.len().min(limits.len()).min(CORNERED) {
        chance = chance.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let stays = limits[at] < 8 || (chance >> 33) % 3 == 0; // few: which constructor, which variant
        let top = if stays { values[at] } else { limits[at] };
        let named = words().iter().rev().copied().filter(|w| *w < top.saturating_sub(1));
        for value in [top, top.saturating_sub(1)].iter().copied().chain(named).take(64) {
            if value <= values[at] {
                break;
            }
            let mut next = values.clone();
            next[at] = value;
            begin(&next);
            let mut tried = Choices::new(Mode::Replay, next);
            let seen = once(body, &mut tried);
            if matches!(seen, Seen::Discard) {
                continue;
            }
            tried.values.truncate(tried.at);
            note(&tried, seen);
            values = tried.values;
            limits = tried.limits;
            break;
        }
        at += 1;
    }
}

// Milliseconds of processor that this process has used; 0 where that is not known.
fn processor() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or("");
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|w| w.parse::<u64>().ok()).sum();
    ticks * 10
}

struct Watch {
    start: std::time::Instant,
}

impl Watch {
    fn begin(&self, values: &[u128], number: u64) {
        let mut current = lock(&CURRENT);
        current.0.clear();
        current.0.extend_from_slice(values);
        current.1 = number;
        drop(current);
        STARTED.store(self.start.elapsed().as_millis() as u64 + 1, SeqCst);
    }

    fn end(&self) {
        STARTED.store(0, SeqCst);
    }
}

// Called by each property's test.  Settings come as words `name=value` behind the test's name (filters of libtest).
pub fn drive(name: &str, body: Body) {
    let mark = setting("mark", 0);
    let (seed, from, count) = (setting("seed", 0), setting("from", 0), setting("count", 1000));
    let (budget, patience) = (setting("budget", 5000), setting("patience", 1500));
    let small = setting("small", 0) == 1;
    let trace = setting("trace", 0) == 1;
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().map(|s| String::from(*s));
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let place = info.location().map(|l| format!("{}:{}:{}", l.file(), l.line(), l.column())).unwrap_or_default();
        *lock(&CAUGHT) = Some((place, message));
    }));
    let watch = Watch { start: std::time::Instant::now() };
    let start = watch.start;
    std::thread::spawn(move || {
        let (mut seen, mut used) = (0, 0);
        loop {
            std::thread::sleep(std::time::Duration::from_millis(20));
            let began = STARTED.load(SeqCst);
            if began != seen {
                seen = began;
                used = processor();
                continue;
            }
            let wall = (start.elapsed().as_millis() as u64 + 1).saturating_sub(began);
            // a busy machine is no fault of the input; one that waits for ever is
            if began != 0 && (processor().saturating_sub(used) > patience || wall > 10 * patience) {
                let (values, number) = lock(&CURRENT).clone();
                if STARTED.load(SeqCst) == began {
                    say("slow", mark, &[("number", format!("{}", number)), ("values", escape(&numbers(&values)))]);
                    std::process::exit(77);
                }
            }
        }
    });
    if std::env::args().any(|a| a == "describe") {
        // the inputs alone: running them may not end
        let number = setting("number", u64::MAX);
        let mode = if number == u64::MAX { Mode::Replay } else { Mode::Random { state: state(seed, number), small } };
        let mut c = Choices::new(mode, list("values"));
        c.recording = true;
        DESCRIBE.store(1, SeqCst);
        let _ = once(body, &mut c);
        let parts: Vec<String> =
            c.text.iter().map(|(n, t, x)| format!("[{},{},{}]", escape(n), escape(t), escape(x))).collect();
        say("describe", mark, &[("inputs", format!("[{}]", parts.join(",")))]);
        return;
    }
    let mut places: Vec<(String, String, Vec<u128>, u64)> = Vec::new();
    let (mut held, mut discarded, mut failed) = (0u64, 0u64, 0u64);
    let mut note = |c: &Choices, seen: Seen, places: &mut Vec<(String, String, Vec<u128>, u64)>| match seen {
        Seen::Holds => held += 1,
        Seen::Discard => discarded += 1,
        Seen::Fails { place, message } => {
            failed += 1;
            let kind = class(&message);
            if let Some(known) = places.iter_mut().find(|p| p.0 == place && p.1 == kind) {
                known.3 += 1;
                if c.values.len() < known.2.len() {
                    known.2 = c.values.clone();
                }
            } else if places.len() < MAX_PLACES {
                places.push((place, kind, c.values.clone(), 1));
            }
        }
    };
    // everything, if there is little
    let mut exhaustive = false;
    if from == 0 && !small {
        let mut values: Vec<u128> = Vec::new();
        let mut done = 0u64;
        loop {
            let mut c = Choices::new(Mode::Enumerate, values.clone());
            watch.begin(&values, u64::MAX);
            if trace {
                say("at", mark, &[("values", escape(&numbers(&values)))]);
            }
            let seen = once(body, &mut c);
            watch.end();
            let room = c.limits.iter().try_fold(1u128, |n, l| n.checked_mul(l.checked_add(1)?));
            if c.open_ended || room.map_or(true, |n| n > 70_000) || done > 70_000 {
                break;
            }
            note(&c, seen, &mut places);
            done += 1;
            values = c.values;
            values.truncate(c.limits.len());
            while let Some(last) = values.pop() {
                if last < c.limits[values.len()] {
                    values.push(last + 1);
                    break;
                }
            }
            if values.is_empty() {
                exhaustive = true;
                break;
            }
            if start.elapsed().as_millis() as u64 > budget {
                break;
            }
        }
    }
    let mut number = from;
    while !exhaustive && number < from.saturating_add(count) && (start.elapsed().as_millis() as u64) < budget {
        let mut c = Choices::new(Mode::Random { state: state(seed, number), small }, Vec::new());
        watch.begin(&[], number);
        if trace {
            say("number", mark, &[("number", format!("{}", number))]);
        }
        let seen = once(body, &mut c);
        watch.end();
        let accepted = !matches!(seen, Seen::Discard);
        note(&c, seen, &mut places);
        if accepted && !small && number % EACH == 0 {
            let mut begin = |values: &[u128]| {
                watch.begin(values, u64::MAX);
                if trace {
                    say("at", mark, &[("values", escape(&numbers(values)))]);
                }
            };
            corner(body, &c, state(seed, number), &mut begin, &mut |c, seen| note(c, seen, &mut places));
            watch.end();
        }
        number += 1;
    }
    for (place, kind, values, times) in &places {
        say("raw", mark, &[
            ("place", escape(place)), ("values", escape(&numbers(values))), ("times", format!("{}", times)),
        ]);
        let least = shrink(body, values.clone(), place, kind, &watch);
        let least = shrink(body, trade(body, least, place, kind, &watch), place, kind, &watch);
        watch.begin(&least, u64::MAX);
        let (inputs, seen) = describe(body, &least);
        watch.end();
        if let Seen::Fails { message, .. } = seen {
            say("fails", mark, &[
                ("place", escape(place)), ("message", escape(&message)), ("values", escape(&numbers(&least))),
                ("times", format!("{}", times)), ("inputs", inputs),
            ]);
        }
    }
    say("done", mark, &[
        ("held", format!("{}", held)), ("discarded", format!("{}", discarded)), ("failed", format!("{}", failed)),
        ("exhaustive", format!("{}", exhaustive)), ("number", format!("{}", number)), ("name", escape(name)),
    ]);
}

fn state(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95))
}

static DESCRIBE: AtomicU64 = AtomicU64::new(0);

// Whether only the text of the inputs is wanted: a property's body then returns before it runs anything.
pub fn describing() -> bool {
    DESCRIBE.load(SeqCst) == 1
}
