//! From a store's files to what the policy knows, and from its decision back to files.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::fileset::{StoreFile, StoreFiles};
use crate::policy::{CompactionPolicy, Decision, FileFact, Selection};

/// The files of a decision.
pub struct Picked {
    /// What was decided, and why.
    pub selection: Selection,
    /// The inputs, oldest first.
    pub inputs: Vec<Arc<StoreFile>>,
    /// A caller asked for a compaction of all files.
    pub asked_for: bool,
    /// Cells read so far, once it runs.
    pub cells_read: Arc<AtomicU64>,
}

impl Picked {
    /// Bytes of the inputs that belong to the region.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|f| f.effective_bytes()).sum()
    }
}

/// Asks the policy; `busy` are files that another compaction holds. `major` when a caller asked for all files.
pub fn pick(
    policy: &dyn CompactionPolicy,
    files: &StoreFiles,
    busy: &[Arc<StoreFile>],
    major: bool,
    now_millis: i64,
) -> Result<Picked, String> {
    let facts: Vec<FileFact> = files.files().iter().map(|f| fact(f, busy)).collect();
    let decision = if major { policy.decide_major(&facts) } else { policy.decide(&facts, now_millis) };
    match decision {
        Decision::Nothing(reason) => Err(reason),
        Decision::Compact(selection) => {
            let inputs = files.files().get(selection.inputs.clone()).unwrap_or_default().to_vec();
            Ok(Picked { selection, inputs, asked_for: major, cells_read: Arc::default() })
        }
    }
}

fn fact(file: &Arc<StoreFile>, busy: &[Arc<StoreFile>]) -> FileFact {
    let facts = file.facts();
    FileFact {
        bytes: file.effective_bytes(),
        is_reference: file.is_reference(),
        major: facts.major,
        created_millis: facts.created_millis,
        earliest_put_millis: facts.earliest_put,
        busy: busy.iter().any(|b| Arc::ptr_eq(b, file)),
        unreadable: file.is_unreadable(),
    }
}
