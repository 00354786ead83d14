//! From a request to a walk over rows: which rows, families, columns and cells it wants, and of what sources it is made.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{Direction, RowBound, RowOrder, RowRange, SeekTarget, TimeRange};
use grampus_filter::Filter;

use crate::FamilyConfig;
use crate::fileset::CursorSpec;
use crate::read::point_files::PointRead;
use crate::read::row_scan::RowScan;
use crate::read::scan_bounds::ScanBounds;
use crate::read::spec::ReadSpec;
use crate::read::store_cursor::StoreCursor;
use crate::read::store_scan::StoreScan;
use crate::read::visibility::{StoreRead, Visibility};

/// A store as reads see it: a region's, with memtables, or files alone.
pub trait ReadStore {
    /// The family.
    fn config(&self) -> &Arc<FamilyConfig>;

    /// A merge of the sources that may matter to a read.
    fn cursor(&self, spec: &CursorSpec<'_>) -> Result<StoreCursor>;

    /// The same for columns of one row, by name.
    fn point_cursor(&self, read: PointRead) -> StoreCursor;
}

/// One family of a read.
pub struct FamilyRead {
    /// Index of the store.
    pub store: usize,
    /// Timestamps asked for.
    pub range: TimeRange,
    /// Sorted qualifiers, `None` = all.
    pub columns: Option<Arc<[Vec<u8>]>>,
}

impl FamilyRead {
    /// The families that a spec asks for, of stores in the order of their names; all where it names none. `index_of` finds a family's store.
    pub fn of(
        spec: &ReadSpec<'_>,
        stores: usize,
        index_of: impl Fn(&[u8]) -> Result<usize>,
    ) -> Result<Vec<FamilyRead>> {
        if spec.families.is_empty() {
            let all = |store| FamilyRead { store, range: spec.range, columns: None };
            return Ok((0..stores).map(all).collect());
        }
        let mut reads = Vec::with_capacity(spec.families.len());
        for family in &spec.families {
            let columns = family.qualifiers.as_ref();
            reads.push(FamilyRead {
                store: index_of(family.name)?,
                range: family.range.unwrap_or(spec.range),
                columns: columns.map(|columns| columns.iter().map(|q| q.to_vec()).collect()),
            });
        }
        reads.sort_by_key(|read| read.store);
        if reads.windows(2).any(|pair| pair[0].store == pair[1].store) {
            return Err(Error::new(ErrorKind::BadRequest, "a family occurs twice in the read spec"));
        }
        Ok(reads)
    }

    /// The sources of its store, of this moment. Of `spec` the family's columns and timestamps are its own.
    pub fn cursor(&self, store: &impl ReadStore, spec: &CursorSpec<'_>) -> Result<StoreCursor> {
        let projection: Option<Vec<&[u8]>> =
            self.columns.as_ref().map(|columns| columns.iter().map(Vec::as_slice).collect());
        store.cursor(&CursorSpec {
            projection: projection.as_deref(),
            time_range: self.range,
            ..spec.clone()
        })
    }
}

/// The rows of a scan as its spec and its region bound them.
pub struct RowLimits {
    /// First row in the direction of the scan; empty = open.
    start: Vec<u8>,
    /// Whether that row belongs to it.
    include_start: bool,
    /// Last row in the direction of the scan and whether it belongs to it.
    stop: Option<(Vec<u8>, bool)>,
    /// Rows descend.
    pub reversed: bool,
}

impl RowLimits {
    /// Those of a spec in a region whose rows begin at `start_key` and end before `end_key`; empty keys are open.
    pub fn of(spec: &ReadSpec<'_>, start_key: &[u8], end_key: &[u8]) -> RowLimits {
        let reversed = spec.has(ReadSpec::REVERSED);
        let get = spec.has(ReadSpec::GET);
        let stop = if get {
            Some((spec.start_row.to_vec(), true))
        } else if !spec.stop_row.is_empty() {
            Some((spec.stop_row.to_vec(), spec.has(ReadSpec::INCLUDE_STOP)))
        } else {
            let (bound, included) = if reversed { (start_key, true) } else { (end_key, false) };
            (!bound.is_empty()).then(|| (bound.to_vec(), included))
        };
        let include_start = get || spec.has(ReadSpec::INCLUDE_START);
        RowLimits { start: spec.start_row.to_vec(), include_start, stop, reversed }
    }

    /// All rows within the limits.
    pub fn rows(&self) -> RowRange<'_> {
        let first = match (self.start.is_empty(), self.include_start) {
            (true, _) => RowBound::Unbounded,
            (false, true) => RowBound::Included(self.start.as_slice()),
            (false, false) => RowBound::Excluded(self.start.as_slice()),
        };
        let last = match &self.stop {
            None => RowBound::Unbounded,
            Some((row, true)) => RowBound::Included(row),
            Some((row, false)) => RowBound::Excluded(row),
        };
        if self.reversed {
            RowRange { start: last, end: first }
        } else {
            RowRange { start: first, end: last }
        }
    }

    /// Where the first row is looked for.
    fn first<'a>(&'a self, start_key: &'a [u8], end_key: &'a [u8]) -> SeekTarget<'a> {
        if self.start.is_empty() {
            // Rows outside the region can be in files that a split shares with its sibling; the end key is exclusive.
            let bound = if self.reversed { end_key } else { start_key };
            return match (bound.is_empty(), self.reversed) {
                (true, _) => SeekTarget::Start,
                (false, true) => SeekTarget::After(bound),
                (false, false) => SeekTarget::AtOrAfter(bound),
            };
        }
        if self.include_start { SeekTarget::AtOrAfter(&self.start) } else { SeekTarget::After(&self.start) }
    }
}

/// What all families of a read share.
pub struct ReadPlan<'a> {
    /// Rows that sources are asked for.
    rows: RowRange<'a>,
    /// Where the first row is looked for.
    start: SeekTarget<'a>,
    reversed: bool,
    /// Last row in the direction of the read and whether it belongs to it.
    stop: Option<(Vec<u8>, bool)>,
    /// Versions of a column to return.
    max_versions: u32,
    /// Markers and hidden cells are returned.
    raw: bool,
    /// Cells with a higher sequence id are invisible.
    read_point: u64,
    /// Whether pages read from disk enter the block cache.
    cache: bool,
    /// Whether a file may be read from disk; if not, the read ends with `WouldBlock`.
    blocking: bool,
    /// Time of the wall clock in milliseconds, for times to live.
    now: i64,
    /// Cells per store and row, -1 = all.
    store_limit: i64,
    /// Cells per store and row to skip first.
    store_offset: i64,
    filter: Option<Box<dyn Filter>>,
    /// One row is read, once and as a whole.
    point: bool,
    one_pass: bool,
    /// No cell of a row is left out but by the filter.
    all_cells: bool,
    /// The filter is asked about all rows.
    all_rows: bool,
    row_bytes_max: u64,
}

impl<'a> ReadPlan<'a> {
    /// All cells of rows as of a read point, one version of each column.
    pub fn of_rows(rows: RowRange<'a>, reversed: bool, read_point: u64) -> ReadPlan<'a> {
        ReadPlan {
            rows,
            start: SeekTarget::Start,
            reversed,
            stop: None,
            max_versions: 1,
            raw: false,
            read_point,
            cache: true,
            blocking: true,
            now: 0,
            store_limit: -1,
            store_offset: 0,
            filter: None,
            point: false,
            one_pass: false,
            all_cells: true,
            all_rows: false,
            row_bytes_max: u64::MAX,
        }
    }

    /// One row as of a read point and a time of the wall clock.
    pub fn of_row(row: &'a [u8], read_point: u64, blocking: bool, now: i64) -> ReadPlan<'a> {
        ReadPlan {
            blocking,
            now,
            start: SeekTarget::AtOrAfter(row),
            stop: Some((row.to_vec(), true)),
            point: true,
            ..ReadPlan::of_rows(RowRange::single(row), false, read_point)
        }
    }

    /// What the spec of a get or scan wants of each row.
    pub fn wanting(self, spec: &ReadSpec<'_>) -> ReadPlan<'a> {
        ReadPlan {
            max_versions: spec.max_versions,
            raw: spec.has(ReadSpec::RAW),
            cache: spec.has(ReadSpec::CACHE_BLOCKS),
            store_limit: i64::from(spec.store_limit),
            store_offset: i64::from(spec.store_offset.max(0)),
            all_cells: spec.store_limit < 0 && !spec.has(ReadSpec::EXISTENCE_ONLY),
            ..self
        }
    }

    /// Begins and ends where the limits say, in a region whose rows begin at `start_key` and end before `end_key`.
    pub fn bounded(self, limits: &'a RowLimits, start_key: &'a [u8], end_key: &'a [u8]) -> ReadPlan<'a> {
        ReadPlan { start: limits.first(start_key, end_key), stop: limits.stop.clone(), ..self }
    }

    /// Times to live are over as of a time of the wall clock, in milliseconds.
    pub fn at_time(self, now_millis: i64) -> ReadPlan<'a> {
        ReadPlan { now: now_millis, ..self }
    }

    /// Only what a filter lets through.
    pub fn filtered(self, filter: Option<Box<dyn Filter>>) -> ReadPlan<'a> {
        let all_rows = filter.as_ref().is_some_and(|filter| filter.remembers_rows());
        ReadPlan { filter, ..self }.showing_all_rows(all_rows)
    }

    /// Whether the filter is asked about rows of which it sees no cell, see [`Filter::remembers_rows`].
    pub fn showing_all_rows(self, all_rows: bool) -> ReadPlan<'a> {
        ReadPlan { all_rows, ..self }
    }

    /// At most `max_versions` versions of a column.
    pub fn versions(self, max_versions: u32) -> ReadPlan<'a> {
        ReadPlan { max_versions, ..self }
    }

    /// Whether pages read from disk enter the block cache.
    pub fn caching(self, cache: bool) -> ReadPlan<'a> {
        ReadPlan { cache, ..self }
    }

    /// Whether a file may be read from disk.
    pub fn blocking(self, blocking: bool) -> ReadPlan<'a> {
        ReadPlan { blocking, ..self }
    }

    /// Whether each row is read once by a reader of all of them: larger pieces of the files, past the system's caches.
    pub fn one_pass(self, one_pass: bool) -> ReadPlan<'a> {
        ReadPlan { one_pass, ..self }
    }

    /// Bytes of cells that one result may have of one store.
    pub fn row_bytes_max(self, row_bytes_max: u64) -> ReadPlan<'a> {
        ReadPlan { row_bytes_max, ..self }
    }

    /// Whether a file may be read from disk.
    pub fn is_blocking(&self) -> bool {
        self.blocking
    }

    /// What all files are asked for, whatever the family.
    pub fn cursor_spec(&self) -> CursorSpec<'a> {
        CursorSpec {
            direction: if self.reversed { Direction::Reverse } else { Direction::Forward },
            projection: None,
            rows: self.rows,
            read_point: self.read_point,
            time_range: TimeRange::ALL,
            all_rows: self.all_rows,
            cache: self.cache,
            one_pass: self.one_pass,
            blocking: self.blocking,
            all_cells: false,
        }
    }

    /// The sources of a store.
    fn cursor(&self, store: &impl ReadStore, read: &FamilyRead, filtered: bool) -> Result<StoreCursor> {
        let all_cells = self.all_cells && !filtered;
        let exact = self.point && !self.raw && !filtered && !store.config().new_version_behavior;
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
                all_cells,
            }));
        }
        read.cursor(store, &CursorSpec { all_cells, ..self.cursor_spec() })
    }

    /// A walk over rows with the sources of this moment.
    pub fn row_scan(
        mut self,
        stores: &[impl ReadStore],
        reads: &[FamilyRead],
        order: RowOrder,
    ) -> Result<RowScan> {
        let filter = self.filter.take();
        let mut scans = Vec::with_capacity(reads.len());
        for read in reads {
            scans.push(self.store_scan(stores, read, filter.is_some())?);
        }
        // Of several stores each looks at its family's own.
        let own = if let [only] = scans.as_slice() { only.family.row_bytes_max } else { None };
        let bounds = ScanBounds {
            order,
            reversed: self.reversed,
            stop: self.stop,
            store_limit: self.store_limit,
            store_offset: self.store_offset,
            row_bytes_max: own.unwrap_or(self.row_bytes_max),
        };
        RowScan::new(scans, filter, bounds, self.start)
    }

    fn store_scan(&self, stores: &[impl ReadStore], read: &FamilyRead, filtered: bool) -> Result<StoreScan> {
        let store = stores.get(read.store);
        let store = store.ok_or_else(|| Error::new(ErrorKind::Bug, "a read has no such store"))?;
        let cursor = self.cursor(store, read, filtered)?;
        let wanted = StoreRead {
            range: read.range,
            columns: read.columns.clone(),
            max_versions: self.max_versions,
            raw: self.raw,
            filtered,
            now: self.now,
        };
        let visibility = Visibility::new(store.config(), wanted);
        Ok(StoreScan::new(store.config().clone(), cursor, visibility))
    }
}
