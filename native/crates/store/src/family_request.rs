//! A column family as requests describe it in JSON: `families` of `openRegion` in `docs/jni.md`.

use grampus_base::{Error, ErrorKind, Result, from_hex};
use serde::Deserialize;

use crate::family::{BloomKind, Compression, FamilyConfig, KeepDeleted};
use crate::policy::ExploringPolicy;

/// A family of a request; unknown keys are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FamilyRequest {
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
    purge_deletes_after_millis: i64,
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
    max_row_bytes: Option<u64>,
    #[serde(default)]
    compaction: ExploringPolicy,
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl FamilyRequest {
    /// The families of a region in byte order of their names.
    ///
    /// # Errors
    /// There is none, one occurs twice, or a value is none of HBase's.
    pub fn configs(families: &[FamilyRequest]) -> Result<Vec<FamilyConfig>> {
        let mut families = families.iter().map(FamilyRequest::config).collect::<Result<Vec<_>>>()?;
        families.sort_by(|a, b| a.name.cmp(&b.name));
        if families.is_empty() || families.windows(2).any(|pair| pair[0].name == pair[1].name) {
            return Err(bad("a region has at least one family, each once"));
        }
        Ok(families)
    }

    fn config(&self) -> Result<FamilyConfig> {
        let mut config = FamilyConfig::new(from_hex(&self.name, "a family name")?);
        if config.name.is_empty() || config.name.len() > i8::MAX as usize {
            return Err(bad("a family name has 1 to 127 bytes"));
        }
        config.max_versions = self.max_versions;
        config.min_versions = self.min_versions;
        config.ttl_millis = self.ttl_seconds.map(|seconds| seconds.saturating_mul(1000));
        config.keep_deleted = self.keep_deleted()?;
        config.new_version_behavior = self.new_version_behavior;
        config.purge_deletes_after_millis = self.purge_deletes_after_millis.max(0);
        config.bloom = self.bloom()?;
        config.block_size = self.block_size.unwrap_or(config.block_size);
        config.compression = self.compression()?;
        config.in_memory = self.in_memory;
        config.block_cache = self.block_cache.unwrap_or(true);
        config.cache_on_write = self.cache_data_on_write;
        config.evict_on_close = self.evict_blocks_on_close;
        config.compaction = ExploringPolicy { ttl_millis: config.ttl_millis, ..self.compaction.clone() };
        config.compaction.check()?;
        config.prefetch = self.prefetch_blocks_on_open;
        config.cache_compacted_up_to = self.cache_compacted_up_to;
        config.row_bytes_max = self.max_row_bytes;
        Ok(config)
    }

    fn keep_deleted(&self) -> Result<KeepDeleted> {
        match self.keep_deleted_cells.as_deref() {
            None | Some("FALSE") => Ok(KeepDeleted::False),
            Some("TRUE") => Ok(KeepDeleted::True),
            Some("TTL") => Ok(KeepDeleted::Ttl),
            Some(other) => Err(bad(format!("unknown keepDeletedCells {other}"))),
        }
    }

    fn bloom(&self) -> Result<BloomKind> {
        match self.bloom.as_deref() {
            None | Some("ROW") => Ok(BloomKind::Row),
            Some("NONE") => Ok(BloomKind::None),
            Some("ROWCOL") => Ok(BloomKind::RowCol),
            Some("ROWPREFIX_FIXED_LENGTH") => {
                let length = self.bloom_prefix_length.ok_or_else(|| bad("bloomPrefixLength is missing"))?;
                Ok(BloomKind::RowPrefix(length))
            }
            Some(other) => Err(bad(format!("unknown bloom {other}"))),
        }
    }

    fn compression(&self) -> Result<Compression> {
        match self.compression.as_deref() {
            None | Some("NONE") => Ok(Compression::None),
            Some("SNAPPY") => Ok(Compression::Snappy),
            Some("LZ4") => Ok(Compression::Lz4),
            Some("ZSTD") => Ok(Compression::Zstd),
            Some("GZ") => Ok(Compression::Gz),
            Some(other) => Err(bad(format!("unknown compression {other}"))),
        }
    }
}
