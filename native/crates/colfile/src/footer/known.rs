//! What the parts of a footer are checked against while it is read.

use grampus_cells::RowOrder;

use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};
use crate::page::{PAGE_HEADER_BYTES, PageKind};

/// What is known of the file and of the parts before.
pub(super) struct Known {
    pub(super) order: RowOrder,
    pub(super) row_keys: PageKind,
    /// How many qualifiers there are.
    pub(super) qualifiers: usize,
    /// All pages end at or before it.
    pub(super) pages_end: u64,
    /// Pages that the file has room for beside those that were read.
    pub(super) pages_left: usize,
    /// Bytes that these may have. Pages that lie over one another would be read again and again.
    bytes_left: u64,
}

impl Known {
    pub(super) fn new(order: RowOrder, row_keys: PageKind, pages_end: u64) -> Known {
        let pages_left = usize::try_from(pages_end / PAGE_HEADER_BYTES as u64).unwrap_or(usize::MAX);
        Known { order, row_keys, qualifiers: 0, pages_end, pages_left, bytes_left: pages_end }
    }

    /// Takes a page's bytes.
    pub(super) fn take_bytes(&mut self, reader: &FieldReader<'_>, bytes: u32) -> Decoded<()> {
        match self.bytes_left.checked_sub(u64::from(bytes)) {
            Some(left) => self.bytes_left = left,
            None => return reader.malformed("the pages have more bytes than the file"),
        }
        Ok(())
    }

    /// A count of things of at least `bytes_each` bytes, each of which has a page of its own in the file: a few bytes of a body that was
    /// compressed well may stand for any number of bytes, but not for pages.
    pub(super) fn count(&self, reader: &mut FieldReader<'_>, bytes_each: usize) -> Decoded<usize> {
        let at = reader.at();
        let count = reader.count(bytes_each)?;
        if count > self.pages_left {
            return Err(Malformed::new(at, "a count exceeds the pages that the file has room for"));
        }
        Ok(count)
    }
}
