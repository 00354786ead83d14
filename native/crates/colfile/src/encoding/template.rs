//! Template: strings of one length that differ only in digits, such as padded numbers and dates, as integers: the digits at the
//! places where they differ. Whatever else the strings have is stored once.
//!
//! `u8 length | the first string | u8 places | u8 place of each, ascending | ints`

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::ints::{self, Ints, Packing};
use super::located::SCRATCH_BYTES;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// Digits whose value always fits 64 bits.
const PLACES_MAX: usize = 18;

/// Where strings differ, and their digits there as integers.
pub(crate) struct Digits {
    places: Vec<u8>,
    values: Vec<u64>,
}

/// Finds them; `None` where the strings differ in anything but digits, or in too many places.
pub(crate) fn digits(strings: &[&[u8]]) -> Option<Digits> {
    let first = strings.first().filter(|first| !first.is_empty() && first.len() <= SCRATCH_BYTES)?;
    let mut differs = [false; SCRATCH_BYTES];
    for string in strings {
        if string.len() != first.len() {
            return None;
        }
        for (differs, (a, b)) in differs.iter_mut().zip(string.iter().zip(first.iter())) {
            if a != b {
                *differs = true;
                if !(a.is_ascii_digit() && b.is_ascii_digit()) {
                    return None;
                }
            }
        }
    }
    let places: Vec<u8> =
        (0u8..).zip(differs).filter(|(_, differs)| *differs).map(|(place, _)| place).collect();
    if places.is_empty() || places.len() > PLACES_MAX {
        return None;
    }
    let digit = |string: &[u8], place: u8| string.get(usize::from(place)).map_or(0, |d| u64::from(d - b'0'));
    let value = |string: &&[u8]| places.iter().fold(0, |value, place| value * 10 + digit(string, *place));
    Some(Digits { values: strings.iter().map(value).collect(), places })
}

/// For strings of this length.
pub(crate) fn estimate(digits: &Digits, length: usize, packing: Packing) -> usize {
    3 + length + digits.places.len() + ints::plan(&digits.values, packing).bytes
}

/// Appends strings that differ from the first one in their digits alone.
pub(crate) fn write(digits: &Digits, first: &[u8], packing: Packing, out: &mut Vec<u8>) {
    out.push(narrow::to_u8(first.len()));
    out.extend_from_slice(first);
    out.push(narrow::to_u8(digits.places.len()));
    out.extend_from_slice(&digits.places);
    ints::write(&digits.values, packing, out);
}

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// Where the template's length is.
    at: u32,
    values: Ints,
}

impl Template {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Template> {
        let at = reader.at();
        let malformed = Malformed::new(at, "an impossible template");
        let length = usize::from(reader.u8()?);
        reader.skip(length)?;
        let places = usize::from(reader.u8()?);
        let places = reader.take(places)?;
        let inside = places.iter().all(|place| usize::from(*place) < length);
        if length > SCRATCH_BYTES || places.len() > PLACES_MAX || !inside {
            return Err(malformed);
        }
        let at = u32::try_from(at).map_err(|_| malformed)?;
        Ok(Template { at, values: Ints::parse(body, reader, count)? })
    }

    /// Where the template is, and the digits that go into it.
    #[inline]
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> (u32, u64) {
        (self.at, self.values.get(body, index))
    }

    /// Appends the strings at some positions. Their digits are read into `values`.
    pub(crate) fn append(
        &self,
        body: &[u8],
        positions: Range<usize>,
        values: &mut Vec<u64>,
        out: &mut Strings,
    ) {
        self.values.read(body, positions, values);
        let mut text = [0; SCRATCH_BYTES];
        for value in values {
            let length = store(body, self.at, *value, &mut text);
            out.push_front(&text, usize::from(length));
        }
    }

    /// How the digits are encoded, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        self.values.describe()
    }
}

/// Fills the template at a place with digits; a template that `parse` has not seen is as good as none.
pub(crate) fn store(body: &[u8], at: u32, mut value: u64, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    let Some((length, rest)) = body.get(at as usize..).and_then(<[u8]>::split_first) else { return 0 };
    let Some((template, rest)) = rest.split_at_checked(usize::from(*length)) else { return 0 };
    let Some((places, rest)) = rest.split_first() else { return 0 };
    let Some(out) = out.get_mut(..template.len()) else { return 0 };
    out.copy_from_slice(template);
    for place in rest.get(..usize::from(*places)).unwrap_or_default().iter().rev() {
        if let Some(digit) = out.get_mut(usize::from(*place)) {
            *digit = b'0' + (value % 10) as u8;
        }
        value /= 10;
    }
    *length
}
