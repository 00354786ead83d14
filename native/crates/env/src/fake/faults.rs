//! What goes wrong, and when.

use std::io;

/// What goes wrong, and when. Counts are of calls from now on; `None` never fails.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Bytes that may still be appended before the disk is full.
    pub free_bytes: Option<u64>,
    /// How long a create or a flush that fails takes to do so, by the clocks: data nodes and name nodes are waited for.
    pub slow_millis: i64,
    /// Number of creates that fail with EIO from now on.
    pub failing_creates: u64,
    /// Creates that fail leave an empty file all the same, as where the answer of a name node is lost.
    pub leaves_created: bool,
    /// Files of logs take no more bytes than [`crate::Env::create_log`] was told.
    pub full_blocks: bool,
    /// The n-th append from now fails with EIO (0: the next); remote: a part of it is in the file.
    pub fail_append_in: Option<u64>,
    /// The n-th flush from now fails with EIO (0: the next). What it should have handed over is in the file, or, remote, perhaps.
    pub fail_flush_in: Option<u64>,
    /// Number of flushes that fail, from the one that [`Faults::fail_flush_in`] says on; 0 is as 1.
    pub failing_flushes: u64,
    /// The n-th sync from now fails with EIO (0: the next).
    pub fail_sync_in: Option<u64>,
    /// The n-th close of a file from now fails with EIO (0: the next).
    pub fail_close_in: Option<u64>,
    /// The n-th recovery of a lease from now fails with EIO (0: the next).
    pub fail_recovery_in: Option<u64>,
    /// The n-th rename from now fails with EIO (0: the next).
    pub fail_rename_in: Option<u64>,
    /// The n-th rename from now is done and fails with EIO (0: the next): its answer is lost, as by a name node's connection that breaks.
    pub lose_rename_in: Option<u64>,
    /// The n-th rename from now that has two steps fails with EIO between them (0: the next): the file has both names.
    pub fail_unlink_in: Option<u64>,
    /// The n-th delete from now fails with EIO (0: the next).
    pub fail_delete_in: Option<u64>,
    /// The n-th positioned read from now fails with EIO (0: the next).
    pub fail_read_in: Option<u64>,
}

impl Faults {
    /// Whether the flush that comes now fails.
    pub(super) fn strike_flush(&mut self) -> bool {
        if !strikes(&mut self.fail_flush_in) {
            return false;
        }
        if self.failing_flushes > 1 {
            self.failing_flushes -= 1;
            self.fail_flush_in = Some(0);
        }
        true
    }
}

/// Counts a planned fault down; true when it strikes now.
pub(super) fn strikes(countdown: &mut Option<u64>) -> bool {
    match countdown {
        Some(0) => {
            *countdown = None;
            true
        }
        Some(n) => {
            *n -= 1;
            false
        }
        None => false,
    }
}

/// The error of a planned fault.
pub(super) fn eio(what: &str) -> io::Error {
    io::Error::other(format!("injected fault: {what}"))
}
