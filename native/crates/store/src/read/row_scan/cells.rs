//! The cells of a row, one by one, from one store after the other.

use grampus_base::{Error, ErrorKind, Result, narrow};
use grampus_cells::{CellRef, cell_codec};
use grampus_filter::{Hint, ValueForm};

use super::{RowScan, RowStep};
use crate::read::match_code::Match;
use crate::read::scan_bounds::{CELL_EXTRA_BYTES, ScanBounds};
use crate::read::sink::{CellSink, put_cell};
use crate::read::store_cursor::StoreCursor;
use crate::read::store_scan::StoreScan;
use crate::read::visibility::Visibility;

/// Hidden cells that one step passes at most: some tenths of a millisecond.
const STEP_CELLS: u32 = 1024;

impl RowScan {
    /// Writes the next visible cell of the row and returns its bytes as they are stored. `None` at the row's end.
    pub fn next_cell(&mut self, sink: &mut impl CellSink) -> Result<Option<usize>> {
        loop {
            match self.step(sink)? {
                RowStep::Cell(bytes) => return Ok(Some(bytes)),
                RowStep::Paused => {}
                RowStep::End => return Ok(None),
            }
        }
    }

    /// The same for callers that have limits: it pauses among hidden cells.
    pub fn step(&mut self, sink: &mut impl CellSink) -> Result<RowStep> {
        if self.joined.is_some() {
            return self.step_joined(sink);
        }
        self.step_in_row(sink)
    }

    /// Essential stores, whether the filter wants the row, then the others.
    fn step_joined(&mut self, sink: &mut impl CellSink) -> Result<RowStep> {
        let from = match &mut self.joined {
            Some(joined) => *joined.from.get_or_insert(sink.position()),
            None => sink.position(),
        };
        let step = self.step_in_row(sink)?;
        if step != RowStep::End || self.joined.as_ref().is_some_and(|joined| joined.accepted.is_some()) {
            return Ok(step);
        }
        let accepted = self.filter_row(sink, from)?;
        if let Some(joined) = &mut self.joined {
            joined.accepted = Some(accepted);
        }
        if !accepted {
            return Ok(RowStep::End);
        }
        for store in &mut self.stores {
            store.on_row = false;
            if !store.essential && !store.closed {
                store.cursor.seek_forward(&self.row)?;
                store.on_row = store.cursor.row() == Some(self.row.as_slice());
                store.begin_row();
            }
        }
        // HBase counts a row again for the stores that it reads later.
        self.counts.rows_scanned += u64::from(self.stores.iter().any(|store| store.on_row));
        self.store = 0;
        self.step_in_row(sink)
    }

    fn step_in_row(&mut self, sink: &mut impl CellSink) -> Result<RowStep> {
        while self.store < self.stores.len() {
            if self.stores[self.store].on_row {
                let step = self.step_in_store(sink)?;
                if step != RowStep::End {
                    return Ok(step);
                }
            }
            self.store += 1;
        }
        Ok(RowStep::End)
    }

    /// The next visible cell of the store's row. Behind the last one HBase asks the filter at the next row's first cell whether it wants
    /// more, and else closes the store.
    fn step_in_store(&mut self, sink: &mut impl CellSink) -> Result<RowStep> {
        let StoreScan { closed, row_done, .. } = self.stores[self.store];
        if closed {
            return Ok(RowStep::End);
        }
        let step = if row_done { RowStep::End } else { self.walk_store(sink)? };
        if step == RowStep::End && self.filter_done() {
            self.stores[self.store].closed = true;
        }
        Ok(step)
    }

    fn walk_store(&mut self, sink: &mut impl CellSink) -> Result<RowStep> {
        let StoreScan { family, cursor, visibility, cells, bytes: row_bytes, row_done, closed, hint, .. } =
            &mut self.stores[self.store];
        for _ in 0..STEP_CELLS {
            let Some(cell) = cursor.cell() else { return Ok(RowStep::End) };
            let matched = visibility.match_cell(&family.name, &cell, &mut self.filter);
            self.counts.bytes_scanned +=
                (cell.row.len() + cell.qualifier.len() + cell.value.len()) as u64 + CELL_EXTRA_BYTES;
            if self.counts.bytes_scanned > self.bytes_max {
                return Err(Error::would_block());
            }
            match matched {
                Match::Include | Match::IncludeNextColumn | Match::IncludeNextRow => {
                    *cells += 1;
                    let ScanBounds { store_limit, store_offset, row_bytes_max, .. } = self.bounds;
                    let row_bytes_max = family.row_bytes_max.unwrap_or(row_bytes_max);
                    let mut taken = None;
                    if *cells > store_offset {
                        let form = self.filter.as_ref().map_or(ValueForm::Whole, |f| f.value_form());
                        let bytes = take_cell(sink, &family.name, &cell, form, self.with_tags);
                        *row_bytes += bytes as u64;
                        if *row_bytes > row_bytes_max {
                            return Err(row_too_big(&family.name, cell.row, row_bytes_max));
                        }
                        if self.has_filter_row_cells && sink.is_whole() {
                            self.stored_bytes.push(narrow::to_u32(bytes));
                        }
                        taken = Some(bytes);
                    }
                    // HBase looks at the limit only after a cell that it returns.
                    let enough = taken.is_some() && store_limit > -1 && *cells >= store_limit + store_offset;
                    match matched {
                        _ if enough => self.store += 1,
                        Match::IncludeNextColumn => to_next_column(cursor, visibility, &mut self.scratch)?,
                        Match::IncludeNextRow if taken.is_some() => *row_done = true,
                        Match::IncludeNextRow => return Ok(RowStep::End),
                        _ => cursor.next_cell()?,
                    }
                    if let Some(bytes) = taken {
                        return Ok(RowStep::Cell(bytes));
                    }
                }
                Match::Skip => cursor.next_cell()?,
                Match::NextColumn => to_next_column(cursor, visibility, &mut self.scratch)?,
                Match::NextRow => return Ok(RowStep::End),
                Match::Done => {
                    *closed = true;
                    return Ok(RowStep::End);
                }
                Match::Hint => {
                    let asked = self.filter.as_mut().and_then(|f| f.hint(&family.name, &cell));
                    if let Some(row) = follow_hint(cursor, asked, &self.bounds)? {
                        *hint = Some(row);
                        return Ok(RowStep::End);
                    }
                }
            }
        }
        Ok(RowStep::Paused)
    }
}

/// Puts a cell into the sink and returns its bytes as they are stored. Inlined by order, as it runs for each cell of a scan.
#[inline(always)]
fn take_cell(
    sink: &mut impl CellSink,
    family: &[u8],
    cell: &CellRef<'_>,
    form: ValueForm,
    with_tags: bool,
) -> usize {
    put_cell(sink, family, cell, form, with_tags);
    cell_codec::cell_bytes(cell.row, family, cell.qualifier, cell.value.len(), cell.tags)
}

/// Leaves the current cell for where a filter wants to go on in the row. Returns the row for a filter that wants to go on in a later one.
fn follow_hint(cursor: &mut StoreCursor, hint: Option<Hint>, bounds: &ScanBounds) -> Result<Option<Vec<u8>>> {
    let Some(cell) = cursor.cell() else { return Ok(None) };
    match hint {
        Some(Hint::Row(row)) if bounds.is_behind(&row, cell.row) => return Ok(Some(row)),
        // As in HBase a walk whose rows descend goes within a row step by step.
        Some(Hint::Version(timestamp)) if !bounds.reversed => {
            let column = cell.qualifier.to_vec();
            to_version(cursor, &column, timestamp)?;
        }
        // From the empty qualifier on step by step: the family's markers are there.
        Some(Hint::Column(qualifier))
            if !bounds.reversed && qualifier.as_slice() > cell.qualifier && !cell.qualifier.is_empty() =>
        {
            cursor.seek_column(&qualifier)?;
        }
        _ => cursor.next_cell()?,
    }
    Ok(None)
}

pub(super) fn row_too_big(family: &[u8], row: &[u8], limit: u64) -> Error {
    Error::new(
        ErrorKind::RowTooBig,
        format!(
            "Max row size allowed: {limit}, but the row is bigger than that: row {} in family {}; read it in parts, with a batch or \
             partial results, or raise hbase.table.max.rowsize",
            row.escape_ascii(),
            family.escape_ascii()
        ),
    )
}

/// Moves to the newest version of a column at or below a timestamp.
fn to_version(cursor: &mut StoreCursor, column: &[u8], timestamp: i64) -> Result<()> {
    cursor.next_cell()?;
    while cursor.cell().is_some_and(|cell| cell.qualifier == column && cell.timestamp > timestamp) {
        cursor.next_cell()?;
    }
    Ok(())
}

/// Leaves the current column for the next one that is wanted.
fn to_next_column(cursor: &mut StoreCursor, visibility: &Visibility, scratch: &mut Vec<u8>) -> Result<()> {
    let Some(cell) = cursor.cell() else { return Ok(()) };
    if cell.qualifier.is_empty() {
        // Markers of the family and cells of the empty qualifier interleave; none may be jumped over.
        return cursor.next_cell();
    }
    if let Some(wanted) = visibility.wanted_column()
        && cell.qualifier < wanted
    {
        return cursor.seek_column(wanted);
    }
    scratch.clear();
    scratch.extend_from_slice(cell.qualifier);
    cursor.skip_column(scratch)
}
