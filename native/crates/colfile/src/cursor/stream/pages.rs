//! The page of a stream: which one has a row, loading it, and letting go of it.

use super::super::rows::Rows;
use super::{Head, Loaded, NO_ROW, Stream, StreamKind};
use crate::cell_page::{CellAt, CellPage};
use crate::encoding::Located;
use crate::error::{Malformed, Result};
use crate::footer::{Chunk, RowGroup};
use crate::page::LARGE_PAGE_BYTES;
use crate::page_source::{Access, PageSource};
use crate::prefetch::{prefetch, prefetch_string, prefetch_value};

/// Bytes at the beginning of a page that say where its parts are.
const HEAD_BYTES: usize = 64;

/// Starts to load a row's value from about where a page of the chunk has it.
#[inline]
fn prefetch_value_of(row: u32, chunk: &Chunk, page: usize, group: &RowGroup, body: &[u8]) {
    let Some(first) = chunk.pages.get(page).map(|page| page.first_row) else { return };
    let end = chunk.pages.get(page + 1).map_or(group.rows, |next| next.first_row);
    prefetch_string(body, row.saturating_sub(first), end.saturating_sub(first));
}

impl Stream {
    pub(super) fn seek(
        &mut self,
        row: u32,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        self.head = None;
        self.left = None;
        self.low = row;
        let Some(chunk) = self.kind.chunk(group) else {
            self.at.row = NO_ROW;
            return Ok(());
        };
        let Some(index) = chunk.find(row) else {
            self.point_at_page(0, group);
            return Ok(());
        };
        let same_page = self.loaded.as_ref().is_some_and(|l| l.index == index);
        if !same_page {
            self.load_page(group, index, pages, access)?;
        }
        let known = same_page && self.page == index && self.at.row <= row;
        self.page = index;
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let hint = if known { self.at } else { loaded.cells.first() };
        match loaded.cells.at_or_above(loaded.page.body(), row, hint) {
            Some(at) => self.at = at,
            None => self.point_at_page(index + 1, group),
        }
        Ok(())
    }

    /// Takes the first cell of a page as the current one, without loading the page.
    pub(super) fn point_at_page(&mut self, index: usize, group: &RowGroup) {
        let first_row =
            self.kind.chunk(group).and_then(|c| c.pages.get(index)).map_or(NO_ROW, |p| p.first_row);
        self.page = index;
        self.at = CellAt { index: 0, row: first_row };
    }

    fn load_page(
        &mut self,
        group: &RowGroup,
        index: usize,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        let found = self.kind.chunk(group).and_then(|chunk| Some((chunk, chunk.pages.get(index)?)));
        let Some((chunk, entry)) = found else {
            return Err(Malformed::new(0, "a chunk lacks a page").in_page(pages.name(), 0));
        };
        let offset = entry.at.offset;
        let page = match self.ahead.take() {
            Some((ahead, page)) if ahead == index => page, // which is on its way
            _ => {
                let page = pages.page(entry.at, access)?;
                prefetch_value_of(self.low, chunk, index, group, page.body());
                page
            }
        };
        let cells = CellPage::parse(page.body()).map_err(|m| m.in_page(pages.name(), offset))?;
        let mixed = matches!(self.kind, StreamKind::Mixed);
        if cells.first_row != entry.first_row || cells.qualifiers().is_some() != mixed {
            let malformed = Malformed::new(0, "a page's cells are not those of the directory");
            return Err(malformed.in_page(pages.name(), offset));
        }
        cells.check_rows(page.body(), group.rows).map_err(|m| m.in_page(pages.name(), offset))?;
        self.loaded = Some(Loaded { page, cells, index, offset, longest: None });
        Ok(())
    }

    /// Looks up the page of a row in memory, for [`Stream::seek`], and starts to load what the page says of itself. A large page is left to its turn: it
    /// is kept no longer than its cells are read.
    pub(crate) fn find_page(&mut self, row: u32, group: &RowGroup, pages: &dyn PageSource, access: Access) {
        let Some(chunk) = self.kind.chunk(group) else { return };
        let Some(index) = chunk.find(row) else { return };
        let Some(entry) = chunk.pages.get(index).filter(|p| (p.at.raw_len as usize) < LARGE_PAGE_BYTES)
        else {
            return;
        };
        self.ahead = pages.page_in_memory(entry.at, access).map(|page| (index, page));
        if let Some((_, page)) = &self.ahead {
            prefetch_value(&**page);
        }
    }

    /// Starts to load the head of the page that was found, and a row's value from about where it is.
    pub(crate) fn prefetch_page(&self, row: u32, group: &RowGroup) {
        let (Some((index, page)), Some(chunk)) = (&self.ahead, self.kind.chunk(group)) else { return };
        prefetch(page.body().get(..HEAD_BYTES).unwrap_or_default());
        prefetch_value_of(row, chunk, *index, group, page.body());
    }

    /// Loads the page of the current cell, unless it is the one that is loaded.
    #[inline]
    pub(super) fn load_page_of_cell(
        &mut self,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        if self.loaded.as_ref().is_none_or(|l| l.index != self.page) {
            self.load_page(group, self.page, pages, access)?;
        }
        Ok(())
    }

    /// Decodes the current cell, which is of the current row.
    #[inline]
    pub(super) fn load_head(
        &mut self,
        rows: &Rows,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        self.load_page_of_cell(group, pages, access)?;
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let (body, cells, index) = (loaded.page.body(), &loaded.cells, self.at.index);
        let place = |m: Malformed| m.in_page(pages.name(), loaded.offset);
        let locate = |blobs: Option<&crate::encoding::Blobs>| match blobs {
            Some(blobs) => blobs.locate(body, index as usize),
            None => Ok(Located::EMPTY),
        };
        let head = Head {
            timestamp: cells.timestamp(body, index, || rows.timestamp()).map_err(place)?,
            cell_type: cells.cell_type(body, index).map_err(place)?,
            sequence: cells.sequence(body, index, || rows.sequence()).map_err(place)?,
            value: locate(cells.values()).map_err(place)?,
            tags: locate(cells.tags()).map_err(place)?,
            qualifier: locate(cells.qualifiers()).map_err(place)?,
        };
        for (scratch, located) in [
            (&mut self.value, head.value),
            (&mut self.tags, head.tags),
            (&mut self.qualifier, head.qualifier),
        ] {
            scratch.load(body, located).map_err(place)?;
        }
        self.head = Some(head);
        Ok(())
    }

    /// Qualifier of the current cell of a mixed chunk.
    pub(super) fn page_qualifier(&self) -> &[u8] {
        match (&self.loaded, &self.head) {
            (Some(loaded), Some(head)) => self.qualifier.slice(loaded.page.body(), head.qualifier),
            _ => &[],
        }
    }

    /// Bytes of the page that is loaded, and of values decoded from it. The page is not counted elsewhere any more.
    pub(crate) fn count_page(&self) -> usize {
        let page = self.loaded.as_ref().map_or(0, |loaded| {
            loaded.page.drop_counter();
            loaded.page.memory_bytes()
        });
        page + self.value.bytes() + self.qualifier.bytes() + self.tags.bytes()
    }

    /// Drops the page, until [`Stream::reload_page`]. In between the stream has no cell.
    pub(crate) fn drop_page(&mut self) {
        if let Some(loaded) = self.loaded.take() {
            self.dropped = Some(loaded.index);
        }
    }

    /// Loads the page that was dropped; the stream is where it was.
    pub(crate) fn reload_page(
        &mut self,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<()> {
        match self.dropped.take() {
            Some(index) => self.load_page(group, index, pages, access),
            None => Ok(()),
        }
    }
}
