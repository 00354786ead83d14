//! Sums over the files of a region.

use grampus_store::fileset::{FileName, StoreFile, StoreFiles};

/// The sums. Files of which this region has a part count as a whole, as in HBase.
#[derive(Default)]
pub(super) struct FileTotals {
    pub(super) files: usize,
    /// Files of the store that has most.
    pub(super) largest_store: usize,
    /// References to files of other regions.
    pub(super) references: usize,
    pub(super) bytes: u64,
    /// Those of files that lie in this region's own directory.
    pub(super) own_bytes: u64,
    /// Memory that the files take while they are open.
    pub(super) open_bytes: u64,
    /// All pages before compression.
    pub(super) raw_bytes: u64,
    /// Footers before compression.
    pub(super) footer_bytes: u64,
    /// Bloom filters before compression.
    pub(super) bloom_bytes: u64,
    /// Cursors that are open on the region's own files.
    pub(super) readers: usize,
    /// Cursors on the replaced file that has most.
    pub(super) replaced_readers: usize,
    /// Creation times in milliseconds; `None` without files.
    pub(super) oldest_millis: Option<i64>,
    pub(super) newest_millis: Option<i64>,
    pub(super) sum_of_millis: i64,
    /// Creation of the oldest file that a major compaction made.
    pub(super) oldest_major_millis: Option<i64>,
}

impl FileTotals {
    /// Adds a store's files.
    pub(super) fn add(&mut self, store: &StoreFiles) {
        self.files += store.files().len();
        self.largest_store = self.largest_store.max(store.files().len());
        self.replaced_readers = self.replaced_readers.max(store.replaced_readers());
        store.files().iter().for_each(|file| self.add_file(file));
    }

    fn add_file(&mut self, file: &StoreFile) {
        let facts = file.facts();
        self.references += usize::from(file.is_reference());
        self.bytes += facts.bytes;
        self.open_bytes += facts.open_bytes;
        self.raw_bytes += facts.raw.pages;
        self.footer_bytes += facts.raw.footer;
        self.bloom_bytes += facts.raw.blooms;
        if matches!(file.file_name(), FileName::Own(_)) {
            self.own_bytes += facts.bytes;
            self.readers += file.reader_count();
        }
        let created = facts.created_millis;
        self.oldest_millis = Some(self.oldest_millis.map_or(created, |ms| ms.min(created)));
        self.newest_millis = Some(self.newest_millis.map_or(created, |ms| ms.max(created)));
        self.sum_of_millis += created;
        if facts.major {
            self.oldest_major_millis = Some(self.oldest_major_millis.map_or(created, |ms| ms.min(created)));
        }
    }
}
