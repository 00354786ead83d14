//! A cell as the engine and the column file see it: HBase's cell without its family, since a store holds one family.

use std::cmp::Ordering;

use crate::RowOrder;

/// HBase's KeyValue type code. Deletes sort before puts at an equal timestamp because their codes are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellType(pub u8);

impl CellType {
    /// A value.
    pub const PUT: CellType = CellType(4);
    /// Hides exactly one version: this column at this timestamp.
    pub const DELETE: CellType = CellType(8);
    /// Hides every column of the family at exactly this timestamp.
    pub const DELETE_FAMILY_VERSION: CellType = CellType(10);
    /// Hides all versions of this column at or below this timestamp.
    pub const DELETE_COLUMN: CellType = CellType(12);
    /// Hides all columns of the family at or below this timestamp.
    pub const DELETE_FAMILY: CellType = CellType(14);

    /// The type for a wire code, or `None` for a code that no stored cell may have.
    pub fn from_code(code: u8) -> Option<CellType> {
        matches!(code, 4 | 8 | 10 | 12 | 14).then_some(CellType(code))
    }

    /// True for the four delete markers.
    pub fn is_delete(self) -> bool {
        self != CellType::PUT
    }

    /// True for the two markers that concern a whole family; their qualifier is empty.
    pub fn is_family_delete(self) -> bool {
        self == CellType::DELETE_FAMILY || self == CellType::DELETE_FAMILY_VERSION
    }
}

/// One cell, borrowed from the buffer that holds it (arena, page or request).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRef<'a> {
    /// Row key, 1 to 32,767 bytes.
    pub row: &'a [u8],
    /// Qualifier; empty is legal.
    pub qualifier: &'a [u8],
    /// Milliseconds since the epoch by convention; clients may set any value.
    pub timestamp: i64,
    /// Put or one of the delete markers.
    pub cell_type: CellType,
    /// Value bytes; empty for delete markers by convention.
    pub value: &'a [u8],
    /// HBase tags: repeated `u16 BE length | u8 type | bytes`; usually empty.
    pub tags: &'a [u8],
    /// Sequence id of the mutation, 0 once compaction has proved that no reader can tell it apart.
    pub sequence: u64,
}

impl CellRef<'_> {
    /// Order of cells within one store: row, qualifier, timestamp descending, type code descending, sequence descending.
    pub fn cmp_in(&self, other: &CellRef<'_>, order: RowOrder) -> Ordering {
        order.compare(self.row, other.row).then_with(|| self.cmp_in_row(other))
    }

    /// The order of [`CellRef::cmp_in`] for two cells of the same row.
    pub fn cmp_in_row(&self, other: &CellRef<'_>) -> Ordering {
        self.qualifier
            .cmp(other.qualifier)
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| other.cell_type.cmp(&self.cell_type))
            .then_with(|| other.sequence.cmp(&self.sequence))
    }
}
