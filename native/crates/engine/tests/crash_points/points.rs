//! The crash points that the engine has.

/// All points of the engine.
pub(crate) const POINTS: &[&str] = &[
    "ack.after_append_before_write",
    "ack.after_write_before_complete",
    "close.after_flush_before_mark",
    "close.after_mark_before_settled",
    "close.after_settled_mark",
    "compaction.after_archive_one",
    "compaction.after_rename_before_archive",
    "compaction.after_sync_before_rename",
    "compaction.after_write_before_sync",
    "flush.after_commit",
    "flush.after_rename",
    "flush.after_sync_before_rename",
    "flush.after_write_before_sync",
    "flush.before_write",
    "load.after_commit_before_place",
    "load.after_move_before_commit",
    "load.after_move_one",
    "load.after_place_before_end",
    "load.after_place_one",
    "load.after_record_before_move",
    "nonces.after_sync_before_rename",
    "recovery.after_flush_before_delete",
    "recovery.after_replay_before_flush",
    "recovery.after_split_before_rename",
    "wal.before_archive",
    "wal.before_forget_settled",
    "wal.rotate.after_create",
    "wal.rotate.after_retire",
];

/// The times that a point is reached at which a process dies there, one process after the other.
pub(crate) const COUNTS: [u64; 3] = [1, 2, 5];
