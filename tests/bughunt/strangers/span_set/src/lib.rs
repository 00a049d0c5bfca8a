/// A half-open range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// `None` if the span would be empty or backwards.
    pub fn new(start: u32, end: u32) -> Option<Span> {
        if start < end { Some(Span { start, end }) } else { None }
    }
    pub fn start(&self) -> u32 { self.start }
    pub fn end(&self) -> u32 { self.end }
    /// Number of lines, never zero.
    pub fn len(&self) -> u32 { self.end - self.start }
    pub fn contains(&self, line: u32) -> bool { line >= self.start && line <= self.end }
    pub fn overlaps(&self, other: &Span) -> bool {
        self.start < other.end && other.start < self.end
    }
    /// The lines that both have.
    pub fn intersect(&self, other: &Span) -> Option<Span> {
        Span::new(self.start.max(other.start), self.end.min(other.end))
    }
    /// Smallest span around both.
    pub fn cover(&self, other: &Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
    /// Moves by a signed number of lines, `None` if that is not possible.
    pub fn shift(&self, by: i32) -> Option<Span> {
        let start = self.start as i64 + by as i64;
        let end = self.end as i64 + by as i64;
        if start < 0 { return None; }
        Some(Span { start: start as u32, end: end as u32 })
    }
    /// Splits before a line; the two parts make up the whole.
    pub fn split_at(&self, line: u32) -> Option<(Span, Span)> {
        if line < self.start || line > self.end { return None; }
        Some((Span::new(self.start, line).unwrap(), Span::new(line, self.end).unwrap()))
    }
}
