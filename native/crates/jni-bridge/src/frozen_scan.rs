//! Calls of a scan of frozen files into buffers of their caller's: what does not fit is kept for the next call.

use grampus_base::{Error, ErrorKind, Result};
use grampus_engine::reply::scan_info::{Head, RESULTS};
use grampus_store::read::Stop;
use grampus_store::{FrozenLimits, FrozenRows, FrozenScan};

/// Bytes at the end of the info buffer that are kept free for the last row.
const ROW_BYTES_MAX: usize = i16::MAX as usize;
/// Bytes of cells that one buffer of Java holds at most.
const CELL_BYTES_MAX: usize = i32::MAX as usize;
/// Cells of a scan of frozen files are those of all sequence ids.
const READ_POINT: u64 = i64::MAX.cast_unsigned();

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// So many bytes of cells were written; the rest is in the info buffer.
    Done(usize),
    /// Nothing was written: the cells have so many bytes, and wait.
    NeedBytes(usize),
}

/// A scan with what it has read and not delivered.
pub(crate) struct FrozenCalls {
    scan: FrozenScan,
    rows: FrozenRows,
    /// The rows wait for a buffer that holds them; the limit that ended their call.
    waiting: Option<Stop>,
}

impl FrozenCalls {
    pub(crate) fn new(scan: FrozenScan) -> FrozenCalls {
        FrozenCalls { scan, rows: FrozenRows::default(), waiting: None }
    }

    /// Reads the next results, or delivers those that did not fit before. The call reads about as much as `out` holds.
    pub(crate) fn next(
        &mut self,
        limits: &FrozenLimits,
        out: &mut [u8],
        info: &mut [u8],
    ) -> Result<Delivery> {
        let room = info.len().saturating_sub(RESULTS + ROW_BYTES_MAX) / 4;
        let stop = match self.waiting {
            Some(stop) => stop,
            None => {
                let rows = limits.rows.min(u32::try_from(room).unwrap_or(u32::MAX));
                let bytes = limits.bytes.min(out.len() as u64);
                self.scan.next(&FrozenLimits { rows, bytes, ..*limits }, &mut self.rows)?
            }
        };
        // Until it is delivered, also after an error: a call behind it would leave it out.
        self.waiting = Some(stop);
        let cells = self.rows.cells();
        check_size(cells.len())?;
        if self.rows.rows() as usize > room {
            let message = format!("an info buffer of {} bytes has no room for results", info.len());
            return Err(Error::new(ErrorKind::Bug, message));
        }
        let Some(head) = out.get_mut(..cells.len()) else {
            return Ok(Delivery::NeedBytes(cells.len()));
        };
        head.copy_from_slice(cells);
        self.write_info(stop, info);
        self.waiting = None;
        Ok(Delivery::Done(cells.len()))
    }

    fn write_info(&self, stop: Stop, info: &mut [u8]) {
        let results = self.rows.encoded_results();
        if let Some(field) = info.get_mut(RESULTS..RESULTS + results.len()) {
            field.copy_from_slice(results);
        }
        let head = Head {
            results: self.rows.rows(),
            cell_bytes: self.rows.cells().len(),
            end_of_region: stop == Stop::End,
            filter_all_remaining: false,
            stop,
            needed_bytes: 0,
            counts: self.scan.progress(),
            read_point: READ_POINT,
            complete_rows: self.rows.complete_rows(),
        };
        let row = self.scan.last_row();
        head.write(row.get(..row.len().min(ROW_BYTES_MAX)).unwrap_or_default(), info);
    }
}

/// Refuses cells that no buffer of Java can hold, however often its caller comes back with a larger one.
fn check_size(bytes: usize) -> Result<()> {
    if bytes <= CELL_BYTES_MAX {
        return Ok(());
    }
    let message = format!("a row of {bytes} bytes does not fit into a buffer of Java: scan it in batches");
    Err(Error::new(ErrorKind::RowTooBig, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_no_buffer_holds_is_refused() {
        check_size(CELL_BYTES_MAX).unwrap();
        assert_eq!(check_size(CELL_BYTES_MAX + 1).unwrap_err().kind, ErrorKind::RowTooBig);
    }
}
