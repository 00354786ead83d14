//! The page of a stream: which one has a row, loading it, and letting go of it.

use super::super::rows::Rows;
use super::{Head, Loaded, NO_ROW, Stream, StreamKind};
use crate::cell_page::{CellAt, CellPage};
use crate::encoding::Located;
use crate::error::{Malformed, Result};
use crate::footer::RowGroup;
use crate::page_source::{Access, PageSource};
use crate::prefetch::prefetch_string;

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
        let chunk = self.kind.chunk(group).map_or(&[][..], |chunk| &chunk.pages);
        let Some(entry) = chunk.get(index) else {
            return Err(Malformed::new(0, "a chunk lacks a page").in_page(pages.name(), 0));
        };
        let offset = entry.at.offset;
        let page = pages.page(entry.at, access)?;
        let end = chunk.get(index + 1).map_or(entry.first_row, |next| next.first_row);
        prefetch_string(
            page.body(),
            self.low.saturating_sub(entry.first_row),
            end.saturating_sub(entry.first_row),
        );
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
