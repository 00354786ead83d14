//! What waits for a log.

/// The sequence ids of a region, which wait for the log that has their edits. Called on the threads that write to the log; must not call it.
pub trait Follower: Send + Sync {
    /// More of the log is written or synced than before: see [`LogProgress`](crate::LogProgress).
    fn log_moved(&self);

    /// The log is lost; nothing that waits for it becomes durable.
    fn log_lost(&self);
}
