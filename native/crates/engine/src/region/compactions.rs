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

/// One that runs, or waits for a thread with its inputs chosen.
struct Running {
    kind: CompactionKind,
    inputs: Vec<Arc<StoreFile>>,
    cells_read: Arc<AtomicU64>,
}

#[derive(Default)]
struct State {
    running: Vec<Running>,
    asked_for: Option<CompactionKind>,
}

/// Compactions of a store.
#[derive(Default)]
pub struct Compactions {
    state: Mutex<State>,
    /// Failures in a row.
    pub retry: Retry,
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
        let busy: Vec<Arc<StoreFile>> =
            state.running.iter().flat_map(|running| running.inputs.clone()).collect();
        let major = state.asked_for == Some(CompactionKind::Major);
        if major && !busy.is_empty() {
            return None; // whoever runs asks again when it is done
        }
        state.asked_for = None;
        let picked = pick(&busy, major).ok()?;
        state.running.push(Running {
            kind: picked.selection.kind,
            inputs: picked.inputs.clone(),
            cells_read: picked.cells_read.clone(),
        });
        Some(picked)
    }

    /// The compaction of these inputs is over.
    pub fn end(&self, inputs: &[Arc<StoreFile>]) {
        let same = |running: &[Arc<StoreFile>]| {
            running.first().zip(inputs.first()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
        };
        self.state.lock().running.retain(|running| !same(&running.inputs));
    }

    /// Whether one runs.
    pub fn is_running(&self) -> bool {
        !self.state.lock().running.is_empty()
    }

    /// Whether a minor and a major one run or are asked for.
    pub fn kinds(&self) -> (bool, bool) {
        let state = self.state.lock();
        let has =
            |kind| state.asked_for == Some(kind) || state.running.iter().any(|running| running.kind == kind);
        (has(CompactionKind::Minor), has(CompactionKind::Major))
    }

    /// Cells of the compactions that run: all, and those that were read.
    pub fn progress(&self) -> (u64, u64) {
        let state = self.state.lock();
        let cells = |running: &Running| running.inputs.iter().map(|f| f.facts().cells).sum::<u64>();
        let all = state.running.iter().map(cells).sum();
        (all, state.running.iter().map(|running| running.cells_read.load(Ordering::Relaxed)).sum())
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
