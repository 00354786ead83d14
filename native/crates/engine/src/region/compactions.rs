//! The compactions of one store: which run, which are asked for, and how far they are.
//!
//! Invariants: 1. A file is the input of at most one running compaction. 2. What was asked for stays asked for until it was
//! begun, or there was nothing to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_base::Retry;
use grampus_store::compaction::Picked;
use grampus_store::fileset::StoreFile;
use grampus_store::policy::CompactionKind;
use parking_lot::{Condvar, Mutex};

/// One that runs, or waits for a thread with its inputs chosen.
struct Running {
    kind: CompactionKind,
    inputs: Vec<Arc<StoreFile>>,
    cells_read: Arc<AtomicU64>,
}

/// The shortest time for which a request is told, also when it is done sooner: tools that ask for a compaction wait until they have seen it, and
/// then until it is gone. HBase has no such time, but no compaction that is over before the next call.
const TOLD_MILLIS: i64 = 1_000;

#[derive(Default)]
struct State {
    running: Vec<Running>,
    asked_for: Option<CompactionKind>,
    /// The last request, and when it came, in ms of the monotonic clock.
    told: Option<(CompactionKind, i64)>,
}

/// Compactions of a store.
#[derive(Default)]
pub(crate) struct Compactions {
    state: Mutex<State>,
    /// None runs any more.
    idle: Condvar,
    /// Failures in a row.
    pub retry: Retry,
}

impl Compactions {
    /// A compaction is asked for; a wish for all files outdoes one for some.
    pub(crate) fn ask(&self, kind: CompactionKind) {
        let mut state = self.state.lock();
        if state.asked_for != Some(CompactionKind::Major) {
            state.asked_for = Some(kind);
        }
    }

    /// An administrator asks for one, and is to see that. The time is that of the monotonic clock.
    pub(crate) fn ask_and_tell(&self, kind: CompactionKind, now_millis: i64) {
        self.ask(kind);
        self.state.lock().told = Some((kind, now_millis));
    }

    /// What was asked for and has not begun is given up.
    pub(crate) fn forget(&self) {
        let mut state = self.state.lock();
        state.asked_for = None;
        state.told = None;
    }

    /// Chooses the next compaction and marks its inputs: `pick` gets the inputs of those that run, and whether all files are asked for.
    /// `None` when there is nothing to do now.
    pub(crate) fn begin(
        &self,
        pick: impl FnOnce(&[Arc<StoreFile>], bool) -> Result<Picked, String>,
    ) -> Option<Picked> {
        let mut state = self.state.lock();
        let busy: Vec<Arc<StoreFile>> =
            state.running.iter().flat_map(|running| running.inputs.clone()).collect();
        let major = state.asked_for == Some(CompactionKind::Major);
        if major && !busy.is_empty() {
            return None; // the one that runs asks again when it is done
        }
        let asked_for = state.asked_for.take().is_some();
        let picked = pick(&busy, major).ok();
        if picked.is_none() && asked_for {
            state.told = None; // there is nothing to be seen
        }
        let picked = picked?;
        if let Some((kind, _)) = &mut state.told {
            *kind = picked.selection.kind;
        }
        state.running.push(Running {
            kind: picked.selection.kind,
            inputs: picked.inputs.clone(),
            cells_read: picked.cells_read.clone(),
        });
        Some(picked)
    }

    /// The compaction of these inputs runs until this is dropped, however it ends.
    pub(crate) fn until_dropped<'a>(&'a self, inputs: &'a [Arc<StoreFile>]) -> RunningCompaction<'a> {
        RunningCompaction { compactions: self, inputs }
    }

    /// The compaction of these inputs is over.
    pub(crate) fn end(&self, inputs: &[Arc<StoreFile>]) {
        let same = |running: &[Arc<StoreFile>]| {
            running.first().zip(inputs.first()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
        };
        let mut state = self.state.lock();
        state.running.retain(|running| !same(&running.inputs));
        if state.running.is_empty() {
            self.idle.notify_all();
        }
    }

    /// Waits until none runs.
    pub(crate) fn wait_until_idle(&self) {
        self.idle.wait_while(&mut self.state.lock(), |state| !state.running.is_empty());
    }

    /// Whether a minor and a major one run, are asked for, or were asked for a moment ago.
    pub(crate) fn kinds(&self, now_millis: i64) -> (bool, bool) {
        let state = self.state.lock();
        let told = state.told.filter(|(_, since)| now_millis - since < TOLD_MILLIS).map(|(kind, _)| kind);
        let told = told.filter(|_| state.running.is_empty() && state.asked_for.is_none());
        let has = |kind| {
            told == Some(kind)
                || state.asked_for == Some(kind)
                || state.running.iter().any(|running| running.kind == kind)
        };
        (has(CompactionKind::Minor), has(CompactionKind::Major))
    }

    /// Cells of the compactions that run: all, and those that were read.
    pub(crate) fn progress(&self) -> (u64, u64) {
        let state = self.state.lock();
        let cells = |running: &Running| running.inputs.iter().map(|f| f.facts().cells).sum::<u64>();
        let all = state.running.iter().map(cells).sum();
        (all, state.running.iter().map(|running| running.cells_read.load(Ordering::Relaxed)).sum())
    }
}

/// See [`Compactions::until_dropped`].
pub(crate) struct RunningCompaction<'a> {
    compactions: &'a Compactions,
    inputs: &'a [Arc<StoreFile>],
}

impl Drop for RunningCompaction<'_> {
    fn drop(&mut self) {
        self.compactions.end(self.inputs);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{CompactionKind, Compactions, Picked, TOLD_MILLIS};
    use grampus_store::policy::Selection;

    #[test]
    fn what_was_asked_for_can_be_given_up() {
        let compactions = Compactions::default();
        compactions.ask(CompactionKind::Major);
        assert_eq!(compactions.kinds(0), (false, true));
        compactions.forget();
        assert_eq!(compactions.kinds(0), (false, false));
    }

    /// A major compaction, which a request for a minor one may come to.
    fn picked() -> Picked {
        let selection = Selection { inputs: 0..0, kind: CompactionKind::Major, reason: String::new() };
        Picked { selection, inputs: Vec::new(), asked_for: true, cells_read: Arc::default() }
    }

    #[test]
    fn a_request_that_is_done_at_once_is_told_for_a_moment() {
        let compactions = Compactions::default();
        let nothing = |_: &[_], _| Err("there is nothing to do".to_string());
        compactions.ask_and_tell(CompactionKind::Minor, 5_000);
        assert!(compactions.begin(nothing).is_none());
        assert_eq!(compactions.kinds(5_000), (false, false), "as in HBase, where nothing is done");
        compactions.ask_and_tell(CompactionKind::Minor, 5_000);
        compactions.begin(|_, _| Ok(picked())).unwrap();
        compactions.state.lock().running.clear();
        assert!(compactions.begin(nothing).is_none(), "the look after a compaction");
        assert_eq!(compactions.kinds(5_000 + TOLD_MILLIS - 1), (false, true));
        assert_eq!(compactions.kinds(5_000 + TOLD_MILLIS), (false, false));
        compactions.ask_and_tell(CompactionKind::Major, 7_000);
        compactions.forget();
        assert_eq!(compactions.kinds(7_000), (false, false), "what was given up is not told");
    }
}
