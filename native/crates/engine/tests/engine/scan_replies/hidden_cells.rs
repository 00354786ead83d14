//! Long runs of hidden cells within a row: a scan pauses among them, and goes on where it was.

use std::time::Duration;

use grampus_engine::ScanLimits;
use grampus_store::read::Stop;
use grampus_store::{FrozenLimits, FrozenRows};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes};

use super::{LOAD_ON_DEMAND, PAUSED, open};
use crate::common::{Fixture, NO_LIMITS, next, start};

const TIME: u8 = 4;
const HIDDEN: usize = 10_000;
/// Pauses among the hidden cells of one row, at least.
const PAUSES: usize = 8;

/// Row p: hidden cells of f. Row r: a and z of f, between them hidden ones; g:q. Row s: f:a. From memory, and from files.
fn long_rows() -> [Fixture; 2] {
    [false, true].map(|flushed| {
        let f = start(&[("f", ""), ("g", "")]);
        for row in ["p", "r"] {
            let hidden: Vec<Cell> =
                (0..HIDDEN).map(|n| Cell::put(row, "f", &format!("c{n:05}"), 1, "hidden")).collect();
            f.mutate(&Batch::new().row_op(RowOp::put(&hidden)));
        }
        if flushed {
            f.region.flush().unwrap();
        }
        let deletes = ["p", "r"].map(|row| RowOp::delete(&[Cell::new(row, "f", "", 5, 14, "")]));
        deletes.into_iter().for_each(|delete| drop(f.mutate(&Batch::new().row_op(delete))));
        for (row, family, qualifier) in [("r", "f", "a"), ("r", "f", "z"), ("r", "g", "q"), ("s", "f", "a")] {
            f.put(Cell::put(row, family, qualifier, 10, "v"));
        }
        if flushed {
            f.region.flush().unwrap();
        }
        f
    })
}

/// The results of replies with such limits, and how many of these ended with `stop` without one.
fn replies(f: &Fixture, spec: &Spec, limits: ScanLimits, stop: u8) -> (Vec<(u32, bool)>, Vec<Cell>, usize) {
    let (mut scanner, mut results, mut cells, mut empty) = (open(f, spec), Vec::new(), Vec::new(), 0);
    loop {
        let (more, info) = next(&mut scanner, &limits, 1 << 20);
        empty += usize::from(more.is_empty() && info.stop_reason == stop);
        results.extend(info.results);
        cells.extend(more);
        if info.end {
            return (results, cells, empty);
        }
    }
}

#[test]
fn a_pause_leaves_the_result_as_it_was() {
    // PageFilter: rows are whole, and every family is essential.
    let whole = [&[11][..], &100_i64.to_le_bytes()].concat();
    let mut on_demand = vec![6];
    bytes(&mut on_demand, b"f");
    bytes(&mut on_demand, b"a");
    on_demand.extend([2, 1]);
    bytes(&mut on_demand, b"v");
    on_demand.extend([1, 1]);
    let limits = ScanLimits { pause_after: Duration::ZERO, continues: true, ..NO_LIMITS };
    for f in long_rows() {
        for spec in [
            Spec::scan(),
            Spec::scan().filter(whole.clone()),
            Spec::scan().with(LOAD_ON_DEMAND).filter(on_demand.clone()),
        ] {
            let (results, cells, pauses) = replies(&f, &spec, limits, PAUSED);
            assert_eq!(results, [(3, false), (1, false)], "{spec:?}");
            assert_eq!(cells, f.scan(&spec));
            assert!(pauses >= PAUSES, "{pauses} pauses of {spec:?}");
        }
    }
}

#[test]
fn a_time_limit_ends_a_reply_among_hidden_cells() {
    let limits = ScanLimits { time_budget: Duration::ZERO, heartbeats_allowed: true, ..NO_LIMITS };
    for f in long_rows() {
        let (results, cells, heartbeats) = replies(&f, &Spec::scan(), limits, TIME);
        assert_eq!(results.iter().map(|(cells, _)| cells).sum::<u32>(), 4);
        assert_eq!(results[0], (1, true));
        assert_eq!(cells, f.scan(&Spec::scan()));
        assert!(heartbeats >= PAUSES, "{heartbeats} heartbeats");
        // Rows that come whole have nothing that a reply could end with.
        let whole = ScanLimits { partials_allowed: false, ..limits };
        let (results, ..) = replies(&f, &Spec::scan(), whole, TIME);
        assert_eq!(results, [(3, false), (1, false)]);
    }
}

#[test]
fn a_read_that_may_not_block_gives_up_among_hidden_cells() {
    for f in long_rows() {
        let spec = Spec::get("r");
        let status = f.region.get(&spec.clone().with(1).encode(), &mut Vec::new()).unwrap();
        assert_eq!(status, grampus_engine::GetStatus::WouldBlock);
        assert_eq!(f.get(&spec).len(), 3);
    }
}

#[test]
fn a_scan_of_frozen_files_ends_calls_among_hidden_cells() {
    let usual = FrozenLimits::USUAL;
    for (limits, stop) in [
        (FrozenLimits { time: Duration::ZERO, ..usual }, Stop::Time),
        (FrozenLimits { bytes: 1, ..usual }, Stop::Size),
    ] {
        let [_, f] = long_rows();
        let (region, mut rows) = (f.frozen(), FrozenRows::default());
        let mut scan = region.scan(&Spec::scan().encode(), f.env.now_millis()).unwrap();
        let (mut results, mut empty) = (Vec::new(), 0);
        loop {
            let end = scan.next(&limits, &mut rows).unwrap();
            results.extend(rows.results());
            if end == Stop::End {
                break;
            }
            empty += usize::from(rows.rows() == 0 && end == stop);
        }
        assert_eq!(results, [(3, false), (1, false)]);
        assert!(empty >= PAUSES, "{empty} calls end with {stop:?}");
    }
}
