//! Questions to the bloom filters of a store's files.

use grampus_base::Counter;
use grampus_colfile::Presence;

/// What gets asked of bloom filters, once for each file that has the row in its range, as HBase counts it.
#[derive(Default)]
pub struct BloomCounters {
    asked: Counter,
    denied: Counter,
    unknown: Counter,
}

impl BloomCounters {
    /// Notes an answer.
    pub(super) fn count(&self, presence: Presence) {
        match presence {
            Presence::OutOfRange | Presence::Unasked => {}
            Presence::Unknown => self.unknown.add(1),
            Presence::Possible => self.asked.add(1),
            Presence::Denied => {
                self.asked.add(1);
                self.denied.add(1);
            }
        }
    }

    /// Questions that a filter answered.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// Those that said that the row is not there.
    pub fn denied(&self) -> u64 {
        self.denied.get()
    }

    /// Questions for which there was no filter, or none at hand.
    pub fn unknown(&self) -> u64 {
        self.unknown.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_is_an_answer_and_a_file_without_a_filter_gives_none() {
        let counters = BloomCounters::default();
        let answers = [
            Presence::OutOfRange,
            Presence::Unasked,
            Presence::Unknown,
            Presence::Possible,
            Presence::Denied,
            Presence::Denied,
        ];
        answers.into_iter().for_each(|answer| counters.count(answer));
        assert_eq!((counters.asked(), counters.denied(), counters.unknown()), (3, 2, 1));
    }
}
