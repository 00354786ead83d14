//! What one edit puts into a region's stores.

use grampus_cells::CellRef;

use super::store::Store;

/// A cell of an edit.
pub(super) struct EditCell<'c> {
    pub store: usize,
    pub logged: bool,
    pub cell: CellRef<'c>,
}

/// Puts the cells of one edit into the active memtables and returns their bytes.
pub(super) fn insert(stores: &[Store], edit: &[EditCell<'_>], sequence: u64) -> u64 {
    let mut inserters: Vec<Option<grampus_memtable::Inserter>> = Vec::new();
    inserters.resize_with(stores.len(), || None);
    for item in edit {
        let inserter =
            inserters[item.store].get_or_insert_with(|| stores[item.store].memtables().active.inserter());
        inserter.insert(&CellRef { sequence, ..item.cell });
    }
    inserters.iter_mut().flatten().map(|inserter| inserter.settle() as u64).sum()
}
