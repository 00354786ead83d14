//! Numbers as text, written from the last character to the first.

use grampus_base::narrow;
use grampus_cells::Strings;

use super::located::SCRATCH_BYTES;

/// Behind the text is room for a copy of 16 bytes from any of its places on.
const BYTES: usize = SCRATCH_BYTES + 16;

/// The two digits of each number below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0u8;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};

/// A text of at most 32 bytes.
pub(crate) struct Text {
    bytes: [u8; BYTES],
    start: usize,
}

impl Text {
    pub(crate) fn new() -> Text {
        Text { bytes: [0; BYTES], start: SCRATCH_BYTES }
    }

    /// Begins a new text.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.start = SCRATCH_BYTES;
    }

    /// Puts a character before the others.
    #[inline]
    pub(crate) fn put(&mut self, character: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.bytes.get_mut(self.start) {
            *place = character;
        }
    }

    /// Puts a number before the others, without leading zeros.
    #[inline]
    pub(crate) fn put_number(&mut self, mut number: u64) {
        while number >= 100 {
            self.put_pair(number % 100);
            number /= 100;
        }
        if number >= 10 { self.put_pair(number) } else { self.put(digit(number)) }
    }

    /// Puts the last digits of a number before the others, as many as are wanted. Returns the rest of the number.
    #[inline]
    pub(crate) fn put_digits(&mut self, mut number: u64, count: u8) -> u64 {
        for _ in 0..count {
            self.put(digit(number % 10));
            number /= 10;
        }
        number
    }

    #[inline]
    fn put_pair(&mut self, number: u64) {
        let [tens, ones] = pair(number);
        self.put(ones);
        self.put(tens);
    }

    /// The text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.start..SCRATCH_BYTES).unwrap_or_default()
    }

    /// Appends the text.
    #[inline]
    pub(crate) fn append_to(&self, strings: &mut Strings) {
        strings.push_within(&self.bytes, self.start, SCRATCH_BYTES - self.start);
    }

    /// Copies the text to the front of `out`. Returns its length.
    pub(crate) fn store(&self, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
        let text = self.as_bytes();
        if let Some(front) = out.get_mut(..text.len()) {
            front.copy_from_slice(text);
        }
        narrow::to_u8(text.len())
    }
}

/// Appends a number without leading zeros. One of up to four digits, as most are, is put together without a branch that depends on it.
#[inline]
pub(crate) fn append_number(number: u64, strings: &mut Strings) {
    if number >= 10_000 {
        let mut text = Text::new();
        text.put_number(number);
        return text.append_to(strings);
    }
    let ([a, b], [c, d]) = (pair(number / 100), pair(number % 100));
    let digits = 1 + usize::from(number > 9) + usize::from(number > 99) + usize::from(number > 999);
    let text = u32::from_le_bytes([a, b, c, d]) >> (8 * (4 - digits));
    strings.push_front(&text.to_le_bytes(), digits);
}

/// The two digits of a number below 100.
#[inline]
fn pair(number: u64) -> [u8; 2] {
    PAIRS.get(usize::from(narrow::low_u8(number))).copied().unwrap_or_default()
}

/// The character of a digit.
#[inline]
fn digit(number: u64) -> u8 {
    b'0' + narrow::low_u8(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_are_printed() {
        let (mut text, mut strings) = (Text::new(), Strings::default());
        for number in (0..12_000).chain([99_999, 100_000, 1 << 40, u64::MAX / 10, u64::MAX]) {
            text.clear();
            text.put_number(number);
            assert_eq!(text.as_bytes(), number.to_string().as_bytes());
            append_number(number, &mut strings);
            assert_eq!(strings.last(), Some(text.as_bytes()));
            assert_eq!(text.put_digits(9_050, 3), 9);
            assert!(text.as_bytes().starts_with(b"050"));
        }
    }
}
