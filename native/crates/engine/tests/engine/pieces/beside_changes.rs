//! Pieces while the region is written, flushed, compacted and closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_engine::Region;
use grampus_env::FakeEnv;

use super::{NO_LIMIT, assert_ascending, bytes, put, row};
use crate::common::start_in;

const OLD: u32 = 4_000;
/// Bytes of the value of a row, which no encoding makes smaller.
const VALUE_BYTES: u64 = 80;

/// Cuts a region over and over until it closes; returns how often it could.
fn cut_until_closed(region: &Region, changed: &AtomicBool) -> u32 {
    let mut times = 0;
    loop {
        let piece_bytes = [1, 10_000, 100_000, u64::MAX][times as usize % 4];
        let time = if times % 5 == 4 { Duration::ZERO } else { NO_LIMIT };
        match region.pieces(piece_bytes, time) {
            Ok(pieces) => {
                assert_ascending(&pieces);
                assert_eq!(pieces[0].first_row, row(0).into_bytes());
                assert!(bytes(&pieces) >= u64::from(OLD) * VALUE_BYTES, "{} bytes", bytes(&pieces));
                times += 1;
            }
            Err(e) => {
                assert!(changed.load(Ordering::Acquire), "{e}");
                assert_eq!(e.kind, ErrorKind::NotServing, "{e}");
                return times;
            }
        }
    }
}

#[test]
fn pieces_have_all_rows_beside_flushes_and_compactions_until_the_region_closes() {
    for abort in [false, true] {
        let families = [("f", ""), ("g", "")];
        let f = start_in(Arc::new(FakeEnv::new(1)), "{\"compactions\":true}", &families, 1);
        put(&f, "f", 0..OLD);
        let changed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let cutting: Vec<_> =
                (0..2).map(|_| scope.spawn(|| cut_until_closed(&f.region, &changed))).collect();
            for round in 0..12 {
                put(&f, "g", (round * 100..OLD).step_by(17));
                f.region.flush().unwrap();
                if round % 4 == 3 {
                    f.region.compact("{\"major\":true}").unwrap();
                }
            }
            changed.store(true, Ordering::Release);
            f.region.close(abort).unwrap();
            for cut in cutting {
                assert!(cut.join().unwrap() > 0);
            }
        });
        assert_eq!(f.metric("memstore.pinned_bytes"), 0, "nothing is kept");
        assert_eq!(f.metric("memstore.bytes"), 0, "nothing is kept");
    }
}
