//! Where the cells of results go: one behind the other, each result with a bound.

use crate::read::{CellSink, ResultSink};

/// A buffer with a limit of the bytes of a result. It refuses bytes that there is no memory for.
pub(super) struct ResultCells {
    bytes: Vec<u8>,
    /// Where the current result begins.
    start: usize,
    result_bytes_max: usize,
    /// A cell of the current result was not taken.
    overfull: bool,
}

impl ResultCells {
    pub(super) fn new(result_bytes_max: usize) -> ResultCells {
        ResultCells { bytes: Vec::new(), start: 0, result_bytes_max, overfull: false }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn result_bytes_max(&self) -> usize {
        self.result_bytes_max
    }

    /// Takes the cells of the current result out.
    pub(super) fn take_result(&mut self) -> Vec<u8> {
        self.bytes.split_off(self.start)
    }

    /// Forgets the cells, and gives up memory beyond `kept` bytes.
    pub(super) fn clear(&mut self, kept: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(kept);
        (self.start, self.overfull) = (0, false);
    }
}

impl CellSink for ResultCells {
    #[inline]
    fn put(&mut self, bytes: usize, write: impl FnOnce(&mut [u8])) {
        let room = self.result_bytes_max - (self.bytes.len() - self.start).min(self.result_bytes_max);
        self.overfull |= bytes > room || self.bytes.try_reserve(bytes).is_err();
        if !self.overfull {
            self.bytes.put(bytes, write);
        }
    }

    fn position(&self) -> usize {
        self.bytes.len()
    }

    fn roll_back(&mut self, position: usize) {
        self.bytes.roll_back(position);
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        self.bytes.written(from)
    }

    fn is_whole(&self) -> bool {
        !self.overfull
    }
}

impl ResultSink for ResultCells {
    fn begin_result(&mut self) {
        (self.start, self.overfull) = (self.bytes.len(), false);
    }

    /// What all results may have that no bound need be looked at for.
    fn room(&self) -> usize {
        self.result_bytes_max
    }

    #[inline]
    fn is_overfull(&self) -> bool {
        self.overfull
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_a_bound_and_those_behind_it_have_their_own() {
        let mut cells = ResultCells::new(10);
        for _ in 0..3 {
            cells.begin_result();
            cells.put(6, |out| out.fill(1));
            cells.put(4, |out| out.fill(2));
            assert!(!cells.is_overfull());
        }
        cells.put(1, |_| panic!("there is no room"));
        assert!(cells.is_overfull() && !cells.is_whole());
        assert_eq!(cells.position(), 30);
        cells.begin_result();
        assert!(!cells.is_overfull());
    }

    #[test]
    fn what_there_is_no_memory_for_is_not_taken() {
        let mut cells = ResultCells::new(usize::MAX);
        cells.begin_result();
        cells.put(isize::MAX as usize, |_| panic!("there is no memory"));
        assert!(cells.is_overfull());
    }

    #[test]
    fn memory_of_a_large_result_is_given_up() {
        let mut cells = ResultCells::new(usize::MAX);
        cells.put(1 << 20, |out| out.fill(1));
        cells.clear(1 << 10);
        assert!(cells.bytes().is_empty() && cells.bytes.capacity() < 1 << 20);
    }
}
