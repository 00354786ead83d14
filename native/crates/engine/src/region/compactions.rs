//! The compactions of one store: which run, which are asked for, and how far they are.
//!
//! Invariants: 1. A file is the input of at most one running compaction. 2. What was asked for stays asked for until it was
//! begun, or there was nothing to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::retry::Retry;
use crate::compaction::CompactionKind;
use crate::compaction::picker::Picked;
use crate::fileset::StoreFile;

#[derive(Default)]
struct State {
    running: Vec<(CompactionKind, Vec<Arc<StoreFile>>)>,
    asked_for: Option<CompactionKind>,
}

/// Compactions of a store.
#[derive(Default)]
pub struct Compactions {
    state: Mutex<State>,
    /// Failures in a row.
    pub retry: Retry,
    /// Cells of the inputs of the last compaction begun.
    cells_total: AtomicU64,
    /// Those of them that were read.
    cells_read: AtomicU64,
}

impl Compactions {
    /// Somebody asks for a compaction; a wish for all files outdoes one for some.
    pub fn ask(&self, kind: CompactionKind) {
        let mut state = self.state.lock();
        if state.asked_for != Some(CompactionKind::Major) {
            state.asked_for = Some(kind);
        }
    }

    /// What was asked for and has not begun is given up.
    pub fn forget(&self) {
        self.state.lock().asked_for = None;
    }

    /// Chooses the next compaction and marks its inputs: `pick` gets the inputs of those that run, and whether all files are asked for.
    /// `None` when there is nothing to do now.
    pub fn begin(
        &self,
        pick: impl FnOnce(&[Arc<StoreFile>], bool) -> Result<Picked, String>,
    ) -> Option<Picked> {
        let mut state = self.state.lock();
        let busy: Vec<Arc<StoreFile>> = state.running.iter().flat_map(|(_, inputs)| inputs.clone()).collect();
        let major = state.asked_for == Some(CompactionKind::Major);
        if major && !busy.is_empty() {
            return None; // whoever runs asks again when it is done
        }
        state.asked_for = None;
        let picked = pick(&busy, major).ok()?;
        state.running.push((picked.selection.kind, picked.inputs.clone()));
        self.cells_total.store(picked.inputs.iter().map(|f| f.facts().cells).sum(), Ordering::Relaxed);
        self.cells_read.store(0, Ordering::Relaxed);
        Some(picked)
    }

    /// The compaction of these inputs is over.
    pub fn end(&self, inputs: &[Arc<StoreFile>]) {
        let same = |running: &[Arc<StoreFile>]| {
            running.first().zip(inputs.first()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
        };
        self.state.lock().running.retain(|(_, running)| !same(running));
    }

    /// Whether one runs.
    pub fn is_running(&self) -> bool {
        !self.state.lock().running.is_empty()
    }

    /// Whether a minor and a major one run or are asked for.
    pub fn kinds(&self) -> (bool, bool) {
        let state = self.state.lock();
        let has = |kind| state.asked_for == Some(kind) || state.running.iter().any(|(k, _)| *k == kind);
        (has(CompactionKind::Minor), has(CompactionKind::Major))
    }

    /// The last compaction begun has read so many cells.
    pub fn note_progress(&self, cells: u64) {
        self.cells_read.store(cells, Ordering::Relaxed);
    }

    /// Cells of the last compaction begun: all, and those that were read.
    pub fn progress(&self) -> (u64, u64) {
        (self.cells_total.load(Ordering::Relaxed), self.cells_read.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::{CompactionKind, Compactions};

    #[test]
    fn what_was_asked_for_can_be_given_up() {
        let compactions = Compactions::default();
        compactions.ask(CompactionKind::Major);
        assert_eq!(compactions.kinds(), (false, true));
        compactions.forget();
        assert_eq!(compactions.kinds(), (false, false));
    }
}
