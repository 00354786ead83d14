//! What one edit puts into a region's stores.

use grampus_cells::CellRef;

use super::store::Store;

/// What [`super::Region::write`] writes under one sequence id.
pub(super) struct Edit<'e, 'c> {
    pub cells: &'e mut [EditCell<'c>],
    /// Whether its rows are locked as shared, so that others may write them meanwhile.
    pub is_shared: bool,
}

/// A cell of an edit.
pub(super) struct EditCell<'c> {
    pub store: usize,
    pub logged: bool,
    /// Whether its timestamp is one that the server gave.
    pub stamped: bool,
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
    inserters.iter_mut().flatten().map(|inserter| inserter.publish() as u64).sum()
}
