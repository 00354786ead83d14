//! Whether a file is what a writer makes: every byte of it belongs to something, every checksum holds, every cell is in order,
//! and footer, zone maps, bloom filters, file info and tail say what the cells say.

mod bloom;
mod group;

use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::{CellRef, CellType};

use crate::error::{Malformed, Result};
use crate::footer::RowGroup;
use crate::format_version::FILE_MAGIC;
use crate::hfile_tail::{self, Tail};
use crate::inspect::{self, Areas};
use crate::zone_map::CellStats;
use crate::{ColumnFile, Error, PageAt, info_keys};
use group::check_group;

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

/// Where a row group begins.
fn first_offset(group: &RowGroup) -> u64 {
    group.row_keys.pages.first().map_or(0, |entry| entry.at.offset)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_file::MemoryFile;
    use crate::{BloomKind, ColumnFileWriter, FinishInfo, WriterOptions};

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
        let source: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes));
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
}
