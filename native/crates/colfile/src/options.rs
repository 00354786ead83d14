//! What a family's settings mean to its files.

/// HBase's BLOOMFILTER kinds that the engine knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BloomKind {
    /// No bloom filter.
    None,
    /// One entry per row.
    #[default]
    Row,
    /// One entry per row and qualifier, and one per row with a family delete marker.
    RowCol,
    /// One entry per distinct prefix of the rows, of this length in bytes; a shorter row is its own prefix.
    RowPrefix(u32),
}

/// How a column file is written.
#[derive(Clone, Debug)]
pub struct WriterOptions {
    /// Order of the rows.
    pub row_order: grampus_cells::RowOrder,
    /// Target of a page's encoded bytes.
    pub block_size: u32,
    /// Compression of every page.
    pub compression: crate::Compression,
    /// Kind of bloom filter.
    pub bloom: BloomKind,
    /// A row group closes after this many rows.
    pub row_group_rows_max: u32,
    /// A row group closes after about this many encoded bytes.
    pub row_group_bytes_max: u64,
    /// Qualifiers with fewer encoded bytes in a row group share the mixed pages.
    pub column_bytes_min: u64,
    /// Creation time for the file info, milliseconds since the epoch.
    pub created_millis: i64,
    /// Family name, part of the keys in the HFile tail.
    pub family: Vec<u8>,
}

impl Default for WriterOptions {
    fn default() -> Self {
        WriterOptions {
            row_order: grampus_cells::RowOrder::Bytes,
            block_size: 64 * 1024,
            compression: crate::Compression::None,
            bloom: BloomKind::Row,
            row_group_rows_max: 16_384,
            row_group_bytes_max: 16 * 1024 * 1024,
            column_bytes_min: 2048,
            created_millis: 0,
            family: b"f".to_vec(),
        }
    }
}
