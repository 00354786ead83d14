//! Gets of a region, and what every read of it is made of.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::large_reads::ReadGuard;
use grampus_cells::{Direction, RowRange, SeekTarget, TimeRange};
use grampus_filter::Filter;
use grampus_filter::pattern::PatternContext;
use grampus_store::fileset::CursorSpec;
use grampus_store::read::{
    CellSink, FixedSink, PointRead, RowScan, RowState, ScanBounds, StoreCursor, StoreRead, StoreScan,
    Visibility,
};

use super::store::Store;
use super::{GetOutcome, GetStatus, Region};
use crate::request::{FamilySpec, ReadSpec};

const GET_HEADER_BYTES: usize = 8;
/// Bytes of cells that a read on an event loop looks at, returned or not, before it goes on to a pool: some tenths of a millisecond, in
/// which the loop's other connections wait.
const EVENT_LOOP_BYTES: u64 = 128 << 10;
/// Columns that such a read may name; each costs a search.
const EVENT_LOOP_COLUMNS: usize = 128;

/// One family of a read.
pub(super) struct FamilyRead {
    /// Index of the store.
    pub store: usize,
    /// Timestamps asked for.
    pub range: TimeRange,
    /// Sorted qualifiers, `None` = all.
    pub columns: Option<Arc<[Vec<u8>]>>,
}

impl FamilyRead {
    /// The sources of its store, of this moment. Of `spec` the family's columns and timestamps are its own.
    pub(super) fn cursor(&self, store: &Store, spec: &CursorSpec<'_>) -> Result<StoreCursor> {
        let projection: Option<Vec<&[u8]>> =
            self.columns.as_ref().map(|columns| columns.iter().map(Vec::as_slice).collect());
        store.cursor(&CursorSpec {
            projection: projection.as_deref(),
            time_range: self.range,
            ..spec.clone()
        })
    }
}

/// What all families of a read share.
pub(super) struct ReadPlan<'a> {
    pub rows: RowRange<'a>,
    pub start: SeekTarget<'a>,
    pub reversed: bool,
    pub stop: Option<(Vec<u8>, bool)>,
    pub max_versions: u32,
    pub raw: bool,
    pub read_point: u64,
    pub cache: bool,
    pub blocking: bool,
    pub now: i64,
    pub store_limit: i64,
    pub store_offset: i64,
    pub filter: Option<Box<dyn Filter>>,
    /// One row is read, once and as a whole.
    pub point: bool,
}

impl<'a> ReadPlan<'a> {
    /// One row as of a read point.
    pub(super) fn of_row(row: &'a [u8], read_point: u64, blocking: bool, now: i64) -> ReadPlan<'a> {
        ReadPlan {
            rows: RowRange::single(row),
            start: SeekTarget::AtOrAfter(row),
            reversed: false,
            stop: Some((row.to_vec(), true)),
            max_versions: 1,
            raw: false,
            read_point,
            cache: true,
            blocking,
            now,
            store_limit: -1,
            store_offset: 0,
            filter: None,
            point: true,
        }
    }

    /// The sources of a store.
    fn cursor(&self, store: &Store, read: &FamilyRead, filtered: bool) -> Result<StoreCursor> {
        let exact = self.point && !self.raw && !filtered && !store.config.new_version_behavior;
        if exact
            && let Some(row) = self.rows.as_single()
            && let Some(columns) = &read.columns
        {
            return Ok(store.point_cursor(PointRead {
                row: row.to_vec(),
                columns: Arc::clone(columns),
                range: read.range,
                read_point: self.read_point,
                cache: self.cache,
                blocking: self.blocking,
            }));
        }
        read.cursor(store, &self.cursor_spec())
    }

    /// What all files are asked for, whatever the family.
    pub(super) fn cursor_spec(&self) -> CursorSpec<'a> {
        CursorSpec {
            direction: if self.reversed { Direction::Reverse } else { Direction::Forward },
            projection: None,
            rows: self.rows,
            read_point: self.read_point,
            time_range: TimeRange::ALL,
            cache: self.cache,
            one_pass: false,
            blocking: self.blocking,
        }
    }
}

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
        let spec = ReadSpec::decode(spec)?;
        let _read = self.begin_get(&spec);
        let mut scan = match self.get_scan(&spec) {
            Ok(scan) => scan,
            Err(e) if e.kind == ErrorKind::WouldBlock => return Ok(GetOutcome::WouldBlock),
            Err(e) => return Err(e),
        };
        let mut sink = FixedSink::new(out, GET_HEADER_BYTES);
        let count = match read_row(&mut scan, &mut sink, spec.has(ReadSpec::EXISTENCE_ONLY)) {
            Ok(count) => count,
            Err(e) if e.kind == ErrorKind::WouldBlock => return Ok(GetOutcome::WouldBlock),
            Err(e) => return Err(e),
        };
        let written = sink.position();
        if !sink.is_whole() {
            return Ok(GetOutcome::NeedBytes(written));
        }
        write_get_header(sink.buffer().get_mut(..written).unwrap_or_default(), count);
        Ok(GetOutcome::Done(written))
    }

    fn get_decoded(&self, spec: &ReadSpec<'_>, out: &mut Vec<u8>) -> Result<()> {
        let _read = self.begin_get(spec);
        let start = out.len();
        let mut scan = self.get_scan(spec)?;
        out.resize(start + GET_HEADER_BYTES, 0);
        let count = read_row(&mut scan, out, spec.has(ReadSpec::EXISTENCE_ONLY))?;
        write_get_header(out.get_mut(start..).unwrap_or_default(), count);
        Ok(())
    }

    fn get_scan(&self, spec: &ReadSpec<'_>) -> Result<RowScan> {
        self.check_serving()?;
        self.check_row(spec.start_row)?;
        self.reads.fetch_add(1, Ordering::Relaxed);
        let reads = self.family_reads(spec)?;
        loop {
            let read_point = self.read_point_for(spec);
            let blocking = !spec.has(ReadSpec::NON_BLOCKING);
            let mut plan = ReadPlan::of_row(spec.start_row, read_point, blocking, self.now());
            plan.max_versions = spec.max_versions;
            plan.raw = spec.has(ReadSpec::RAW);
            plan.cache = spec.has(ReadSpec::CACHE_BLOCKS);
            plan.store_limit = i64::from(spec.store_limit);
            plan.store_offset = i64::from(spec.store_offset.max(0));
            plan.filter = grampus_filter::decode(spec.filter, false, &self.pattern_context(blocking))?;
            let mut scan = self.row_scan(&reads, plan)?;
            scan.with_tags(spec.has(ReadSpec::WITH_TAGS));
            if spec.has(ReadSpec::LOAD_ON_DEMAND) {
                scan.close_unless_needed(); // one row is not worth reading the others later
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
        if spec.families.is_empty() {
            return Ok((0..self.stores.len())
                .map(|store| FamilyRead { store, range: spec.range, columns: None })
                .collect());
        }
        let mut reads =
            spec.families.iter().map(|f| self.family_read(f, spec.range)).collect::<Result<Vec<_>>>()?;
        reads.sort_by_key(|read| read.store);
        if reads.windows(2).any(|pair| pair[0].store == pair[1].store) {
            return Err(Error::new(ErrorKind::BadRequest, "a family occurs twice in the read spec"));
        }
        Ok(reads)
    }

    fn family_read(&self, family: &FamilySpec<'_>, range: TimeRange) -> Result<FamilyRead> {
        let columns = family
            .qualifiers
            .as_ref()
            .map(|qualifiers| qualifiers.iter().map(|q| q.to_vec()).collect::<Arc<[_]>>());
        Ok(FamilyRead {
            store: self.store_index(family.name)?,
            range: family.range.unwrap_or(range),
            columns,
        })
    }

    /// A walk over rows with the sources of this moment.
    pub(super) fn row_scan(&self, reads: &[FamilyRead], mut plan: ReadPlan<'_>) -> Result<RowScan> {
        let columns: usize = reads.iter().flat_map(|read| &read.columns).map(|columns| columns.len()).sum();
        if !plan.blocking && columns > EVENT_LOOP_COLUMNS {
            return Err(Error::would_block());
        }
        let filter = plan.filter.take();
        let mut stores = Vec::with_capacity(reads.len());
        for read in reads {
            let store = &self.stores[read.store];
            let cursor = plan.cursor(store, read, filter.is_some())?;
            let visibility = Visibility::new(
                &store.config,
                StoreRead {
                    range: read.range,
                    columns: read.columns.clone(),
                    max_versions: plan.max_versions,
                    raw: plan.raw,
                    filtered: filter.is_some(),
                    now: plan.now,
                },
            );
            stores.push(StoreScan::new(store.config.clone(), cursor, visibility));
        }
        let bounds = ScanBounds {
            order: self.order,
            reversed: plan.reversed,
            stop: plan.stop,
            store_limit: plan.store_limit,
            store_offset: plan.store_offset,
            row_bytes_max: self.shared.config.max_row_bytes,
        };
        let mut scan = RowScan::new(stores, filter, bounds, plan.start)?;
        self.check_memtables()?;
        if !plan.blocking {
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
    // Without the cells that a filter still has to judge it is not known whether there is one.
    if existence_only && (sink.is_whole() || !scan.has_filter_row_cells()) {
        sink.roll_back(start);
        count = count.min(1);
    }
    scan.check_filter()?;
    Ok(count)
}

fn write_get_header(out: &mut [u8], count: u32) {
    // A reply's buffer is one of Java's, of less than 2 GiB.
    let bytes = u32::try_from(out.len().saturating_sub(GET_HEADER_BYTES)).unwrap_or(u32::MAX);
    if let Some(header) = out.first_chunk_mut::<GET_HEADER_BYTES>() {
        header[..4].copy_from_slice(&count.to_le_bytes());
        header[4..].copy_from_slice(&bytes.to_le_bytes());
    }
}
