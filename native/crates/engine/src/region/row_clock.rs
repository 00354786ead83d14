//! Timestamps that the server gives, so that what a row has acknowledged stays in force for what starts later.
//!
//! HBase takes the clock's millisecond and hides a put behind a marker of the same one. Here a put's timestamp is above every marker
//! that its row acknowledged before, and a marker's is not below any put. Only rows written in this very millisecond, or ahead of the
//! clock, leave a trace: one number in a table that all regions share. Rows that share a number get ahead of the clock together, which
//! costs them at most [`AHEAD_MILLIS`].

use std::sync::atomic::{AtomicI64, Ordering};

use grampus_base::{Error, Result};
use grampus_cells::{CellRef, CellType};

use super::Region;

/// How far timestamps may be ahead of the clock, in milliseconds. A write that would pass it waits for the clock.
pub(super) const AHEAD_MILLIS: i64 = 10;

const SLOTS: usize = 4096;

/// The latest timestamps of rows by hash, of all regions: 32 KiB.
///
/// A slot holds `2 * timestamp` of a put or `2 * timestamp + 1` of a marker, whichever is larger: at one timestamp a marker is later.
pub(crate) struct RowClock {
    slots: Box<[AtomicI64]>,
    /// The largest of the slots. Most writes are stamped by a clock that has passed it, and need not find theirs.
    latest: AtomicI64,
}

impl Default for RowClock {
    fn default() -> Self {
        RowClock { slots: (0..SLOTS).map(|_| AtomicI64::new(0)).collect(), latest: AtomicI64::new(0) }
    }
}

/// What the operations of one edit on one row replace `Long.MAX_VALUE` with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamps {
    /// The clock.
    pub now: i64,
    /// For a put: above every marker of the row.
    pub put: i64,
    /// For a marker: not below any put of the row.
    pub marker: i64,
}

impl Stamps {
    /// Timestamps after what a slot holds.
    fn behind(latest: i64, kind: EditKind, now: i64) -> Stamps {
        let put = now.max((latest + 1) >> 1);
        Stamps { now, put, marker: if kind == EditKind::Mixed { put } else { now.max(latest >> 1) } }
    }

    fn too_far(&self, kind: EditKind) -> bool {
        let stamp = if kind == EditKind::Deletes { self.marker } else { self.put };
        stamp > self.now.saturating_add(AHEAD_MILLIS)
    }

    /// The timestamp of an increment or append of a cell that exists: HBase's, which is above the cell's. A cell that is as far ahead of
    /// the clock as may be keeps its timestamp, and the later sequence id decides.
    pub(super) fn after(&self, current: i64) -> i64 {
        if current == self.now.saturating_add(AHEAD_MILLIS) {
            return current;
        }
        current.saturating_add(1).max(self.put)
    }
}

/// Which operations an edit has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EditKind {
    /// Puts, increments or appends.
    Puts,
    /// Deletes alone.
    Deletes,
    /// Both: within one edit a marker hides the puts beside it, as in HBase.
    Mixed,
}

impl EditKind {
    /// The kind of an edit, from whether each operation is a delete.
    pub(super) fn of(deletes: impl IntoIterator<Item = bool>) -> EditKind {
        let (mut puts, mut markers) = (false, false);
        for is_delete in deletes {
            if is_delete { markers = true } else { puts = true }
        }
        match (puts, markers) {
            (true, true) => EditKind::Mixed,
            (false, true) => EditKind::Deletes,
            _ => EditKind::Puts,
        }
    }
}

impl RowClock {
    fn slot(&self, seed: u32, row: &[u8]) -> &AtomicI64 {
        &self.slots[crc32c::crc32c_append(seed, row) as usize % SLOTS]
    }

    fn note(&self, seed: u32, cell: &CellRef<'_>) {
        let is_marker = i64::from(cell.cell_type != CellType::PUT);
        let stamp = 2 * cell.timestamp + is_marker;
        self.slot(seed, cell.row).fetch_max(stamp, Ordering::AcqRel);
        if self.latest.load(Ordering::Acquire) < stamp {
            self.latest.fetch_max(stamp, Ordering::AcqRel);
        }
    }

    /// Whether the clock has passed all that any row holds.
    fn is_behind(&self, now: i64) -> bool {
        self.latest.load(Ordering::Acquire) >> 1 < now
    }
}

impl Region {
    /// Timestamps for the operations of one edit on a row that is locked, by a clock that was read since. Waits, or would block, where
    /// they would be too far ahead.
    pub(super) fn stamps(&self, row: &[u8], kind: EditKind, now: i64, may_block: bool) -> Result<Stamps> {
        if self.shared.row_clock.is_behind(now) {
            return Ok(Stamps { now, put: now, marker: now });
        }
        let slot = self.shared.row_clock.slot(self.clock_seed, row);
        let mut latest = slot.load(Ordering::Acquire);
        let mut stamps = Stamps::behind(latest, kind, now);
        // A clock that stands still for longer is not waited for: a timestamp ahead of it harms less than a write that hangs.
        for _ in 0..AHEAD_MILLIS {
            if !stamps.too_far(kind) {
                break;
            }
            // What the slot holds was not too far ahead for the thread that wrote it, whose clock may be later than `now`.
            let now = self.now();
            if latest >> 1 > now.saturating_add(AHEAD_MILLIS) {
                return Ok(Stamps { now, put: now, marker: now }); // the clock was set back: waiting could take for ever
            }
            stamps = Stamps::behind(latest, kind, now);
            if !stamps.too_far(kind) {
                break;
            }
            if !may_block {
                return Err(Error::would_block());
            }
            self.shared.env.pause_millis(1);
            latest = slot.load(Ordering::Acquire);
            stamps = Stamps::behind(latest, kind, self.now());
        }
        Ok(stamps)
    }

    /// Takes note of the cells of an edit that later operations on their rows must not fall behind, before any reader sees them.
    pub(super) fn note_stamps<'c>(&self, cells: impl Iterator<Item = &'c CellRef<'c>>, now: i64) {
        let last = now.saturating_add(AHEAD_MILLIS);
        for cell in cells {
            let first = if cell.cell_type == CellType::PUT { now.saturating_add(1) } else { now };
            if (first..=last).contains(&cell.timestamp) {
                self.shared.row_clock.note(self.clock_seed, cell);
                self.latest_stamp.fetch_max(cell.timestamp, Ordering::AcqRel);
            }
        }
    }

    /// Waits until the clock has passed the region's timestamps: the next server that opens it knows nothing of them.
    pub(super) fn await_clock(&self) {
        let latest = self.latest_stamp.load(Ordering::Acquire);
        for _ in 0..=AHEAD_MILLIS {
            let left = latest.saturating_sub(self.now());
            if !(0..=AHEAD_MILLIS).contains(&left) {
                return;
            }
            self.shared.env.pause_millis(left.unsigned_abs() + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: &'static [u8], timestamp: i64, cell_type: CellType) -> CellRef<'static> {
        CellRef { row, qualifier: b"q", timestamp, cell_type, value: b"", tags: b"", sequence: 0 }
    }

    fn given(clock: &RowClock, kind: EditKind, now: i64) -> (i64, i64) {
        let stamps = Stamps::behind(clock.slot(7, b"row").load(Ordering::Relaxed), kind, now);
        (stamps.put, stamps.marker)
    }

    #[test]
    fn puts_go_above_markers_and_markers_not_below_puts() {
        let clock = RowClock::default();
        assert_eq!(given(&clock, EditKind::Puts, 100), (100, 100));
        clock.note(7, &cell(b"row", 100, CellType::DELETE_COLUMN));
        assert_eq!(given(&clock, EditKind::Puts, 100), (101, 100));
        assert_eq!(given(&clock, EditKind::Mixed, 100), (101, 101), "one edit, one timestamp");
        clock.note(7, &cell(b"row", 101, CellType::PUT));
        assert_eq!(given(&clock, EditKind::Puts, 100), (101, 101), "puts of one timestamp are in order");
        clock.note(7, &cell(b"row", 101, CellType::DELETE_FAMILY));
        assert_eq!(given(&clock, EditKind::Deletes, 100), (102, 101));
        assert_eq!(given(&clock, EditKind::Puts, 105), (105, 105), "the clock has passed them");
    }

    #[test]
    fn a_clock_that_has_passed_all_rows_stamps_as_their_slots_would() {
        let clock = RowClock::default();
        clock.note(7, &cell(b"other", 90, CellType::PUT));
        for cell_type in [CellType::PUT, CellType::DELETE_COLUMN] {
            clock.note(7, &cell(b"row", 100, cell_type));
            assert!(!clock.is_behind(99));
            assert!(!clock.is_behind(100), "a put of this millisecond must go above the marker");
            assert!(clock.is_behind(101));
            for kind in [EditKind::Puts, EditKind::Deletes, EditKind::Mixed] {
                assert_eq!(given(&clock, kind, 101), (101, 101));
            }
        }
        clock.note(7, &cell(b"other", 95, CellType::PUT));
        assert!(!clock.is_behind(100), "the latest of all stays");
    }

    #[test]
    fn increments_do_not_run_away_from_the_clock() {
        let stamps = Stamps { now: 100, put: 100, marker: 100 };
        assert_eq!(stamps.after(90), 100);
        assert_eq!(stamps.after(100), 101);
        assert_eq!(stamps.after(100 + AHEAD_MILLIS), 100 + AHEAD_MILLIS);
        assert_eq!(stamps.after(5_000), 5_001, "a client's own timestamp is counted on, as in HBase");
    }
}
