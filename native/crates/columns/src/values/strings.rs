//! Bytes and text.

use std::ops::Range;
use std::str::from_utf8;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, StringArray};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use grampus_cells::Strings;

use crate::shown::{OrWhy, shown};
use crate::values::{Refused, Values};

/// What the values of a column of one batch have together at most: their offsets are of 32 bits.
const VALUES_BYTES_MAX: usize = i32::MAX as usize;

/// Refuses what does not fit beside the bytes that a column has.
fn room_for(bytes: usize, held: usize) -> OrWhy<()> {
    if held.saturating_add(bytes) <= VALUES_BYTES_MAX {
        return Ok(());
    }
    Err(format!(
        "its {bytes} bytes do not fit beside {held} of one batch, which has {VALUES_BYTES_MAX} at most"
    ))
}

/// Arrow's parts of a column of bytes.
struct Parts {
    offsets: OffsetBuffer<i32>,
    bytes: Buffer,
    nulls: Option<NullBuffer>,
}

/// A column of bytes in the making.
struct Bytes {
    bytes: Vec<u8>,
    /// Where each value ends; nulls have no bytes. The first one is 0.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::with_capacity(0, 0)
    }
}

impl Bytes {
    fn with_capacity(values: usize, bytes: usize) -> Bytes {
        let mut offsets = Vec::with_capacity(values + 1);
        offsets.push(0);
        Bytes { bytes: Vec::with_capacity(bytes), offsets, nulls: NullBufferBuilder::new(values) }
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Appends a value.
    #[inline]
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        room_for(value.len(), self.bytes.len())?;
        self.bytes.extend_from_slice(value);
        self.offsets.push(offset(self.bytes.len()));
        self.nulls.append_non_null();
        Ok(())
    }

    /// Appends the values at some positions, or none if they do not fit.
    fn extend(&mut self, values: &Strings, positions: Range<usize>) -> OrWhy<()> {
        let bytes = values.bytes_of(positions.clone());
        room_for(bytes.len(), self.bytes.len())?;
        let (begin, first) = (self.bytes.len(), values.start(positions.start));
        self.bytes.extend_from_slice(bytes);
        let end = |end: &u32| offset(begin + (*end as usize - first));
        self.offsets.extend(values.ends_of(positions.clone()).iter().map(end));
        self.nulls.append_n_non_nulls(positions.len());
        Ok(())
    }

    fn push_nulls(&mut self, count: usize) {
        let end = offset(self.bytes.len());
        self.offsets.extend(std::iter::repeat_n(end, count));
        self.nulls.append_n_nulls(count);
    }

    /// The column's parts; the next one begins empty.
    fn finish(&mut self) -> Parts {
        // The next batch is about as large.
        let next = Bytes::with_capacity(self.len(), self.bytes.len());
        let Bytes { bytes, offsets, mut nulls } = std::mem::replace(self, next);
        Parts { offsets: OffsetBuffer::new(offsets.into()), bytes: bytes.into(), nulls: nulls.finish() }
    }
}

/// An offset, of which `room_for` has said that it fits.
fn offset(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// Bytes as they are.
#[derive(Default)]
pub(crate) struct Binary {
    values: Bytes,
}

impl Values for Binary {
    #[inline]
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        self.values.push(value)
    }

    fn extend(&mut self, values: &Strings, positions: Range<usize>) -> Result<(), Refused> {
        let position = positions.start;
        self.values.extend(values, positions).map_err(|why| Refused { position, why })
    }

    fn push_nulls(&mut self, count: usize) {
        self.values.push_nulls(count);
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    fn finish(&mut self) -> ArrayRef {
        let Parts { offsets, bytes, nulls } = self.values.finish();
        Arc::new(BinaryArray::new(offsets, bytes, nulls))
    }
}

/// UTF-8.
pub(crate) struct Utf8 {
    values: Bytes,
    /// What is no UTF-8 is replaced, and no error.
    replaces: bool,
}

impl Utf8 {
    /// A column of which every value must be UTF-8.
    pub(crate) fn checked() -> Utf8 {
        Utf8 { values: Bytes::default(), replaces: false }
    }

    /// A column in which U+FFFD stands for what is no UTF-8.
    pub(crate) fn replacing() -> Utf8 {
        Utf8 { replaces: true, ..Utf8::checked() }
    }
}

/// Whether each of the values at some positions is UTF-8.
fn are_utf8(values: &Strings, positions: Range<usize>) -> bool {
    let first = values.start(positions.start);
    let Ok(text) = from_utf8(values.bytes_of(positions.clone())) else { return false };
    // A character may begin in one value and end in the next.
    text.is_ascii()
        || values.ends_of(positions).iter().all(|end| text.is_char_boundary(*end as usize - first))
}

impl Values for Utf8 {
    #[inline]
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        match from_utf8(value) {
            Ok(_) => self.values.push(value),
            Err(_) if self.replaces => self.values.push(String::from_utf8_lossy(value).as_bytes()),
            Err(e) => Err(format!("{} is no UTF-8 from byte {} on", shown(value), e.valid_up_to())),
        }
    }

    fn extend(&mut self, values: &Strings, positions: Range<usize>) -> Result<(), Refused> {
        if are_utf8(values, positions.clone()) {
            let position = positions.start;
            return self.values.extend(values, positions).map_err(|why| Refused { position, why });
        }
        for position in positions {
            self.push(values.get(position)).map_err(|why| Refused { position, why })?;
        }
        Ok(())
    }

    fn push_nulls(&mut self, count: usize) {
        self.values.push_nulls(count);
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    fn finish(&mut self) -> ArrayRef {
        let Parts { offsets, bytes, nulls } = self.values.finish();
        Arc::new(StringArray::new(offsets, bytes, nulls))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    #[test]
    fn what_is_no_utf8_is_an_error_or_replaced() {
        let bad = b"ab\xFFcd";
        let mut checked = Utf8::checked();
        assert_eq!(checked.push(bad).unwrap_err(), "ab\\xFFcd is no UTF-8 from byte 2 on");
        assert_eq!(checked.len(), 0);
        let mut replacing = Utf8::replacing();
        replacing.push(bad).unwrap();
        assert_eq!(replacing.finish().as_string::<i32>().value(0), "ab\u{FFFD}cd");
    }

    fn strings(values: &[&[u8]]) -> Strings {
        let mut strings = Strings::default();
        values.iter().for_each(|value| strings.push(value));
        strings
    }

    #[test]
    fn many_values_at_a_time_are_those_one_by_one() {
        let values = strings(&[b"no", b"", "M\u{f8}ns".as_bytes(), b"Klint", b"no"]);
        let (mut binary, mut text) = (Binary::default(), Utf8::checked());
        for column in [&mut binary as &mut dyn Values, &mut text] {
            column.push(b"before").unwrap();
            column.push_nulls(1);
            assert!(column.extend(&values, 1..4).is_ok());
            assert_eq!(column.len(), 5);
        }
        let expected = [Some("before"), None, Some(""), Some("M\u{f8}ns"), Some("Klint")];
        assert!(text.finish().as_string::<i32>().iter().eq(expected));
        let bytes = expected.map(|value| value.map(str::as_bytes));
        assert!(binary.finish().as_binary::<i32>().iter().eq(bytes));
    }

    #[test]
    fn a_character_over_two_values_is_no_utf8() {
        let [first, second] = [&b"M\xC3"[..], b"\xB8ns"];
        let values = strings(&[b"a", first, second]);
        let mut checked = Utf8::checked();
        let refused = checked.extend(&values, 0..3).unwrap_err();
        assert_eq!((refused.position, checked.len()), (1, 1));
        assert_eq!(refused.why, "M\\xC3 is no UTF-8 from byte 1 on");
        let mut replacing = Utf8::replacing();
        assert!(replacing.extend(&values, 1..3).is_ok());
        assert_eq!(replacing.finish().as_string::<i32>().value(0), "M\u{FFFD}");
    }

    #[test]
    fn a_column_has_no_more_bytes_than_its_offsets_can_say() {
        assert!(room_for(1, VALUES_BYTES_MAX - 1).is_ok());
        assert!(room_for(2, VALUES_BYTES_MAX - 1).is_err());
        assert!(room_for(usize::MAX, VALUES_BYTES_MAX).is_err());
    }

    #[test]
    fn a_builder_begins_anew_behind_each_batch() {
        let mut values = Binary::default();
        values.push(b"a").unwrap();
        values.push_nulls(2);
        assert_eq!((values.len(), values.finish().null_count(), values.len()), (3, 2, 0));
        values.push(b"b").unwrap();
        assert_eq!(values.finish().as_binary::<i32>().value(0), b"b");
    }
}
