//! Scans of a region: what their sources are, when they are opened and when they are made again.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{RowBound, RowRange, SeekTarget};
use grampus_store::read::StoreCursor;

use super::Region;
use super::read_points::ReadTime;
use super::reading::{FamilyRead, ReadPlan};
use crate::request::ReadSpec;
use crate::scanner::{ScanCalls, Scanner};

/// What the sources of a scan are made of, so that they can be made again.
pub(crate) struct ScanSources {
    /// That of the region's memtables before the first sources were made.
    pub(crate) generation: u64,
    start: Vec<u8>,
    include_start: bool,
    stop: Option<(Vec<u8>, bool)>,
    reversed: bool,
    read_point: u64,
    cache: bool,
    reads: Vec<FamilyRead>,
}

impl ScanSources {
    /// A read of these sources, of all cells.
    fn plan(&self) -> ReadPlan<'_> {
        ReadPlan {
            rows: scan_rows(&self.start, self.include_start, &self.stop, self.reversed),
            start: SeekTarget::Start,
            reversed: self.reversed,
            read_point: self.read_point,
            cache: self.cache,
            blocking: true,
            point: false,
            stop: None,
            max_versions: 1,
            raw: false,
            now: 0,
            store_limit: -1,
            store_offset: 0,
            filter: None,
        }
    }
}

impl Region {
    /// Opens a scanner.
    pub fn open_scanner(self: &Arc<Self>, spec: &[u8]) -> Result<Scanner> {
        self.check_serving()?;
        let _read = self.begin_read();
        let spec = ReadSpec::decode(spec)?;
        if spec.has(ReadSpec::GET) {
            self.check_row(spec.start_row)?;
        }
        let raw = spec.has(ReadSpec::RAW);
        if raw && spec.families.iter().any(|f| f.qualifiers.is_some()) {
            return Err(Error::new(ErrorKind::BadRequest, "Cannot specify any column for a raw scan"));
        }
        let reversed = spec.has(ReadSpec::REVERSED);
        let pin =
            self.read_points.pin(|| ReadTime { read_point: self.read_point_for(&spec), now_ms: self.now() });
        let (include_start, include_stop) =
            (spec.has(ReadSpec::INCLUDE_START), spec.has(ReadSpec::INCLUDE_STOP));
        let stop = if spec.has(ReadSpec::GET) {
            Some((spec.start_row.to_vec(), true))
        } else {
            self.scan_stop(&spec, reversed, include_stop)
        };
        let filter = grampus_filter::decode(spec.filter, reversed, &self.pattern_context(true))?;
        let include_start = include_start || spec.has(ReadSpec::GET);
        let sources = ScanSources {
            generation: self.scanners.generation(),
            start: spec.start_row.to_vec(),
            include_start,
            stop,
            reversed,
            read_point: pin.read_point(),
            cache: spec.has(ReadSpec::CACHE_BLOCKS),
            reads: self.family_reads(&spec)?,
        };
        let plan = ReadPlan {
            start: self.scan_start(&spec, reversed, include_start),
            stop: sources.stop.clone(),
            max_versions: spec.max_versions,
            raw,
            now: pin.now_ms(),
            store_limit: i64::from(spec.store_limit),
            store_offset: i64::from(spec.store_offset.max(0)),
            filter,
            ..sources.plan()
        };
        let mut scan = self.row_scan(&sources.reads, plan)?;
        scan.with_tags(spec.has(ReadSpec::WITH_TAGS));
        if spec.has(ReadSpec::LOAD_ON_DEMAND) {
            scan.load_on_demand();
        }
        let batch = u32::try_from(spec.batch).unwrap_or(0);
        if batch > 0 && scan.has_filter_row() {
            return Err(Error::new(
                ErrorKind::BadRequest,
                "Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow",
            ));
        }
        let reads_ahead = !spec.has(ReadSpec::NO_READ_AHEAD);
        let calls = ScanCalls::new(self.clone(), scan, sources, pin, batch, reads_ahead);
        Ok(Scanner::new(self.clone(), calls))
    }

    fn scan_start<'a>(&'a self, spec: &ReadSpec<'a>, reversed: bool, included: bool) -> SeekTarget<'a> {
        let bound = if reversed { &self.end_key } else { &self.start_key };
        if spec.start_row.is_empty() {
            // Rows outside the region can be in files that a split shares with its sibling; the end key is exclusive.
            return match (bound.is_empty(), reversed) {
                (true, _) => SeekTarget::Start,
                (false, true) => SeekTarget::After(bound),
                (false, false) => SeekTarget::AtOrAfter(bound),
            };
        }
        if included { SeekTarget::AtOrAfter(spec.start_row) } else { SeekTarget::After(spec.start_row) }
    }

    fn scan_stop(&self, spec: &ReadSpec<'_>, reversed: bool, included: bool) -> Option<(Vec<u8>, bool)> {
        if !spec.stop_row.is_empty() {
            return Some((spec.stop_row.to_vec(), included));
        }
        let (bound, included) = if reversed { (&self.start_key, true) } else { (&self.end_key, false) };
        (!bound.is_empty()).then(|| (bound.clone(), included))
    }

    /// The sources of a scan's store as of now, by its index among the scan's. They hold all that the scan sees, as long as its pin lasts.
    pub(crate) fn sources_of_now(&self, sources: &ScanSources, index: usize) -> Result<StoreCursor> {
        let read = sources.reads.get(index);
        let read = read.ok_or_else(|| Error::new(ErrorKind::Bug, "a scan has no such store"))?;
        read.cursor(&self.stores[read.store], &sources.plan().cursor_spec())
    }
}

fn scan_rows<'a>(
    start: &'a [u8],
    include_start: bool,
    stop: &'a Option<(Vec<u8>, bool)>,
    reversed: bool,
) -> RowRange<'a> {
    let first = match (start.is_empty(), include_start) {
        (true, _) => RowBound::Unbounded,
        (false, true) => RowBound::Included(start),
        (false, false) => RowBound::Excluded(start),
    };
    let last = match stop {
        None => RowBound::Unbounded,
        Some((row, true)) => RowBound::Included(row),
        Some((row, false)) => RowBound::Excluded(row),
    };
    if reversed { RowRange { start: last, end: first } } else { RowRange { start: first, end: last } }
}
