//! Keys of the file info: HBase's own, and ours.

/// Highest sequence id of the file, long.
pub const MAX_SEQ_ID: &str = "MAX_SEQ_ID_KEY";
/// Whether a major compaction wrote the file, boolean.
pub const MAJOR_COMPACTION: &str = "MAJOR_COMPACTION_KEY";
/// HBase's hint to leave the file alone, boolean.
pub(crate) const EXCLUDE_FROM_MINOR: &str = "EXCLUDE_FROM_MINOR_COMPACTION";
/// Smallest and largest timestamp, two longs.
pub(crate) const TIME_RANGE: &str = "TIMERANGE";
/// Smallest timestamp of a put, long; only when there is a put.
pub(crate) const EARLIEST_PUT: &str = "EARLIEST_PUT_TS";
/// Average key length, int.
pub(crate) const AVG_KEY_LEN: &str = "hfile.AVG_KEY_LEN";
/// Average value length, int.
pub(crate) const AVG_VALUE_LEN: &str = "hfile.AVG_VALUE_LEN";
/// Creation time in milliseconds, long.
pub(crate) const CREATE_TIME: &str = "hfile.CREATE_TIME_TS";
/// Longest tags of a cell, int; only when there are tags.
pub(crate) const MAX_TAGS_LEN: &str = "hfile.MAX_TAGS_LEN";
/// Major version of the payload's format, int.
pub(crate) const FORMAT: &str = "GRAMPUS.FORMAT";
/// Footer page: offset (long), stored length (int), decompressed length (int).
pub(crate) const FOOTER: &str = "GRAMPUS.FOOTER";
/// Payload: offset and length, two longs.
pub(crate) const PAYLOAD: &str = "GRAMPUS.PAYLOAD";
/// Names of the files that this one replaces, separated by newlines.
pub(crate) const COMPACTED: &str = "GRAMPUS.COMPACTED";
