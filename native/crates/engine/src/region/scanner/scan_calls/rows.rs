//! Rows of one call, whole or in parts, until a limit ends it.

use grampus_base::Result;
use grampus_store::read::{
    Call, CellSink, OVERFLOW_BYTES, ResultSink, RowState, RowStep, RunEnd, ScanSink, Stop, heap_size,
};

use super::{Carry, OpenResult, Partial, ScanCalls};

impl ScanCalls {
    pub(super) fn fill(
        &mut self,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
        carry: Carry,
    ) -> Result<Stop> {
        if (carry.count > 0 || carry.unfinished.is_some())
            && let Some(stop) = self.deliver(carry, sink, call)?
        {
            return Ok(stop);
        }
        if !self.in_row && !self.ended {
            self.seat()?;
        }
        loop {
            if self.ended {
                return Ok(Stop::End);
            }
            if let Some(stop) = call.limit() {
                return Ok(stop);
            }
            let stop = if self.in_row { self.next_result(sink, call)? } else { self.next_rows(sink, call)? };
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// The result that did not fit the output of the call before; one that was left unfinished is read on.
    fn deliver(
        &mut self,
        carry: Carry,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        sink.begin_result();
        let start = sink.position();
        sink.put(carry.cells.len(), |slice| slice.copy_from_slice(&carry.cells));
        drop(carry.cells);
        match carry.unfinished {
            Some(result) => {
                self.scan.move_result(result.start, start);
                let size = call.progress.size.saturating_sub(carry.size);
                self.read_result(OpenResult { start, size, ..result }, sink, call)
            }
            None => {
                call.push(carry.count, carry.more, sink.position());
                Ok(carry.stop)
            }
        }
    }

    /// Checks the clock now and then, on an event loop always, and whenever a pattern was searched: a search may take seconds.
    fn expired(&self, call: &mut Call<'_>) -> Option<Stop> {
        if self.scan.take_search() || !self.sources.blocking {
            call.check_clock_soon();
        }
        call.expired(1)
    }

    /// The same within a row: a pause has to wait for its end, and is due there.
    fn expired_within(&self, call: &mut Call<'_>) -> Option<Stop> {
        let stop = self.expired(call)?;
        if stop == Stop::Time {
            return Some(stop);
        }
        call.check_clock_soon();
        None
    }

    /// Goes on to the next row, or past as many rows as can be had without evaluating their cells.
    fn next_rows(&mut self, sink: &mut ScanSink<'_>, call: &mut Call<'_>) -> Result<Option<Stop>> {
        if let Some(stop) = self.expired(call) {
            return Ok(Some(stop));
        }
        self.follow_memtables()?;
        if self.batch == 0 && self.partial == Partial::None {
            let (rows, end) = self.scan.fast_rows(sink, call)?;
            match end {
                Some(RunEnd::Stop(stop)) => return Ok(Some(stop)),
                Some(RunEnd::Carried { cells, size }) => {
                    self.carry = Carry { count: cells, size, ..Carry::default() };
                    return Ok(Some(Stop::Output));
                }
                None if rows > 0 => return Ok(None),
                None => {}
            }
        }
        match self.scan.enter_row()? {
            RowState::End => {
                self.ended = true;
                Ok(None)
            }
            RowState::Dropped => {
                self.scan.leave_row()?;
                Ok(None)
            }
            RowState::Row => {
                self.in_row = true;
                self.next_result(sink, call)
            }
        }
    }

    /// The next result of the current row: what is left of it, a batch of its cells, or as much as a limit allows.
    fn next_result(&mut self, sink: &mut ScanSink<'_>, call: &mut Call<'_>) -> Result<Option<Stop>> {
        sink.begin_result();
        self.scan.begin_result();
        self.full_at_end = false;
        let result = OpenResult {
            start: sink.position(),
            cells: 0,
            size: call.progress.size,
            scanned: self.scan.counts.bytes_scanned,
        };
        self.read_result(result, sink, call)
    }

    /// Reads a result on to its end, or until it takes too much memory that its caller does not know of.
    fn read_result(
        &mut self,
        mut result: OpenResult,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        let may_end_within = self.may_end_within(call);
        loop {
            let bytes = match self.scan.step(sink)? {
                RowStep::Cell(bytes) => bytes,
                RowStep::Paused => match stop_among_hidden(&result, may_end_within, sink, call) {
                    None => continue,
                    Some(Stop::Paused) => {
                        sink.carry();
                        self.put_aside(result, call);
                        return Ok(Some(Stop::Paused));
                    }
                    stop if result.cells == 0 => return Ok(stop),
                    stop => return self.end_at_limit(&result, stop, sink, call),
                },
                RowStep::End => break,
            };
            result.cells += 1;
            call.progress.size += heap_size(1, bytes as u64);
            let stop = match may_end_within {
                true if call.is_full() => Some(Stop::Size),
                true => self.expired_within(call),
                false => None,
            };
            if stop.is_some() || self.batch > 0 && result.cells >= self.batch {
                return self.end_at_limit(&result, stop, sink, call);
            }
            if sink.is_overfull() {
                self.put_aside(result, call);
                return Ok(Some(Stop::Output));
            }
        }
        self.end_row(result, sink, call)
    }

    /// The next call reads the result on.
    fn put_aside(&mut self, result: OpenResult, call: &Call<'_>) {
        let size = call.progress.size - result.size;
        self.carry = Carry { count: result.cells, size, unfinished: Some(result), ..Carry::default() };
    }

    /// A limit, or the batch, ends the result. HBase asks the filter nothing more when that happens to be at the row's end.
    fn end_at_limit(
        &mut self,
        result: &OpenResult,
        stop: Option<Stop>,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        let more = self.scan.has_more_in_row();
        self.full_at_end = !more && self.batch > 0 && result.cells >= self.batch;
        let taken = self.take(result, more, stop, sink, call);
        if !more {
            self.leave_row()?;
        }
        self.ended |= self.scan.filter_done();
        Ok(taken)
    }

    /// The row has no more cells.
    fn end_row(
        &mut self,
        mut result: OpenResult,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        let wanted = self.scan.finish_row(sink, result.start)?;
        let dropped = self.scan.dropped_cells();
        result.cells -= dropped.cells;
        call.progress.size -= heap_size(dropped.cells, dropped.bytes);
        if !wanted {
            sink.roll_back(result.start);
            call.progress.size = result.size;
            call.progress.dropped += self.scan.counts.bytes_scanned - result.scanned;
            self.leave_row()?;
            return Ok(None);
        }
        let taken = self.take(&result, false, None, sink, call);
        self.leave_row()?;
        self.ended |= self.scan.filter_done();
        Ok(taken)
    }

    /// Returns a result, in the next call if it did not fit.
    pub(super) fn take(
        &mut self,
        result: &OpenResult,
        more: bool,
        stop: Option<Stop>,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Option<Stop> {
        if self.partial == Partial::EarlierRow {
            // Only now it is certain that the earlier row is complete.
            call.rows += 1;
            if call.limits.limit_of_rows > 0 && call.rows >= call.limits.limit_of_rows {
                sink.roll_back(result.start);
                return Some(Stop::Rows);
            }
        }
        self.partial = if more { Partial::CurrentRow } else { Partial::None };
        if sink.is_carrying() {
            let size = call.progress.size - result.size;
            // At a row's end the next call looks at its limits by itself.
            let stop = stop.filter(|_| more);
            self.carry = Carry { count: result.cells, more, stop, size, ..Carry::default() };
            return Some(Stop::Output);
        }
        call.push(result.cells, more, sink.position());
        stop
    }

    fn leave_row(&mut self) -> Result<()> {
        self.in_row = false;
        if self.partial == Partial::CurrentRow {
            self.partial = Partial::EarlierRow;
        }
        self.scan.leave_row()
    }
}

/// Whether a call ends among hidden cells of the row that it is on.
fn stop_among_hidden(
    result: &OpenResult,
    may_end_within: bool,
    sink: &ScanSink<'_>,
    call: &Call<'_>,
) -> Option<Stop> {
    let stop = call.stop_among_hidden(may_end_within)?;
    // What is put aside takes memory that the caller does not know of.
    let large = !sink.is_carrying() && sink.position() - result.start > OVERFLOW_BYTES;
    if stop == Stop::Paused && large { None } else { Some(stop) }
}
