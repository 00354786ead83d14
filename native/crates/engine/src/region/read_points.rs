//! What open scanners keep from being dropped, and the work that drops what no reader needs.
//!
//! Invariant: work that drops cells takes its read point and its time under the lock under which scanners pin theirs. So a scanner at the read
//! point of now is never below that of work that runs, and work that begins later stays below the scanner.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// A read point and a time: cells above the read point are invisible, and those whose time to live had not ended then have not expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadTime {
    /// The read point.
    pub read_point: u64,
    /// Milliseconds of the wall clock.
    pub now_millis: i64,
}

/// Read points of open scanners, and those up to which flushes and compactions that run may drop cells.
#[derive(Default)]
pub(crate) struct ReadPoints {
    points: Mutex<Points>,
}

#[derive(Default)]
struct Points {
    open: Counted,
    dropping: Counted,
}

/// How many have each read point, and each time.
#[derive(Default)]
struct Counted {
    read_points: BTreeMap<u64, usize>,
    times: BTreeMap<i64, usize>,
}

impl Counted {
    fn add(&mut self, at: ReadTime) {
        *self.read_points.entry(at.read_point).or_default() += 1;
        *self.times.entry(at.now_millis).or_default() += 1;
    }

    fn remove(&mut self, at: ReadTime) {
        remove_one(&mut self.read_points, at.read_point);
        remove_one(&mut self.times, at.now_millis);
    }
}

fn remove_one<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

/// Keeps a read point until dropped.
pub(crate) struct ReadPin {
    points: Arc<ReadPoints>,
    at: ReadTime,
    lasting: bool,
}

impl ReadPin {
    /// The pinned read point.
    pub(crate) fn read_point(&self) -> u64 {
        self.at.read_point
    }

    /// The time as of which the reader decides what has expired.
    pub(crate) fn now_millis(&self) -> i64 {
        self.at.now_millis
    }

    /// Whether files that appear from now on have all that is visible at the read point. False for a read point of a client's own that is
    /// below that of a flush or compaction which ran when it was pinned.
    pub(crate) fn is_lasting(&self) -> bool {
        self.lasting
    }
}

impl Drop for ReadPin {
    fn drop(&mut self) {
        self.points.points.lock().open.remove(self.at);
    }
}

/// Work that may drop cells, until dropped: after its files are the store's.
pub(crate) struct Dropping {
    points: Arc<ReadPoints>,
    at: ReadTime,
}

impl Dropping {
    /// No version above it is dropped, or drops another.
    pub(crate) fn read_point(&self) -> u64 {
        self.at.read_point
    }

    /// What had not expired then is not dropped.
    pub(crate) fn now_millis(&self) -> i64 {
        self.at.now_millis
    }
}

impl Drop for Dropping {
    fn drop(&mut self) {
        self.points.points.lock().dropping.remove(self.at);
    }
}

impl ReadPoints {
    /// Pins what `choose` returns.
    pub(crate) fn pin(self: &Arc<Self>, choose: impl FnOnce() -> ReadTime) -> ReadPin {
        let mut points = self.points.lock();
        let at = choose();
        points.open.add(at);
        let Counted { read_points, times } = &points.dropping;
        let lasting = read_points.keys().next_back().is_none_or(|highest| *highest <= at.read_point)
            && times.keys().next_back().is_none_or(|latest| *latest <= at.now_millis);
        ReadPin { points: self.clone(), at, lasting }
    }

    /// Begins work that drops cells, up to the smallest pinned read point and as of the earliest pinned time, or `current` where none is
    /// smaller. Nothing below it can be told apart by a reader.
    pub(crate) fn begin_dropping(self: &Arc<Self>, current: impl FnOnce() -> ReadTime) -> Dropping {
        let mut points = self.points.lock();
        let current = current();
        let Counted { read_points, times } = &points.open;
        let at = ReadTime {
            read_point: read_points
                .keys()
                .next()
                .map_or(current.read_point, |first| current.read_point.min(*first)),
            now_millis: times
                .keys()
                .next()
                .map_or(current.now_millis, |first| current.now_millis.min(*first)),
        };
        points.dropping.add(at);
        Dropping { points: self.clone(), at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(read_point: u64, now_millis: i64) -> impl FnOnce() -> ReadTime {
        move || ReadTime { read_point, now_millis }
    }

    #[test]
    fn a_read_point_below_work_that_runs_does_not_last() {
        let points = Arc::new(ReadPoints::default());
        let work = points.begin_dropping(at(10, 100));
        assert!(points.pin(at(10, 100)).is_lasting());
        assert!(!points.pin(at(10, 99)).is_lasting(), "the clock was set back");
        let old = points.pin(at(9, 100));
        assert!(!old.is_lasting());
        drop(work);
        assert!(!old.is_lasting(), "what the work dropped is gone");
        assert!(points.pin(at(8, 100)).is_lasting());
        let later = points.begin_dropping(at(12, 200));
        assert_eq!((later.read_point(), later.now_millis()), (9, 100));
        assert!(points.pin(at(9, 100)).is_lasting());
    }
}
