//! Gets of a region, and what every read of it is made of.

use std::sync::atomic::Ordering;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::large_reads::ReadGuard;
use grampus_filter::pattern::PatternContext;
use grampus_store::read::{CellSink, FamilyRead, FixedSink, ReadPlan, ReadSpec, RowScan, RowState};

use super::{GetOutcome, GetStatus, Region};
use crate::reply::get::{CELL_BYTES, CELL_COUNT, HEADER_BYTES};

/// Bytes of cells that a read on an event loop looks at, returned or not, before it goes on to a pool: some tenths of a millisecond, in
/// which the loop's other connections wait.
pub(super) const EVENT_LOOP_BYTES: u64 = 128 << 10;
/// Columns that such a read may name; each costs a search.
const EVENT_LOOP_COLUMNS: usize = 128;

impl Region {
    /// Reads one row into a growing buffer.
    pub fn get(&self, spec: &[u8], out: &mut Vec<u8>) -> Result<GetStatus> {
        let spec = ReadSpec::decode(spec)?;
        let start = out.len();
        match self.get_decoded(&spec, out) {
            Ok(()) => Ok(GetStatus::Done),
            Err(e) => {
                out.truncate(start);
                if e.kind == ErrorKind::WouldBlock { Ok(GetStatus::WouldBlock) } else { Err(e) }
            }
        }
    }

    /// Reads one row into a fixed buffer. Of a row that does not fit nothing is kept elsewhere: the caller learns its size, reserves memory
    /// for a larger buffer and reads again.
    pub fn get_into(&self, spec: &[u8], out: &mut [u8]) -> Result<GetOutcome> {
        self.get_counted(spec, out).map(|(outcome, _)| outcome)
    }

    /// The same, and the bytes of the cells that it looked at; 0 for a get that has to run again.
    pub fn get_counted(&self, spec: &[u8], out: &mut [u8]) -> Result<(GetOutcome, u64)> {
        let spec = ReadSpec::decode(spec)?;
        let _read = self.begin_get(&spec);
        let mut scan = match self.get_scan(&spec) {
            Ok(scan) => scan,
            Err(e) if e.kind == ErrorKind::WouldBlock => return Ok((GetOutcome::WouldBlock, 0)),
            Err(e) => return Err(e),
        };
        let mut sink = FixedSink::new(out, HEADER_BYTES);
        let count = match read_row(&mut scan, &mut sink, spec.has(ReadSpec::EXISTENCE_ONLY)) {
            Ok(count) => count,
            Err(e) if e.kind == ErrorKind::WouldBlock => return Ok((GetOutcome::WouldBlock, 0)),
            Err(e) => return Err(e),
        };
        let written = sink.position();
        if !sink.is_whole() {
            return Ok((GetOutcome::NeedBytes(written), 0));
        }
        write_get_header(sink.buffer().get_mut(..written).unwrap_or_default(), count);
        Ok((GetOutcome::Done(written), scan.counts.bytes_scanned))
    }

    fn get_decoded(&self, spec: &ReadSpec<'_>, out: &mut Vec<u8>) -> Result<()> {
        let _read = self.begin_get(spec);
        let start = out.len();
        let mut scan = self.get_scan(spec)?;
        out.resize(start + HEADER_BYTES, 0);
        let count = read_row(&mut scan, out, spec.has(ReadSpec::EXISTENCE_ONLY))?;
        write_get_header(out.get_mut(start..).unwrap_or_default(), count);
        Ok(())
    }

    fn get_scan(&self, spec: &ReadSpec<'_>) -> Result<RowScan> {
        self.check_serving()?;
        self.check_row(spec.start_row)?;
        let reads = self.family_reads(spec)?;
        loop {
            let read_point = self.read_point_for(spec);
            let blocking = !spec.has(ReadSpec::NON_BLOCKING);
            let plan = ReadPlan::of_row(spec.start_row, read_point, blocking, self.now()).wanting(spec);
            let filter = grampus_filter::decode(spec.filter, false, &self.pattern_context(blocking))?;
            let mut scan = self.row_scan(&reads, plan.filtered(filter))?;
            scan.with_tags(spec.has(ReadSpec::WITH_TAGS));
            if spec.has(ReadSpec::LOAD_ON_DEMAND) {
                scan.load_on_demand();
            }
            // A get pins nothing. A compaction that drops versions raises the mark before its file can be among the sources; a mark above the
            // read point means that one of them may lack what this get should see.
            let dropped_to = self.dropped_to.load(Ordering::Acquire);
            if dropped_to <= read_point || spec.read_point > 0 {
                return Ok(scan);
            }
        }
    }

    /// Begins a read on this thread: until the guard is dropped, its large pages count as those of one read.
    pub fn begin_read(&self) -> ReadGuard {
        self.shared.large_reads.begin()
    }

    /// A get that may not block loads no page, so it need not count any.
    fn begin_get(&self, spec: &ReadSpec<'_>) -> Option<ReadGuard> {
        (!spec.has(ReadSpec::NON_BLOCKING)).then(|| self.begin_read())
    }

    /// What the patterns of one filter tree share.
    pub(super) fn pattern_context(&self, may_wait: bool) -> PatternContext {
        PatternContext::new(&self.shared.patterns, may_wait)
    }

    pub(super) fn read_point_for(&self, spec: &ReadSpec<'_>) -> u64 {
        if spec.has(ReadSpec::READ_UNCOMMITTED) {
            u64::MAX
        } else if spec.read_point > 0 {
            spec.read_point
        } else {
            self.mvcc.read_point()
        }
    }

    pub(super) fn family_reads(&self, spec: &ReadSpec<'_>) -> Result<Vec<FamilyRead>> {
        FamilyRead::of(spec, self.stores.len(), |family| self.store_index(family))
    }

    /// A walk over rows with the sources of this moment.
    pub(super) fn row_scan(&self, reads: &[FamilyRead], plan: ReadPlan<'_>) -> Result<RowScan> {
        let columns: usize = reads.iter().flat_map(|read| &read.columns).map(|columns| columns.len()).sum();
        if !plan.is_blocking() && columns > EVENT_LOOP_COLUMNS {
            return Err(Error::would_block());
        }
        let blocking = plan.is_blocking();
        let plan = plan.row_bytes_max(self.shared.config.max_row_bytes);
        let mut scan = plan.row_scan(&self.stores, reads, self.order)?;
        self.check_memtables()?;
        if !blocking {
            scan.limit(EVENT_LOOP_BYTES);
        }
        Ok(scan)
    }
}

/// Writes the visible cells of the scan's only row and returns their number.
pub(super) fn read_row(scan: &mut RowScan, sink: &mut impl CellSink, existence_only: bool) -> Result<u32> {
    let start = sink.position();
    let mut count = 0;
    if scan.enter_row()? == RowState::Row {
        while scan.next_cell(sink)?.is_some() {
            count += 1;
            if existence_only && !scan.has_filter_row() {
                break;
            }
        }
        if !scan.finish_row(sink, start)? {
            sink.roll_back(start);
            count = 0;
        } else {
            count -= scan.dropped_cells().cells;
        }
    }
    // Without the cells that a filter still has to evaluate it is not known whether there is one.
    if existence_only && (sink.is_whole() || !scan.has_filter_row_cells()) {
        sink.roll_back(start);
        count = count.min(1);
    }
    scan.check_filter()?;
    Ok(count)
}

fn write_get_header(out: &mut [u8], count: u32) {
    // A reply's buffer is one of Java's, of less than 2 GiB.
    let bytes = u32::try_from(out.len().saturating_sub(HEADER_BYTES)).unwrap_or(u32::MAX);
    if let Some(header) = out.first_chunk_mut::<HEADER_BYTES>() {
        header[CELL_COUNT..CELL_BYTES].copy_from_slice(&count.to_le_bytes());
        header[CELL_BYTES..].copy_from_slice(&bytes.to_le_bytes());
    }
}
