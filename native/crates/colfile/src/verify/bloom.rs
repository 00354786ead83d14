//! Whether the bloom filter of a row group has all of its cells.

use grampus_base::RandomRead;
use grampus_cells::CellRef;

use super::{damage, first_offset};
use crate::bloom::{self, BLOCK_BYTES};
use crate::error::Result;
use crate::footer::RowGroup;
use crate::page::read_page;
use crate::{BloomKind, ColumnFile};

/// Keys that are looked up at a time, so that one page of the filter is in memory: a few compressed bytes can be gigabytes of zeros.
const KEYS_MAX: usize = 1 << 20;

/// The filter, and keys that are still to be looked up in it.
pub(super) struct Bloom<'a> {
    file: &'a ColumnFile,
    source: &'a dyn RandomRead,
    group: &'a RowGroup,
    kind: BloomKind,
    hashes: Vec<u64>,
}

impl<'a> Bloom<'a> {
    /// Looks at the places of its pages; none is read.
    pub(super) fn new(
        file: &'a ColumnFile,
        source: &'a dyn RandomRead,
        group: &'a RowGroup,
    ) -> Result<Bloom<'a>> {
        let mut end = 0;
        for page in &group.bloom.pages {
            if u64::from(page.first_row) * BLOCK_BYTES as u64 != end {
                return damage(file, page.at.offset, "a page of the bloom filter has another place in it");
            }
            end += u64::from(page.at.raw_len);
        }
        if end != u64::from(group.bloom_blocks) * BLOCK_BYTES as u64 {
            return damage(file, first_offset(group), "the bloom filter has another number of blocks");
        }
        let keys_max = usize::try_from(group.stats.cells).unwrap_or(usize::MAX); // each is that of a cell
        if end != 0 && group.bloom_blocks as usize > bloom::block_count(keys_max) {
            return damage(file, first_offset(group), "the bloom filter is larger than its cells need");
        }
        let kind = if end == 0 { BloomKind::None } else { file.bloom_kind() };
        Ok(Bloom { file, source, group, kind, hashes: Vec::new() })
    }

    /// Takes a cell, which is looked up now or later.
    pub(super) fn add(&mut self, cell: &CellRef<'_>) -> Result<()> {
        let hash = match self.kind {
            BloomKind::None => return Ok(()),
            BloomKind::Row => bloom::row_hash(cell.row),
            BloomKind::RowPrefix(len) => bloom::prefix_hash(cell.row, len),
            BloomKind::RowCol if cell.cell_type.is_family_delete() && cell.qualifier.is_empty() => {
                bloom::row_hash(cell.row)
            }
            BloomKind::RowCol => bloom::row_col_hash(cell.row, cell.qualifier),
        };
        if self.hashes.last() != Some(&hash) {
            self.hashes.push(hash);
        }
        if self.hashes.len() < KEYS_MAX { Ok(()) } else { self.check() }
    }

    /// Looks up what was taken. Blocks ascend with hashes.
    pub(super) fn check(&mut self) -> Result<()> {
        self.hashes.sort_unstable();
        let blocks = self.group.bloom_blocks as usize;
        let mut rest = self.hashes.as_slice();
        for page in &self.group.bloom.pages {
            let first = page.first_row as usize;
            let end = first + page.at.raw_len as usize / BLOCK_BYTES;
            let (here, behind) = rest.split_at(rest.partition_point(|h| bloom::block_of(*h, blocks) < end));
            rest = behind;
            if here.is_empty() {
                continue;
            }
            let filter = read_page(self.source, page.at)?;
            let has = |hash: &u64| {
                let at = (bloom::block_of(*hash, blocks) - first) * BLOCK_BYTES;
                let block = filter.body().get(at..at + BLOCK_BYTES).unwrap_or_default();
                bloom::block_may_contain(block, *hash)
            };
            if !here.iter().all(has) {
                let what = "the bloom filter of a row group lacks one of its cells";
                return damage(self.file, first_offset(self.group), what);
            }
        }
        self.hashes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grampus_base::narrow;

    use super::*;
    use crate::compression::Compression;
    use crate::footer::PageEntry;
    use crate::memory_file::MemoryFile;
    use crate::page::{PageAt, PageKind, seal};
    use crate::verify::{Totals, verify};
    use crate::{ColumnFileWriter, FinishInfo, WriterOptions};

    fn written(rows: u32, bloom: BloomKind) -> Vec<u8> {
        let options = WriterOptions {
            bloom,
            row_group_rows_max: u32::MAX,
            row_group_bytes_max: u64::MAX,
            ..WriterOptions::default()
        };
        let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
        for row in 0..rows {
            let cell = CellRef {
                row: &row.to_be_bytes(),
                qualifier: b"q",
                timestamp: 1,
                cell_type: grampus_cells::CellType::PUT,
                value: b"",
                tags: b"",
                sequence: 0,
            };
            writer.append(cell).unwrap();
        }
        writer.finish(FinishInfo::default()).unwrap().0
    }

    #[test]
    fn more_keys_than_are_looked_up_together_are_all_looked_up() {
        for (kind, rows) in
            [(BloomKind::Row, (1 << 20) + 7), (BloomKind::RowCol, 3), (BloomKind::RowPrefix(2), 70_000)]
        {
            let source: Arc<dyn RandomRead> = Arc::new(MemoryFile(written(rows, kind)));
            let file = Arc::new(ColumnFile::open(&source).unwrap());
            assert_eq!(file.footer.groups.len(), 1);
            verify(&file, &source).unwrap();
        }
    }

    /// What is said of a file with 40 GB of a filter, if its footer claims this many cells.
    fn large(cells: u64) -> String {
        const PAGE_BYTES: usize = 64 << 20;
        const PAGES: usize = 640;
        let page = seal(PageKind::Bloom, &vec![0; PAGE_BYTES], Compression::Zstd).unwrap();
        let mut bytes = written(10, BloomKind::Row);
        let sound: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes.clone()));
        let mut file = ColumnFile::open(&sound).unwrap();
        let offset = bytes.len() as u64;
        bytes.extend_from_slice(&page);
        let at = PageAt {
            offset,
            stored_len: narrow::to_u32(page.len()),
            raw_len: PAGE_BYTES as u32,
            kind: PageKind::Bloom,
        };
        let source: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes));
        let group = &mut file.footer.groups[0];
        let entry = |page: usize| PageEntry {
            at,
            first_row: (page * PAGE_BYTES / BLOCK_BYTES) as u32,
            continues: false,
            first_key: Box::default(),
        };
        group.bloom.pages = (0..PAGES).map(entry).collect();
        group.bloom_blocks = (PAGES * PAGE_BYTES / BLOCK_BYTES) as u32;
        group.stats.cells = cells;
        let file = Arc::new(file);
        let mut totals = Totals::new(&file);
        let checked = super::super::group::check_group(&file, &source, &file.footer.groups[0], &mut totals);
        checked.unwrap_err().to_string()
    }

    #[test]
    fn a_filter_is_no_larger_than_its_cells_need() {
        let ten = large(10);
        assert!(ten.contains("larger than its cells need"), "{ten}");
        let lie = large(1 << 60);
        assert!(lie.contains("counts or timestamps for a row group"), "{lie}");
    }
}
