//! The holders of a file's pages, also once its store has forgotten the file.

use std::sync::Weak;

use grampus_cache::CachedPages;

/// The holders of a file's pages: the store while it has the file open, and each open cursor. A weak reference: it keeps no file open.
#[derive(Clone, Default)]
pub(crate) struct PageHolders(Weak<CachedPages>);

impl PageHolders {
    /// The holders of these pages.
    pub(super) fn of(pages: Weak<CachedPages>) -> PageHolders {
        PageHolders(pages)
    }

    /// How many there are now.
    pub(crate) fn holders(&self) -> usize {
        self.0.strong_count()
    }
}
