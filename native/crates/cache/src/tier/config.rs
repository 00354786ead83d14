//! The settings of the second tier.

use std::path::PathBuf;

use grampus_base::{Error, ErrorKind, Result, events};
use serde::Deserialize;

/// The second tier of the block cache.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TierConfig {
    /// Its files, one per path; each is the tier's own.
    pub paths: Vec<PathBuf>,
    /// Bytes of all files together.
    pub bytes: u64,
    /// The room is allocated at the start, not as it is needed.
    #[serde(default)]
    pub reserve: bool,
    /// File that keeps the index from one process to the next; absent = each starts with an empty tier.
    #[serde(default)]
    pub index: Option<PathBuf>,
}

impl TierConfig {
    /// The fewest bytes that a path may have.
    const PATH_BYTES_MIN: u64 = 1 << 20;

    /// Bytes of each file.
    pub fn bytes_per_path(&self) -> u64 {
        self.bytes / self.paths.len().max(1) as u64
    }

    /// An error with a sentence where the settings cannot be followed.
    pub fn check(&self) -> Result<()> {
        let bad = |message: String| Err(Error::new(ErrorKind::BadRequest, message));
        if self.paths.is_empty() {
            return bad("blockCacheTier has no path".to_string());
        }
        if let Some(path) = self.paths.iter().chain(&self.index).find(|path| !path.is_absolute()) {
            return bad(format!("blockCacheTier: the path {} is not absolute", path.display()));
        }
        if self.bytes_per_path() < TierConfig::PATH_BYTES_MIN {
            return bad(format!(
                "blockCacheTier: {} bytes on {} leave less than 1 MiB for each",
                self.bytes,
                events::count(self.paths.len() as u64, "path")
            ));
        }
        Ok(())
    }
}
