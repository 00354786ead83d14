//! The JSON request that opens a region.

use std::path::PathBuf;

use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_cells::RowOrder;
use grampus_colfile::{BloomKind, Compression};
use grampus_store::policy::ExploringPolicy;
use grampus_store::{FamilyConfig, KeepDeleted};
use serde::Deserialize;

use super::limits::LimitsRequest;
use crate::place::place;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FamilyRequest {
    name: String,
    max_versions: u32,
    #[serde(default)]
    min_versions: u32,
    ttl_seconds: Option<i64>,
    #[serde(default)]
    keep_deleted_cells: Option<String>,
    #[serde(default)]
    new_version_behavior: bool,
    #[serde(default)]
    bloom: Option<String>,
    #[serde(default)]
    bloom_prefix_length: Option<u32>,
    #[serde(default)]
    block_size: Option<u32>,
    #[serde(default)]
    compression: Option<String>,
    #[serde(default)]
    in_memory: bool,
    #[serde(default)]
    block_cache: Option<bool>,
    #[serde(default)]
    cache_data_on_write: bool,
    #[serde(default)]
    evict_blocks_on_close: bool,
    #[serde(default)]
    prefetch_blocks_on_open: bool,
    #[serde(default)]
    cache_compacted_up_to: u64,
    #[serde(default)]
    compaction: ExploringPolicy,
}

fn yes() -> bool {
    true
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl OpenRequest {
    /// Parses the request; unknown keys are refused.
    pub fn parse(json: &str) -> Result<OpenRequest> {
        serde_json::from_str(json).map_err(|e| bad(format!("openRegion: {e}")))
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
        match self.row_order.as_str() {
            "bytes" => Ok(RowOrder::Bytes),
            "meta" => Ok(RowOrder::Meta),
            other => Err(bad(format!("unknown rowOrder {other}"))),
        }
    }

    /// The families in byte order of their names.
    pub fn families(&self) -> Result<Vec<FamilyConfig>> {
        let mut families = self.families.iter().map(FamilyRequest::config).collect::<Result<Vec<_>>>()?;
        families.sort_by(|a, b| a.name.cmp(&b.name));
        if families.is_empty() || families.windows(2).any(|pair| pair[0].name == pair[1].name) {
            return Err(bad("a region has at least one family, each once"));
        }
        Ok(families)
    }
}

impl FamilyRequest {
    fn config(&self) -> Result<FamilyConfig> {
        let mut config = FamilyConfig::new(from_hex(&self.name, "a family name")?);
        if config.name.is_empty() || config.name.len() > i8::MAX as usize {
            return Err(bad("a family name has 1 to 127 bytes"));
        }
        config.max_versions = self.max_versions;
        config.min_versions = self.min_versions;
        config.ttl_millis = self.ttl_seconds.map(|seconds| seconds.saturating_mul(1000));
        config.keep_deleted = match self.keep_deleted_cells.as_deref() {
            None | Some("FALSE") => KeepDeleted::False,
            Some("TRUE") => KeepDeleted::True,
            Some("TTL") => KeepDeleted::Ttl,
            Some(other) => return Err(bad(format!("unknown keepDeletedCells {other}"))),
        };
        config.new_version_behavior = self.new_version_behavior;
        config.bloom = match self.bloom.as_deref() {
            None | Some("ROW") => BloomKind::Row,
            Some("NONE") => BloomKind::None,
            Some("ROWCOL") => BloomKind::RowCol,
            Some("ROWPREFIX_FIXED_LENGTH") => {
                let length = self.bloom_prefix_length.ok_or_else(|| bad("bloomPrefixLength is missing"))?;
                BloomKind::RowPrefix(length)
            }
            Some(other) => return Err(bad(format!("unknown bloom {other}"))),
        };
        if let Some(size) = self.block_size {
            config.block_size = size;
        }
        config.compression = match self.compression.as_deref() {
            None | Some("NONE") => Compression::None,
            Some("SNAPPY") => Compression::Snappy,
            Some("LZ4") => Compression::Lz4,
            Some("ZSTD") => Compression::Zstd,
            Some("GZ") => Compression::Gz,
            Some(other) => return Err(bad(format!("unknown compression {other}"))),
        };
        config.in_memory = self.in_memory;
        config.block_cache = self.block_cache.unwrap_or(true);
        config.cache_on_write = self.cache_data_on_write;
        config.evict_on_close = self.evict_blocks_on_close;
        config.compaction = ExploringPolicy { ttl_millis: config.ttl_millis, ..self.compaction.clone() };
        config.compaction.check()?;
        config.prefetch = self.prefetch_blocks_on_open;
        config.cache_compacted_up_to = self.cache_compacted_up_to;
        Ok(config)
    }
}
