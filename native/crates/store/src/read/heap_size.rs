//! What cells count towards a scan's limit of bytes.

/// What HBase counts for a cell beside its encoded bytes: `heapSize` of a cell from a block on the heap, less
/// `PrivateCellUtil.estimatedSerializedSizeOf`.
const CELL_HEAP_EXTRA_BYTES: u64 = 34;

/// What cells count towards the size limit: `Cell.heapSize`, the larger of the two sizes that HBase
/// limits. Values count as they are stored, also when a filter takes them out.
#[inline]
pub fn heap_size(cells: u32, bytes: u64) -> u64 {
    bytes + u64::from(cells) * CELL_HEAP_EXTRA_BYTES
}
