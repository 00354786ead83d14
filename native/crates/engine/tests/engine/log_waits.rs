//! A log stands still for a while: a data node hangs.

use std::sync::Arc;
use std::thread;

use grampus_env::{Call, FakeEnv, FakeKind};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{get, run, start_in, until};

/// A log that stands still outlives this wait, and the attempts of a close outlast the pauses of a busy machine.
const CONFIG: &str = "{\"logWaitMillis\":200}";

/// A close that fails ends the server, for which nothing is wrong: the log goes on.
#[test]
fn a_region_closes_when_a_log_goes_on_that_stood_still_for_longer_than_a_flush_waits() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let f = start_in(Arc::new(env.clone()), CONFIG, &[("f", "")], 1);
    thread::scope(|scope| {
        let hangs = env.hold(Call::Flush);
        let put = Batch::new().row_op(RowOp::put(&[Cell::put("row", "f", "q", 1, "v")]));
        run(&f.region, &put, 1, &mut Vec::new()).unwrap();
        let close = scope.spawn(|| f.region.close(false));
        until("the flush that waits for the log in vain", || f.metric("flush.failed_count") > 0);
        drop(hangs);
        close.join().unwrap().unwrap();
    });
    let region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(get(&region, &Spec::get("row")).len(), 1);
}
