//! The cursor's place among the row keys of a row group.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use grampus_base::narrow;
use grampus_cells::{Direction, RowOrder, RunBuffers};

use crate::error::{Malformed, Result};
use crate::footer::{PageEntry, RowGroup};
use crate::page::Page;
use crate::page_source::{Access, PageSource};
use crate::row_keys::{KeyBlock, KeyScratch, RESTART_ROWS, RowKeyPage};

/// A number that the cells of a row may share, and the row's ordinal.
type Shared = Cell<Option<(u32, Option<u64>)>>;

/// A page of row keys, what it says of itself, and its offset.
type KeyPage = (Arc<Page>, RowKeyPage, u64);

/// Place and decoded keys around it.
#[derive(Default)]
pub(super) struct Rows {
    group_rows: u32,
    ordinal: u32,
    page: Option<KeyPage>,
    /// First row of the page that was dropped between two calls.
    dropped: Option<u32>,
    /// Ordinal of the first decoded key; meaningless while there is none.
    block_first: u32,
    block: KeyBlock,
    /// Of the row that was asked for last: all cells of a row ask. The sequence id apart, as whole runs of rows want none.
    timestamp: Shared,
    sequence: Shared,
}

impl Rows {
    /// Starts on a row group.
    pub(super) fn enter(&mut self, rows: u32) {
        *self = Rows { group_rows: rows, block: std::mem::take(&mut self.block), ..Rows::default() };
        self.block.reset();
    }

    /// Bytes of the page of row keys that is loaded, and of the keys decoded from it. The page is not counted elsewhere any more.
    pub(super) fn count_memory(&self) -> usize {
        let page = self.page.as_ref().map_or(0, |(page, ..)| {
            page.drop_counter();
            page.memory_bytes()
        });
        page + self.block.memory_bytes()
    }

    /// Drops the page, until [`Rows::reload_page`]. The current row's key stays.
    pub(super) fn drop_page(&mut self) {
        if let Some((_, page, _)) = self.page.take() {
            self.dropped = Some(page.first_row);
        }
    }

    /// Loads the page that was dropped.
    pub(super) fn reload_page(
        &mut self,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        let Some(first_row) = self.dropped.take() else { return Ok(()) };
        let index = group.row_keys.pages.partition_point(|p| p.first_row <= first_row).saturating_sub(1);
        self.page = Some(read_page(group, index, pages, access)?);
        Ok(())
    }

    pub(super) fn group_rows(&self) -> u32 {
        self.group_rows
    }

    #[inline]
    pub(super) fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Row-key pages that a walk in this direction comes to after the one that is loaded.
    pub(super) fn pages_ahead<'g>(&self, group: &'g RowGroup, direction: Direction) -> &'g [PageEntry] {
        let pages = &group.row_keys.pages;
        let Some((_, loaded, _)) = &self.page else { return pages };
        match direction {
            Direction::Forward => {
                pages.get(pages.partition_point(|p| p.first_row <= loaded.first_row)..).unwrap_or_default()
            }
            Direction::Reverse => {
                pages.get(..pages.partition_point(|p| p.first_row < loaded.first_row)).unwrap_or_default()
            }
        }
    }

    /// Key of the current row.
    #[inline]
    pub(super) fn key(&self) -> &[u8] {
        self.block.get((self.ordinal - self.block_first) as usize)
    }

    /// The timestamp that the current row shares with its cells, if it does.
    #[inline]
    pub(super) fn timestamp(&self) -> Option<u64> {
        self.shared(&self.timestamp, |page, body, index| page.versions.timestamp(body, index))
    }

    /// The sequence id that the current row shares with its cells, if it does.
    #[inline]
    pub(super) fn sequence(&self) -> Option<u64> {
        self.shared(&self.sequence, |page, body, index| page.versions.sequence(body, index))
    }

    /// Reads the keys of rows of the loaded page, from one on, before another, as far as they have `bytes_max` bytes at most; without it there is an
    /// empty key for each. Also reads the timestamps that these rows share with their cells: none if they share none.
    pub(super) fn read_run(
        &self,
        rows: Range<u32>,
        bytes_max: Option<usize>,
        pages: &dyn PageSource,
        buffers: &mut RunBuffers,
    ) -> Result<()> {
        let RunBuffers { all_keys, key_parts, row_timestamps, integers, .. } = buffers;
        all_keys.clear();
        row_timestamps.clear();
        let Some((bytes, page, offset)) = &self.page else { return Ok(()) };
        let Some(first) = rows.start.checked_sub(page.first_row) else { return Ok(()) };
        let within = first as usize..first as usize + rows.len();
        match bytes_max {
            Some(bytes_max) => {
                let scratch = KeyScratch { parts: key_parts, integers };
                page.append_keys(bytes.body(), within.clone(), bytes_max, scratch, all_keys)
                    .map_err(|m| m.in_page(pages.name(), *offset))?;
            }
            None => {
                let count = within.end.min(page.rows as usize).saturating_sub(within.start);
                all_keys.extend_run(&[], std::iter::repeat_n(0, count));
            }
        }
        let within = within.start..within.start + all_keys.len();
        page.versions.read_timestamps(bytes.body(), within, row_timestamps);
        Ok(())
    }

    /// Decodes the key of one row of the loaded page, into [`RunBuffers::one_key`].
    pub(super) fn read_key(&self, row: u32, pages: &dyn PageSource, buffers: &mut RunBuffers) -> Result<()> {
        let RunBuffers { one_key, key_parts, integers, .. } = buffers;
        one_key.clear();
        let lacks = || Malformed::new(0, "a row-key page lacks a row of its range").in_page(pages.name(), 0);
        let (bytes, page, offset) = self.page.as_ref().ok_or_else(lacks)?;
        let index = row.checked_sub(page.first_row).filter(|index| *index < page.rows).ok_or_else(lacks)?;
        let scratch = KeyScratch { parts: key_parts, integers };
        let index = index as usize;
        page.append_keys(bytes.body(), index..index + 1, usize::MAX, scratch, one_key)
            .map_err(|m| m.in_page(pages.name(), *offset))
    }

    /// The row behind the last one of the loaded page.
    pub(super) fn page_end(&self) -> u32 {
        self.page.as_ref().map_or(self.ordinal, |(_, page, _)| page.first_row.saturating_add(page.rows))
    }

    #[inline]
    fn shared(
        &self,
        known: &Shared,
        look_up: impl FnOnce(&RowKeyPage, &[u8], usize) -> Option<u64>,
    ) -> Option<u64> {
        if let Some((ordinal, number)) = known.get()
            && ordinal == self.ordinal
        {
            return number;
        }
        let (bytes, page, _) = self.page.as_ref()?;
        let index = self.ordinal.checked_sub(page.first_row)?;
        let number = look_up(page, bytes.body(), index as usize);
        known.set(Some((self.ordinal, number)));
        number
    }

    /// Goes to a row of the group.
    #[inline]
    pub(super) fn load(
        &mut self,
        group: &RowGroup,
        row: u32,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        let inside = row >= self.block_first && row - self.block_first < narrow::to_u32(self.block.len());
        if !inside {
            self.load_block(group, row, pages, access)?;
        }
        self.ordinal = row;
        Ok(())
    }

    fn load_block(
        &mut self,
        group: &RowGroup,
        row: u32,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        let fits = |page: &RowKeyPage| row >= page.first_row && row - page.first_row < page.rows;
        if !self.page.as_ref().is_some_and(|(_, page, _)| fits(page)) {
            let index = group.row_keys.pages.partition_point(|p| p.first_row <= row).saturating_sub(1);
            self.load_page(group, index, pages, access)?;
        }
        let Some((_, page, offset)) = self.page.as_ref().filter(|(_, page, _)| fits(page)) else {
            return Err(Malformed::new(0, "a row-key page lacks a row of its range").in_page(pages.name(), 0));
        };
        let block = (row - page.first_row) as usize / RESTART_ROWS;
        let offset = *offset;
        self.decode(block).map_err(|m| m.in_page(pages.name(), offset))?;
        if row - self.block_first >= narrow::to_u32(self.block.len()) {
            return Err(Malformed::new(0, "a block of row keys is cut short").in_page(pages.name(), offset));
        }
        Ok(())
    }

    fn load_page(
        &mut self,
        group: &RowGroup,
        index: usize,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        let page = read_page(group, index, pages, access)?;
        self.block.reset();
        self.page = Some(page);
        Ok(())
    }

    fn decode(&mut self, block: usize) -> std::result::Result<(), Malformed> {
        let Some((bytes, page, _)) = &self.page else { return Ok(()) };
        page.decode_block(bytes.body(), block, &mut self.block)?;
        self.block_first = page.first_row + narrow::to_u32(block * RESTART_ROWS);
        Ok(())
    }

    /// Ordinal of the first row at (or, when `above`, above) a key within the group's range. Only its own key is decoded then. A
    /// caller that walks on from there decodes the block.
    pub(super) fn find(
        &mut self,
        group: &RowGroup,
        key: &[u8],
        above: bool,
        order: RowOrder,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<u32> {
        let entries = &group.row_keys.pages;
        let index = entries.partition_point(|p| order.compare(&p.first_key, key).is_le()).saturating_sub(1);
        self.load_page(group, index, pages, access)?;
        let Some((bytes, page, offset)) = &self.page else { return Ok(0) };
        let offset = *offset;
        let block = page
            .find_block(bytes.body(), bytes.heads(), key, order)
            .map_err(|m| m.in_page(pages.name(), offset))?;
        let is_reached = |at: &[u8]| match order.compare(at, key) {
            Ordering::Less => false,
            Ordering::Equal => !above,
            Ordering::Greater => true,
        };
        let row = page
            .find_in_block(bytes.body(), block, &mut self.block, is_reached)
            .map_err(|m| m.in_page(pages.name(), offset))?;
        let found = page.first_row + narrow::to_u32(row);
        self.block_first = found;
        if found >= group.rows {
            let malformed = Malformed::new(0, "the row group's last row is not its last key");
            return Err(malformed.in_page(pages.name(), offset));
        }
        Ok(found)
    }
}

fn read_page(group: &RowGroup, index: usize, pages: &dyn PageSource, access: Access) -> Result<KeyPage> {
    let Some(PageEntry { at, first_row, .. }) = group.row_keys.pages.get(index) else {
        return Err(Malformed::new(0, "a row group lacks a row-key page").in_page(pages.name(), 0));
    };
    let next = group.row_keys.pages.get(index + 1).map_or(group.rows, |p| p.first_row);
    let page = pages.page(*at, access)?;
    let parsed = RowKeyPage::parse(page.body(), at.kind).map_err(|m| m.in_page(pages.name(), at.offset))?;
    if parsed.first_row != *first_row || parsed.rows != next - first_row {
        let malformed = Malformed::new(0, "a row-key page's rows are not those of the directory");
        return Err(malformed.in_page(pages.name(), at.offset));
    }
    Ok((page, parsed, at.offset))
}
