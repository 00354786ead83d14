//! The files of a store as of one moment.

use std::sync::Arc;

use crate::fileset::page_holders::PageHolders;
use crate::fileset::store_file::StoreFile;

/// An immutable list of files, oldest first. Readers hold it; the files stay readable as long.
#[derive(Clone, Default)]
pub struct StoreFiles {
    pub(super) files: Vec<Arc<StoreFile>>,
    pub(super) newest_first: Vec<Arc<StoreFile>>,
    /// Files that compactions have replaced and that were read when the list was made.
    pub(super) replaced: Vec<PageHolders>,
}

impl StoreFiles {
    /// The files in ascending order of their highest sequence id.
    pub fn files(&self) -> &[Arc<StoreFile>] {
        &self.files
    }

    /// The files in descending order of their largest timestamp.
    pub(crate) fn newest_first(&self) -> &[Arc<StoreFile>] {
        &self.newest_first
    }

    /// Highest sequence id that any file covers, 0 without files.
    pub fn max_sequence(&self) -> u64 {
        self.files.iter().map(|f| f.max_sequence()).max().unwrap_or(0)
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|f| f.facts().bytes).sum()
    }

    /// Readers of the replaced file that has most of them.
    pub fn replaced_readers(&self) -> usize {
        self.replaced.iter().map(PageHolders::holders).max().unwrap_or(0)
    }

    pub(super) fn sort(&mut self) {
        self.files.sort_by(|a, b| (a.max_sequence(), a.name()).cmp(&(b.max_sequence(), b.name())));
        self.newest_first = self.files.iter().rev().cloned().collect();
        self.newest_first.sort_by_key(|file| std::cmp::Reverse(file.max_timestamp()));
    }
}
