//! When memory that was given up goes back to the operating system.
//!
//! The allocator keeps what is freed, and as long as the server does what it did that is right: memtables fill again, pages come in for
//! those that left. Handing it back costs 0.15 to 0.3 ms for each MB, in which no other thread gets memory, so it is done only after
//! use has stayed low for a while: tables were dropped, or clients have gone.

/// Use has to stay low for so long; so it is also the least time between two times.
const LOW_MS: i64 = 30_000;

/// Less is not worth it.
const BYTES_MIN: u64 = 64 << 20;

/// Follows the bytes in use. Not synchronised.
#[derive(Default)]
pub(super) struct Ebb {
    /// The most since memory was last handed back, up to the present span.
    highest: u64,
    /// The most in the present span.
    lately: u64,
    since_ms: i64,
}

impl Ebb {
    /// Takes note of the bytes in use at a time. True when they have been lower than before by enough for long enough: the caller is to
    /// hand back what is free.
    pub(super) fn is_due(&mut self, now_ms: i64, used: u64) -> bool {
        self.lately = self.lately.max(used);
        if now_ms - self.since_ms < LOW_MS {
            return false;
        }
        let is_low = self.lately.saturating_add(BYTES_MIN) <= self.highest;
        self.highest = if is_low { self.lately } else { self.highest.max(self.lately) };
        (self.lately, self.since_ms) = (used, now_ms);
        is_low
    }
}

#[cfg(test)]
mod tests {
    use super::Ebb;

    const MB: u64 = 1 << 20;

    /// The seconds in which memory is handed back, with the use of each second in MB.
    fn due(seconds: impl IntoIterator<Item = u64>) -> Vec<i64> {
        let mut ebb = Ebb::default();
        let numbered = (1..).zip(seconds);
        numbered
            .filter(|(second, used)| ebb.is_due(second * 1000, used * MB))
            .map(|(second, _)| second)
            .collect()
    }

    fn steady(mb: u64, seconds: usize) -> impl Iterator<Item = u64> {
        std::iter::repeat_n(mb, seconds)
    }

    #[test]
    fn use_that_stays_low_is_an_ebb_and_only_once() {
        assert_eq!(due(steady(500, 70).chain(steady(100, 300))), [120]);
        assert_eq!(due(steady(500, 70).chain(steady(437, 300))), [0; 0], "63 MB");
        assert_eq!(due(steady(500, 60).chain(steady(400, 100)).chain(steady(300, 100))), [120, 210]);
    }

    #[test]
    fn memtables_that_fill_again_are_no_ebb() {
        assert_eq!(due((0..600).map(|second| 100 + second % 25 * 10)), [0; 0]);
        assert_eq!(due(0..600), [0; 0], "use that grows");
    }
}
