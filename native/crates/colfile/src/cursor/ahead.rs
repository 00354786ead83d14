//! Reading ahead of a walk: from the medium, and from memory into the processor's caches.

use grampus_cells::Direction;

use super::FileCursor;
use crate::footer::PageEntry;

/// A chunk is read ahead by no less than this, or it is not worth a request to the medium.
const BYTES_MIN: u64 = 64 * 1024;

/// Pages of a row that are looked up together at most. What is prefetched of them takes a third of the processor's first cache.
const PAGES_MAX: usize = 32;

impl FileCursor {
    /// Tells the source which pages of the current row group the walk comes to next, as many as hold about `bytes` together.
    /// Does not wait; pages that turn out not to be read cost the medium's time only.
    pub fn read_ahead(&self, bytes: u64) {
        let Some(group) = self.group.and_then(|index| self.file.footer.groups.get(index)) else { return };
        let columns = self.columns.iter();
        let streams = columns.chain(self.family_deletes.as_deref()).chain(self.mixed.as_deref());
        let cells: Vec<&[PageEntry]> = streams.map(|s| s.pages_ahead(group, self.direction)).collect();
        let chunks = || cells.iter().copied().chain([self.rows.pages_ahead(group, self.direction)]);
        let all: u64 = chunks().map(stored_bytes).sum();
        for pages in chunks() {
            // Each chunk gets its share, for rows take from all of them alike.
            let share = bytes.saturating_mul(stored_bytes(pages)) / all.max(1);
            self.announce(pages, share.max(BYTES_MIN));
        }
    }

    /// Looks up the pages in memory that have the current row's cells, and starts to load what the walk reads of them. A walk that looks at one column after
    /// the other waits for memory several times for each.
    pub(super) fn find_pages(&mut self, group: usize) {
        let (file, pages, access, row) = (&*self.file, &*self.pages, self.access, self.rows.ordinal());
        let Some(group) = file.footer.groups.get(group).filter(|_| self.columns.len() > 1) else { return };
        let streams = self.columns.iter_mut().take(PAGES_MAX);
        streams.for_each(|stream| stream.find_page(row, group, pages, access));
        let streams = self.columns.iter().take(PAGES_MAX);
        streams.for_each(|stream| stream.prefetch_page(row, group));
    }

    fn announce(&self, pages: &[PageEntry], bytes: u64) {
        let mut left = bytes;
        let mut wanted = |page: &&PageEntry| {
            let within = left > 0;
            left = left.saturating_sub(u64::from(page.at.stored_len));
            within
        };
        let next: Vec<&PageEntry> = match self.direction {
            Direction::Forward => pages.iter().take_while(&mut wanted).collect(),
            Direction::Reverse => pages.iter().rev().take_while(&mut wanted).collect(),
        };
        let (Some(nearest), Some(farthest)) = (next.first(), next.last()) else { return };
        let start = nearest.at.offset.min(farthest.at.offset);
        let end = |page: &PageEntry| page.at.offset.saturating_add(u64::from(page.at.stored_len));
        self.pages.will_read(nearest.at, start..end(nearest).max(end(farthest)));
    }
}

/// Bytes from the first page to the last; the pages of a chunk lie side by side.
fn stored_bytes(pages: &[PageEntry]) -> u64 {
    pages.iter().map(|p| u64::from(p.at.stored_len)).sum()
}
