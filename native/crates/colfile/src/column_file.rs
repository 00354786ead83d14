//! An open column file: its footer and file info, and the questions they answer without reading a page.

use std::sync::Arc;

use grampus_base::{RandomRead, narrow};
use grampus_cells::{RowOrder, RowRange};

use crate::allocation::allocated;
use crate::error::{Error, Malformed, Result};
use crate::footer::{Footer, RowGroup};
use crate::format_version::{FORMAT_MAJOR, FORMAT_MAJOR_MIN};
use crate::hfile_tail::{self, FileInfo};
use crate::page::{PAGE_HEADER_BYTES, Page, PageAt, PageKind, read_page};
use crate::page_source::{Access, PageSource};
use crate::zone_map::CellStats;
use crate::{BloomKind, Presence, bloom, info_keys};

/// A footer that is read into memory takes at most about 13 times its bytes: 52 for a page, of which four bytes tell. So one that takes
/// this part of the memory for a page takes about twice that memory.
const FOOTER_SHARE: u64 = 8;

/// What stays in memory while a file is open.
#[derive(Debug)]
pub struct ColumnFile {
    pub(crate) name: String,
    pub(crate) footer: Footer,
    info: FileInfo,
    file_bytes: u64,
    footer_bytes: u64,
    /// Some row group has mixed pages. Kept because a look at every row group costs more than a get of one row.
    pub(crate) has_mixed: bool,
}

/// Bytes of a file's parts before compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawBytes {
    /// All pages with their headers, the footer's included.
    pub pages: u64,
    /// The bodies of bloom filters.
    pub blooms: u64,
    /// The body of the footer, which is the file's only index.
    pub footer: u64,
}

/// A row group as splitters and tools see it.
#[derive(Clone, Copy, Debug)]
pub struct RowGroupInfo<'a> {
    /// First row.
    pub first_row: &'a [u8],
    /// Last row.
    pub last_row: &'a [u8],
    /// Rows.
    pub rows: u32,
    /// Cells and their bounds.
    pub stats: CellStats,
    /// Bytes in the file.
    pub stored_bytes: u64,
}

impl ColumnFile {
    /// True when the file info is that of a column file, false for an HFile that HBase wrote.
    pub fn is_column_file(info: &FileInfo) -> bool {
        info.get(info_keys::FORMAT).is_some()
    }

    /// The file info of any HFile, column file or not; empty where only HBase can read it.
    pub fn read_info(source: &dyn RandomRead) -> Result<FileInfo> {
        hfile_tail::read_file_info(source)
    }

    /// Opens a column file: reads its tail and its footer.
    pub fn open(source: &Arc<dyn RandomRead>) -> Result<ColumnFile> {
        let info = Self::read_info(source.as_ref())?;
        Self::open_with_info(source, info)
    }

    /// Opens a column file whose file info has been read.
    pub fn open_with_info(source: &Arc<dyn RandomRead>, info: FileInfo) -> Result<ColumnFile> {
        Self::open_within(source, info, u64::MAX)
    }

    /// The same for a file that others wrote: what would take much memory is refused before it is read, a page of more than
    /// `page_bytes_max` bytes or a footer of more than a part of that.
    pub fn open_within(
        source: &Arc<dyn RandomRead>,
        info: FileInfo,
        page_bytes_max: u64,
    ) -> Result<ColumnFile> {
        let name = source.name().to_string();
        match info.get(info_keys::FORMAT) {
            None => {
                return Err(Error::Unsupported {
                    file: name,
                    what: "an HFile, but not a column file".to_string(),
                });
            }
            Some(version) if !is_readable(version) => {
                let what = format!("column file format {version:?} is newer than this reader");
                return Err(Error::Unsupported { file: name, what });
            }
            Some(_) => {}
        }
        let at = footer_place(&info).map_err(|m| m.in_page(&name, 0))?;
        check_length(&name, at, page_bytes_max / FOOTER_SHARE)?;
        let page = read_page(source.as_ref(), at)?;
        let footer = Footer::decode(page.body(), at.offset).map_err(|m| m.in_page(&name, at.offset))?;
        for page in footer.groups.iter().flat_map(RowGroup::pages) {
            check_length(&name, page.at, page_bytes_max)?;
        }
        let has_mixed = footer.groups.iter().any(|group| !group.mixed.pages.is_empty());
        let (file_bytes, footer_bytes) = (source.len(), u64::from(at.raw_len));
        Ok(ColumnFile { name, footer, info, file_bytes, footer_bytes, has_mixed })
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Bytes of its parts before compression. Looks at every page of the footer.
    pub fn raw_bytes(&self) -> RawBytes {
        let mut bytes = RawBytes { footer: self.footer_bytes, ..RawBytes::default() };
        bytes.pages = PAGE_HEADER_BYTES as u64 + bytes.footer;
        for page in self.footer.groups.iter().flat_map(RowGroup::pages) {
            let body = u64::from(page.at.raw_len);
            bytes.pages += PAGE_HEADER_BYTES as u64 + body;
            if page.at.kind == PageKind::Bloom {
                bytes.blooms += body;
            }
        }
        bytes
    }

    /// HBase's file info, ours included.
    pub fn info(&self) -> &FileInfo {
        &self.info
    }

    /// Order of the rows.
    pub fn row_order(&self) -> RowOrder {
        self.footer.row_order
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.footer.rows
    }

    /// Cells and their bounds.
    pub fn stats(&self) -> CellStats {
        self.footer.stats
    }

    /// Family delete markers among the cells.
    pub fn family_deletes(&self) -> u64 {
        self.footer.family_deletes
    }

    /// Smallest and largest sequence id that a cell carries; both 0 when all were zeroed.
    pub fn cell_sequences(&self) -> (u64, u64) {
        self.footer.sequences
    }

    /// Highest sequence id that the file covers.
    pub fn max_sequence(&self) -> u64 {
        self.info.long(info_keys::MAX_SEQ_ID).unwrap_or(self.footer.sequences.1)
    }

    /// True when a major compaction wrote the file.
    pub fn is_major(&self) -> bool {
        self.info.boolean(info_keys::MAJOR_COMPACTION)
    }

    /// Creation time in milliseconds.
    pub fn created_millis(&self) -> i64 {
        self.info.long(info_keys::CREATE_TIME).map_or(0, |ms| ms as i64)
    }

    /// Smallest timestamp of a put, `None` without puts.
    pub fn earliest_put(&self) -> Option<i64> {
        self.info.long(info_keys::EARLIEST_PUT).map(|ts| ts as i64)
    }

    /// Names of the files that this one replaced.
    pub fn compaction_inputs(&self) -> Vec<String> {
        let names = self.info.get(info_keys::COMPACTED).unwrap_or_default();
        String::from_utf8_lossy(names).split('\n').filter(|n| !n.is_empty()).map(str::to_string).collect()
    }

    /// First row, `None` for a file without rows.
    pub fn first_row(&self) -> Option<&[u8]> {
        self.footer.groups.first().map(|g| &*g.first_row)
    }

    /// Last row, `None` for a file without rows.
    pub fn last_row(&self) -> Option<&[u8]> {
        self.footer.groups.last().map(|g| &*g.last_row)
    }

    /// The row groups in row order.
    pub fn row_groups(&self) -> impl ExactSizeIterator<Item = RowGroupInfo<'_>> {
        self.footer.groups.iter().map(|g| RowGroupInfo {
            first_row: &g.first_row,
            last_row: &g.last_row,
            rows: g.rows,
            stats: g.stats,
            stored_bytes: g.stored_bytes(),
        })
    }

    /// Where the pages of the data are, in file order: for warming a cache and for verifying.
    pub fn pages(&self) -> Vec<PageAt> {
        let mut pages: Vec<PageAt> =
            self.footer.groups.iter().flat_map(RowGroup::pages).map(|p| p.at).collect();
        pages.sort_by_key(|p| p.offset);
        pages
    }

    /// Bytes of memory that the open file holds: what the footer says of row groups, columns and pages, and the file info, with what
    /// the allocator adds to each.
    pub fn memory_bytes(&self) -> usize {
        let name = allocated(self.name.capacity());
        size_of::<ColumnFile>() + name + self.info.heap_bytes() + self.footer.heap_bytes()
    }

    /// Whether the file may have a cell of the row: by range, then by a ROW or ROWPREFIX_FIXED_LENGTH bloom filter that is at
    /// hand ([`PageSource::filter_page`]).
    pub fn may_contain_row(&self, row: &[u8], pages: &dyn PageSource, access: Access) -> Result<Presence> {
        let Some(group) = self.group_of(row) else { return Ok(Presence::OutOfRange) };
        match self.footer.bloom {
            BloomKind::Row => self.probe(group, bloom::row_hash(row), |at| pages.filter_page(at, access)),
            BloomKind::RowPrefix(len) => {
                self.probe(group, bloom::prefix_hash(row, len), |at| pages.filter_page(at, access))
            }
            BloomKind::None => Ok(Presence::Unknown),
            BloomKind::RowCol => Ok(Presence::Unasked),
        }
    }

    /// Whether the file may have a cell of the row and qualifier, or a family delete marker of the row: by range, then by a bloom filter
    /// that is at hand.
    pub fn may_contain_row_col(
        &self,
        row: &[u8],
        qualifier: &[u8],
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<Presence> {
        let Some(group) = self.group_of(row) else { return Ok(Presence::OutOfRange) };
        let ask = |hash| self.probe(group, hash, |at| pages.filter_page(at, access));
        match self.footer.bloom {
            BloomKind::None => Ok(Presence::Unknown),
            BloomKind::Row => ask(bloom::row_hash(row)),
            BloomKind::RowPrefix(len) => ask(bloom::prefix_hash(row, len)),
            BloomKind::RowCol => {
                if !group.family_deletes.pages.is_empty() {
                    let marker = ask(bloom::row_hash(row))?;
                    if marker.is_possible() {
                        return Ok(marker);
                    }
                }
                ask(bloom::row_col_hash(row, qualifier))
            }
        }
    }

    /// Whether the file may have a row of the range: by a ROWPREFIX_FIXED_LENGTH bloom filter, when all rows of the range begin with the
    /// same prefix.
    pub fn may_contain_range(
        &self,
        rows: RowRange<'_>,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<Presence> {
        let (BloomKind::RowPrefix(len), RowOrder::Bytes) = (self.footer.bloom, self.footer.row_order) else {
            return Ok(Presence::Unasked);
        };
        let Some(prefix) = rows.common_prefix(len as usize) else { return Ok(Presence::Unasked) };
        let from = self.first_group_ending_at_or_after(prefix);
        let groups = self.footer.groups.get(from..).unwrap_or_default();
        let mut found = Presence::OutOfRange;
        for group in groups.iter().take_while(|g| !rows.is_after(&g.first_row, RowOrder::Bytes)) {
            found =
                self.probe(group, bloom::prefix_hash(prefix, len), |at| pages.page(at, access).map(Some))?;
            if found.is_possible() {
                break;
            }
        }
        Ok(found)
    }

    /// What the row group's bloom filter says of a hash; unknown where `page` does not come up with its page.
    fn probe(
        &self,
        group: &RowGroup,
        hash: u64,
        page: impl FnOnce(PageAt) -> Result<Option<Arc<Page>>>,
    ) -> Result<Presence> {
        if group.bloom_blocks == 0 {
            return Ok(Presence::Unknown);
        }
        let block = narrow::to_u32(bloom::block_of(hash, group.bloom_blocks as usize));
        let index = group.bloom.pages.partition_point(|p| p.first_row <= block).saturating_sub(1);
        let Some(entry) = group.bloom.pages.get(index) else { return Ok(Presence::Unknown) };
        let Some(page) = page(entry.at)? else { return Ok(Presence::Unknown) };
        let from = (block - entry.first_row.min(block)) as usize * bloom::BLOCK_BYTES;
        let Some(block) = page.body().get(from..from + bloom::BLOCK_BYTES) else {
            return Err(
                Malformed::new(from, "a bloom filter is cut short").in_page(&self.name, entry.at.offset)
            );
        };
        Ok(if bloom::block_may_contain(block, hash) { Presence::Possible } else { Presence::Denied })
    }

    /// The row group whose range holds a row.
    fn group_of(&self, row: &[u8]) -> Option<&RowGroup> {
        let order = self.footer.row_order;
        let group = self.footer.groups.get(self.first_group_ending_at_or_after(row))?;
        order.compare(&group.first_row, row).is_le().then_some(group)
    }

    /// Index of the first row group whose last row is at or above a row.
    pub(crate) fn first_group_ending_at_or_after(&self, row: &[u8]) -> usize {
        let order = self.footer.row_order;
        self.footer.groups.partition_point(|g| order.compare(&g.last_row, row).is_lt())
    }

    pub(crate) fn qualifier_number(&self, qualifier: &[u8]) -> Option<u32> {
        let found = self.footer.qualifiers.binary_search_by(|q| (**q).cmp(qualifier));
        found.ok().map(narrow::to_u32)
    }
}

/// Refuses a page that takes more than `bytes_max` bytes of memory.
fn check_length(name: &str, at: PageAt, bytes_max: u64) -> Result<()> {
    let bytes = u64::from(at.raw_len);
    if bytes <= bytes_max {
        return Ok(());
    }
    let part = match at.kind {
        PageKind::Footer => "its footer".to_string(),
        _ => format!("its page at offset {}", at.offset),
    };
    let what = format!("{part} takes {bytes} bytes of memory, more than the {bytes_max} that it may take");
    Err(Error::Unsupported { file: name.to_string(), what })
}

fn is_readable(version: &[u8]) -> bool {
    (FORMAT_MAJOR_MIN..=FORMAT_MAJOR).any(|major| version == u32::from(major).to_be_bytes())
}

/// Where the file info says that the footer is.
pub(crate) fn footer_place(info: &FileInfo) -> std::result::Result<PageAt, Malformed> {
    let malformed = Malformed::new(0, "the file info does not say where the footer is");
    let place = info.get(info_keys::FOOTER).filter(|p| p.len() == 16).ok_or(malformed)?;
    let number = |from: usize, to: usize| {
        place.get(from..to).unwrap_or_default().iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte))
    };
    let (offset, stored, raw) = (number(0, 8), number(8, 12), number(12, 16));
    let len = |value: u64| u32::try_from(value).map_err(|_| malformed);
    let at = PageAt { offset, stored_len: len(stored)?, raw_len: len(raw)?, kind: PageKind::Footer };
    if at.is_possible() { Ok(at) } else { Err(Malformed::new(0, "the footer has an impossible length")) }
}
