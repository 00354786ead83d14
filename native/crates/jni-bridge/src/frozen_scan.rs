//! Calls of a scan of frozen files into buffers of their caller's: what does not fit is kept for the next call.

use grampus_base::{Error, ErrorKind, Result};
use grampus_engine::reply::scan_info::{Head, RESULTS};
use grampus_store::read::Stop;
use grampus_store::{FrozenLimits, FrozenRows, FrozenScan};

/// Bytes at the end of the info buffer that are kept free for the key of the last row.
const ROW_KEY_BYTES_MAX: usize = i16::MAX as usize;
/// Bytes of cells that one call reads, whatever its buffer holds: a buffer that has grown for one large row is no reason to read ahead.
const READ_BYTES_MAX: u64 = 64 << 20;
/// Cells of a scan of frozen files are those of all sequence ids.
const READ_POINT: u64 = i64::MAX.cast_unsigned();
/// Bytes of the number before a KeyValue.
const LENGTH_BYTES: usize = 4;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// The bytes of cells that were written; the rest is in the info buffer.
    Done(usize),
    /// Nothing was written. The next result waits; its cells have this size in bytes.
    NeedBytes(usize),
}

/// A scan with what it has read and not delivered.
pub(crate) struct FrozenCalls {
    scan: FrozenScan,
    rows: FrozenRows,
    rest: Option<Rest>,
}

/// What of the rows is to be delivered.
struct Rest {
    /// The limit that ended the call which read them.
    stop: Stop,
    /// Results that were delivered, and the bytes of their cells.
    results: usize,
    bytes: usize,
    /// Rows of these that were delivered to their ends.
    complete: u32,
}

/// What one call delivers, for the info buffer.
pub(crate) struct Delivered<'a> {
    /// As the block has them.
    results: &'a [u8],
    cell_bytes: usize,
    complete_rows: u32,
    stop: Stop,
}

impl FrozenCalls {
    pub(crate) fn new(scan: FrozenScan) -> FrozenCalls {
        FrozenCalls { scan, rows: FrozenRows::default(), rest: None }
    }

    /// The scan, of which nothing was read.
    pub(crate) fn into_scan(self) -> Result<FrozenScan> {
        if self.rest.is_some() || !self.scan.last_row().is_empty() {
            return Err(Error::new(ErrorKind::Bug, "a scan of which rows were read cannot be handed over"));
        }
        Ok(self.scan)
    }

    /// Reads the next results, about as much as `out` holds, and delivers those that fit, or those that did not fit before.
    pub(crate) fn next(
        &mut self,
        limits: &FrozenLimits,
        out: &mut [u8],
        info: &mut [u8],
    ) -> Result<Delivery> {
        let room = info.len().saturating_sub(RESULTS + ROW_KEY_BYTES_MAX) / 4;
        if room == 0 {
            let message = format!("an info buffer of {} bytes has no room for results", info.len());
            return Err(Error::new(ErrorKind::Bug, message));
        }
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => {
                let rows = limits.rows.min(u32::try_from(room).unwrap_or(u32::MAX));
                let bytes = limits.bytes.min(out.len() as u64).min(READ_BYTES_MAX);
                let stop = self.scan.next(&FrozenLimits { rows, bytes, ..*limits }, &mut self.rows)?;
                Rest { stop, results: 0, bytes: 0, complete: 0 }
            }
        };
        Ok(self.deliver(rest, room, out, info))
    }

    fn deliver(&mut self, mut rest: Rest, room: usize, out: &mut [u8], info: &mut [u8]) -> Delivery {
        let cells = self.rows.cells().get(rest.bytes..).unwrap_or_default();
        let results = self.rows.encoded_results().get(4 * rest.results..).unwrap_or_default();
        let left = results.len() / 4;
        let (count, bytes) = match left <= room && cells.len() <= out.len() {
            true => (left, cells.len()),
            false => fitting(cells, self.rows.results().skip(rest.results).take(room), out.len()),
        };
        let Some(head) = out.get_mut(..bytes) else {
            self.rest = Some(rest); // the first of them alone is larger than the buffer
            return Delivery::NeedBytes(bytes);
        };
        head.copy_from_slice(cells.get(..bytes).unwrap_or_default());
        let last = count == left;
        let complete = match last {
            true => self.rows.complete_rows() - rest.complete,
            false => ended(self.rows.results().skip(rest.results).take(count)),
        };
        let delivered = Delivered {
            results: results.get(..4 * count).unwrap_or_default(),
            cell_bytes: bytes,
            complete_rows: complete,
            stop: if last { rest.stop } else { Stop::Size },
        };
        delivered.write(&self.scan, info);
        rest = Rest {
            results: rest.results + count,
            bytes: rest.bytes + bytes,
            complete: rest.complete + complete,
            ..rest
        };
        self.rest = (!last).then_some(rest);
        Delivery::Done(bytes)
    }
}

impl Delivered<'_> {
    /// No result, of a scan that goes on or has come to its end, but a number of rows that have gone elsewhere.
    pub(crate) fn elsewhere(rows: u64, more: bool) -> Delivered<'static> {
        let stop = if more { Stop::Time } else { Stop::End };
        let complete_rows = u32::try_from(rows).unwrap_or(u32::MAX);
        Delivered { results: &[], cell_bytes: 0, complete_rows, stop }
    }

    /// Writes it with what the scan has looked at so far, and its last row.
    pub(crate) fn write(&self, scan: &FrozenScan, info: &mut [u8]) {
        if let Some(field) = info.get_mut(RESULTS..RESULTS + self.results.len()) {
            field.copy_from_slice(self.results);
        }
        let head = Head {
            results: u32::try_from(self.results.len() / 4).unwrap_or(u32::MAX),
            cell_bytes: self.cell_bytes,
            end_of_region: self.stop == Stop::End,
            filter_all_remaining: self.stop == Stop::End && scan.filter_done(),
            stop: self.stop,
            needed_bytes: 0,
            counts: scan.progress(),
            read_point: READ_POINT,
            complete_rows: self.complete_rows,
        };
        let row = scan.last_row();
        head.write(row.get(..row.len().min(ROW_KEY_BYTES_MAX)).unwrap_or_default(), info);
    }
}

/// How many of the results fit into `room` bytes, and the bytes of their cells; one at least, whether it fits or not.
fn fitting(cells: &[u8], results: impl Iterator<Item = (u32, bool)>, room: usize) -> (usize, usize) {
    let (mut count, mut end) = (0, 0);
    for (number, _) in results {
        let next = (0..number).fold(end, |at, _| at + cell_bytes(cells.get(at..).unwrap_or_default()));
        if count > 0 && next > room {
            break;
        }
        (count, end) = (count + 1, next);
    }
    (count, end)
}

/// Bytes of the first KeyValue, with the number of its bytes before it.
fn cell_bytes(cells: &[u8]) -> usize {
    let length = cells.first_chunk::<LENGTH_BYTES>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    LENGTH_BYTES + length as usize
}

/// Results that end their rows.
fn ended(results: impl Iterator<Item = (u32, bool)>) -> u32 {
    u32::try_from(results.filter(|(_, more)| !more).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three results: two cells of 6 bytes, one of 14, one of 5.
    fn cells() -> Vec<u8> {
        let cell = |bytes: u8| [vec![0, 0, 0, bytes], vec![bytes; bytes.into()]].concat();
        [cell(2), cell(2), cell(10), cell(1)].concat()
    }

    #[test]
    fn whole_results_are_delivered_and_one_at_least() {
        let results = || [(2, false), (1, true), (1, false)].into_iter();
        for (room, expected) in [(31, (3, 31)), (30, (2, 26)), (26, (2, 26)), (25, (1, 12)), (3, (1, 12))] {
            assert_eq!(fitting(&cells(), results(), room), expected, "{room}");
        }
        assert_eq!(fitting(&cells(), results().take(1), 100), (1, 12));
        assert_eq!(ended(results()), 2);
    }
}
