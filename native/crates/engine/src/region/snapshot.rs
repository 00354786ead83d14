//! A region's part in a snapshot: the files of all its families as of one moment.
//!
//! Nothing pins them afterwards. A file leaves its directory for the archive only, where it keeps its name and its bytes, and HBase's names for
//! files in snapshots lead there, too. The master's cleaner takes nothing from the archive while any snapshot is being taken.

use grampus_base::{Result, to_hex};
use grampus_store::fileset::StoreFile;
use grampus_store::flush::FlushReason;
use serde_json::{Value, json};

use super::Region;
use super::store::Store;

impl Region {
    /// The files that hold the region, as JSON: names, bytes, and what a reference refers to.
    ///
    /// With `flush` they hold every edit that was acknowledged before the call. In any case an edit is in all of its families or in none:
    /// no flush is under way at that moment, and one that had failed half-way is finished first. A compaction changes no content.
    pub fn snapshot_files(&self, flush: bool) -> Result<String> {
        let alone = self.flushing.lock();
        self.check_serving()?;
        if flush || self.stores.iter().any(Store::has_immutable) {
            self.flush_alone(&alone, FlushReason::AskedFor)?;
        }
        let families: Vec<Value> = self.stores.iter().map(family_json).collect();
        Ok(json!({"families": families}).to_string())
    }
}

fn family_json(store: &Store) -> Value {
    let files = store.files.snapshot();
    let files: Vec<Value> = files.files().iter().map(|file| file_json(file)).collect();
    json!({"family": to_hex(&store.config.name), "files": files})
}

fn file_json(file: &StoreFile) -> Value {
    let mut json = json!({"name": file.name(), "bytes": file.facts().bytes});
    if let Some(reference) = file.reference() {
        json["reference"] = to_hex(reference).into();
    }
    json
}
