//! Scans of a region: what their sources are, when they are opened and when they are made again.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_store::read::{ReadSpec, RowLimits, StoreCursor};

use super::Region;
use super::read_points::ReadTime;
use super::scan_sources::ScanSources;
use super::scanner::{ScanCalls, Scanner};

impl Region {
    /// Opens a scanner. One that may not block is for a scan that ends with its first request: it looks at a bounded number of bytes for a
    /// bounded time, and reads nothing from disk.
    ///
    /// # Errors
    /// `WouldBlock` when such a scanner needs a page that is not in memory, or names many columns.
    pub fn open_scanner(self: &Arc<Self>, spec: &[u8]) -> Result<Scanner> {
        self.check_serving()?;
        let _read = self.begin_read();
        let spec = ReadSpec::decode(spec)?;
        if spec.has(ReadSpec::GET) {
            self.check_row(spec.start_row)?;
        }
        spec.check_scan()?;
        let reversed = spec.has(ReadSpec::REVERSED);
        let pin = self
            .read_points
            .pin(|| ReadTime { read_point: self.read_point_for(&spec), now_millis: self.now() });
        let blocking = !spec.has(ReadSpec::NON_BLOCKING);
        let filter = grampus_filter::decode(spec.filter, reversed, &self.pattern_context(blocking))?;
        let all_rows = filter.as_ref().is_some_and(|filter| filter.remembers_rows());
        let sources = self.scan_sources(&spec, pin.read_point(), all_rows)?;
        let plan = sources
            .plan()
            .wanting(&spec)
            .bounded(&sources.limits, &self.start_key, &self.end_key)
            .at_time(pin.now_millis())
            .filtered(filter);
        let mut scan = self.row_scan(&sources.reads, plan)?;
        let batch = scan.configure(&spec)?;
        let reads_ahead = blocking && !spec.has(ReadSpec::NO_READ_AHEAD);
        let calls = ScanCalls::new(self.clone(), scan, sources, pin, batch, reads_ahead);
        Ok(Scanner::new(self.clone(), calls))
    }

    /// What a scan reads from, in the generation of the memtables of now.
    fn scan_sources(&self, spec: &ReadSpec<'_>, read_point: u64, all_rows: bool) -> Result<ScanSources> {
        Ok(ScanSources {
            generation: self.scanners.generation(),
            limits: RowLimits::of(spec, &self.start_key, &self.end_key),
            read_point,
            cache: spec.has(ReadSpec::CACHE_BLOCKS),
            blocking: !spec.has(ReadSpec::NON_BLOCKING),
            opened_nanos: self.monotonic_nanos(),
            all_rows,
            reads: self.family_reads(spec)?,
        })
    }

    /// The sources of a scan's store as of now, by its index among the scan's. They hold all that the scan sees, as long as its pin lasts.
    pub(crate) fn sources_of_now(&self, sources: &ScanSources, index: usize) -> Result<StoreCursor> {
        let read = sources.reads.get(index);
        let read = read.ok_or_else(|| Error::new(ErrorKind::Bug, "a scan has no such store"))?;
        read.cursor(&self.stores[read.store], &sources.plan().cursor_spec())
    }
}
