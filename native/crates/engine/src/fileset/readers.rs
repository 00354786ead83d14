//! Who reads a file, also once its store has forgotten it.

use std::sync::Weak;

use crate::cache::CachedPages;

/// The holders of a file's pages: the store that has it open and each cursor over it. Keeps nothing open itself.
#[derive(Clone, Default)]
pub struct Readers(Weak<CachedPages>);

impl Readers {
    /// The holders of these pages.
    pub(super) fn of(pages: Weak<CachedPages>) -> Readers {
        Readers(pages)
    }

    /// How many there are now.
    pub fn count(&self) -> usize {
        self.0.strong_count()
    }
}
