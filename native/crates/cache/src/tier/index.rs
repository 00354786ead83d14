//! Which page lies where.
//!
//! Invariants: 1. Every place is in the list of its segment. 2. `pages` and `bytes` are those of the places in `files`.

use std::collections::HashMap;

use crate::FileId;
use crate::key::Key;

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its segment.
    pub segment: u32,
    /// Bytes of the record.
    pub len: u32,
    /// Position in the medium.
    pub at: u64,
}

/// Places by file and offset, and by segment.
pub(super) struct Index {
    files: HashMap<FileId, HashMap<u64, Place>>,
    /// What was written to each segment since it was cleared; some of it may be gone.
    segments: Vec<Vec<Key>>,
    pages: u64,
    bytes: u64,
}

impl Index {
    pub(super) fn new(segments: usize) -> Index {
        Index { files: HashMap::new(), segments: vec![Vec::new(); segments], pages: 0, bytes: 0 }
    }

    pub(super) fn get(&self, key: Key) -> Option<Place> {
        self.files.get(&key.0)?.get(&key.1).copied()
    }

    /// All pages and their places, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, Place)> + '_ {
        let of_file = |(file, offsets): (&FileId, &HashMap<u64, Place>)| {
            let file = *file;
            offsets.iter().map(move |(offset, place)| ((file, *offset), *place)).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of_file)
    }

    pub(super) fn insert(&mut self, key: Key, place: Place) {
        self.remove(key);
        let Some(written) = self.segments.get_mut(place.segment as usize) else { return };
        written.push(key);
        self.files.entry(key.0).or_default().insert(key.1, place);
        self.pages += 1;
        self.bytes += u64::from(place.len);
    }

    pub(super) fn remove(&mut self, key: Key) {
        let Some(offsets) = self.files.get_mut(&key.0) else { return };
        if let Some(place) = offsets.remove(&key.1) {
            self.pages -= 1;
            self.bytes -= u64::from(place.len);
        }
        if offsets.is_empty() {
            self.files.remove(&key.0);
        }
    }

    /// Forgets a file; returns how many pages of it there were.
    pub(super) fn remove_file(&mut self, file: FileId) -> u64 {
        let offsets = self.files.remove(&file).unwrap_or_default();
        self.pages -= offsets.len() as u64;
        self.bytes -= offsets.values().map(|place| u64::from(place.len)).sum::<u64>();
        offsets.len() as u64
    }

    /// Forgets what is in a segment; returns how many pages there were.
    pub(super) fn clear_segment(&mut self, segment: u32) -> u64 {
        let before = self.pages;
        let written = self.segments.get_mut(segment as usize).map(std::mem::take).unwrap_or_default();
        for key in written {
            if self.get(key).is_some_and(|place| place.segment == segment) {
                self.remove(key);
            }
        }
        before - self.pages
    }

    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}
