//! What a scan fetches before it is asked for it.

use std::sync::Arc;

use grampus_engine::{NextOutcome, ScanLimits};
use grampus_env::FakeEnv;
use grampus_testkit::wire::Spec;

use crate::common::{Fixture, NO_LIMITS, start_in};

const NO_READ_AHEAD: u32 = 1024;

/// Bytes that are announced after the first reply of a scan of a table that no cache has, and the bytes of the reply.
fn announced(f: &Fixture, env: &FakeEnv, spec: &Spec) -> (u64, usize) {
    f.region.clear_cache().unwrap();
    let before = env.announced_bytes();
    let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
    let (mut out, mut info) = (vec![0; 1 << 20], vec![0; 128 * 1024]);
    let limits = ScanLimits { max_results: 400, ..NO_LIMITS };
    let NextOutcome::Done(reply) = scanner.next(&limits, &mut out, &mut info).unwrap() else {
        panic!("info is large")
    };
    (env.announced_bytes() - before, reply)
}

#[test]
fn a_scan_fetches_about_as_much_again_as_it_returned_unless_it_is_told_not_to() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.fill(3000);
    f.region.flush().unwrap();
    let (ahead, reply) = announced(&f, &env, &Spec::scan());
    assert!(reply > 400_000);
    assert!((reply as u64 / 2..reply as u64 * 2).contains(&ahead), "{ahead} bytes ahead of {reply}");
    assert_eq!(announced(&f, &env, &Spec::scan().with(NO_READ_AHEAD)), (0, reply));
}
