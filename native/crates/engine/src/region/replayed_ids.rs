//! The sequence ids of a region that a replay has met.

use std::collections::BTreeMap;

/// A set of ids, kept as ranges: a region's ids have few gaps.
#[derive(Default)]
pub(super) struct ReplayedIds {
    /// First id of each range to its last; no two touch.
    ranges: BTreeMap<u64, u64>,
}

impl ReplayedIds {
    /// Adds an id. False when it was there.
    pub(super) fn insert(&mut self, id: u64) -> bool {
        let before = self.ranges.range(..=id).next_back().map(|(first, last)| (*first, *last));
        if before.is_some_and(|(_, last)| last >= id) {
            return false;
        }
        let first = before.filter(|(_, last)| last + 1 == id).map_or(id, |(first, _)| first);
        let last = id.checked_add(1).and_then(|next| self.ranges.remove(&next)).unwrap_or(id);
        self.ranges.insert(first, last);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use grampus_testkit::random::Random;

    use super::*;

    #[test]
    fn an_id_is_new_once_whatever_the_order() {
        let (mut ids, mut model, mut random) = (ReplayedIds::default(), BTreeSet::new(), Random::new(1));
        for _ in 0..5000 {
            let id = random.below(2000);
            assert_eq!(ids.insert(id), model.insert(id), "{id}");
        }
        (0..2000).for_each(|id| assert_eq!(ids.insert(id), model.insert(id), "{id}"));
        assert_eq!(ids.ranges, BTreeMap::from([(0, 1999)]));
        assert!(ids.insert(u64::MAX) && !ids.insert(u64::MAX));
    }
}
