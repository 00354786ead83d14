//! Statistics of regions as they cross (`docs/jni.md`): numbers and not text, because those of all regions are asked for every few seconds.

use grampus_base::narrow;
use grampus_engine::{RegionStats, StoreStats};

/// Bytes of a usual region: a name of 32 letters, the numbers and two stores.
const REGION_BYTES: usize = 36 + 8 * RegionStats::NUMBERS + 4 + 2 * 32;

/// `u32 count | region*`.
pub(crate) fn encode(regions: &[RegionStats]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 + regions.len() * REGION_BYTES);
    put_length(&mut out, regions.len());
    for region in regions {
        put_bytes(&mut out, region.region.as_bytes());
        region.numbers.iter().for_each(|(_, number)| out.extend_from_slice(&number.to_le_bytes()));
        put_length(&mut out, region.stores.len());
        region.stores.iter().for_each(|store| put_store(&mut out, store));
    }
    out
}

fn put_store(out: &mut Vec<u8>, store: &StoreStats) {
    put_bytes(out, &store.family);
    for number in [store.files, store.bytes, store.flushed_sequence] {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_length(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn put_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&narrow::to_u32(length).to_le_bytes());
}
