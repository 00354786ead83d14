//! A scan in pieces: each call fills one buffer with results and says where it stopped.

use std::sync::Arc;
use std::time::Instant;

pub use super::call::ScanLimits;
use super::call::{Call, INFO_BYTES, Stop};
use super::plain_run::RunEnd;
use super::row_scan::{RowScan, RowState};
use super::sink::{CellSink, ScanSink};
use crate::error::{Error, ErrorKind, Result};
use crate::region::{ReadPin, Region};

const ROW_BYTES_MAX: usize = i16::MAX as usize;
/// The least and the most that is read ahead of a scan, of each source.
const READ_AHEAD_BYTES: std::ops::Range<u64> = 256 * 1024..4 << 20;

/// How a scanner call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextOutcome {
    /// Bytes written to the output; the rest is in the info buffer.
    Done(usize),
    /// The info buffer must hold at least so many bytes.
    NeedBytes(usize),
}

/// A result that belongs to the next call.
#[derive(Default)]
struct Carry {
    cells: Vec<u8>,
    count: u32,
    /// No further cells will join it.
    closed: bool,
    more: bool,
}

/// An open scanner of a region; one thread at a time.
pub struct Scanner {
    region: Arc<Region>,
    scan: RowScan,
    pin: ReadPin,
    /// Cells per result, 0 = the whole row.
    batch: u32,
    in_row: bool,
    /// A result of the current row was closed already.
    row_begun: bool,
    ended: bool,
    filter_done: bool,
    carry: Carry,
    /// Fetches what comes next while the client looks at what it got.
    reads_ahead: bool,
    /// Bytes of results before the next read-ahead.
    ahead: u64,
    broken: bool,
}

impl Scanner {
    pub(crate) fn new(
        region: Arc<Region>,
        scan: RowScan,
        pin: ReadPin,
        batch: u32,
        reads_ahead: bool,
    ) -> Scanner {
        Scanner {
            region,
            scan,
            pin,
            batch,
            in_row: false,
            row_begun: false,
            ended: false,
            filter_done: false,
            carry: Carry::default(),
            reads_ahead,
            ahead: 0,
            broken: false,
        }
    }

    /// Reads the next results.
    pub fn next(&mut self, limits: &ScanLimits, out: &mut [u8], info: &mut [u8]) -> Result<NextOutcome> {
        self.region.check_serving()?;
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "the scanner failed before and cannot go on"));
        }
        let reserve = ROW_BYTES_MAX.min(info.len() / 2);
        let room = info.len().saturating_sub(INFO_BYTES + reserve) / 4;
        if room == 0 {
            return Ok(NextOutcome::NeedBytes(INFO_BYTES + 4 + ROW_BYTES_MAX));
        }
        let mut call = Call {
            limits,
            info,
            results: 0,
            results_max: limits.max_results.min(u32::try_from(room).unwrap_or(u32::MAX)),
            rows: 0,
            size: 0,
            dropped: 0,
            deadline: Instant::now() + limits.time_budget,
            ticks: 0,
            before: self.scan.counts,
        };
        if self.carry.cells.len() > out.len() {
            let needed = self.carry.cells.len();
            self.write_info(&mut call, 0, Stop::Output, needed, reserve);
            return Ok(NextOutcome::Done(0));
        }
        let mut next_carry = Carry::default();
        let mut cells = Vec::new();
        let outcome = {
            let mut sink = ScanSink::new(out, &mut cells);
            let filled = self.fill(&mut sink, &mut call, &mut next_carry);
            filled.and_then(|stop| self.scan.check_filter().map(|()| (stop, sink.delivered())))
        };
        let (stop, written) = match outcome {
            Ok(outcome) => outcome,
            Err(e) => {
                self.broken = true;
                return Err(e);
            }
        };
        if self.reads_ahead && stop != Stop::End {
            self.read_ahead(written as u64);
        }
        next_carry.cells = cells;
        let needed = if stop == Stop::Output && call.results == 0 { next_carry.cells.len() } else { 0 };
        self.carry = next_carry;
        self.region.count_read_rows(
            u64::from(call.results),
            self.scan.counts.rows_filtered - call.before.rows_filtered,
        );
        self.write_info(&mut call, written, stop, needed, reserve);
        Ok(NextOutcome::Done(written))
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

    fn fill(&mut self, sink: &mut ScanSink<'_>, call: &mut Call<'_>, next_carry: &mut Carry) -> Result<Stop> {
        let carry = std::mem::take(&mut self.carry);
        let mut cells = 0;
        sink.begin_result();
        if carry.count > 0 {
            sink.put(carry.cells.len(), |slice| slice.copy_from_slice(&carry.cells));
            call.size += carry.cells.len() as u64;
            cells = carry.count;
            if carry.closed {
                call.push(cells, carry.more);
                cells = 0;
                sink.begin_result();
            }
        }
        loop {
            if !self.in_row {
                if self.ended {
                    return Ok(Stop::End);
                }
                if let Some(stop) = call.limit() {
                    return Ok(stop);
                }
                if call.out_of_time(1) {
                    return Ok(Stop::Time);
                }
                let (rows, end) = self.plain_rows(sink, call)?;
                match end {
                    Some(RunEnd::Stop(stop)) => return Ok(stop),
                    Some(RunEnd::Carried(count)) => {
                        *next_carry = Carry { cells: Vec::new(), count, closed: true, more: false };
                        return Ok(Stop::Output);
                    }
                    None if rows > 0 => continue,
                    None => {}
                }
                match self.scan.enter_row()? {
                    RowState::End => {
                        self.ended = true;
                        return Ok(Stop::End);
                    }
                    RowState::Dropped => {
                        self.scan.counts.rows_filtered += 1;
                        self.leave_row()?;
                        continue;
                    }
                    RowState::Row => {
                        self.in_row = true;
                        self.row_begun = false;
                        cells = 0;
                        sink.begin_result();
                    }
                }
            }
            if let Some(stop) = self.fill_from_row(sink, call, next_carry, cells)? {
                return Ok(stop);
            }
            cells = 0;
        }
    }

    /// Rows as results of their own, as many as can be had without judging their cells.
    fn plain_rows(&mut self, sink: &mut ScanSink<'_>, call: &mut Call<'_>) -> Result<(u32, Option<RunEnd>)> {
        if self.batch > 0 { Ok((0, None)) } else { self.scan.plain_rows(sink, call) }
    }

    /// Reads what is left of the current row; `cells` are in the current result already. `None` at the row's end with room for more.
    fn fill_from_row(
        &mut self,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
        next_carry: &mut Carry,
        mut cells: u32,
    ) -> Result<Option<Stop>> {
        let mut start = sink.position() - if cells == 0 { 0 } else { sink.open_result_bytes() };
        let size = call.size;
        let may_stop = call.limits.partials_allowed && !self.scan.has_filter_row();
        loop {
            // Is the current result complete, and does the call end with it?
            let mut stop = None;
            if cells > 0 {
                if may_stop && call.size >= call.limits.size_limit {
                    stop = Some(Stop::Size);
                } else if may_stop && call.out_of_time(1) {
                    stop = Some(Stop::Time);
                } else if self.batch > 0 && cells >= self.batch && call.results + 1 >= call.results_max {
                    stop = Some(Stop::Results);
                }
            }
            let too_large =
                may_stop && sink.is_carrying() && sink.open_result_bytes() as u64 >= call.limits.size_limit;
            let full = stop.is_some() || too_large || self.batch > 0 && cells >= self.batch;
            if full && sink.is_carrying() {
                // Nobody can look further: the next cell has no place to go.
                *next_carry = Carry { cells: Vec::new(), count: cells, closed: true, more: true };
                self.row_begun = true;
                return Ok(Some(Stop::Output));
            }
            if full {
                if stop.is_some() { sink.begin_carried_result() } else { sink.begin_result() }
            }
            let before = sink.position();
            match self.scan.next_cell(sink)? {
                Some(bytes) => {
                    if full {
                        call.push(cells, true);
                        self.row_begun = true;
                        cells = 1;
                        start = before;
                        if let Some(stop) = stop {
                            *next_carry = Carry { cells: Vec::new(), count: 1, closed: false, more: false };
                            return Ok(Some(stop));
                        }
                    } else {
                        cells += 1;
                    }
                    if !sink.is_carrying() {
                        call.size += bytes as u64;
                    }
                }
                None => {
                    let wanted = self.scan.finish_row(sink, start)? || self.row_begun && cells > 0;
                    if wanted && self.scan.has_filter_row_cells() {
                        cells = self.scan.count_cells(sink.written(start));
                    }
                    if !wanted {
                        sink.roll_back(start);
                        call.drop_since(size);
                        cells = 0;
                    }
                    let carried = sink.is_carrying() && !full;
                    self.leave_row()?;
                    if cells > 0 && carried {
                        *next_carry = Carry { cells: Vec::new(), count: cells, closed: true, more: false };
                        return Ok(Some(Stop::Output));
                    }
                    if cells > 0 {
                        call.push(cells, false);
                    } else if self.row_begun {
                        call.rows += 1;
                    }
                    return Ok(stop);
                }
            }
        }
    }

    fn leave_row(&mut self) -> Result<()> {
        self.in_row = false;
        if !self.scan.leave_row()? {
            self.ended = true;
            self.filter_done = true;
        }
        Ok(())
    }

    fn write_info(&mut self, call: &mut Call<'_>, written: usize, stop: Stop, needed: usize, reserve: usize) {
        let nothing_left = self.carry.count == 0 && !self.in_row && (self.ended || self.scan.is_exhausted());
        let row = self.scan.row();
        let row = row.get(..row.len().min(reserve)).unwrap_or_default();
        let mut head = [0u8; INFO_BYTES];
        head[0..4].copy_from_slice(&call.results.to_le_bytes());
        head[4..8].copy_from_slice(&(written as u32).to_le_bytes());
        head[8] = u8::from(nothing_left);
        head[9] = u8::from(self.filter_done && nothing_left);
        head[10] = stop as u8;
        head[12..16].copy_from_slice(&(needed as u32).to_le_bytes());
        let done = self.scan.counts;
        let counts = [done.rows_scanned, done.rows_filtered, done.bytes_scanned];
        for (field, count) in head[16..40].chunks_exact_mut(8).zip(counts) {
            field.copy_from_slice(&count.to_le_bytes());
        }
        head[40..48].copy_from_slice(&self.pin.read_point().to_le_bytes());
        head[48..52].copy_from_slice(&call.rows.to_le_bytes());
        head[52..56].copy_from_slice(&(row.len() as u32).to_le_bytes());
        if let Some(field) = call.info.get_mut(..INFO_BYTES) {
            field.copy_from_slice(&head);
        }
        let at = INFO_BYTES + 4 * call.results as usize;
        if let Some(field) = call.info.get_mut(at..at + row.len()) {
            field.copy_from_slice(row);
        }
    }
}
