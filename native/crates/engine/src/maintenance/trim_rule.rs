//! When free memory is handed back to the operating system.
//!
//! The allocator keeps freed memory, which is right while memtables and pages soon take it again. Handing it back takes 0.15 to 0.3 ms
//! per MB and blocks the allocations of other threads meanwhile. Each page that is taken again costs a fault, on a virtual machine whose
//! host takes free memory back ten times as much as on another. So it is done only after use has stayed low for minutes: after tables were
//! dropped, or load has ended.

/// How long use has to stay low, in milliseconds. Also the least time between two trims.
const LOW_MILLIS: i64 = 300_000;

/// Bytes by which use has to be lower than before.
const BYTES_MIN: u64 = 64 << 20;

/// Use that changes by more in a span is that of a load: memtables that fill want what they have given up.
const STEADY_BYTES: u64 = 16 << 20;

/// It may change by this part of what would go back: a small load beside it is not worth all that memory.
const STEADY_PART: u64 = 16;

/// Follows the bytes in use. Not synchronised.
#[derive(Default)]
pub(super) struct TrimRule {
    /// The most bytes in use since memory was last handed back, up to the present span of [`LOW_MILLIS`].
    highest: u64,
    /// The most in the present span.
    lately: u64,
    /// The least in the present span.
    least: u64,
    /// When the present span began.
    since_millis: i64,
}

impl TrimRule {
    /// Notes the bytes in use at a time of the monotonic clock. True when they have been low for long enough: the caller is to hand back
    /// what is free.
    pub(super) fn note(&mut self, now_millis: i64, used_bytes: u64) -> bool {
        self.lately = self.lately.max(used_bytes);
        self.least = self.least.min(used_bytes);
        if now_millis - self.since_millis < LOW_MILLIS {
            return false;
        }
        let lower = self.highest.saturating_sub(self.lately);
        let is_steady = self.lately - self.least <= STEADY_BYTES.max(lower / STEADY_PART);
        let is_low = is_steady && lower >= BYTES_MIN;
        self.highest = if is_low { self.lately } else { self.highest.max(self.lately) };
        (self.lately, self.least, self.since_millis) = (used_bytes, used_bytes, now_millis);
        is_low
    }
}

#[cfg(test)]
mod tests {
    use super::TrimRule;

    const MB: u64 = 1 << 20;

    /// The seconds in which memory is handed back, with the use of each second in MB.
    fn trims(seconds: impl IntoIterator<Item = u64>) -> Vec<i64> {
        let mut rule = TrimRule::default();
        let numbered = (1..).zip(seconds);
        numbered
            .filter(|(second, used)| rule.note(second * 1000, used * MB))
            .map(|(second, _)| second)
            .collect()
    }

    fn steady(mb: u64, seconds: usize) -> impl Iterator<Item = u64> {
        std::iter::repeat_n(mb, seconds)
    }

    #[test]
    fn use_that_stays_low_wants_a_trim_and_only_one() {
        assert_eq!(trims(steady(500, 700).chain(steady(100, 3_000))), [1_200]);
        assert_eq!(trims(steady(500, 700).chain(steady(437, 3_000))), [0; 0], "63 MB");
        assert_eq!(
            trims(steady(500, 600).chain(steady(400, 1_000)).chain(steady(300, 1_000))),
            [1_200, 2_100]
        );
    }

    #[test]
    fn a_small_load_beside_a_drop_keeps_little() {
        let loads = |mb: u64| (0..3_000).map(move |second: u64| 100 + second % mb);
        assert_eq!(trims(steady(1_000, 700).chain(loads(50))), [1_200]);
        assert_eq!(trims(steady(1_000, 700).chain(loads(70))), [0; 0], "a sixteenth of what is lower");
    }

    #[test]
    fn memtables_that_fill_again_want_no_trim() {
        for (seconds, mb) in [(250, 10), (400, 10), (1_000, 5), (3_000, 1)] {
            let fills = (0..30_000).map(|second| 100 + second % seconds * mb);
            assert_eq!(trims(fills), [0; 0], "{mb} MB a second for {seconds} s");
        }
        assert_eq!(trims(0..6_000), [0; 0], "use that grows");
    }
}
