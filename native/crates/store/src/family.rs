//! What a table descriptor says about one column family.

use grampus_cells::RowOrder;
use grampus_colfile::WriterOptions;
pub use grampus_colfile::{BloomKind, Compression};

use crate::policy::ExploringPolicy;

/// HBase's KEEP_DELETED_CELLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepDeleted {
    /// Markers hide cells in every query and both go away at a major compaction.
    #[default]
    False,
    /// Markers and the cells they hide stay, subject to VERSIONS and TTL.
    True,
    /// Like [`KeepDeleted::True`] until the marker is older than the TTL.
    Ttl,
}

/// The settings of one column family, HBase's names and meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyConfig {
    /// Family name.
    pub name: Vec<u8>,
    /// VERSIONS: how many versions of a column are kept and may be read.
    pub max_versions: u32,
    /// MIN_VERSIONS: how many survive their TTL.
    pub min_versions: u32,
    /// TTL in milliseconds; `None` is FOREVER.
    pub ttl_millis: Option<i64>,
    /// KEEP_DELETED_CELLS.
    pub keep_deleted: KeepDeleted,
    /// NEW_VERSION_BEHAVIOR: deletes and versions count in sequence-id order.
    pub new_version_behavior: bool,
    /// Delete markers of at most this age in milliseconds stay when a major compaction would drop them; 0 = none does:
    /// `hbase.hstore.time.to.purge.deletes`.
    pub purge_deletes_after_millis: i64,
    /// BLOOMFILTER.
    pub bloom: BloomKind,
    /// BLOCKSIZE: target of a page's encoded bytes.
    pub block_size: u32,
    /// COMPRESSION.
    pub compression: Compression,
    /// IN_MEMORY: pages of this family have a part of the cache of their own.
    pub in_memory: bool,
    /// BLOCKCACHE: reads let pages of cells into the cache.
    pub block_cache: bool,
    /// CACHE_DATA_ON_WRITE.
    pub cache_on_write: bool,
    /// EVICT_BLOCKS_ON_CLOSE.
    pub evict_on_close: bool,
    /// PREFETCH_BLOCKS_ON_OPEN.
    pub prefetch: bool,
    /// Compacted files up to this size in bytes enter the cache as they are written: `hbase.rs.cachecompactedblocksonwrite`.
    pub cache_compacted_up_to: u64,
    /// The most bytes of one row's cells that a read may find, `hbase.table.max.rowsize` of the table or the family; `None` is the server's.
    pub row_bytes_max: Option<u64>,
    /// Which files are merged and when.
    pub compaction: ExploringPolicy,
}

impl FamilyConfig {
    /// How the family's files are written.
    pub(crate) fn writer_options(&self, order: RowOrder, created_millis: i64) -> WriterOptions {
        WriterOptions {
            row_order: order,
            block_size: self.block_size.max(1024),
            compression: self.compression,
            bloom: self.bloom,
            created_millis,
            family: self.name.clone(),
            ..WriterOptions::default()
        }
    }

    /// A family with HBase's defaults.
    pub fn new(name: impl Into<Vec<u8>>) -> FamilyConfig {
        FamilyConfig {
            name: name.into(),
            max_versions: 1,
            min_versions: 0,
            ttl_millis: None,
            keep_deleted: KeepDeleted::False,
            new_version_behavior: false,
            purge_deletes_after_millis: 0,
            bloom: BloomKind::Row,
            block_size: 64 * 1024,
            compression: Compression::None,
            in_memory: false,
            block_cache: true,
            cache_on_write: false,
            evict_on_close: false,
            prefetch: false,
            cache_compacted_up_to: 0,
            row_bytes_max: None,
            compaction: ExploringPolicy::default(),
        }
    }
}
