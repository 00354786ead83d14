//! How files are compressed.

use serde::Deserialize;

/// How pages of Parquet and blocks of Avro are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// Not at all.
    None,
    /// Fast.
    Snappy,
    /// Small.
    Zstd,
    /// What every reader of Avro has. Parquet does not have it.
    Deflate,
}

impl Compression {
    /// What Avro has unless told otherwise.
    pub const USUAL_OF_AVRO: Compression = Compression::Deflate;
    /// What Parquet has unless told otherwise.
    pub(crate) const USUAL_OF_PARQUET: Compression = Compression::Zstd;
}
