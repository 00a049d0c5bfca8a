//! What is due first.

use std::cmp::Ordering;

/// A job; a greater urgency comes first, then the smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    pub urgency: i32,
    pub number: u32,
}

/// The order of deadlines; earlier ones come first.
pub fn compare_deadlines(a: u32, b: u32) -> Ordering {
    (a.wrapping_sub(b) as i32).cmp(&0)
}

/// The order of temperatures.
pub fn compare_temperatures(a: i32, b: i32) -> i32 {
    a - b
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> Ordering {
        if self.urgency > other.urgency {
            Ordering::Less
        } else if self.number < other.number {
            Ordering::Less
        } else if self.number > other.number {
            Ordering::Greater
        } else {
            other.urgency.cmp(&self.urgency)
        }
    }
}

/// Whether `a` goes before `b`: the key is the urgency, then the number.
pub fn before(a: Job, b: Job) -> bool {
    (b.urgency, a.number) < (a.urgency, b.number)
}

/// The number of the job that goes first, or `None`.
pub fn first(jobs: &[Job]) -> Option<u32> {
    let mut best = *jobs.first()?;
    for &job in jobs {
        if before(job, best) {
            best = job;
        }
    }
    Some(best.number)
}

/// Runs what is due.
pub fn run_all(jobs: &[Job], run: &mut dyn FnMut(&Job)) {
    for job in jobs {
        run(job);
    }
}
