/// Binary min-heap over `i32`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MinHeap {
    items: Vec<i32>,
}

fn parent(i: usize) -> usize {
    (i - 1) / 2
}

fn left(i: usize) -> usize {
    2 * i + 1
}

fn sift_up(v: &mut [i32], mut i: usize) {
    while i > 0 && v[parent(i)] > v[i] {
        v.swap(i, parent(i));
        i = parent(i);
    }
}

fn sift_down(v: &mut [i32], mut i: usize) {
    loop {
        let l = left(i);
        if l >= v.len() {
            return;
        }
        let mut c = l;
        if l + 1 < v.len() && v[l + 1] < v[l] {
            c = l + 1;
        }
        if v[i] <= v[c] {
            return;
        }
        v.swap(i, c);
        i = c;
    }
}

impl MinHeap {
    pub fn new() -> Self {
        MinHeap { items: Vec::new() }
    }

    pub fn push(&mut self, x: i32) {
        self.items.push(x);
        let n = self.items.len();
        sift_up(&mut self.items, n - 1);
    }

    pub fn pop(&mut self) -> Option<i32> {
        if self.items.is_empty() {
            return None;
        }
        let n = self.items.len();
        self.items.swap(0, n - 1);
        let x = self.items.pop().unwrap();
        if !self.items.is_empty() {
            sift_down(&mut self.items, 0);
        }
        Some(x)
    }

    pub fn peek(&self) -> Option<i32> {
        self.items.first().copied()
    }
}

/// Index of the first element that is not less than `x`.
///
/// `sorted` is in ascending order; for anything else the answer is meaningless, but the function still ends.
pub fn lower_bound(sorted: &[i32], x: i32) -> usize {
    let mut lo = 0;
    let mut hi = sorted.len();
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if sorted[mid] < x {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    lo
}

/// Median of three.
pub fn median3(a: i32, b: i32, c: i32) -> i32 {
    a.max(b).min(a.min(b).max(c))
}

pub fn nth_smallest(sorted: &[i32], n: usize) -> i32 {
    sorted[n]
}
