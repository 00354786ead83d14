//! Where rows come from.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::cell_codec::read_cell;
use grampus_store::read::{ColumnSink, Stop};
use grampus_store::{FrozenLimits, FrozenRows, FrozenScan};

/// Bytes that the cells of a row may have. What is behind a source keeps a row several times, and takes the memory for granted.
pub(super) const ROW_BYTES_MAX: usize = 256 << 20;

/// Gives rows, some at a time.
pub trait RowSource: Send {
    /// Reads the next rows in place of those before: whole rows that have cells, at most `rows` of them, and about as many bytes. There may be none
    /// although there are more. False behind the last row.
    fn advance(&mut self, rows: usize, bytes: usize) -> Result<bool>;

    /// Hands out the next rows column by column instead, as far as that can be done. Returns how many rows it left, those without a cell included:
    /// 0 is no end. Takes about a second at most. Default: none.
    fn advance_columns(&mut self, _sink: &mut impl ColumnSink) -> Result<u64> {
        Ok(0)
    }

    /// The cells of these rows as KeyValues, one behind the other; within a row by family and qualifier, newer versions first.
    fn cells(&self) -> &[u8];

    /// How many cells each row has.
    fn cell_counts(&self) -> impl Iterator<Item = u32>;
}

/// The rows that a scan of frozen files returns.
pub struct FrozenSource {
    scan: FrozenScan,
    rows: FrozenRows,
}

impl FrozenSource {
    /// What a scan has from here on. A row of more than 256 MiB is an error.
    ///
    /// # Errors
    /// The scan returns batches of a row's cells instead of whole rows.
    pub fn new(scan: FrozenScan) -> Result<FrozenSource> {
        if scan.has_batches() {
            let message = "a file needs whole rows, and the scan has a batch size; unset it";
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        Ok(FrozenSource { scan, rows: FrozenRows::of_at_most(ROW_BYTES_MAX) })
    }

    /// The scan, for what it has looked at so far.
    pub fn scan(&self) -> &FrozenScan {
        &self.scan
    }
}

impl RowSource for FrozenSource {
    fn advance(&mut self, rows: usize, bytes: usize) -> Result<bool> {
        let limits = FrozenLimits {
            rows: u32::try_from(rows).unwrap_or(u32::MAX),
            bytes: bytes as u64,
            ..FrozenLimits::USUAL
        };
        Ok(self.scan.next(&limits, &mut self.rows)? != Stop::End)
    }

    fn advance_columns(&mut self, sink: &mut impl ColumnSink) -> Result<u64> {
        self.scan.next_columns(FrozenLimits::USUAL.time, sink)
    }

    fn cells(&self) -> &[u8] {
        self.rows.cells()
    }

    fn cell_counts(&self) -> impl Iterator<Item = u32> {
        self.rows.cell_counts()
    }
}

/// Rows that were read elsewhere, all of them at once.
pub(crate) struct BlockSource<'a> {
    /// Those that `advance` has come to.
    cells: &'a [u8],
    counts: &'a [u32],
    /// Those behind them.
    later_cells: &'a [u8],
    later_counts: &'a [u32],
}

impl<'a> BlockSource<'a> {
    /// KeyValues and the number of cells of each row, as [`RowSource`] gives them.
    ///
    /// # Errors
    /// The KeyValues have more than 256 MiB.
    pub(crate) fn new(cells: &'a [u8], counts: &'a [u32]) -> Result<BlockSource<'a>> {
        if cells.len() > ROW_BYTES_MAX {
            let message = format!(
                "a block of {} bytes of cells is too large for a file: it has {ROW_BYTES_MAX} at most",
                cells.len()
            );
            return Err(Error::new(ErrorKind::RowTooBig, message));
        }
        Ok(BlockSource { cells: &[], counts: &[], later_cells: cells, later_counts: counts })
    }
}

impl RowSource for BlockSource<'_> {
    fn advance(&mut self, rows: usize, bytes: usize) -> Result<bool> {
        let (mut taken_rows, mut taken_bytes) = (0, 0);
        for count in self.later_counts.iter().take(rows.max(1)) {
            if taken_bytes >= bytes {
                break;
            }
            for _ in 0..*count {
                let (_, used) = read_cell(self.later_cells.get(taken_bytes..).unwrap_or_default())?;
                taken_bytes += used;
            }
            taken_rows += 1;
        }
        if taken_rows == self.later_counts.len() {
            // What is behind the last row is for the reader to find.
            taken_bytes = self.later_cells.len();
        }
        (self.cells, self.later_cells) = self.later_cells.split_at_checked(taken_bytes).unwrap_or_default();
        (self.counts, self.later_counts) = self.later_counts.split_at_checked(taken_rows).unwrap_or_default();
        Ok(!self.later_counts.is_empty())
    }

    fn cells(&self) -> &[u8] {
        self.cells
    }

    fn cell_counts(&self) -> impl Iterator<Item = u32> {
        self.counts.iter().copied()
    }
}
