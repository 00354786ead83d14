//! Where a read puts its cells.

use grampus_base::narrow;
use grampus_cells::{CellRef, cell_codec};
use grampus_filter::ValueForm;

/// Takes encoded cells.
pub trait CellSink {
    /// Room for a cell of `bytes` bytes, filled by `write`.
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8]));

    /// Position after the last cell.
    fn position(&self) -> usize;

    /// Cells keep their tags.
    fn wants_tags(&self) -> bool {
        false
    }

    /// Forgets everything after a position.
    fn roll_back(&mut self, position: usize);

    /// The bytes between a position and the end, as far as they were kept.
    fn written(&mut self, from: usize) -> &mut [u8];

    /// True when every cell that was put is kept.
    fn is_whole(&self) -> bool {
        true
    }
}

/// Takes cells by the result. One that goes on growing takes all of them itself.
pub trait ResultSink: CellSink {
    /// The next cell begins a new result.
    fn begin_result(&mut self) {}

    /// True once the current result goes to the next call.
    fn is_carrying(&self) -> bool {
        false
    }

    /// The current result has as much as it may have beyond the room for it; at most one cell more may follow.
    fn is_overfull(&self) -> bool {
        false
    }

    /// Bytes that it still takes for this call.
    fn room(&self) -> usize {
        usize::MAX
    }
}

/// Encodes a cell as replies carry it: the value as the filter wants it, tags if they are wanted and the value is whole. Inlined by order, as
/// it runs for each cell of a scan.
#[inline(always)]
pub(super) fn put_cell(
    sink: &mut impl CellSink,
    family: &[u8],
    cell: &CellRef<'_>,
    form: ValueForm,
    with_tags: bool,
) -> usize {
    let length_value = narrow::to_u32(cell.value.len()).to_be_bytes();
    let value = match form {
        ValueForm::Whole => cell.value,
        ValueForm::Empty => &[],
        ValueForm::Length => &length_value,
    };
    let tags = if (with_tags || sink.wants_tags()) && form == ValueForm::Whole { cell.tags } else { &[] };
    let cell = CellRef { value, tags, ..*cell };
    let bytes = cell_codec::cell_bytes(cell.row, family, cell.qualifier, value.len(), tags);
    sink.put(bytes, |out| cell_codec::write_cell(out, family, &cell));
    bytes
}

impl CellSink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8])) {
        let at = self.len();
        self.resize(at + bytes, 0);
        write(&mut self[at..]);
    }

    fn position(&self) -> usize {
        self.len()
    }

    fn roll_back(&mut self, position: usize) {
        self.truncate(position);
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        self.get_mut(from..).unwrap_or_default()
    }
}

impl ResultSink for Vec<u8> {}

/// A growing buffer with a bound, for the engine's own reads. Keeps the first cell whatever its size, and those behind it as long as all
/// fit; counts the rest.
pub struct BoundedSink {
    /// The cells that were kept.
    pub cells: Vec<u8>,
    position: usize,
    bytes_max: usize,
    with_tags: bool,
}

impl BoundedSink {
    /// A sink for cells without tags that keeps at most `bytes_max` bytes, or the first cell if that is larger.
    pub fn new(bytes_max: usize) -> BoundedSink {
        BoundedSink { cells: Vec::new(), position: 0, bytes_max, with_tags: false }
    }

    /// The same for cells that keep their tags.
    pub fn with_tags(bytes_max: usize) -> BoundedSink {
        BoundedSink { with_tags: true, ..BoundedSink::new(bytes_max) }
    }
}

impl CellSink for BoundedSink {
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8])) {
        if self.position == 0 || (self.is_whole() && self.position + bytes <= self.bytes_max) {
            self.cells.put(bytes, write);
        }
        self.position += bytes;
    }

    fn position(&self) -> usize {
        self.position
    }

    fn wants_tags(&self) -> bool {
        self.with_tags
    }

    fn roll_back(&mut self, position: usize) {
        self.cells.truncate(position);
        self.position = position;
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        self.cells.written(from)
    }

    fn is_whole(&self) -> bool {
        self.position == self.cells.len()
    }
}

/// A fixed buffer that goes on counting when it is full.
pub struct FixedSink<'a> {
    out: &'a mut [u8],
    position: usize,
}

impl<'a> FixedSink<'a> {
    /// Writes from an offset on.
    pub fn new(out: &'a mut [u8], position: usize) -> FixedSink<'a> {
        FixedSink { out, position }
    }

    /// The buffer.
    pub fn buffer(&mut self) -> &mut [u8] {
        self.out
    }
}

impl CellSink for FixedSink<'_> {
    #[inline]
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8])) {
        if let Some(slice) = self.out.get_mut(self.position..self.position + bytes) {
            write(slice);
        }
        self.position += bytes;
    }

    fn position(&self) -> usize {
        self.position
    }

    fn roll_back(&mut self, position: usize) {
        self.position = position;
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        let end = self.position.min(self.out.len());
        self.out.get_mut(from..end).unwrap_or_default()
    }

    fn is_whole(&self) -> bool {
        self.position <= self.out.len()
    }
}

/// What a result may take outside the buffer, beyond what the buffer could hold: a caller that wants more of it makes room first. A
/// row of up to about this size is read at one go. Each scan that runs may take these bytes without a reservation.
pub const OVERFLOW_BYTES: usize = 1 << 20;

/// A fixed buffer whose overflow goes to the next call: from the start of the result that no longer fits, cells go to `carry`.
pub struct ScanSink<'a> {
    out: &'a mut [u8],
    written: usize,
    result_start: usize,
    carry: &'a mut Vec<u8>,
    carrying: bool,
}

impl<'a> ScanSink<'a> {
    /// Writes to `out` from its start.
    pub fn new(out: &'a mut [u8], carry: &'a mut Vec<u8>) -> ScanSink<'a> {
        ScanSink { out, written: 0, result_start: 0, carry, carrying: false }
    }

    /// The current result goes to the next call.
    pub fn carry(&mut self) {
        if !self.carrying {
            self.carrying = true;
            let begun = self.out.get(self.result_start..self.written).unwrap_or_default();
            self.carry.extend_from_slice(begun);
            self.written = self.result_start;
        }
    }

    /// Bytes of whole results in the buffer.
    pub fn delivered(&self) -> usize {
        if self.carrying { self.result_start } else { self.written }
    }
}

impl CellSink for ScanSink<'_> {
    #[inline]
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8])) {
        if !self.carrying {
            if let Some(slice) = self.out.get_mut(self.written..self.written + bytes) {
                write(slice);
                self.written += bytes;
                return;
            }
            self.carry();
        }
        self.carry.put(bytes, write);
    }

    fn position(&self) -> usize {
        if self.carrying { self.result_start + self.carry.len() } else { self.written }
    }

    fn roll_back(&mut self, position: usize) {
        if self.carrying {
            self.carry.truncate(position.saturating_sub(self.result_start));
            self.carrying = !self.carry.is_empty();
        } else {
            self.written = position;
        }
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        if self.carrying {
            self.carry.get_mut(from.saturating_sub(self.result_start)..).unwrap_or_default()
        } else {
            self.out.get_mut(from..self.written).unwrap_or_default()
        }
    }
}

impl ResultSink for ScanSink<'_> {
    fn begin_result(&mut self) {
        self.result_start = self.written;
    }

    fn is_carrying(&self) -> bool {
        self.carrying
    }

    /// It reaches [`OVERFLOW_BYTES`] beyond the buffer's end.
    #[inline]
    fn is_overfull(&self) -> bool {
        self.carrying && self.result_start + self.carry.len() >= self.out.len() + OVERFLOW_BYTES
    }

    fn room(&self) -> usize {
        self.out.len() - self.written
    }
}
