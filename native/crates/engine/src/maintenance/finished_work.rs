//! Flushes and compactions that are done, one by one: their times and sizes go into the server's histograms.

use std::collections::VecDeque;

use grampus_store::policy::CompactionKind;
use parking_lot::Mutex;

/// The most that are kept for the server, which asks every few seconds. The sums of [`WorkCounters`](super::WorkCounters) have them all.
const KEPT_MAX: usize = 1024;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// A flush of a region; its input are memtables.
    Flush,
    /// A compaction of a store.
    Compaction(CompactionKind),
}

impl WorkKind {
    /// Its name, see `docs/jni.md`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            WorkKind::Flush => "FLUSH",
            WorkKind::Compaction(CompactionKind::Minor) => "MINOR",
            WorkKind::Compaction(CompactionKind::Major) => "MAJOR",
        }
    }
}

/// A flush or compaction that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FinishedWork {
    /// Its place among all since the start, from 1.
    pub number: u64,
    /// What it was.
    pub kind: WorkKind,
    /// The table.
    pub table: String,
    /// How long it took.
    pub millis: u64,
    /// Files read; 0 for a flush.
    pub input_files: u64,
    /// Bytes of them, or of the memtables.
    pub input_bytes: u64,
    /// Bytes of the files written.
    pub output_bytes: u64,
}

/// The latest of them.
#[derive(Default)]
pub(crate) struct FinishedWorks {
    kept: Mutex<VecDeque<FinishedWork>>,
}

impl FinishedWorks {
    /// Adds one, which gets its number here.
    pub(crate) fn add(&self, work: FinishedWork) {
        let mut kept = self.kept.lock();
        let number = kept.back().map_or(0, |last| last.number) + 1;
        if kept.len() == KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back(FinishedWork { number, ..work });
    }

    /// Those with a higher number, as far as they are kept, in their order.
    pub(crate) fn after(&self, number: u64) -> Vec<FinishedWork> {
        self.kept.lock().iter().filter(|work| work.number > number).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work() -> FinishedWork {
        FinishedWork {
            number: 0,
            kind: WorkKind::Flush,
            table: "t".to_string(),
            millis: 1,
            input_files: 0,
            input_bytes: 2,
            output_bytes: 3,
        }
    }

    #[test]
    fn each_is_told_once_to_who_asks_for_what_came_after() {
        let works = FinishedWorks::default();
        works.add(work());
        works.add(work());
        let numbers = |after| works.after(after).iter().map(|work| work.number).collect::<Vec<_>>();
        assert_eq!(numbers(0), [1, 2]);
        assert_eq!(numbers(1), [2]);
        works.add(work());
        assert_eq!(numbers(2), [3]);
        assert!(numbers(3).is_empty());
    }

    #[test]
    fn only_the_latest_are_kept() {
        let works = FinishedWorks::default();
        (0..=KEPT_MAX).for_each(|_| works.add(work()));
        let kept = works.after(0);
        assert_eq!((kept.len(), kept[0].number), (KEPT_MAX, 2));
    }
}
