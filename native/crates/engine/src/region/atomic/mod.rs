//! Operations that read before they write: increments, appends, conditions, and all-or-nothing groups.
//!
//! They hold their rows exclusively and read the latest applied state. Their reply waits for the highest id that they read or wrote,
//! also when nothing was written.

mod conditions;
mod current_cells;

use std::slice;

use grampus_base::{Error, ErrorKind, Result, narrow};
use grampus_cells::{CellRef, CellType, TimeRange, WireCell, cell_codec};
use grampus_wal::{Durability, record};

use self::conditions::DecodedCondition;
use self::current_cells::CurrentCells;
use super::Region;
use super::carried_tags::CarriedTags;
use super::edit::{Edit, EditCell};
use super::load_gate::Passed;
use super::mutating::{Answer, BatchProgress, LATEST};
use super::nonces::NonceOutcome;
use super::row_clock::{EditKind, Stamps};
use super::row_locks::LockSet;
use crate::request::mutation::ReadModifyWrite;
use crate::request::{Condition, Op, OpBody};

/// Bytes that the increments and appends of a group may always make: more than the largest cell as the setting is delivered.
const COMPUTED_BYTES_MIN: u64 = 16 << 20;

/// Bytes of a row that a condition may collect for a filter that evaluates all its cells together. No client's account counts them.
const CONDITION_BYTES_MAX: usize = 16 << 20;
/// Bytes that the columns of one operation's increments and appends may hold together; a single cell may be larger.
const CURRENT_BYTES_MAX: usize = 16 << 20;

/// An atomic operation, whatever its kind.
struct Atomic<'o, 'b> {
    /// The row of all operations; `None` = rows may differ.
    row: Option<&'b [u8]>,
    conditions: Vec<(&'b [u8], &'o Condition<'b>)>,
    ops: &'o [Op<'b>],
    multi_row: bool,
}

impl<'o, 'b> Atomic<'o, 'b> {
    /// A group as what it is; an increment or append that stands for itself as a group of one.
    ///
    /// # Errors
    /// `Bug` for a put or delete that stands for itself.
    fn of(op: &'o Op<'b>) -> Result<Atomic<'o, 'b>> {
        Ok(match &op.body {
            OpBody::AtomicRow { row, ops } => {
                Atomic { row: Some(row), conditions: Vec::new(), ops, multi_row: false }
            }
            OpBody::Check { row, condition, ops } => {
                Atomic { row: Some(row), conditions: vec![(row, condition)], ops, multi_row: false }
            }
            OpBody::MultiRow { conditions, ops } => {
                let conditions = conditions.iter().map(|(row, condition)| (*row, condition)).collect();
                Atomic { row: None, conditions, ops, multi_row: true }
            }
            OpBody::Increment(_) | OpBody::Append(_) => {
                Atomic { row: None, conditions: Vec::new(), ops: slice::from_ref(op), multi_row: false }
            }
            OpBody::Put(_) | OpBody::Delete(_) => {
                return Err(Error::new(ErrorKind::Bug, "not an atomic operation"));
            }
        })
    }
}

/// A cell that an increment or append has computed.
struct NewCell {
    store: usize,
    row_of: usize,
    timestamp: i64,
    value: Vec<u8>,
    tags: CarriedTags,
    logged: bool,
    returned: bool,
}

/// What the increments and appends of an atomic operation have computed so far, in memory all at once.
#[derive(Default)]
struct Computed {
    cells: Vec<NewCell>,
    /// Bytes of their values and tags.
    bytes: u64,
}

/// How the edit of an atomic operation is written, and its cells that were computed.
struct EditPlan {
    computed: Computed,
    /// The strictest of its operations.
    durability: Durability,
    /// The time that its last timestamp was given at.
    now: i64,
}

impl Region {
    pub(super) fn atomic_op<'b>(
        &self,
        op: &Op<'b>,
        cells: &[WireCell<'b>],
        nonce_group: u64,
        progress: &mut BatchProgress,
    ) -> Result<Answer> {
        let atomic = Atomic::of(op)?;
        let nonces = nonces_of(atomic.ops)?;
        let Some(nonce) = nonces.first() else {
            return self.run_atomic(&atomic, cells, (nonce_group, &nonces), progress);
        };
        let key = (nonce_group, *nonce);
        match self.shared.nonces.begin(key, self.shared.monotonic_millis(), progress.wait())? {
            NonceOutcome::Duplicate(sequence) => {
                // An id of before a truncation may be above all that were given since.
                progress.highest = progress.highest.max(sequence.min(self.mvcc.last_given()));
                self.answer_duplicate(&atomic, cells, sequence, progress)
            }
            NonceOutcome::Execute => {
                let _running = self.shared.nonces.running(key);
                self.run_atomic(&atomic, cells, (nonce_group, &nonces), progress)
            }
        }
    }

    /// Runs the operation. Its nonce is noted when it writes.
    fn run_atomic<'b>(
        &self,
        atomic: &Atomic<'_, 'b>,
        cells: &[WireCell<'b>],
        (nonce_group, nonces): (u64, &[u64]),
        progress: &mut BatchProgress,
    ) -> Result<Answer> {
        loop {
            let locks = self.check_atomic(atomic, cells)?;
            let tests = self.decode_conditions(atomic, progress.may_block())?;
            progress.before_locks(self);
            let _rows = self.locks.lock(locks, progress.wait())?;
            let passed = self.load_gate.pass(progress.wait())?;
            let nonces = (nonce_group, nonces);
            if let Some(done) = self.try_atomic(atomic, tests, cells, nonces, progress, passed)? {
                return Ok(done);
            }
        }
    }

    /// The same with its rows locked. `None`, and nothing is done, when what it has read is older than a load that came between.
    fn try_atomic<'b>(
        &self,
        atomic: &Atomic<'_, 'b>,
        tests: Vec<DecodedCondition>,
        cells: &[WireCell<'b>],
        (nonce_group, nonces): (u64, &[u64]),
        progress: &mut BatchProgress,
        passed: Passed,
    ) -> Result<Option<Answer>> {
        let may_block = progress.may_block();
        let now = progress.now(self);
        let Some(condition_stamp) = self.check_conditions(atomic, tests, may_block, now)? else {
            return Ok(self.unwritten(Answer::NotMatched, progress, passed));
        };
        let (mut edit, plan) = self.plan_edit(atomic, cells, condition_stamp, now, may_block)?;
        edit.extend(plan.computed.cells.iter().map(|new| new.written(cells)));
        if edit.is_empty() {
            return Ok(self.unwritten(Answer::Done, progress, passed));
        }
        let shown = Edit { cells: &mut edit, is_shared: false };
        let written =
            self.write(shown, plan.durability, (nonce_group, nonces), plan.now, may_block, Some(passed))?;
        let Some(sequence) = written else { return Ok(None) };
        progress.note(sequence, plan.durability);
        Ok(Some(self.answer(&plan.computed.cells, cells, progress.with_tags)))
    }

    /// What the operations write: the edit with the cells of puts and deletes, and the plan with what increments and appends compute.
    /// `condition_stamp` is the timestamp that no put may fall behind.
    fn plan_edit<'b>(
        &self,
        atomic: &Atomic<'_, 'b>,
        cells: &[WireCell<'b>],
        condition_stamp: i64,
        now: i64,
        may_block: bool,
    ) -> Result<(Vec<EditCell<'b>>, EditPlan)> {
        let kind = EditKind::of(atomic.ops.iter().map(|op| matches!(op.body, OpBody::Delete(_))));
        let mut edit = Vec::new();
        let mut plan = EditPlan { computed: Computed::default(), durability: Durability::Skip, now };
        for op in atomic.ops {
            let own = Durability::from_code(op.durability, self.durability)?;
            plan.durability = plan.durability.max(own);
            let logged = own > Durability::Skip;
            let row = cells_of(op, cells).first().map_or(&[][..], |first| first.cell.row);
            let stamps = self.stamps(row, kind, plan.now, may_block)?;
            plan.now = stamps.now;
            match rmw_of(op) {
                None => {
                    // HBase lets a put not fall behind the cell of its condition.
                    let stamps = Stamps { put: stamps.put.max(condition_stamp), ..stamps };
                    self.add_put_or_delete(op, cells, stamps, may_block, logged, &mut edit)?;
                }
                Some(rmw) => {
                    let add = matches!(op.body, OpBody::Increment(_));
                    let flags = (logged, op.return_result);
                    self.compute(rmw, add, cells, stamps, may_block, flags, &mut plan.computed)?;
                }
            }
        }
        Ok((edit, plan))
    }

    /// An answer to what was read alone: it waits for the highest id.
    fn unwritten(&self, answer: Answer, progress: &mut BatchProgress, passed: Passed) -> Option<Answer> {
        if !self.load_gate.is_still(passed) {
            return None;
        }
        progress.highest = progress.highest.max(self.mvcc.last_given());
        Some(answer)
    }

    /// What a group has computed so far against what the memtables still take. A group that makes little is refused by
    /// [`Region::admit`] alone.
    fn check_computed(&self, bytes: u64) -> Result<()> {
        let room = self.shared.pressure.room().max(COMPUTED_BYTES_MIN);
        if bytes > room && !self.is_meta() {
            let text = format!(
                "Over memstore limit: increments and appends of an atomic group make {bytes} bytes, {room} are left"
            );
            return Err(Error::new(ErrorKind::Busy, text));
        }
        Ok(())
    }

    /// Checks rows, families and sizes and returns the locks that are needed.
    fn check_atomic(&self, atomic: &Atomic<'_, '_>, cells: &[WireCell<'_>]) -> Result<LockSet> {
        let mut locks = LockSet::exclusive();
        if let Some(row) = atomic.row {
            self.check_row(row)?;
            locks.add(row);
        }
        for (row, condition) in &atomic.conditions {
            self.check_row(row)?;
            locks.add(row);
            if let Some((family, _)) = condition.column() {
                self.store_index(family)?;
            }
        }
        for op in atomic.ops {
            let own = cells_of(op, cells);
            let Some(first) = own.first() else { continue };
            check_row_of_group(atomic, first.cell.row)?;
            self.check_row(first.cell.row)?;
            locks.add(first.cell.row);
            self.check_cells(own)?;
        }
        Ok(locks)
    }

    /// The new cells of an increment or append.
    #[expect(clippy::too_many_arguments, reason = "one step of one caller")]
    fn compute(
        &self,
        rmw: &ReadModifyWrite,
        add: bool,
        cells: &[WireCell<'_>],
        stamps: Stamps,
        may_block: bool,
        (logged, returned): (bool, bool),
        computed: &mut Computed,
    ) -> Result<()> {
        let deltas = cells.get(rmw.cells.clone()).unwrap_or_default();
        let current = self.current_cells(deltas, rmw.range, u64::MAX, may_block, stamps.now)?;
        let mut current = CurrentCells::new(&current);
        for (store, index) in self.in_cell_order(deltas)? {
            let delta = &deltas[index];
            let found = current.find(store, delta, |family| self.store_index(family))?;
            let value = sum_or_concat(add, found.map(|cell| cell.value), delta.cell.value)?;
            let timestamp = match found {
                Some(cell) => stamps.after(cell.timestamp),
                None if delta.cell.timestamp == LATEST => stamps.put,
                None => delta.cell.timestamp,
            };
            let tags = found.map_or(&[][..], |cell| cell.tags);
            let tags = CarriedTags::of(delta.cell.tags, tags, rmw.ttl_millis)?;
            let row_of = rmw.cells.start + index;
            let new = NewCell { store, row_of, timestamp, value, tags, logged, returned };
            self.check_answered(delta.family, &new.answered(cells))?;
            computed.bytes += new.bytes();
            self.check_computed(computed.bytes)?;
            computed.cells.push(new);
        }
        Ok(())
    }

    /// The store and the index of each delta. Clients search a result by halving: its cells are in order whatever the order of the request.
    fn in_cell_order(&self, deltas: &[WireCell<'_>]) -> Result<Vec<(usize, usize)>> {
        let mut order = (0..deltas.len())
            .map(|i| Ok((self.store_index(deltas[i].family)?, i)))
            .collect::<Result<Vec<_>>>()?;
        order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| deltas[a.1].cell.cmp_in_row(&deltas[b.1].cell)));
        Ok(order)
    }

    /// Before anything is applied: HBase holds the cell that it answers with against the largest size.
    fn check_answered(&self, family: &[u8], cell: &CellRef<'_>) -> Result<()> {
        let bytes = cell_codec::cell_bytes(cell.row, family, cell.qualifier, cell.value.len(), cell.tags);
        self.check_cell_size(bytes as u64)?;
        cell_codec::checked_bytes(family, cell).map(|_| ())
    }

    fn answer(&self, computed: &[NewCell], cells: &[WireCell<'_>], with_tags: bool) -> Answer {
        let returned: Vec<&NewCell> = computed.iter().filter(|new| new.returned).collect();
        if returned.is_empty() {
            return Answer::Done;
        }
        let mut out = Vec::new();
        for new in &returned {
            append_answer(&mut out, &self.stores[new.store].config.name, new.answered(cells), with_tags);
        }
        Answer::Cells(narrow::to_u32(returned.len()), out)
    }

    /// Answers an operation that was executed before by reading its columns as of then.
    fn answer_duplicate(
        &self,
        atomic: &Atomic<'_, '_>,
        cells: &[WireCell<'_>],
        sequence: u64,
        progress: &BatchProgress,
    ) -> Result<Answer> {
        let mut count = 0;
        let mut out = Vec::new();
        for op in atomic.ops.iter().filter(|op| op.return_result) {
            let Some(rmw) = rmw_of(op) else { continue };
            let deltas = cells.get(rmw.cells.clone()).unwrap_or_default();
            let found =
                self.current_cells(deltas, TimeRange::ALL, sequence, progress.may_block(), self.now())?;
            let mut rest = found.as_slice();
            while !rest.is_empty() {
                let (cell, used) = cell_codec::read_cell(rest)?;
                append_answer(&mut out, cell.family, cell.cell, progress.with_tags);
                count += 1;
                rest = rest.get(used..).unwrap_or_default();
            }
        }
        Ok(if count == 0 { Answer::Done } else { Answer::Cells(count, out) })
    }
}

impl NewCell {
    /// Bytes of what was computed.
    fn bytes(&self) -> u64 {
        self.value.len() as u64 + self.tags.bytes()
    }

    fn written<'c>(&'c self, cells: &[WireCell<'c>]) -> EditCell<'c> {
        let cell = self.cell(cells, self.tags.stored());
        EditCell { store: self.store, logged: self.logged, stamped: true, cell }
    }

    fn answered<'c>(&'c self, cells: &[WireCell<'c>]) -> CellRef<'c> {
        self.cell(cells, self.tags.answered())
    }

    fn cell<'c>(&'c self, cells: &[WireCell<'c>], tags: &'c [u8]) -> CellRef<'c> {
        let delta = &cells[self.row_of].cell;
        CellRef {
            row: delta.row,
            qualifier: delta.qualifier,
            timestamp: self.timestamp,
            cell_type: CellType::PUT,
            value: &self.value,
            tags,
            sequence: 0,
        }
    }
}

fn append_answer(out: &mut Vec<u8>, family: &[u8], mut cell: CellRef<'_>, with_tags: bool) {
    if !with_tags {
        cell.tags = &[];
    }
    cell_codec::append_cell(out, family, &cell);
}

fn rmw_of<'o>(op: &'o Op<'_>) -> Option<&'o ReadModifyWrite> {
    match &op.body {
        OpBody::Increment(rmw) | OpBody::Append(rmw) => Some(rmw),
        _ => None,
    }
}

/// The nonces of a group, each once and the first one first. HBase's client gives all mutations of a group the same.
fn nonces_of(ops: &[Op<'_>]) -> Result<Vec<u64>> {
    let mut nonces: Vec<u64> =
        ops.iter().filter_map(rmw_of).map(|rmw| rmw.nonce).filter(|n| *n != 0).collect();
    if let [first, rest @ ..] = &mut nonces[..] {
        let first = *first;
        rest.sort_unstable_by_key(|nonce| (*nonce != first, *nonce));
        nonces.dedup();
    }
    record::check_nonces(nonces.len())?;
    Ok(nonces)
}

fn check_row_of_group(atomic: &Atomic<'_, '_>, row: &[u8]) -> Result<()> {
    if atomic.row.is_none_or(|of_group| of_group == row) {
        return Ok(());
    }
    let message = "Action's getRow must match: all operations of an atomic group are on its row";
    Err(Error::new(ErrorKind::BadRequest, message))
}

/// The cells of an operation within a group.
fn cells_of<'c, 'b>(op: &Op<'_>, cells: &'c [WireCell<'b>]) -> &'c [WireCell<'b>] {
    let own = match &op.body {
        OpBody::Put(range) | OpBody::Delete(range) => range.clone(),
        OpBody::Increment(rmw) | OpBody::Append(rmw) => rmw.cells.clone(),
        _ => 0..0,
    };
    cells.get(own).unwrap_or_default()
}

/// The value of a column to which a delta was added, or appended.
///
/// # Errors
/// `BadRequest` where one of those that are added is no 8-byte number.
fn sum_or_concat(add: bool, current: Option<&[u8]>, delta: &[u8]) -> Result<Vec<u8>> {
    if !add {
        return Ok([current.unwrap_or_default(), delta].concat());
    }
    let sum = current.map_or(Ok(0), long_of)?.wrapping_add(long_of(delta)?);
    Ok(sum.to_be_bytes().to_vec())
}

fn long_of(value: &[u8]) -> Result<i64> {
    let bytes: [u8; 8] = value.try_into().map_err(|_| {
        Error::new(ErrorKind::BadRequest, format!("Field is not a long, it's {} bytes wide", value.len()))
    })?;
    Ok(i64::from_be_bytes(bytes))
}
