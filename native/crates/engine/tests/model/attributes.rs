//! What families are like, and what their values are, by chance.

use grampus_testkit::model::Family;
use grampus_testkit::random::Random;

/// A family's attributes, as a request that opens the region has them and as the model needs them.
pub(crate) struct Attributes {
    pub json: String,
    pub family: Family,
}

/// `deep` keeps all versions that have not expired and takes every kind of marker.
pub(crate) fn deep(random: &mut Random) -> Attributes {
    let ttl_seconds = random.one_in(3).then(|| 60 + random.below(600));
    attributes(random, 100_000, 0, ttl_seconds)
}

/// `flat` keeps a few and only takes markers above all its cells, because what a compaction drops for its versions must not be uncovered.
pub(crate) fn flat(random: &mut Random) -> Attributes {
    let versions = 1 + random.below(4);
    let ttl_seconds = random.one_in(2).then(|| 30 + random.below(300));
    let keeps_some = ttl_seconds.is_some() && random.one_in(2);
    let min_versions = if keeps_some { 1 + random.below(versions) } else { 0 };
    attributes(random, versions, min_versions, ttl_seconds)
}

/// The rest by chance.
fn attributes(random: &mut Random, versions: u64, min_versions: u64, ttl_seconds: Option<u64>) -> Attributes {
    let keep = *random.pick(&["FALSE", "FALSE", "TRUE", "TTL"]);
    let by_sequence = random.one_in(4);
    let ttl = ttl_seconds.map_or("null".to_string(), |seconds| seconds.to_string());
    let bloom = *random.pick(&["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"]);
    let compression = *random.pick(&["NONE", "SNAPPY", "LZ4", "ZSTD", "GZ"]);
    let block_size = *random.pick(&[256, 1024, 4096, 65536]);
    let cache_compacted_up_to = *random.pick(&[0, 4096, 1 << 30]);
    let mut flags = String::new();
    for name in ["inMemory", "blockCache", "cacheDataOnWrite", "evictBlocksOnClose", "prefetchBlocksOnOpen"] {
        flags += &format!(",\"{name}\":{}", random.one_in(2));
    }
    let json = format!(
        "\"maxVersions\":{versions},\"minVersions\":{min_versions},\"ttlSeconds\":{ttl},\
         \"keepDeletedCells\":\"{keep}\",\"newVersionBehavior\":{by_sequence},\
         \"bloom\":\"{bloom}\",\"bloomPrefixLength\":4,\"compression\":\"{compression}\",\
         \"blockSize\":{block_size},\"cacheCompactedUpTo\":{cache_compacted_up_to}{flags}"
    );
    let family = Family {
        versions: versions as usize,
        min_versions: min_versions as usize,
        ttl_millis: ttl_seconds.map(|seconds| seconds as i64 * 1000),
        keep_deleted: keep != "FALSE",
        by_sequence,
    };
    Attributes { json, family }
}

/// A value of one of the kinds that files encode each in a way of its own.
pub(crate) fn value(random: &mut Random) -> Vec<u8> {
    let bits = random.bits();
    match random.below(8) {
        0 => Vec::new(),
        1 => (bits % 100_000).to_string().into_bytes(),
        2 => format!("-{}.{:02}", bits % 1000, bits % 97).into_bytes(),
        3 => (bits % 1000).to_be_bytes().to_vec(),
        4 => format!("2013-01-{:02}T{:02}:00", 1 + bits % 28, bits % 24).into_bytes(),
        5 => ["yes", "no", "unknown"][(bits % 3) as usize].into(),
        6 => format!("the text of cell number {bits}, which is of middling length").into_bytes(),
        _ => format!("{bits}-{}", "v".repeat((bits % 60) as usize)).into_bytes(),
    }
}
