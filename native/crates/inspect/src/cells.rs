//! Cells on their way into a document, up to a limit.

use grampus_cells::{CellRef, CellType};
use serde_json::{Value, json};

use super::binary;

/// A document has no more bytes of cells than this, so that it stays a text of a size that Java can hold.
const CELL_BYTES_MAX: usize = 16 << 20;

/// How many more cells go into the document.
pub(super) struct Room {
    cells: u64,
    bytes: usize,
    more: bool,
}

impl Room {
    pub(super) fn new(cells: u64) -> Room {
        Room { cells, bytes: CELL_BYTES_MAX, more: false }
    }

    /// Takes the room of a cell; false, from then on, when there is none left.
    pub(super) fn take(&mut self, cell: &CellRef<'_>) -> bool {
        let bytes = cell.row.len() + cell.qualifier.len() + cell.value.len() + cell.tags.len();
        self.more |= self.cells == 0 || bytes > self.bytes;
        if !self.more {
            self.cells -= 1;
            self.bytes -= bytes;
        }
        !self.more
    }

    /// True when a cell was refused.
    pub(super) fn is_exceeded(&self) -> bool {
        self.more
    }
}

/// A cell; its family only where the cells around it can have another.
pub(super) fn cell(family: Option<&[u8]>, cell: &CellRef<'_>) -> Value {
    let mut fields = json!({
        "row": binary::text(cell.row),
        "qualifier": binary::text(cell.qualifier),
        "timestamp": cell.timestamp,
        "type": type_name(cell.cell_type),
        "value": binary::text(cell.value),
        "sequence": cell.sequence,
    });
    if let Some(family) = family {
        fields["family"] = json!(binary::text(family));
    }
    if !cell.tags.is_empty() {
        fields["tags"] = json!(binary::text(cell.tags));
    }
    fields
}

/// HBase's name of the type.
fn type_name(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::PUT => "Put",
        CellType::DELETE => "Delete",
        CellType::DELETE_COLUMN => "DeleteColumn",
        CellType::DELETE_FAMILY => "DeleteFamily",
        CellType::DELETE_FAMILY_VERSION => "DeleteFamilyVersion",
        _ => "unknown",
    }
}
