//! Runs of operations that read nothing before they write: puts, and deletes of what is named.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::WireCell;
use grampus_wal::Durability;

use super::super::Region;
use super::super::edit::{Edit, EditCell};
use super::super::row_clock::{EditKind, Stamps};
use super::super::row_locks::LockSet;
use super::newest_versions::{NewestVersions, is_newest};
use super::{Answer, BatchProgress, LATEST, fails_batch, write_answer, write_failure};
use crate::request::{Op, OpBody};

impl Region {
    /// Puts and deletes that succeed or fail one by one, the good ones as one edit.
    pub(super) fn run_of_puts_and_deletes(
        &self,
        ops: &[Op<'_>],
        cells: &mut [WireCell<'_>],
        progress: &mut BatchProgress,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let start = out.len();
        // Timestamps and sequence ids of a row must not come in opposite orders: a reader between a put and the delete that was stamped
        // before it would see the one and not the other. Batches of puts share their rows, for they would wait for each other all the time;
        // `order_shared` sees to their order.
        let alone = ops.len() == 1 || ops.iter().any(|op| matches!(op.body, OpBody::Delete(_)));
        let mut locks = if alone { LockSet::exclusive() } else { LockSet::shared() };
        let good = self.check_each(ops, cells, &mut locks, out);
        progress.before_locks(self);
        let guard = match self.locks.lock(locks, progress.wait()) {
            Ok(guard) => guard,
            Err(e) if fails_batch(&e) => return Err(e),
            Err(e) => {
                // Too long a wait fails these operations; what the batch did before them stands.
                out.truncate(start);
                ops.iter().for_each(|_| write_failure(out, &e));
                return Ok(());
            }
        };
        while !self.write_puts_and_deletes(&good, cells, !alone, progress)? {}
        drop(guard);
        Ok(())
    }

    /// Answers each operation, and returns those that are good and have cells, with their rows, which are added to `locks`.
    fn check_each<'o, 'b>(
        &self,
        ops: &'o [Op<'b>],
        cells: &[WireCell<'b>],
        locks: &mut LockSet,
        out: &mut Vec<u8>,
    ) -> Vec<(&'b [u8], &'o Op<'b>)> {
        let mut good = Vec::with_capacity(ops.len());
        for op in ops {
            match self.check_put_or_delete(op, cells) {
                Ok(row) => {
                    if let Some(row) = row {
                        locks.add(row);
                        good.push((row, op));
                    }
                    write_answer(out, Answer::Done);
                }
                Err(e) => write_failure(out, &e),
            }
        }
        good
    }

    /// Writes the good ones as one edit. False, and nothing is done, when what they have read is older than a load that came between.
    fn write_puts_and_deletes(
        &self,
        good: &[(&[u8], &Op<'_>)],
        cells: &[WireCell<'_>],
        is_shared: bool,
        progress: &mut BatchProgress,
    ) -> Result<bool> {
        let may_block = progress.may_block();
        let reads = good.iter().any(|(_, op)| deletes_newest(op, cells));
        let passed = if reads { Some(self.load_gate.pass(progress.wait())?) } else { None };
        // Only now: whatever had a row before has stamped its cells already, and none of them may be newer.
        let now = progress.now(self);
        let (mut edit, durability, now) = self.stamp_run(good, cells, now, may_block)?;
        if edit.is_empty() {
            return Ok(true);
        }
        let edit = Edit { cells: &mut edit, is_shared };
        let Some(sequence) = self.write(edit, durability, (0, &[]), now, may_block, passed)? else {
            return Ok(false);
        };
        progress.note(sequence, durability);
        Ok(true)
    }

    /// The cells of the good ones, timestamps final, the strictest durability among them, and the time that the last timestamp was given at.
    fn stamp_run<'b>(
        &self,
        good: &[(&[u8], &Op<'_>)],
        cells: &[WireCell<'b>],
        mut now: i64,
        may_block: bool,
    ) -> Result<(Vec<EditCell<'b>>, Durability, i64)> {
        let kind = EditKind::of(good.iter().map(|(_, op)| matches!(op.body, OpBody::Delete(_))));
        let mut edit = Vec::with_capacity(cells.len().min(good.len() * 4));
        let mut durability = Durability::Skip;
        for (row, op) in good {
            let own = Durability::from_code(op.durability, self.durability)?;
            durability = durability.max(own);
            let stamps = self.stamps(row, kind, now, may_block)?;
            now = stamps.now;
            self.add_put_or_delete(op, cells, stamps, may_block, own > Durability::Skip, &mut edit)?;
        }
        Ok((edit, durability, now))
    }

    /// Checks a put or delete and returns its row, `None` when it has no cells.
    fn check_put_or_delete<'c>(&self, op: &Op<'_>, cells: &[WireCell<'c>]) -> Result<Option<&'c [u8]>> {
        let (cells, is_put) = put_or_delete(op, cells)?;
        let Some(first) = cells.first() else { return Ok(None) };
        let row = first.cell.row;
        if !self.contains_row(row) {
            return Err(Error::new(ErrorKind::Sanity, self.out_of_range(row)));
        }
        self.check_cells(cells)?;
        if is_put && let Some(slop) = self.limits.timestamp_slop_millis {
            let limit = self.now().saturating_add(slop);
            if let Some(late) = cells.iter().find(|c| c.cell.timestamp != LATEST && c.cell.timestamp > limit)
            {
                return Err(Error::new(
                    ErrorKind::Sanity,
                    format!("Timestamp for KV out of range {} (too.new={slop})", late.cell.timestamp),
                ));
            }
        }
        Ok(Some(row))
    }

    /// Adds the cells of a put or delete to an edit, timestamps final.
    pub(in crate::region) fn add_put_or_delete<'c>(
        &self,
        op: &Op<'_>,
        cells: &[WireCell<'c>],
        stamps: Stamps,
        may_block: bool,
        logged: bool,
        edit: &mut Vec<EditCell<'c>>,
    ) -> Result<()> {
        let (own, is_put) = put_or_delete(op, cells)?;
        let mut newest = match is_put {
            true => NewestVersions::default(),
            false => self.newest_versions(own, may_block, stamps.now)?,
        };
        for named in own {
            let mut cell = named.cell;
            let store = self.store_index(named.family)?;
            let stamped = cell.timestamp == LATEST;
            if stamped {
                let taken = if is_newest(named) { newest.take(store, cell.qualifier) } else { None };
                cell.timestamp = taken.unwrap_or(if is_put { stamps.put } else { stamps.marker });
            }
            edit.push(EditCell { store, logged, stamped, cell });
        }
        Ok(())
    }
}

/// The cells of a put or delete, and whether it is a put.
fn put_or_delete<'c, 'b>(op: &Op<'_>, cells: &'c [WireCell<'b>]) -> Result<(&'c [WireCell<'b>], bool)> {
    let (range, is_put) = match &op.body {
        OpBody::Put(range) => (range, true),
        OpBody::Delete(range) => (range, false),
        _ => return Err(Error::new(ErrorKind::Bug, "neither a put nor a delete")),
    };
    Ok((cells.get(range.clone()).unwrap_or_default(), is_put))
}

/// Whether a delete is of the newest version, which has to be read first.
fn deletes_newest(op: &Op<'_>, cells: &[WireCell<'_>]) -> bool {
    let OpBody::Delete(range) = &op.body else { return false };
    let own = cells.get(range.clone()).unwrap_or_default();
    own.iter().any(is_newest)
}

/// Puts and deletes succeed or fail one by one and share an edit.
pub(super) fn is_put_or_delete(op: &Op<'_>) -> bool {
    matches!(op.body, OpBody::Put(_) | OpBody::Delete(_))
}
