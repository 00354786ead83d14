//! What lives in a family directory, which is the only truth about a store's files.
//!
//! ```text
//! StoreDir::new(root, namespace, table, region, family)          paths only
//! StoreFileSet::open(env, cache, dir, clip, order) -> Result<StoreFileSet>
//!   .snapshot() -> Arc<StoreFiles>                               pinned by readers; files oldest first
//!   .commit_flush(pending) / .commit_compaction(inputs, pending) rename in, publish, archive inputs
//! StoreFiles { files: Vec<Arc<StoreFile>> }
//! StoreFile::cursor(&CursorSpec) -> Result<Option<Box<dyn RowCursor>>>   None: the file cannot matter to this read
//!   .may_contain_row(row, access) / .may_contain_row_col(row, qualifier, access) -> Result<bool>
//!   .max_sequence() .name() .len() .rows() .cells() .first_row() .last_row() .is_reference() .middle_row()
//! ```

pub mod spec;

pub use spec::{CursorSpec, Direction, RowBound, RowRange, TimeRange};
