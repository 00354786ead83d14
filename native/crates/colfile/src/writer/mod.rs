//! Writes a column file: collects a row group, encodes it, and finishes with footer and HFile tail.

mod row_groups;

use std::collections::BTreeMap;
use std::io::Write;

use grampus_base::narrow;
use grampus_cells::CellRef;

use crate::error::{Error, Result};
use crate::footer::{Footer, RowGroup};
use crate::format_version::{FILE_MAGIC, FORMAT_MAJOR};
use crate::hfile_tail::{self, FileInfo, Tail};
use crate::info_keys;
use crate::options::WriterOptions;
use crate::page::{PageAt, PageKind, seal};
use crate::row_group::RowGroupBuffer;
use crate::zone_map::CellStats;

/// Values above this length are not looked at for anything but plain storage when pages are cut.
const CUT_SAMPLE_VALUE_BYTES_MAX: u64 = 64;

/// What a cell takes apart from its value, about.
const CELL_BYTES: u64 = 2;

/// The most rows for each cell of a qualifier that becomes a column. (It must be large enough to fill a page, too.)
const COLUMN_ROWS_PER_CELL_MAX: u64 = 64;

/// No qualifier and no value has more bytes, so that a page can hold each, and Java's int its length.
const CELL_PART_BYTES_MAX: usize = 1 << 30;

/// A row group has at most this many columns; further qualifiers share the mixed pages.
const COLUMNS_MAX: usize = 4096;

/// What only the owner of the file knows about it.
#[derive(Clone, Debug, Default)]
pub struct FinishInfo {
    /// Highest sequence id that the file covers; at least that of its cells.
    pub max_sequence: u64,
    /// True for the result of a major compaction.
    pub major: bool,
    /// Names of the files that this one replaces.
    pub compaction_inputs: Vec<String>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Rows.
    pub rows: u64,
    /// Cells and their bounds.
    pub stats: CellStats,
    /// Row groups.
    pub row_groups: usize,
    /// As given to [`ColumnFileWriter::finish`], or the cells' own maximum if that is higher.
    pub max_sequence: u64,
}

/// Writes one file.
pub struct ColumnFileWriter<W: Write> {
    sink: W,
    offset: u64,
    raw_bytes: u64,
    options: WriterOptions,
    buffer: RowGroupBuffer,
    groups: Vec<RowGroup>,
    /// Qualifiers with a column somewhere, and their provisional numbers.
    qualifiers: BTreeMap<Box<[u8]>, u32>,
    totals: Totals,
    last: LastCell,
}

struct Totals {
    rows: u64,
    stats: CellStats,
    sequences: (u64, u64),
    family_deletes: u64,
    key_bytes: u64,
    value_bytes: u64,
    tags_bytes_max: usize,
    earliest_put: Option<i64>,
}

/// The last cell's key, for the order check.
#[derive(Default)]
struct LastCell {
    row: Vec<u8>,
    qualifier: Vec<u8>,
    version: Option<(i64, grampus_cells::CellType, u64)>,
}

impl<W: Write> ColumnFileWriter<W> {
    /// Starts a file.
    pub fn new(sink: W, options: WriterOptions) -> Result<ColumnFileWriter<W>> {
        let mut writer = ColumnFileWriter {
            sink,
            offset: 0,
            raw_bytes: 0,
            options,
            buffer: RowGroupBuffer::default(),
            groups: Vec::new(),
            qualifiers: BTreeMap::new(),
            totals: Totals {
                rows: 0,
                stats: CellStats::EMPTY,
                sequences: (u64::MAX, 0),
                family_deletes: 0,
                key_bytes: 0,
                value_bytes: 0,
                tags_bytes_max: 0,
                earliest_put: None,
            },
            last: LastCell::default(),
        };
        writer.write(FILE_MAGIC)?;
        Ok(writer)
    }

    /// Adds the next cell; cells come in the order of [`CellRef::cmp_in`].
    pub fn append(&mut self, cell: CellRef<'_>) -> Result<()> {
        if self.check_order(&cell)? {
            let full = self.buffer.rows() >= self.options.row_group_rows_max
                || self.buffer.bytes() >= self.options.row_group_bytes_max;
            if full {
                self.close_row_group()?;
            }
            self.buffer.push_row(cell.row);
            self.last.row.clear();
            self.last.row.extend_from_slice(cell.row);
        }
        self.last.qualifier.clear();
        self.last.qualifier.extend_from_slice(cell.qualifier);
        self.last.version = Some((cell.timestamp, cell.cell_type, cell.sequence));
        self.totals.add(&cell, self.options.family.len());
        self.buffer.push(&cell);
        Ok(())
    }

    /// Bytes written so far; the open row group is not among them.
    pub fn written_bytes(&self) -> u64 {
        self.offset
    }

    /// True when the cell starts a new row.
    fn check_order(&self, cell: &CellRef<'_>) -> Result<bool> {
        if cell.row.is_empty() || cell.row.len() > i16::MAX as usize {
            return Err(Error::Misuse(format!("a row key has {} bytes", cell.row.len())));
        }
        if grampus_cells::CellType::from_code(cell.cell_type.0).is_none() {
            return Err(Error::Misuse(format!("{} is not a stored cell type", cell.cell_type.0)));
        }
        if cell.qualifier.len() > CELL_PART_BYTES_MAX
            || cell.value.len() > CELL_PART_BYTES_MAX
            || cell.tags.len() > u16::MAX as usize
            || self.options.family.len() > u8::MAX as usize
        {
            return Err(Error::Misuse("a cell is larger than the format allows".to_string()));
        }
        if self.buffer.cells() >= u32::MAX as usize {
            return Err(Error::Misuse("a row group has more cells than the format allows".to_string()));
        }
        let Some((timestamp, cell_type, sequence)) = self.last.version else { return Ok(true) };
        let last = CellRef {
            row: &self.last.row,
            qualifier: &self.last.qualifier,
            timestamp,
            cell_type,
            value: b"",
            tags: b"",
            sequence,
        };
        let same_row = cell.row == last.row;
        let ascends = if same_row {
            last.cmp_in_row(cell).is_le()
        } else {
            self.options.row_order.compare(last.row, cell.row).is_lt()
        };
        if ascends {
            Ok(!same_row)
        } else {
            Err(Error::Misuse("cells were appended out of order".to_string()))
        }
    }

    /// Writes the last row group, the footer and the tail; the caller still has to sync.
    pub fn finish(mut self, finish: FinishInfo) -> Result<(W, Summary)> {
        self.close_row_group()?;
        let max_sequence = finish.max_sequence.max(self.totals.sequences.1);
        let footer = self.footer();
        let footer_at = self.write_page(PageKind::Footer, &footer.encode())?;
        let info = self.file_info(&footer, footer_at, &finish, max_sequence);
        let rows = footer.groups.first().zip(footer.groups.last());
        let tail = Tail {
            row_order: self.options.row_order,
            family: &self.options.family,
            rows: rows.map(|(first, last)| (&*first.first_row, &*last.last_row)),
            cells: footer.stats.cells,
            raw_bytes: self.raw_bytes,
        };
        let tail = hfile_tail::write(self.offset, &tail, info)?;
        self.write(&tail)?;
        self.sink.flush().map_err(Error::Write)?;
        let summary = Summary {
            file_bytes: self.offset,
            rows: footer.rows,
            stats: footer.stats,
            row_groups: footer.groups.len(),
            max_sequence,
        };
        Ok((self.sink, summary))
    }

    /// The footer; columns get their final qualifier numbers, which ascend with the qualifiers.
    fn footer(&mut self) -> Footer {
        let qualifiers = std::mem::take(&mut self.qualifiers);
        let mut rank = vec![0u32; qualifiers.len()];
        for (position, provisional) in qualifiers.values().enumerate() {
            if let Some(rank) = rank.get_mut(*provisional as usize) {
                *rank = narrow::to_u32(position);
            }
        }
        let mut groups = std::mem::take(&mut self.groups);
        for column in groups.iter_mut().flat_map(|g| &mut g.columns) {
            column.qualifier = rank.get(column.qualifier as usize).copied().unwrap_or(0);
        }
        let totals = &self.totals;
        Footer {
            row_order: self.options.row_order,
            bloom: self.options.bloom,
            rows: totals.rows,
            stats: totals.stats,
            sequences: if totals.stats.cells == 0 { (0, 0) } else { totals.sequences },
            family_deletes: totals.family_deletes,
            key_bytes: totals.key_bytes,
            value_bytes: totals.value_bytes,
            qualifiers: qualifiers.into_keys().collect(),
            groups,
        }
    }

    fn file_info(
        &self,
        footer: &Footer,
        footer_at: PageAt,
        finish: &FinishInfo,
        max_sequence: u64,
    ) -> FileInfo {
        let mut info = FileInfo::default();
        self.put_hbase_info(&mut info, footer, finish, max_sequence);
        self.put_own_info(&mut info, footer_at, finish);
        info
    }

    /// What HBase's store files say.
    fn put_hbase_info(&self, info: &mut FileInfo, footer: &Footer, finish: &FinishInfo, max_sequence: u64) {
        let average = |bytes: u64| {
            u32::try_from(bytes.checked_div(footer.stats.cells).unwrap_or(0))
                .unwrap_or(u32::MAX)
                .to_be_bytes()
        };
        info.put(info_keys::MAX_SEQ_ID, &max_sequence.to_be_bytes());
        info.put(info_keys::MAJOR_COMPACTION, &[if finish.major { 0xFF } else { 0 }]);
        info.put(info_keys::EXCLUDE_FROM_MINOR, &[0]);
        info.put(info_keys::AVG_KEY_LEN, &average(footer.key_bytes));
        info.put(info_keys::AVG_VALUE_LEN, &average(footer.value_bytes));
        info.put(info_keys::CREATE_TIME, &self.options.created_millis.to_be_bytes());
        if self.totals.tags_bytes_max > 0 {
            info.put(info_keys::MAX_TAGS_LEN, &narrow::to_u32(self.totals.tags_bytes_max).to_be_bytes());
        }
        if let Some(earliest) = self.totals.earliest_put {
            info.put(info_keys::EARLIEST_PUT, &earliest.to_be_bytes());
        }
        if footer.stats.cells > 0 {
            // HBase counts covering markers from 0 and has no negative range there.
            let min = footer.stats.times.min.max(0).min(footer.stats.times.max.max(0));
            let range = [min.to_be_bytes(), footer.stats.times.max.max(0).to_be_bytes()].concat();
            info.put(info_keys::TIME_RANGE, &range);
        }
    }

    /// Where the columns are, and what the file was made of.
    fn put_own_info(&self, info: &mut FileInfo, footer_at: PageAt, finish: &FinishInfo) {
        info.put(info_keys::FORMAT, &u32::from(FORMAT_MAJOR).to_be_bytes());
        let mut place = footer_at.offset.to_be_bytes().to_vec();
        place.extend_from_slice(&footer_at.stored_len.to_be_bytes());
        place.extend_from_slice(&footer_at.raw_len.to_be_bytes());
        info.put(info_keys::FOOTER, &place);
        info.put(info_keys::PAYLOAD, &[0u64.to_be_bytes(), self.offset.to_be_bytes()].concat());
        if !finish.compaction_inputs.is_empty() {
            info.put(info_keys::COMPACTED, finish.compaction_inputs.join("\n").as_bytes());
        }
    }

    fn write_page(&mut self, kind: PageKind, body: &[u8]) -> Result<PageAt> {
        let page = seal(kind, body, self.options.compression)?;
        // `seal` refuses bodies that are too large.
        let (stored_len, raw_len) = (narrow::to_u32(page.len()), narrow::to_u32(body.len()));
        let at = PageAt { offset: self.offset, stored_len, raw_len, kind };
        self.raw_bytes += body.len() as u64;
        self.write(&page)?;
        Ok(at)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write_all(bytes).map_err(Error::Write)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

impl Totals {
    fn add(&mut self, cell: &CellRef<'_>, family_len: usize) {
        self.stats.add(cell);
        self.sequences = (self.sequences.0.min(cell.sequence), self.sequences.1.max(cell.sequence));
        self.family_deletes += u64::from(cell.cell_type.is_family_delete());
        self.key_bytes += (12 + cell.row.len() + family_len + cell.qualifier.len()) as u64;
        self.value_bytes += cell.value.len() as u64;
        self.tags_bytes_max = self.tags_bytes_max.max(cell.tags.len());
        if cell.cell_type == grampus_cells::CellType::PUT {
            self.earliest_put = Some(self.earliest_put.map_or(cell.timestamp, |t| t.min(cell.timestamp)));
        }
    }
}
