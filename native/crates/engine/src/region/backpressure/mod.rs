//! Backpressure: which writes come in, and when. [`Region::admit`] asks for the memory of all memtables ([`crate::pressure`]) and for the
//! files of the region (`write_throttle`), for which its flushes wait, too (`blocked_flushes`).
//!
//! No thread waits here. A write that must wait is told for how long and comes again: a handler that slept would be missed by reads and
//! by writes to other tables.

mod blocked_flushes;
mod write_throttle;

use std::sync::atomic::Ordering;
use std::time::Duration;

use grampus_base::Result;

pub(super) use self::write_throttle::WriteThrottle;
use super::Region;

/// A shorter wait is none: its bytes count, and a later write waits for them.
const WAIT_MIN: Duration = Duration::from_millis(1);

impl Region {
    /// Lets a write of `bytes` in: at once, after the returned wait, or not at all. One that was `admitted` before has paid for
    /// its bytes and waited, and is only refused when no memory is left.
    ///
    /// Edits of hbase:meta are always let in, as in HBase (`HRegion.checkResources`): without them no region could be moved away from a
    /// full server.
    pub(super) fn admit(&self, admitted: bool, bytes: u64) -> Result<Duration> {
        self.check_writable()?;
        if self.is_meta() {
            return Ok(Duration::ZERO);
        }
        let for_memory = self.shared.pressure.admit()?;
        if admitted {
            return Ok(Duration::ZERO);
        }
        let for_files = self.write_throttle.spend(self.shared.env.monotonic_nanos(), bytes);
        let wait = for_memory.max(for_files);
        if wait < WAIT_MIN {
            return Ok(Duration::ZERO);
        }
        self.shared.pressure.delayed.fetch_add(1, Ordering::Relaxed);
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grampus_testkit::wire::{Batch, Cell, RowOp, open_region_json};

    use crate::{Engine, MutateStatus};
    use grampus_env::{Env, FakeEnv};

    #[test]
    fn a_freeze_under_way_blocks_no_event_loop() {
        let env = FakeEnv::new(1);
        let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
        engine.start_wal("/h/WALs/s1", "/h/oldWALs", "s1").unwrap();
        let name = "0123456789abcdef0123456789abcdef";
        env.mkdir(std::path::Path::new(&format!("/h/data/default/t/{name}"))).unwrap();
        let region = engine.open_region(&open_region_json("/h", name, &[("f", "")])).unwrap();
        let put = RowOp::put(&[Cell::put("r", "f", "q", i64::MAX, "v")]);
        let increment = RowOp::increment(0, &[Cell::put("r", "f", "n", i64::MAX, 1i64.to_be_bytes())]);
        let freeze = region.updates.write();
        for op in [put, increment] {
            let mut batch = Batch::new();
            batch.non_blocking = true;
            let batch = batch.row_op(op);
            let run = || region.mutate(&batch.ops(), &batch.cells, 7, &mut Vec::new()).unwrap();
            assert_eq!(run(), MutateStatus::WouldBlock);
        }
        drop(freeze);
        assert_eq!(region.memtable_bytes(), 0, "nothing has happened");
    }
}
