//! One compaction, from its inputs to the committed output.

use std::sync::Arc;

use grampus_base::events::bytes;
use grampus_base::{Error, ErrorKind, Result, crash_point, printable};
use grampus_cells::{CellRef, Direction, RowCursor, RowRange, TimeRange};
use grampus_colfile::{FinishInfo, Summary};

use crate::FamilyConfig;
use crate::compaction::merge::Merge;
use crate::compaction::retention::{Retention, RetentionRules};
use crate::fileset::{CursorSpec, PendingFile, StoreFile, StoreFileSet};
use crate::policy::CompactionKind;

/// What a cell takes while its row is collected, besides its bytes.
const CELL_BYTES: usize = 64;
/// The most bytes of a row's key that a message shows.
const ROW_SHOWN_BYTES: usize = 128;

/// What to do.
pub struct Compaction<'a> {
    /// The store's files.
    pub files: &'a StoreFileSet,
    /// Inputs, contiguous in the store's order, oldest first.
    pub inputs: Vec<Arc<StoreFile>>,
    /// What may be dropped; major only when no file is left out that is as old as an input.
    pub kind: CompactionKind,
    /// The family's settings.
    pub config: &'a FamilyConfig,
    /// Read point of the oldest open scanner, or the current one.
    pub smallest_read_point: u64,
    /// What had not expired then stays: the time of the oldest open scanner, or the current one.
    pub now_millis: i64,
    /// A row is collected as a whole before it is written; none may have more bytes.
    pub row_bytes_max: u64,
    /// Called after each row: waits to stay within a budget, or fails to cancel.
    pub after_row: &'a dyn Fn(CompactionProgress) -> Result<()>,
}

/// How far a compaction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactionProgress {
    /// Cells read.
    pub read_cells: u64,
    /// Bytes written, the open row group excluded.
    pub written_bytes: u64,
}

/// What was done.
pub struct CompactionReport {
    /// The output, in place.
    pub output: Arc<StoreFile>,
    /// What was written.
    pub summary: Summary,
    /// Cells read.
    pub input_cells: u64,
}

impl Compaction<'_> {
    /// Runs it. An error leaves the inputs as they are and no output.
    pub fn run(&self) -> Result<CompactionReport> {
        self.check()?;
        let (mut pending, input_cells) = self.write()?;
        crash_point!("compaction.after_write_before_sync");
        pending.close()?;
        crash_point!("compaction.after_sync_before_rename");
        let summary = pending.summary().clone();
        let output = self.files.commit_compaction(&self.inputs, pending)?;
        Ok(CompactionReport { output, summary, input_cells })
    }

    /// A major compaction leaves no older file out. Newer ones may have come since its inputs were chosen.
    fn check(&self) -> Result<()> {
        let newest_input = self.newest_input();
        let older = self.others().into_iter().find(|f| f.max_sequence() <= newest_input);
        match older {
            _ if self.inputs.is_empty() => Err(Error::new(ErrorKind::Bug, "a compaction without inputs")),
            Some(older) if self.kind == CompactionKind::Major => {
                let message = format!("a major compaction leaves out {}, which is not newer", older.name());
                Err(Error::new(ErrorKind::Bug, message))
            }
            _ => Ok(()),
        }
    }

    fn newest_input(&self) -> u64 {
        self.inputs.iter().map(|f| f.max_sequence()).max().unwrap_or(0)
    }

    /// The store's files that are no inputs.
    fn others(&self) -> Vec<Arc<StoreFile>> {
        let snapshot = self.files.snapshot();
        let is_input = |file: &&Arc<StoreFile>| self.inputs.iter().any(|i| Arc::ptr_eq(i, file));
        snapshot.files().iter().filter(|f| !is_input(f)).cloned().collect()
    }

    fn write(&self) -> Result<(PendingFile, u64)> {
        let mut merge = Merge::new(self.cursors()?, self.files.order())?;
        let mut writer = self.files.new_file(self.config)?;
        let mut retention = Retention::new(self.rules());
        let zero_to = if self.may_zero_sequences() { self.smallest_read_point } else { 0 };
        let mut input_cells = 0;
        loop {
            retention.start_row();
            let mut row_bytes = 0;
            let more = merge.next_row(|cell| {
                input_cells += 1;
                if !retention.keeps(&cell) {
                    return Ok(());
                }
                row_bytes += (cell.qualifier.len() + cell.value.len() + cell.tags.len() + CELL_BYTES) as u64;
                if row_bytes > self.row_bytes_max {
                    return Err(self.row_too_large(cell.row));
                }
                let sequence = if cell.sequence <= zero_to { 0 } else { cell.sequence };
                writer.append(CellRef { sequence, ..cell })
            })?;
            if !more {
                break;
            }
            (self.after_row)(CompactionProgress {
                read_cells: input_cells,
                written_bytes: writer.written_bytes(),
            })?;
        }
        let info = FinishInfo {
            max_sequence: self.newest_input(),
            major: self.kind == CompactionKind::Major,
            compaction_inputs: self.inputs.iter().map(|f| f.name().to_string()).collect(),
        };
        Ok((writer.finish(info)?, input_cells))
    }

    #[cold]
    fn row_too_large(&self, row: &[u8]) -> Error {
        let row = printable(row.get(..ROW_SHOWN_BYTES.min(row.len())).unwrap_or_default());
        let limit = bytes(self.row_bytes_max);
        Error::new(
            ErrorKind::RowTooBig,
            format!("row {row} has more than {limit} in the inputs, too much to collect it in memory"),
        )
    }

    fn cursors(&self) -> Result<Vec<Box<dyn RowCursor>>> {
        let spec = CursorSpec {
            direction: Direction::Forward,
            projection: None,
            rows: RowRange::ALL,
            read_point: u64::MAX,
            time_range: TimeRange::ALL,
            all_rows: false,
            cache: false,
            one_pass: true,
            blocking: true,
            all_cells: false,
        };
        let cursors = self.inputs.iter().map(|file| file.cursor(&spec));
        cursors.filter_map(Result::transpose).collect()
    }

    fn rules(&self) -> RetentionRules {
        let earliest_put =
            self.inputs.iter().filter_map(|f| f.facts().earliest_put).min().unwrap_or(i64::MAX);
        RetentionRules::new(self.kind, self.config, self.now_millis, self.smallest_read_point, earliest_put)
    }

    /// Sequence ids tell writes of one cell apart. They may go when no file outside the inputs has older ids: then what is
    /// left at 0 is older than everything else. NEW_VERSION_BEHAVIOR needs them for ever.
    fn may_zero_sequences(&self) -> bool {
        if self.config.new_version_behavior {
            return false;
        }
        let newest_input = self.newest_input();
        self.others().iter().all(|f| f.facts().min_cell_sequence > newest_input)
    }
}
