//! The second tier of the block cache: pages that had to leave memory, in files on one or several paths.
//!
//! Each path is a log of its own (`lane`), with its own lock, queue and writer; a page belongs to the path that its key chooses
//! among those that work, so a path that fails takes only its own pages along. Nothing here survives the process.
//! `docs/design/0013-second-tier.md` says why it is as it is.

mod file;
mod index;
mod lane;
mod medium;
mod queue;
mod record;
mod stats;
mod writer;

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;
use std::thread::JoinHandle;

use grampus_colfile::{Access, Page};
use parking_lot::Mutex;

use self::file::TierFile;
use self::lane::Lane;
use self::medium::Medium;
pub use self::stats::TierStats;
use super::FileId;
use super::block_cache::Key;
use super::requests::Requests;
use crate::config::TierConfig;
use crate::error::{Error, Result};
use crate::events::EventQueue;

/// A path has about so many segments: one of them is empty while it is written again.
const SEGMENTS: u64 = 64;

/// Bytes of a segment; a page that is larger than one is not kept.
const SEGMENT_BYTES: (u64, u64) = (64 << 10, 32 << 20);

/// The tier.
pub struct Tier {
    lanes: Vec<Arc<Lane>>,
    writers: Mutex<Vec<JoinHandle<()>>>,
    hits: Requests,
    misses: Requests,
}

impl Tier {
    /// Opens the files and starts a writer for each. Whatever they held is gone.
    pub fn open(config: &TierConfig, events: &Arc<EventQueue>) -> Result<Tier> {
        let bytes = config.bytes_per_path();
        let segment_bytes = (bytes / SEGMENTS).clamp(SEGMENT_BYTES.0, SEGMENT_BYTES.1);
        let segments = u32::try_from(bytes / segment_bytes).unwrap_or(u32::MAX);
        let mut media: Vec<Box<dyn Medium>> = Vec::new();
        for path in &config.paths {
            let file = TierFile::open(path, u64::from(segments) * segment_bytes, config.reserve)?;
            media.push(Box::new(file));
        }
        Tier::start(media, segments, segment_bytes, events)
    }

    fn start(
        media: Vec<Box<dyn Medium>>,
        segments: u32,
        segment_bytes: u64,
        events: &Arc<EventQueue>,
    ) -> Result<Tier> {
        let lane = |medium| Arc::new(Lane::new(medium, segments, segment_bytes, Arc::clone(events)));
        let tier = Tier {
            lanes: media.into_iter().map(lane).collect(),
            writers: Mutex::default(),
            hits: Requests::default(),
            misses: Requests::default(),
        };
        for (number, lane) in tier.lanes.iter().enumerate() {
            let lane = Arc::clone(lane);
            let writer = std::thread::Builder::new()
                .name(format!("cache-tier-{number}"))
                .spawn(move || lane.run())
                .map_err(|e| Error::io("start a thread for", "the block cache", e))?;
            tier.writers.lock().push(writer);
        }
        Ok(tier)
    }

    /// The path of a page: every key has an order of the paths of its own, and the first of them that works.
    fn lane(&self, key: Key) -> Option<&Lane> {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let working = self.lanes.iter().enumerate().filter(|(_, lane)| lane.works());
        working.max_by_key(|(number, _)| hasher.hash_one((key, number))).map(|(_, lane)| lane.as_ref())
    }

    /// The page, if it is here; may wait for the disk.
    pub(super) fn get(&self, key: Key, access: Access) -> Option<Arc<Page>> {
        let page = self.lane(key).and_then(|lane| lane.get(key));
        if page.is_some() {
            self.hits.count(access)
        } else {
            self.misses.count(access)
        }
        page
    }

    /// Whether the page is here, as far as the index knows.
    pub(super) fn has(&self, key: Key) -> bool {
        self.lane(key).is_some_and(|lane| lane.has(key))
    }

    /// Takes a page that left memory, if there is room in the queue of its path. Never waits for the disk.
    pub(super) fn offer(&self, key: Key, page: Arc<Page>) {
        if let Some(lane) = self.lane(key) {
            lane.offer(key, page);
        }
    }

    /// Forgets all pages of a file; returns how many there were.
    pub(super) fn evict_file(&self, file: FileId) -> u64 {
        self.lanes.iter().map(|lane| lane.evict_file(file)).sum()
    }

    /// The counters.
    pub fn stats(&self) -> TierStats {
        let mut stats = TierStats {
            hit_count: self.hits.sum(),
            hit_caching_count: self.hits.caching(),
            miss_count: self.misses.sum(),
            miss_caching_count: self.misses.caching(),
            path_count: self.lanes.len() as u64,
            ..TierStats::default()
        };
        self.lanes.iter().for_each(|lane| lane.add_to(&mut stats));
        stats
    }

    /// Forgets everything and ends the writers; what comes later is not taken. Returns false if a writer has panicked.
    pub fn close(&self) -> bool {
        for lane in &self.lanes {
            lane.end();
        }
        let ended: Vec<_> = self.writers.lock().drain(..).map(JoinHandle::join).collect();
        ended.iter().all(|ended| ended.is_ok())
    }
}

impl Drop for Tier {
    fn drop(&mut self) {
        self.close();
    }
}
