//! How often which values came, cheap to count and exact in its number of values.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::narrow::low_u32;

/// Values below this have a bucket each.
const EXACT: u64 = 16;
/// Buckets of each power of two above: a value is told with an eighth of itself at most.
const STEPS_BITS: u32 = 3;
/// Higher values count as this power of two: 2^40 milliseconds or bytes.
const TOP_BITS: u32 = 40;
/// Power of two of the first value without a bucket of its own.
const EXACT_BITS: u32 = EXACT.ilog2();
const BUCKETS: usize = (1 << EXACT_BITS) + ((TOP_BITS - EXACT_BITS) as usize * (1 << STEPS_BITS));

/// A count for each range of values. Any thread may add; an add is one atomic addition.
pub struct Histogram {
    counts: Box<[AtomicU64]>,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Histogram {
    /// Counts `times` occurrences of a value.
    pub fn add(&self, value: u64, times: u64) {
        if let Some(count) = self.counts.get(bucket(value)) {
            count.fetch_add(times, Ordering::Relaxed);
        }
    }

    /// How many values there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// The values that came, each with its count, in their order; of a range the value in the middle.
    pub fn values(&self) -> Vec<(u64, u64)> {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        (0u64..).zip(counts).filter(|(_, count)| *count > 0).map(|(i, count)| (middle(i), count)).collect()
    }
}

fn bucket(value: u64) -> usize {
    let value = value.min((1 << TOP_BITS) - 1);
    if value < EXACT {
        return low_u32(value) as usize;
    }
    let power = value.ilog2();
    let step = (value >> (power - STEPS_BITS)) - (1 << STEPS_BITS);
    let bucket = EXACT + (u64::from(power - EXACT_BITS) << STEPS_BITS) + step;
    low_u32(bucket) as usize
}

fn middle(bucket: u64) -> u64 {
    let Some(above) = bucket.checked_sub(EXACT) else { return bucket };
    let step = (1 << STEPS_BITS) + (above & ((1 << STEPS_BITS) - 1));
    let shift = (above >> STEPS_BITS) + u64::from(EXACT_BITS - STEPS_BITS);
    (step << shift) + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_are_exact_and_counted() {
        let histogram = Histogram::default();
        histogram.add(0, 3);
        histogram.add(15, 1);
        histogram.add(0, 2);
        assert_eq!(histogram.values(), [(0, 5), (15, 1)]);
        assert_eq!(histogram.count(), 6);
    }

    #[test]
    fn a_large_value_is_told_within_an_eighth() {
        for value in (0..TOP_BITS).flat_map(|power| [1u64 << power, (1 << power) + (1 << power) / 3]) {
            let histogram = Histogram::default();
            histogram.add(value, 1);
            let told = histogram.values()[0].0;
            assert!(told.abs_diff(value) <= value / 8, "{value} is told as {told}");
        }
    }

    #[test]
    fn a_bucket_is_told_as_a_value_that_it_holds() {
        let middles: Vec<u64> = (0..BUCKETS as u64).map(middle).collect();
        assert!((0..BUCKETS).zip(&middles).all(|(i, value)| bucket(*value) == i));
        assert!(middles.is_sorted());
    }

    #[test]
    fn what_is_beyond_all_ranges_counts_in_the_last() {
        let histogram = Histogram::default();
        histogram.add(u64::MAX, 2);
        assert_eq!(histogram.count(), 2);
    }
}
