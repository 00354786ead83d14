//! The second tier of the block cache: pages that had to leave memory, in files on one or several paths.
//!
//! Each path is a log of its own (`path_log`), with its own lock, queue and writer; a page belongs to the path that its key chooses
//! among those that work, so a path that fails takes only its own pages along. With a place for the index, what is here when the
//! tier is closed is there for the next process (`saved`).
//! `docs/design/0013-second-tier.md` says why it is as it is.

mod config;
mod file;
mod index;
mod medium;
mod path_log;
mod position;
mod queue;
mod record;
mod saved;
mod stats;
mod writer;

#[cfg(test)]
mod restart_tests;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use grampus_base::events::{self, EventQueue, Level, Topic};
use grampus_base::{Error, Result};
use grampus_colfile::{Access, Page, PageKind};
use parking_lot::Mutex;

pub use self::config::TierConfig;
use self::file::TierFile;
use self::index::Index;
use self::medium::Medium;
use self::path_log::PathLog;
use self::position::Position;
use self::saved::{Layout, Saved};
pub use self::stats::TierStats;
use super::FileId;
use super::key::Key;
use super::requests::Requests;

/// Approximate number of a path's segments. One of them is empty while it is written again.
const SEGMENTS: u64 = 64;

/// Bytes of a segment; a page that is larger than one is not kept.
const SEGMENT_BYTES: (u64, u64) = (64 << 10, 32 << 20);

/// The tier.
pub struct Tier {
    logs: Vec<Arc<PathLog>>,
    writers: Mutex<Vec<JoinHandle<Position>>>,
    hits: Requests,
    misses: Requests,
    /// Where the index goes at the end, and for what tier it will be good.
    keeps: Mutex<Option<(PathBuf, Layout)>>,
    events: Arc<EventQueue>,
}

impl Tier {
    /// Opens the files and starts a writer for each. What they held is here again if the tier of the process before had the same
    /// layout, was closed, and has left its index; else it is gone.
    pub fn open(config: &TierConfig, events: &Arc<EventQueue>) -> Result<Tier> {
        let bytes = config.bytes_per_path();
        let segment_bytes = (bytes / SEGMENTS).clamp(SEGMENT_BYTES.0, SEGMENT_BYTES.1);
        let segments = u32::try_from(bytes / segment_bytes).unwrap_or(u32::MAX);
        let mut media: Vec<Box<dyn Medium>> = Vec::new();
        for path in &config.paths {
            let file = TierFile::open(path, u64::from(segments) * segment_bytes, config.reserve)?;
            media.push(Box::new(file));
        }
        let names = media.iter().map(|medium| medium.name().to_string()).collect();
        let layout = saved::boot().map(|boot| Layout { boot, names, segments, segment_bytes });
        let keeps = config.index.clone().zip(layout);
        let saved = keeps.as_ref().map(|(path, layout)| saved::take(path, layout)).transpose()?.flatten();
        let tier = Tier::start(media, segments, segment_bytes, saved.unwrap_or_default(), events)?;
        if keeps.is_some() {
            let pages = events::count(tier.stats().page_count, "page");
            let text =
                format!("the second tier of the block cache starts with {pages} of the process before");
            events.report(Level::Info, Topic::Cache, text);
        }
        *tier.keeps.lock() = keeps;
        Ok(tier)
    }

    fn start(
        media: Vec<Box<dyn Medium>>,
        segments: u32,
        segment_bytes: u64,
        saved: Vec<Saved>,
        events: &Arc<EventQueue>,
    ) -> Result<Tier> {
        let saved = saved.into_iter().chain(std::iter::repeat_with(Saved::default));
        let log = |(medium, saved): (_, Saved)| {
            Arc::new(PathLog::new(medium, segments, segment_bytes, &saved, Arc::clone(events)))
        };
        let tier = Tier {
            logs: media.into_iter().zip(saved).map(log).collect(),
            writers: Mutex::default(),
            hits: Requests::default(),
            misses: Requests::default(),
            keeps: Mutex::default(),
            events: Arc::clone(events),
        };
        for (number, log) in tier.logs.iter().enumerate() {
            let log = Arc::clone(log);
            let writer = std::thread::Builder::new()
                .name(format!("cache-tier-{number}"))
                .spawn(move || writer::run(&log))
                .map_err(|e| Error::io("start a thread for", "the block cache", e))?;
            tier.writers.lock().push(writer);
        }
        Ok(tier)
    }

    /// The path of a page: every key has an order of the paths of its own, and the first of them that works.
    fn log(&self, key: Key) -> Option<&PathLog> {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let working = self.logs.iter().enumerate().filter(|(_, log)| log.works());
        working.max_by_key(|(number, _)| hasher.hash_one((key, number))).map(|(_, log)| log.as_ref())
    }

    /// The page, if it is here, for a read that waits for it; may wait for the disk.
    pub(super) fn get(&self, key: Key, kind: PageKind, access: Access) -> Option<Arc<Page>> {
        let page = self.load(key, kind);
        if page.is_some() {
            self.hits.count(access)
        } else {
            self.misses.count(access)
        }
        page
    }

    /// The page, if it is here; counts neither as hit nor as miss.
    pub(super) fn load(&self, key: Key, kind: PageKind) -> Option<Arc<Page>> {
        self.log(key).and_then(|log| log.get(key, kind))
    }

    /// Whether the page is here, as far as the index knows.
    pub(super) fn has(&self, key: Key) -> bool {
        self.log(key).is_some_and(|log| log.has(key))
    }

    /// Takes a page that left memory, if there is room in the queue of its path. Never waits for the disk.
    pub(super) fn offer(&self, key: Key, page: Arc<Page>) {
        if let Some(log) = self.log(key) {
            log.offer(key, page);
        }
    }

    /// Forgets all pages of a file; returns how many there were.
    pub(super) fn evict_file(&self, file: FileId) -> u64 {
        self.logs.iter().map(|log| log.evict_file(file)).sum()
    }

    /// The counters.
    pub fn stats(&self) -> TierStats {
        let mut stats = TierStats {
            hit_count: self.hits.sum(),
            hit_caching_count: self.hits.caching(),
            miss_count: self.misses.sum(),
            miss_caching_count: self.misses.caching(),
            path_count: self.logs.len() as u64,
            ..TierStats::default()
        };
        self.logs.iter().for_each(|log| log.add_to(&mut stats));
        stats
    }

    /// Ends the writers and, where it is wanted, leaves the index for the next process; what comes later is not taken, what is in the
    /// queues is gone. Returns false if a writer has panicked.
    pub fn close(&self) -> bool {
        let indexes: Vec<Option<Index>> = self.logs.iter().map(|log| log.end()).collect();
        let ended: Vec<_> = self.writers.lock().drain(..).map(JoinHandle::join).collect();
        let whole = ended.iter().all(|ended| ended.is_ok());
        if let Some((path, layout)) = self.keeps.lock().take()
            && whole
        {
            // A path that has failed leaves nothing.
            let paths = indexes.into_iter().zip(ended).map(|(index, end)| match (index, end) {
                (Some(index), Ok(position)) => Saved::of(&index, position),
                _ => Saved::default(),
            });
            if let Err(e) = saved::write(&path, &layout, &paths.collect::<Vec<_>>()) {
                let path = path.display();
                let text = format!(
                    "the block cache's index {path} cannot be written, its second tier will start empty: {e}"
                );
                self.events.report(Level::Warn, Topic::Cache, text);
            }
        }
        whole
    }
}

/// Reads an index as the tier of its golden file would; for fuzzing. The checksum is made right first, as none would be by chance.
pub fn decode_index(bytes: &[u8]) {
    let names = ["/a", "/b"].map(str::to_string).to_vec();
    let layout = Layout { boot: 7, names, segments: 4, segment_bytes: 1000 };
    let crc = crc32c::crc32c(bytes).to_le_bytes();
    for saved in saved::decode(&[bytes, &crc].concat(), &layout).unwrap_or_default() {
        saved.index(layout.segments);
    }
}

/// Reads a record of a tier's file; for fuzzing. Once as it is, and once as the record of the page that it names, with the right checksum.
pub fn decode_record(bytes: &[u8]) {
    let at = |from: usize| bytes.get(from..).unwrap_or_default();
    let file = at(8).first_chunk().map_or(0, |number| u128::from_le_bytes(*number));
    let offset = at(24).first_chunk().map_or(0, |offset| u64::from_le_bytes(*offset));
    let key = (FileId::of_number(file), offset);
    let rest = at(4);
    for record in [bytes.to_vec(), [&crc32c::crc32c(rest).to_le_bytes()[..], rest].concat()] {
        if let Some(page) = record::open(record, key, PageKind::Column) {
            let mut again = Vec::new();
            record::append(&mut again, key, page.body());
            assert_eq!(again.get(4..), Some(rest), "a record that was read is written otherwise");
        }
    }
}

impl Drop for Tier {
    fn drop(&mut self) {
        self.close();
    }
}
