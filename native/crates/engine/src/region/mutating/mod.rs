//! Mutation batches: operations in order, runs of puts and deletes as one edit each.

mod newest_versions;
mod puts_and_deletes;

use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result, narrow, seeded_bug};
use grampus_cache::large_reads;
use grampus_cells::{WireCell, cell_codec};
use grampus_wal::record::{BODY_BYTES_MAX, OVERHEAD_BYTES};
use grampus_wal::{Durability, Need, Record, RecordBuilder, Wal};
use parking_lot::RwLockReadGuard;

use self::puts_and_deletes::is_put_or_delete;
use super::edit::{self, Edit, EditCell};
use super::load_gate::Passed;
use super::nonces::Done;
use super::{MutateStatus, Region};
use crate::reply::mutation as reply;
use crate::request::{Batch, Op, OpBody};

/// A timestamp that the server replaces.
pub(super) const LATEST: i64 = i64::MAX;

/// Once the answers to a batch are larger by this than twice its increments and appends, the rest of it is refused. What was applied is
/// answered whatever that takes, and a step of some bytes may answer with megabytes. HBase's bound of a Multi is 100 MiB
/// (`RSRpcServices.doNonAtomicRegionMutation`).
const ANSWER_BYTES_MAX: usize = 2 << 20;

/// How a batch is to run, and how far it has come.
pub(super) struct BatchProgress {
    non_blocking: bool,
    /// Whether the cells of answers come with their tags.
    pub with_tags: bool,
    /// The highest id read or written.
    pub highest: u64,
    /// The strongest durability asked for.
    pub durability: Durability,
    lock_wait: Duration,
    /// How much the batch may have answered before its next step.
    answer_bytes_max: usize,
    /// The clock, read too early: a bug that a test of the judges switches on (`seeded_bug`). `None` otherwise.
    early: Option<i64>,
}

impl BatchProgress {
    /// Of a batch that has written nothing yet.
    fn new(non_blocking: bool, with_tags: bool, lock_wait: Duration) -> BatchProgress {
        let durability = Durability::Skip;
        BatchProgress {
            non_blocking,
            with_tags,
            highest: 0,
            durability,
            lock_wait,
            answer_bytes_max: 0,
            early: None,
        }
    }

    /// May a step wait? One of a non-blocking batch is its only one.
    pub(super) fn may_block(&self) -> bool {
        !self.non_blocking
    }

    /// How long the next step may wait for locks.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.may_block().then_some(self.lock_wait)
    }

    /// Called before the locks of rows are taken. Nothing happens, but for the bug that reads the clock here, in a thread that may then lose
    /// its processor for some milliseconds.
    #[inline]
    pub(super) fn before_locks(&mut self, region: &Region) {
        if seeded_bug::is_on(seeded_bug::CLOCK_BEFORE_LOCKS) {
            let now = region.now();
            self.early = Some(now);
            region.shared.env.pause_millis(now.unsigned_abs() % 4);
        }
    }

    /// The clock, to be read once the locks are held.
    #[inline]
    pub(super) fn now(&self, region: &Region) -> i64 {
        self.early.unwrap_or_else(|| region.now())
    }

    /// An edit with this id was applied.
    pub(super) fn note(&mut self, sequence: u64, durability: Durability) {
        self.highest = self.highest.max(sequence);
        self.durability = self.durability.max(durability);
    }
}

/// How many bytes a batch may have answered before its next step. A large request has a large answer without any trick.
fn answer_bytes_max(ops: &[Op<'_>], cells: &[WireCell<'_>]) -> usize {
    let asked = ops.iter().filter_map(|op| match &op.body {
        OpBody::Increment(delta) | OpBody::Append(delta) => cells.get(delta.cells.clone()),
        _ => None,
    });
    ANSWER_BYTES_MAX + 2 * asked.flatten().map(WireCell::bytes).sum::<usize>()
}

/// The answer to one operation.
pub(super) enum Answer {
    Done,
    /// Encoded cells and their number.
    Cells(u32, Vec<u8>),
    NotMatched,
}

impl Region {
    /// Applies a mutation batch.
    pub fn mutate(&self, ops: &[u8], cells: &[u8], token: u64, out: &mut Vec<u8>) -> Result<MutateStatus> {
        let bytes = cells.len() as u64;
        let Batch { non_blocking, admitted, with_tags, nonce_group, ops, mut cells } =
            Batch::decode(ops, cells)?;
        let _read = (!non_blocking).then(|| self.begin_read()); // what may not block loads no page
        let start = out.len();
        let wait = self.admit(admitted, bytes)?;
        if !wait.is_zero() {
            return Ok(MutateStatus::Wait(wait));
        }
        let progress = BatchProgress::new(non_blocking, with_tags, self.limits.row_lock_wait);
        let outcome = self.run_batch(&ops, &mut cells, progress, nonce_group, token, out);
        if outcome.is_err() {
            out.truncate(start);
        }
        match outcome {
            Err(e) if e.kind == ErrorKind::WouldBlock => Ok(MutateStatus::WouldBlock),
            other => other,
        }
    }

    fn run_batch(
        &self,
        ops: &[Op<'_>],
        cells: &mut [WireCell<'_>],
        mut progress: BatchProgress,
        nonce_group: u64,
        token: u64,
        out: &mut Vec<u8>,
    ) -> Result<MutateStatus> {
        if progress.non_blocking && step_len(ops) < ops.len() {
            // A later step could only wait for its row locks, a freeze or the clock: the edit of the first one cannot be taken back.
            return Err(Error::would_block());
        }
        progress.answer_bytes_max = answer_bytes_max(ops, cells);
        let answers = out.len();
        let mut rest = ops;
        while !rest.is_empty() {
            let (step, later) = rest.split_at(step_len(rest));
            let begun = rest.len() < ops.len();
            let start = out.len();
            let earlier = begun.then(|| start - answers);
            match self.run_step(step, cells, nonce_group, &mut progress, earlier, out) {
                Ok(()) => rest = later,
                // A region that closes or has no memory left, for example. What was answered stays so, or a client would do it again.
                Err(e) if begun && e.kind != ErrorKind::Poisoned => {
                    out.truncate(start);
                    rest.iter().for_each(|_| write_failure(out, &e));
                    break;
                }
                Err(e) => return Err(e),
            }
        }
        self.acknowledge(&progress, token)
    }

    /// Sees to it that what was written becomes as durable as asked. `Pending` where the token says later that it is.
    fn acknowledge(&self, progress: &BatchProgress, token: u64) -> Result<MutateStatus> {
        self.wal.commit(progress.durability)?;
        if progress.highest == 0 || self.mvcc.settle(progress.highest, token)? {
            return Ok(MutateStatus::Done);
        }
        Ok(MutateStatus::Pending)
    }

    /// Runs a step behind `earlier` bytes of answers to the steps before it; the first one has none.
    fn run_step(
        &self,
        step: &[Op<'_>],
        cells: &mut [WireCell<'_>],
        nonce_group: u64,
        progress: &mut BatchProgress,
        earlier: Option<usize>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if let Some(answers) = earlier {
            large_reads::end_step(answers as u64);
            self.check_room(answers, progress.answer_bytes_max)?;
        }
        match step {
            [op] if !is_put_or_delete(op) => self.single(op, cells, nonce_group, progress, out),
            run => self.run_of_puts_and_deletes(run, cells, progress, out),
        }
    }

    /// Whether a batch whose answers take `answers` bytes may go on with another step. A step may write more than the request brought: an
    /// append of one byte writes the whole value again. No edit that was applied waits in memory for those of later steps to be logged.
    fn check_room(&self, answers: usize, most: usize) -> Result<()> {
        self.wal.write_if_much()?;
        if answers > most {
            let text = format!(
                "the answers to a batch take {answers} bytes, more than {most}: send the rest of it again"
            );
            return Err(Error::new(ErrorKind::LargeAnswers, text));
        }
        if !self.is_meta() {
            self.shared.pressure.admit()?; // what is under way is not slowed down
        }
        Ok(())
    }

    /// One operation that stands for itself.
    fn single(
        &self,
        op: &Op<'_>,
        cells: &[WireCell<'_>],
        nonce_group: u64,
        progress: &mut BatchProgress,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self.atomic_op(op, cells, nonce_group, progress) {
            Ok(answer) => write_answer(out, answer),
            Err(e) if fails_batch(&e) => return Err(e),
            Err(e) => write_failure(out, &e),
        }
        Ok(())
    }

    /// Families and sizes of cells.
    pub(super) fn check_cells(&self, cells: &[WireCell<'_>]) -> Result<()> {
        for cell in cells {
            self.store_index(cell.family)?;
            self.check_cell_size(cell.bytes() as u64)?;
        }
        Ok(())
    }

    pub(super) fn check_cell_size(&self, size: u64) -> Result<()> {
        let limit = self.limits.max_cell_bytes;
        if limit > 0 && size > limit {
            return Err(Error::new(
                ErrorKind::BadRequest,
                format!("Cell with size {size} exceeds limit of {limit} bytes in region {}", self.encoded),
            ));
        }
        Ok(())
    }

    /// Bytes of an edit's cells, logged or not, if memtables, files and the log can hold them.
    fn edit_bytes(&self, edit: &[EditCell<'_>]) -> Result<usize> {
        let mut bytes = 0;
        for EditCell { store, cell, .. } in edit {
            bytes += cell_codec::checked_bytes(&self.stores[*store].config.name, cell)?;
        }
        if bytes > BODY_BYTES_MAX {
            let text = format!(
                "a mutation of {bytes} bytes is too large: at most {BODY_BYTES_MAX} are applied at once"
            );
            return Err(Error::new(ErrorKind::BadRequest, text));
        }
        Ok(bytes)
    }

    /// The record of an edit whose cells have this number of bytes; its sequence id comes later.
    fn record_of(
        &self,
        cells: &[EditCell<'_>],
        bytes: usize,
        (nonce_group, nonces): (u64, &[u64]),
        now: i64,
    ) -> Result<Record> {
        let names = self.log.table.len() + self.log.encoded.len() + 8 * nonces.len();
        let mut buffer = self.wal.buffer(bytes + names + OVERHEAD_BYTES);
        let (table, encoded) = (&self.log.table, &self.log.encoded);
        let mut record = RecordBuilder::in_buffer(&mut buffer, table, encoded, now, nonce_group, nonces)?;
        for item in cells.iter().filter(|item| item.logged) {
            record.push(&self.stores[item.store].config.name, &item.cell);
        }
        record.finish()
    }

    /// Gives an edit its sequence id, logs it and puts it into the memtables. Row locks are held by the caller.
    ///
    /// `read` is of an edit that depends on cells that were read: the load gate as it was passed before the read. `None`, and nothing is done,
    /// when a bulk load has shut the gate since: read again.
    pub(super) fn write(
        &self,
        edit: Edit<'_, '_>,
        durability: Durability,
        (nonce_group, nonces): (u64, &[u64]),
        now: i64,
        may_block: bool,
        read: Option<Passed>,
    ) -> Result<Option<u64>> {
        if !may_block && self.updates.is_locked_exclusive() {
            return Err(Error::would_block()); // before the record is built
        }
        let bytes = self.edit_bytes(edit.cells)?;
        let mut record = match durability > Durability::Skip {
            true => Some(self.record_of(edit.cells, bytes, (nonce_group, nonces), now)?),
            false => None,
        };
        self.note_stamps(edit.cells.iter().map(|item| &item.cell), now);
        let updates = self.share_updates(may_block)?;
        self.check_serving()?;
        if read.is_some_and(|passed| !self.load_gate.is_still(passed)) {
            return Ok(None);
        }
        let _all_or_poisoned = Unapplied { wal: &self.wal, region: &self.encoded };
        let sequence = self.mvcc.begin(|sequence| {
            if edit.is_shared {
                self.order_shared(edit.cells, record.as_mut());
            }
            match record {
                Some(record) => self.wal.append(record, sequence, &self.log, durability),
                None => Ok(Need::Nothing),
            }
        })?;
        self.grow(edit::insert(&self.stores, edit.cells, sequence));
        self.note_nonce(nonce_group, nonces, sequence);
        drop(updates);
        self.mvcc.applied(sequence, None)?;
        Ok(Some(sequence))
    }

    /// Keeps a freeze out for as long as the result lives. One that waits for a large batch on a pool keeps others out; event loops do not
    /// wait with it.
    fn share_updates(&self, may_block: bool) -> Result<RwLockReadGuard<'_, ()>> {
        match self.updates.try_read() {
            Some(updates) => Ok(updates),
            None if may_block => Ok(self.updates.read()),
            None => Err(Error::would_block()),
        }
    }

    /// An edit has the nonce that its operation began with, if any.
    fn note_nonce(&self, nonce_group: u64, nonces: &[u64], sequence: u64) {
        if let Some(nonce) = nonces.first() {
            let at_millis = self.shared.monotonic_millis();
            let done = Done { key: (nonce_group, *nonce), sequence, at_millis };
            self.shared.nonces.note(self.nonce_owner, done, at_millis);
        }
    }
}

/// An edit between its sequence id and the memtables. A panic there leaves an edit that is logged and not applied, and an id that the
/// read point never passes: the log is poisoned, and what replay finds decides.
struct Unapplied<'a> {
    wal: &'a Wal,
    region: &'a str,
}

impl Drop for Unapplied<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.wal.poison(&format!("an edit of region {} panicked before it was applied", self.region));
        }
    }
}

/// How many of the first operations are one step of a batch: a run of puts and deletes, or one that stands for itself.
fn step_len(ops: &[Op<'_>]) -> usize {
    ops.iter().take_while(|op| is_put_or_delete(op)).count().max(1)
}

/// Errors that concern the rest of the batch and not one operation.
fn fails_batch(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::WouldBlock | ErrorKind::Poisoned | ErrorKind::NotServing | ErrorKind::Bug)
}

fn write_answer(out: &mut Vec<u8>, answer: Answer) {
    match answer {
        Answer::Done => write_header(out, reply::DONE, 0, 0),
        Answer::NotMatched => write_header(out, reply::NOT_MATCHED, 0, 0),
        Answer::Cells(count, cells) => {
            write_header(out, reply::DONE_WITH_CELLS, 0, cells.len() + 4);
            out.extend_from_slice(&count.to_le_bytes());
            out.extend_from_slice(&cells);
        }
    }
}

fn write_failure(out: &mut Vec<u8>, error: &Error) {
    write_header(out, reply::FAILED, error.kind as u8, error.message.len());
    out.extend_from_slice(error.message.as_bytes());
}

fn write_header(out: &mut Vec<u8>, status: u8, error_kind: u8, payload: usize) {
    let mut header = [0; reply::HEADER_BYTES];
    header[reply::STATUS] = status;
    header[reply::ERROR_KIND] = error_kind;
    header[reply::PAYLOAD_LENGTH..].copy_from_slice(&narrow::to_u32(payload).to_le_bytes());
    out.extend_from_slice(&header);
}
