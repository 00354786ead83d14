//! The JSON request that loads files: `loadFiles` of `docs/jni.md`.

use std::path::PathBuf;

use grampus_base::{Error, ErrorKind, Result};
use serde::Deserialize;

use crate::place::place;

/// The most files that one call loads: each is open until the load is done. HBase's tool sends 32 of a family at most.
const FILES_MAX: usize = 1024;

/// Files to load into a region.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadRequest {
    /// The files; of equal cells of one family those of the later file count.
    pub(super) files: Vec<RequestedFile>,
    /// The files stay where they are.
    pub(super) copy: bool,
    /// Every byte is looked at, not only the footer.
    pub(super) verify: bool,
    /// No file is loaded: the request only asks whether all were loaded before.
    #[serde(default)]
    pub(super) repeat: bool,
}

/// One of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestedFile {
    /// Family, in hex.
    pub(super) family: String,
    /// Where it is.
    #[serde(deserialize_with = "place")]
    pub(super) path: PathBuf,
    /// 32 hex digits that tell this order from all others: it is loaded once under them.
    pub(super) name: String,
}

impl LoadRequest {
    /// Parses the request; unknown keys are refused.
    pub(super) fn parse(json: &str) -> Result<LoadRequest> {
        let bad = |message: String| Error::new(ErrorKind::BadRequest, message);
        let request: LoadRequest = serde_json::from_str(json).map_err(|e| bad(format!("loadFiles: {e}")))?;
        if request.files.len() > FILES_MAX {
            let count = request.files.len();
            return Err(bad(format!(
                "the load names {count} files, more than {FILES_MAX}: load them in several calls"
            )));
        }
        for (at, file) in request.files.iter().enumerate() {
            if request.files.iter().take(at).any(|other| other.name == file.name) {
                return Err(bad(format!("the load names {} twice", file.path.display())));
            }
        }
        Ok(request)
    }
}
