//! The JSON request that opens a region.

use std::path::PathBuf;

use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_cells::RowOrder;
use grampus_store::{FamilyConfig, FamilyRequest};
use grampus_wal::split;
use serde::Deserialize;

use super::limits::LimitsRequest;
use super::recovered::EDITS_DIRECTORY;
use crate::place::{optional_place, place};

/// `openRegion` of `docs/jni.md`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OpenRequest {
    /// `ns:qualifier`, or `qualifier` in namespace `default`.
    pub table: String,
    /// Encoded region name.
    pub encoded_name: String,
    /// The server's root directory.
    #[serde(deserialize_with = "place")]
    pub root_dir: PathBuf,
    /// The region's directory.
    #[serde(deserialize_with = "place")]
    pub region_dir: PathBuf,
    /// Below which recovered edits and sequence id files are, in the directories of `root_dir`; `None` = in the region's directory.
    #[serde(default, deserialize_with = "optional_place")]
    wal_root_dir: Option<PathBuf>,
    start_key: String,
    end_key: String,
    row_order: String,
    /// Edits go to the log of hbase:meta.
    #[serde(default)]
    pub meta: bool,
    /// Mutations are refused.
    #[serde(default)]
    pub read_only: bool,
    /// The table's COMPACTION_ENABLED.
    #[serde(default = "yes")]
    pub compaction_enabled: bool,
    /// Code of the table's durability, 1 to 4.
    pub durability: u8,
    /// The table's MEMSTORE_FLUSHSIZE, if it has one.
    pub region_flush_bytes: Option<u64>,
    /// Values of the table's own.
    #[serde(default)]
    pub limits: LimitsRequest,
    families: Vec<FamilyRequest>,
}

fn yes() -> bool {
    true
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl OpenRequest {
    /// The region in a sentence.
    pub(crate) fn title(&self) -> String {
        format!("region {} of {}", self.encoded_name, self.table)
    }

    /// Parses the request; unknown keys are refused.
    pub fn parse(json: &str) -> Result<OpenRequest> {
        serde_json::from_str(json).map_err(|e| bad(format!("openRegion: {e}")))
    }

    /// Where splits put recovered edits, and servers leave sequence ids and nonces.
    pub(crate) fn edits_dir(&self) -> PathBuf {
        let of_log = self.wal_root_dir.as_ref().filter(|root| **root != self.root_dir);
        let region = of_log.map(|root| split::region_dir(root, &self.table, &self.encoded_name));
        region.as_ref().unwrap_or(&self.region_dir).join(EDITS_DIRECTORY)
    }

    /// `recovered.edits` in the region's directory, where they are without `walRootDir`; may be the same.
    pub(crate) fn region_edits_dir(&self) -> PathBuf {
        self.region_dir.join(EDITS_DIRECTORY)
    }

    /// First row of the region; empty = open.
    pub fn start_key(&self) -> Result<Vec<u8>> {
        from_hex(&self.start_key, "startKey")
    }

    /// First row after the region; empty = open.
    pub fn end_key(&self) -> Result<Vec<u8>> {
        from_hex(&self.end_key, "endKey")
    }

    /// Order of its rows.
    pub fn order(&self) -> Result<RowOrder> {
        RowOrder::named(&self.row_order).ok_or_else(|| bad(format!("unknown rowOrder {}", self.row_order)))
    }

    /// The families in byte order of their names.
    pub fn families(&self) -> Result<Vec<FamilyConfig>> {
        FamilyRequest::configs(&self.families)
    }
}
