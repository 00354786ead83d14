//! Whether a file is what a writer makes: every byte of it belongs to something, every checksum holds, every cell is in order,
//! and footer, zone maps, bloom filters, file info and tail say what the cells say.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::{CellRef, CellType, RowBound, RowOrder, RowRange, ValueBounds};

use crate::error::{Malformed, Result};
use crate::footer::{PageEntry, RowGroup};
use crate::format_version::FILE_MAGIC;
use crate::hfile_tail::{self, Tail};
use crate::inspect::{self, Areas};
use crate::page::read_page;
use crate::zone_map::CellStats;
use crate::{
    Access, BloomKind, ColumnFile, CursorOptions, DirectPages, Error, FileCursor, PageAt, bloom, info_keys,
};

/// Longest row key.
const ROW_BYTES_MAX: usize = i16::MAX as usize;

/// Reads everything there is in a file, and fails at the first thing that is wrong. Returns what [`inspect::areas`] does, which
/// is found on the way.
pub fn verify(file: &Arc<ColumnFile>, source: &Arc<dyn RandomRead>) -> Result<Areas> {
    let footer = file.footer_at()?;
    check_magic(file, source.as_ref())?;
    check_places(file, footer)?;
    check_tail(file, source.as_ref(), footer)?;
    let areas = inspect::areas(file, source)?;
    let mut totals = Totals::new(file);
    for group in &file.footer.groups {
        check_group(file, source, group, &mut totals)?;
    }
    totals.check(file, footer)?;
    Ok(areas)
}

fn damage<T>(file: &ColumnFile, offset: u64, what: &'static str) -> Result<T> {
    Err(Malformed::new(0, what).in_page(file.name(), offset))
}

fn check_magic(file: &ColumnFile, source: &dyn RandomRead) -> Result<()> {
    let mut magic = *FILE_MAGIC;
    read(source, 0, &mut magic)?;
    let version = file.info().get(info_keys::FORMAT).and_then(<[u8]>::last);
    if magic.split_last().map(|(v, name)| (Some(v), name)) != Some((version, b"GRAMPUS")) {
        return damage(file, 0, "the file does not begin with the name of its format");
    }
    Ok(())
}

/// Pages lie side by side from the magic to the footer.
fn check_places(file: &ColumnFile, footer: PageAt) -> Result<()> {
    let mut end = FILE_MAGIC.len() as u64;
    for at in file.pages().into_iter().chain([footer]) {
        if at.offset != end {
            return damage(file, at.offset, "it does not begin where the page before it ends");
        }
        end += u64::from(at.stored_len);
    }
    Ok(())
}

/// The tail, of which parts have no checksum, is made once more and compared.
fn check_tail(file: &ColumnFile, source: &dyn RandomRead, footer: PageAt) -> Result<()> {
    let start = footer.offset + u64::from(footer.stored_len);
    let pages = file.pages();
    let tail = Tail {
        row_order: file.row_order(),
        family: file.family().unwrap_or_default(),
        rows: file.first_row().zip(file.last_row()),
        cells: file.stats().cells,
        raw_bytes: pages.iter().chain([&footer]).map(|at| u64::from(at.raw_len)).sum(),
    };
    let expected = hfile_tail::write(start, &tail, file.info().clone())?;
    if source.len() != start + expected.len() as u64 {
        return damage(file, start, "the HFile tail has not the length that the footer gives it");
    }
    let mut found = vec![0; expected.len()];
    read(source, start, &mut found)?;
    match expected.iter().zip(&found).position(|(expected, found)| expected != found) {
        None => Ok(()),
        Some(at) => Err(Malformed::new(at, "the HFile tail is not the one that belongs to the footer")
            .in_page(file.name(), start)),
    }
}

fn read(source: &dyn RandomRead, offset: u64, bytes: &mut [u8]) -> Result<()> {
    let len = bytes.len();
    source.read_exact_at(bytes, offset).map_err(|error| Error::Read {
        file: source.name().to_string(),
        offset,
        len,
        source: error,
    })
}

/// What the cells add up to.
struct Totals {
    family_len: usize,
    rows: u64,
    stats: CellStats,
    sequences: (u64, u64),
    family_deletes: u64,
    key_bytes: u64,
    value_bytes: u64,
    earliest_put: Option<i64>,
}

impl Totals {
    fn new(file: &ColumnFile) -> Totals {
        Totals {
            family_len: file.family().map_or(0, <[u8]>::len),
            rows: 0,
            stats: CellStats::EMPTY,
            sequences: (u64::MAX, 0),
            family_deletes: 0,
            key_bytes: 0,
            value_bytes: 0,
            earliest_put: None,
        }
    }

    fn add(&mut self, cell: &CellRef<'_>) {
        self.sequences = (self.sequences.0.min(cell.sequence), self.sequences.1.max(cell.sequence));
        self.family_deletes += u64::from(cell.cell_type.is_family_delete());
        self.key_bytes += (12 + cell.row.len() + self.family_len + cell.qualifier.len()) as u64;
        self.value_bytes += cell.value.len() as u64;
        if cell.cell_type == CellType::PUT {
            let earliest = self.earliest_put.map_or(cell.timestamp, |t| t.min(cell.timestamp));
            self.earliest_put = Some(earliest);
        }
    }

    fn check(&self, file: &ColumnFile, at: PageAt) -> Result<()> {
        let footer = &file.footer;
        let sequences = if self.stats.cells == 0 { (0, 0) } else { self.sequences };
        let checks = [
            (self.rows == footer.rows, "the footer has another number of rows than the file"),
            (self.stats == footer.stats, "the footer's counts or timestamps are not those of the cells"),
            (sequences == footer.sequences, "the footer's sequence ids are not those of the cells"),
            (
                self.family_deletes == footer.family_deletes,
                "the footer has another number of family delete markers than the file",
            ),
            (
                (self.key_bytes, self.value_bytes) == (footer.key_bytes, footer.value_bytes),
                "the footer's bytes of keys and values are not those of the cells",
            ),
            (
                self.earliest_put == file.earliest_put(),
                "the file info has another earliest put than the file",
            ),
            (sequences.1 <= file.max_sequence(), "a cell's sequence id is above that of the file info"),
        ];
        match checks.into_iter().find(|(holds, _)| !holds) {
            Some((_, what)) => damage(file, at.offset, what),
            None => Ok(()),
        }
    }
}

/// What the cells of a qualifier with pages of its own add up to in a row group.
#[derive(Default)]
struct Column {
    stats: Option<CellStats>,
    values: ValueBounds,
    /// It has a cell that is no put, has tags, or is not the only one of its row.
    mingled: bool,
    /// Number of the row that has its last cell.
    row: Option<u32>,
}

/// The cell before, and its row.
#[derive(Default)]
struct Last {
    row: Vec<u8>,
    qualifier: Vec<u8>,
    version: Option<(i64, CellType, u64)>,
}

impl Last {
    /// Takes the next cell of the row, which must not be below this one.
    fn ascends_to(&mut self, cell: &CellRef<'_>) -> bool {
        let ascends = self.version.is_none_or(|(timestamp, cell_type, sequence)| {
            let qualifier = self.qualifier.as_slice();
            let last = CellRef { qualifier, timestamp, cell_type, sequence, ..*cell };
            last.cmp_in_row(cell) != Ordering::Greater
        });
        self.version = Some((cell.timestamp, cell.cell_type, cell.sequence));
        self.qualifier.clear();
        self.qualifier.extend_from_slice(cell.qualifier);
        ascends
    }

    /// Takes the next row, which must be above this one.
    fn ascends_to_row(&mut self, row: &[u8], order: RowOrder) -> bool {
        let ascends = self.row.is_empty() || order.compare(&self.row, row) == Ordering::Less;
        self.row.clear();
        self.row.extend_from_slice(row);
        self.version = None;
        ascends
    }
}

/// A row group's bloom filter in one piece.
struct Bloom {
    kind: BloomKind,
    bytes: Vec<u8>,
}

impl Bloom {
    fn read(file: &ColumnFile, source: &dyn RandomRead, group: &RowGroup) -> Result<Bloom> {
        let mut bytes = Vec::new();
        for PageEntry { at, first_row: first_block, .. } in &group.bloom.pages {
            if *first_block as usize * bloom::BLOCK_BYTES != bytes.len() {
                return damage(file, at.offset, "a page of the bloom filter has another place in it");
            }
            bytes.extend_from_slice(read_page(source, *at)?.body());
        }
        if bytes.len() != group.bloom_blocks as usize * bloom::BLOCK_BYTES {
            return damage(file, first_offset(group), "the bloom filter has another number of blocks");
        }
        let kind = if bytes.is_empty() { BloomKind::None } else { file.bloom_kind() };
        Ok(Bloom { kind, bytes })
    }

    fn knows(&self, cell: &CellRef<'_>) -> bool {
        let hash = match self.kind {
            BloomKind::None => return true,
            BloomKind::Row => bloom::row_hash(cell.row),
            BloomKind::RowPrefix(len) => bloom::prefix_hash(cell.row, len),
            BloomKind::RowCol if cell.cell_type.is_family_delete() && cell.qualifier.is_empty() => {
                bloom::row_hash(cell.row)
            }
            BloomKind::RowCol => bloom::row_col_hash(cell.row, cell.qualifier),
        };
        let at = bloom::block_of(hash, self.bytes.len() / bloom::BLOCK_BYTES) * bloom::BLOCK_BYTES;
        let block = self.bytes.get(at..at + bloom::BLOCK_BYTES).unwrap_or_default();
        bloom::block_may_contain(block, hash)
    }
}

/// Where a row group begins.
fn first_offset(group: &RowGroup) -> u64 {
    group.row_keys.pages.first().map_or(0, |entry| entry.at.offset)
}

fn check_group(
    file: &Arc<ColumnFile>,
    source: &Arc<dyn RandomRead>,
    group: &RowGroup,
    totals: &mut Totals,
) -> Result<()> {
    let offset = first_offset(group);
    let bloom = Bloom::read(file, source.as_ref(), group)?;
    let mut columns: HashMap<&[u8], Column> = HashMap::new();
    for column in &group.columns {
        let qualifier = file.footer.qualifiers.get(column.qualifier as usize);
        columns.insert(qualifier.map_or(&[][..], |q| q), Column::default());
    }
    let rows =
        RowRange { start: RowBound::Included(&group.first_row), end: RowBound::Included(&group.last_row) };
    let options = CursorOptions { rows, access: Access::READ_THROUGH, ..CursorOptions::default() };
    let pages = Arc::new(DirectPages::new(Arc::clone(source)));
    let mut cursor = FileCursor::new(Arc::clone(file), pages, &options);
    let (mut count, mut stats, mut last) = (0u32, CellStats::EMPTY, Last::default());
    cursor.seek_first()?;
    while let Some(row) = cursor.row() {
        let well_formed = (1..=ROW_BYTES_MAX).contains(&row.len());
        if !well_formed || !last.ascends_to_row(row, file.row_order()) {
            return damage(file, offset, "the rows of a row group do not ascend");
        }
        if cursor.cell().is_none() {
            return damage(file, offset, "a row of a row group has no cells");
        }
        while let Some(cell) = cursor.cell() {
            if !last.ascends_to(&cell) {
                return damage(file, offset, "the cells of a row do not ascend");
            }
            if !bloom.knows(&cell) {
                return damage(file, offset, "the bloom filter of a row group lacks one of its cells");
            }
            stats.add(&cell);
            totals.add(&cell);
            // Without a qualifier, markers of a family have pages of their own.
            let own_pages = !(cell.cell_type.is_family_delete() && cell.qualifier.is_empty());
            if let Some(column) = columns.get_mut(cell.qualifier).filter(|_| own_pages) {
                column.stats.get_or_insert(CellStats::EMPTY).add(&cell);
                column.values.add(cell.cell_type, cell.value);
                let repeated = column.row.replace(count) == Some(count);
                column.mingled |= repeated || cell.cell_type != CellType::PUT || !cell.tags.is_empty();
            }
            cursor.next_cell()?;
        }
        count += 1;
        cursor.next_row()?;
    }
    totals.rows += u64::from(count);
    totals.stats.merge(stats);
    if count != group.rows || last.row != *group.last_row {
        return damage(file, offset, "the footer has other rows for a row group than its pages");
    }
    if stats != group.stats {
        return damage(
            file,
            offset,
            "the footer has other counts or timestamps for a row group than its pages",
        );
    }
    for column in &group.columns {
        let qualifier = file.footer.qualifiers.get(column.qualifier as usize);
        let found = qualifier.and_then(|q| columns.get(&**q));
        let offset = column.chunk.pages.first().map_or(offset, |entry| entry.at.offset);
        if !found.is_some_and(|found| found.stats == Some(column.stats) && found.values == column.values) {
            return damage(file, offset, "the footer has other counts or bounds for a column than its pages");
        }
        if column.single_puts && found.is_some_and(|found| found.mingled) {
            return damage(
                file,
                offset,
                "the footer says of a column that it has single puts alone, but it has more",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Bytes;
    use crate::{ColumnFileWriter, FinishInfo, WriterOptions};

    fn cells() -> Vec<(String, &'static str, i64, CellType, &'static [u8])> {
        let row = |n: i64| {
            let name = format!("row{n:02}");
            let mut cells = vec![(name.clone(), "a", n, CellType::PUT, &b"value"[..])];
            if n == 3 {
                cells.insert(0, (name.clone(), "", 2, CellType::DELETE_FAMILY, b""));
            }
            cells.push((name, "b", n, if n % 5 == 4 { CellType::DELETE } else { CellType::PUT }, b"w"));
            cells
        };
        (0..20).flat_map(row).collect()
    }

    /// An open file of two row groups.
    fn open() -> (ColumnFile, Arc<dyn RandomRead>) {
        let options =
            WriterOptions { row_group_rows_max: 10, column_bytes_min: 0, ..WriterOptions::default() };
        let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
        for (row, qualifier, timestamp, cell_type, value) in &cells() {
            let (row, qualifier) = (row.as_bytes(), qualifier.as_bytes());
            let (timestamp, cell_type) = (*timestamp, *cell_type);
            let cell = CellRef { row, qualifier, timestamp, cell_type, value, tags: b"", sequence: 7 };
            writer.append(cell).unwrap();
        }
        let (bytes, _) = writer.finish(FinishInfo { max_sequence: 9, ..FinishInfo::default() }).unwrap();
        let source: Arc<dyn RandomRead> = Arc::new(Bytes(bytes));
        (ColumnFile::open(&source).unwrap(), source)
    }

    /// The complaint about a file whose footer says something else than was written, all checksums being right.
    fn complaint(change: impl FnOnce(&mut ColumnFile)) -> String {
        let (mut file, source) = open();
        assert!(file.footer.groups[0].columns.len() == 2 && file.footer.groups.len() == 2);
        change(&mut file);
        verify(&Arc::new(file), &source).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_file_is_sound() {
        let (file, source) = open();
        let areas = verify(&Arc::new(file), &source).unwrap();
        assert!(!areas.is_empty());
    }

    #[test]
    fn what_the_footer_says_is_held_against_the_cells() {
        let rows = complaint(|f| f.footer.groups[0].last_row = b"row08".as_slice().into());
        assert!(rows.contains("other rows"), "{rows}");
        let counts = complaint(|f| f.footer.groups[1].stats.deletes += 1);
        assert!(counts.contains("counts or timestamps for a row group"), "{counts}");
        let bounds = complaint(|f| f.footer.groups[0].columns[1].values.min = b"x".to_vec());
        assert!(bounds.contains("bounds for a column"), "{bounds}");
        let times = complaint(|f| f.footer.groups[0].columns[0].stats.times.max += 1);
        assert!(times.contains("bounds for a column"), "{times}");
        let deletes = complaint(|f| f.footer.stats.deletes += 1);
        assert!(deletes.contains("the footer's counts"), "{deletes}");
        let sequences = complaint(|f| f.footer.sequences = (6, 7));
        assert!(sequences.contains("sequence ids"), "{sequences}");
        let markers = complaint(|f| f.footer.family_deletes = 0);
        assert!(markers.contains("family delete markers"), "{markers}");
        let bytes = complaint(|f| f.footer.value_bytes += 1);
        assert!(bytes.contains("bytes of keys and values"), "{bytes}");
        let bloom = complaint(|f| f.footer.bloom = BloomKind::RowCol);
        assert!(bloom.contains("bloom filter of a row group lacks"), "{bloom}");
        let place = complaint(|f| f.footer.groups[1].bloom = f.footer.groups[0].bloom.clone());
        assert!(place.contains("does not begin where"), "{place}");
    }

    #[test]
    fn cells_out_of_order_are_noticed() {
        let cell = |qualifier: &'static [u8], timestamp| CellRef {
            row: b"row",
            qualifier,
            timestamp,
            cell_type: CellType::PUT,
            value: b"",
            tags: b"",
            sequence: 0,
        };
        let mut last = Last::default();
        assert!(last.ascends_to_row(b"row", RowOrder::Bytes));
        assert!(last.ascends_to(&cell(b"a", 5)) && last.ascends_to(&cell(b"a", 4)));
        assert!(!last.ascends_to(&cell(b"a", 5)));
        assert!(!last.ascends_to_row(b"row", RowOrder::Bytes), "a row occurs once");
        assert!(last.ascends_to_row(b"rowa", RowOrder::Bytes));
        assert!(last.ascends_to(&cell(b"a", 9)), "a row begins anew");
    }
}
