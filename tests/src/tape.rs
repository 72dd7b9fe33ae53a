//! The tape of random numbers from which every decision is read. proptest generates it, and shrinks it if a test with
//! it fails.

use std::slice::Iter;

/// Numbers, followed by an endless sequence of zeros. Zero always means the simplest choice.
#[derive(Clone, Debug)]
pub struct Tape<'t>(Iter<'t, u16>);

impl<'t> Tape<'t> {
    /// Returns the tape of some numbers.
    pub fn new(numbers: &'t [u16]) -> Self {
        Self(numbers.iter())
    }

    fn next(&mut self) -> u16 {
        self.0.next().copied().unwrap_or(0)
    }

    /// Returns any number.
    pub fn number(&mut self) -> u64 {
        (0..4).fold(0, |number, _| number << 16 | u64::from(self.next()))
    }

    /// Returns a number below `bound`, or 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.next()) % bound.max(1)
    }

    /// Returns one of several things.
    pub fn choose<T: Clone>(&mut self, things: &[T]) -> Option<T> {
        things.get(self.below(things.len())).cloned()
    }

    /// Returns true one time in `count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    /// Returns an integer of any number of digits.
    pub fn integer(&mut self) -> i64 {
        let bits = self.number();
        i64::from_ne_bytes(bits.to_ne_bytes()) >> self.below(64)
    }

    /// Returns a few characters, among them those that JSON escapes.
    pub fn text(&mut self) -> String {
        const CHARACTERS: &str = "aZ0_ \"\\/\0\n\u{7f}\u{e9}\u{2028}\u{d7ff}\u{e000}\u{1f600}";
        let characters: Vec<char> = CHARACTERS.chars().collect();
        (0..self.below(8)).filter_map(|_| self.choose(&characters)).collect()
    }

    /// Returns a date-time (RFC 3339, section 5.6) with any fraction and offset.
    pub fn date_time(&mut self) -> String {
        let year = 1 + self.below(9998);
        let month = 1 + self.below(12);
        let day = 1 + self.below(28);
        let hour = self.below(24);
        let minute = self.below(60);
        let second = self.below(60);
        let digits = format!(".{:09}", self.number() % 1_000_000_000);
        let fraction = match self.below(10) {
            0 => "",
            length => digits.get(..=length).unwrap_or_default(),
        };
        let offset = match self.below(4) {
            0 => "Z".to_owned(),
            1 => format!("+{:02}:{:02}", self.below(15), self.below(60)),
            _ => format!("-{:02}:00", self.below(13)),
        };
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{offset}")
    }
}
