//! Bytes and text.

use std::str::from_utf8;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, BinaryBuilder, StringBuilder};

use crate::shown::{OrWhy, shown};
use crate::values::Values;

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

/// Bytes as they are.
#[derive(Default)]
pub(crate) struct Binary {
    builder: BinaryBuilder,
}

impl Values for Binary {
    #[inline]
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        room_for(value.len(), self.builder.values_slice().len())?;
        self.builder.append_value(value);
        Ok(())
    }

    fn push_nulls(&mut self, count: usize) {
        self.builder.append_nulls(count);
    }

    fn len(&self) -> usize {
        self.builder.len()
    }

    fn finish(&mut self) -> ArrayRef {
        // The next batch is about as large.
        let next = BinaryBuilder::with_capacity(self.builder.len(), self.builder.values_slice().len());
        Arc::new(std::mem::replace(&mut self.builder, next).finish())
    }
}

/// UTF-8.
pub(crate) struct Utf8 {
    builder: StringBuilder,
    /// What is no UTF-8 is replaced, and no error.
    replaces: bool,
}

impl Utf8 {
    /// A column of which every value must be UTF-8.
    pub(crate) fn checked() -> Utf8 {
        Utf8 { builder: StringBuilder::new(), replaces: false }
    }

    /// A column in which U+FFFD stands for what is no UTF-8.
    pub(crate) fn replacing() -> Utf8 {
        Utf8 { replaces: true, ..Utf8::checked() }
    }

    fn push_text(&mut self, text: &str) -> OrWhy<()> {
        room_for(text.len(), self.builder.values_slice().len())?;
        self.builder.append_value(text);
        Ok(())
    }
}

impl Values for Utf8 {
    #[inline]
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        match from_utf8(value) {
            Ok(text) => self.push_text(text),
            Err(_) if self.replaces => self.push_text(&String::from_utf8_lossy(value)),
            Err(e) => Err(format!("{} is no UTF-8 from byte {} on", shown(value), e.valid_up_to())),
        }
    }

    fn push_nulls(&mut self, count: usize) {
        self.builder.append_nulls(count);
    }

    fn len(&self) -> usize {
        self.builder.len()
    }

    fn finish(&mut self) -> ArrayRef {
        let next = StringBuilder::with_capacity(self.builder.len(), self.builder.values_slice().len());
        Arc::new(std::mem::replace(&mut self.builder, next).finish())
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
