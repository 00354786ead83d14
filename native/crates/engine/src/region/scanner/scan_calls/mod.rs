//! A scan in pieces: each call fills one buffer with results and says where it stopped.

mod rows;

use std::sync::Arc;
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::cell_codec::ROW_KEY_BYTES_MAX;
use grampus_store::read::{
    Call, CallProgress, DROPPED_BYTES_MAX, INFO_BYTES, OVERFLOW_BYTES, RowScan, ScanLimits, ScanSink, Stop,
    StoreCursor,
};

use crate::region::reading::EVENT_LOOP_BYTES;
use crate::region::scan_sources::ScanSources;
use crate::region::{ReadPin, Region};
use crate::reply::scan_info;

/// The least and the most that is read ahead of a scan, of each source.
const READ_AHEAD_BYTES: std::ops::Range<u64> = 256 * 1024..4 << 20;

/// Time after which a scan on an event loop pauses, since it was opened.
const EVENT_LOOP_PAUSE: Duration = Duration::from_millis(1);

/// What a scanner says after its sources were taken from it within a row.
const RESET: &str =
    "the scanner kept flushed memtables within a row for too long and was reset; open it again at that row";

/// How a scanner call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextOutcome {
    /// Bytes written to the output; the rest is in the info buffer.
    Done(usize),
    /// The fewest bytes that the info buffer must hold.
    NeedBytes(usize),
    /// A call that may not block would have to, or has looked at too many bytes. The scanner cannot go on.
    WouldBlock,
}

/// What the info buffer of a call has room for.
struct InfoRoom {
    /// Lengths of results.
    results: u32,
    /// Bytes of the row key behind them.
    reserve: usize,
}

impl InfoRoom {
    /// `None` where there is no room for a result.
    fn of(info: &[u8]) -> Option<InfoRoom> {
        let reserve = ROW_KEY_BYTES_MAX.min(info.len() / 2);
        let results = info.len().saturating_sub(INFO_BYTES + reserve) / 4;
        (results > 0).then(|| InfoRoom { results: u32::try_from(results).unwrap_or(u32::MAX), reserve })
    }
}

/// A result that did not fit the output and opens the next call's.
#[derive(Default)]
struct Carry {
    cells: Vec<u8>,
    count: u32,
    /// More cells of its row may follow.
    more: bool,
    /// The limit that ended it, with which the reply ends.
    stop: Option<Stop>,
    /// What it counts towards the size limit.
    size: u64,
    /// The result as it was when it was left unfinished: it is read on where there is room for it.
    unfinished: Option<OpenResult>,
}

impl Carry {
    /// The output that the next call needs.
    fn needed(&self) -> usize {
        self.cells.len() + if self.unfinished.is_some() { OVERFLOW_BYTES } else { 0 }
    }
}

/// Whose last result said that more cells of its row may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Partial {
    /// No row's.
    None,
    /// That of the row which the scan is on.
    CurrentRow,
    /// That of a row which turned out to have nothing more.
    EarlierRow,
}

/// The calls of a scanner, and where it stands between them.
///
/// Results, their partial flags and the ends of replies are those of HBase's `RSRpcServices.scan` and `RegionScannerImpl.nextInternal`:
/// within a reply a result is whole, but for the last one, which a size or time limit may end within its row.
pub(crate) struct ScanCalls {
    region: Arc<Region>,
    scan: RowScan,
    /// What its stores are read from.
    sources: ScanSources,
    pin: ReadPin,
    /// The generation of the region's memtables that the sources are of, or that the scan has looked at since.
    generation: u64,
    /// Cells per result, 0 = the whole row.
    batch: u32,
    in_row: bool,
    partial: Partial,
    /// The last result was full at the end of its row.
    full_at_end: bool,
    ended: bool,
    carry: Carry,
    /// What the reply has used of its limits.
    progress: CallProgress,
    /// Fetches what comes next while the client looks at what it got.
    reads_ahead: bool,
    /// Bytes of results before the next read-ahead.
    ahead: u64,
    broken: bool,
    /// Why it has lost its place, for the next call to say.
    lost: Option<String>,
    /// Its pages were dropped and are loaded again with the next call.
    pages_dropped: bool,
}

impl ScanCalls {
    pub(crate) fn new(
        region: Arc<Region>,
        scan: RowScan,
        sources: ScanSources,
        pin: ReadPin,
        batch: u32,
        reads_ahead: bool,
    ) -> ScanCalls {
        ScanCalls {
            region,
            scan,
            generation: sources.generation,
            sources,
            pin,
            batch,
            in_row: false,
            partial: Partial::None,
            full_at_end: false,
            ended: false,
            carry: Carry::default(),
            progress: CallProgress::default(),
            reads_ahead,
            ahead: 0,
            broken: false,
            lost: None,
            pages_dropped: false,
        }
    }

    /// Reads the next results.
    pub(crate) fn next(
        &mut self,
        limits: &ScanLimits,
        out: &mut [u8],
        info: &mut [u8],
    ) -> Result<NextOutcome> {
        self.check_usable()?;
        let Some(InfoRoom { results, reserve }) = InfoRoom::of(info) else {
            return Ok(NextOutcome::NeedBytes(INFO_BYTES + 4 + ROW_KEY_BYTES_MAX));
        };
        if !limits.continues {
            self.progress = CallProgress { size: self.carry.size, dropped: 0 };
        }
        let region = self.region.clone();
        let begin = self.begun_nanos();
        let elapsed = || Duration::from_nanos(region.monotonic_nanos().saturating_sub(begin));
        let limits = self.limits_of_call(limits);
        let mut call = Call::new(&limits, info, results, self.progress, DROPPED_BYTES_MAX, &elapsed);
        if self.carry.cells.len() > out.len() {
            self.write_info(&mut call, 0, Stop::Output, Ends::default(), reserve);
            return Ok(NextOutcome::Done(0));
        }
        match self.fill_output(out, &mut call) {
            Ok((stop, written)) => Ok(self.end_call(stop, written, &mut call, reserve)),
            Err(e) if e.kind == ErrorKind::WouldBlock => Ok(NextOutcome::WouldBlock),
            Err(e) => {
                drop(self.scan.release());
                self.end_early(e, &mut call, reserve)
            }
        }
    }

    /// When the time of a call begins: on an event loop, for which all calls of a scan are one, with the open.
    fn begun_nanos(&self) -> u64 {
        if self.sources.blocking { self.region.monotonic_nanos() } else { self.sources.opened_nanos }
    }

    /// The caller's limits, and those of an event loop.
    fn limits_of_call(&self, limits: &ScanLimits) -> ScanLimits {
        if self.sources.blocking {
            return *limits;
        }
        let size_limit = limits.size_limit.min(EVENT_LOOP_BYTES);
        ScanLimits { size_limit, pause_after: limits.pause_after.min(EVENT_LOOP_PAUSE), ..*limits }
    }

    /// An error for a scanner that cannot go on.
    fn check_usable(&self) -> Result<()> {
        self.region.check_serving()?;
        if let Some(reason) = &self.lost {
            return Err(Error::new(ErrorKind::Busy, reason.as_str()));
        }
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "the scanner failed before and cannot go on"));
        }
        Ok(())
    }

    /// Reads results into the output, and keeps the one that does not fit. Returns why it stopped, and the bytes that it wrote.
    fn fill_output(&mut self, out: &mut [u8], call: &mut Call<'_>) -> Result<(Stop, usize)> {
        // Until the call has ended well: it may panic.
        self.broken = true;
        let carry = std::mem::take(&mut self.carry);
        let mut overflow = Vec::new();
        let mut sink = ScanSink::new(out, &mut overflow);
        self.reload_pages()?;
        let stop = self.fill(&mut sink, call, carry)?;
        self.scan.check_filter()?;
        let written = sink.delivered();
        self.broken = false;
        self.carry.cells = overflow;
        Ok((stop, written))
    }

    /// The output is filled: what comes next is read ahead, and the info block says how it ended.
    fn end_call(&mut self, stop: Stop, written: usize, call: &mut Call<'_>, reserve: usize) -> NextOutcome {
        if self.reads_ahead && stop != Stop::End {
            self.read_ahead(written as u64);
        }
        self.progress = call.progress;
        let ends = Ends {
            region: self.is_at_end(stop, call),
            filter: self.carry.count == 0 && self.scan.filter_done(),
        };
        self.write_info(call, written, stop, ends, reserve);
        NextOutcome::Done(written)
    }

    /// The scan has lost its place. For want of memory the call returns the results before, and the next one says why there are no more.
    fn end_early(&mut self, error: Error, call: &mut Call<'_>, reserve: usize) -> Result<NextOutcome> {
        if error.kind != ErrorKind::Busy || call.results == 0 {
            return Err(error);
        }
        self.scan.check_filter()?;
        self.broken = false;
        self.lost = Some(error.message);
        self.write_info(call, call.results_end, Stop::Paused, Ends::default(), reserve);
        Ok(NextOutcome::Done(call.results_end))
    }

    /// Between calls: bytes that the scan keeps in memory for the next one, pages above all. From now on they are the caller's to count.
    pub(crate) fn count_memory(&self) -> u64 {
        self.scan.count_memory()
    }

    /// Between calls: keeps as little as possible; the next call reads again what it needs. Returns the sources that are not needed, for
    /// the caller to drop. Between rows that is all of them; within a row the scan keeps its place in each.
    pub(crate) fn drop_pages(&mut self) -> Vec<StoreCursor> {
        if !self.in_row && self.pin.is_lasting() {
            return self.scan.park_all();
        }
        self.scan.drop_pages();
        self.pages_dropped = true;
        Vec::new()
    }

    /// Loads the pages that were dropped since the last call.
    fn reload_pages(&mut self) -> Result<()> {
        if std::mem::take(&mut self.pages_dropped) { self.scan.reload_pages() } else { Ok(()) }
    }

    /// The generation of the region's memtables that the scan has looked at.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Between calls: takes out what the scan keeps of memtables that have left their stores, for the caller to drop after it has given the
    /// lock back: all that is theirs while it stands between rows, nothing within a row, and everything when there is no going on. A scan
    /// within a row is reset when scans keep more of the memory for writes than they may.
    pub(crate) fn let_go(&mut self) -> Vec<StoreCursor> {
        if self.broken || self.lost.is_some() || self.ended || self.region.check_memtables().is_err() {
            self.generation = self.region.scanners().generation();
            return self.scan.release();
        }
        let keeps = self.in_row || !self.pin.is_lasting();
        if keeps && self.region.pressure().is_pinned_too_much() && self.scan.reads_left_memtable() {
            self.lost = Some(RESET.to_owned());
            self.generation = self.region.scanners().generation();
            return self.scan.release();
        }
        if self.in_row { Vec::new() } else { self.park() }
    }

    /// Between rows: takes out what the scan keeps of memtables that have left their stores.
    fn park(&mut self) -> Vec<StoreCursor> {
        self.generation = self.region.scanners().generation();
        if self.pin.is_lasting() { self.scan.park() } else { Vec::new() }
    }

    /// Between rows: lets go of memtables that have left their stores, and goes on with the sources of now, which have the same cells.
    #[inline]
    fn follow_memtables(&mut self) -> Result<()> {
        if self.generation == self.region.scanners().generation() {
            return Ok(());
        }
        drop(self.park());
        self.seat()
    }

    /// Gives the stores that were parked their sources again.
    fn seat(&mut self) -> Result<()> {
        let (region, sources) = (&self.region, &self.sources);
        if self.scan.seat(|index| region.sources_of_now(sources, index))? {
            self.ahead = 0; // what was fetched is of other files
        }
        self.region.check_memtables()
    }

    /// Whether HBase would say that the region has no more rows.
    fn is_at_end(&mut self, stop: Stop, call: &Call<'_>) -> bool {
        if self.carry.count > 0 || stop == Stop::Paused {
            return false;
        }
        // HBase asks the filter once more when a limit ends a call behind a row that the filter dropped.
        self.ended |= matches!(stop, Stop::Size | Stop::Time) && !self.in_row && self.scan.filter_done();
        // A limit that is looked at between cells, the batch's among them, ends a row before the scan knows whether it was the last one.
        let unknown =
            self.full_at_end || stop == Stop::Size && (self.may_end_within(call) || call.results == 0);
        self.ended || !self.in_row && !unknown && self.scan.is_exhausted()
    }

    /// Size and time limits may end the call within a row.
    fn may_end_within(&self, call: &Call<'_>) -> bool {
        call.limits.partials_allowed && !self.scan.has_filter_row()
    }

    /// While the client looks at what it got, the medium fetches as much again; half of that is read before more is asked for.
    fn read_ahead(&mut self, delivered: u64) {
        self.ahead = self.ahead.saturating_sub(delivered);
        if self.ahead == 0 {
            let bytes = delivered.clamp(READ_AHEAD_BYTES.start, READ_AHEAD_BYTES.end);
            self.scan.read_ahead(bytes);
            self.ahead = bytes / 2;
        }
    }

    fn write_info(&self, call: &mut Call<'_>, written: usize, stop: Stop, ends: Ends, reserve: usize) {
        let row = self.scan.row();
        let head = scan_info::Head {
            results: call.results,
            cell_bytes: written,
            end_of_region: ends.region,
            filter_all_remaining: ends.filter,
            stop,
            needed_bytes: self.carry.needed(),
            counts: self.scan.counts,
            read_point: self.pin.read_point(),
            complete_rows: call.rows,
        };
        head.write(row.get(..row.len().min(reserve)).unwrap_or_default(), call.info);
    }
}

/// What comes to its end with a call, behind all of its results.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// The region has no more rows for the scan.
    region: bool,
    /// The filter wants nothing more.
    filter: bool,
}

/// The result that is being read.
struct OpenResult {
    /// Where its cells begin in the sink.
    start: usize,
    cells: u32,
    /// What the reply had counted before it.
    size: u64,
    /// Bytes that the scan had looked at before it.
    scanned: u64,
}
