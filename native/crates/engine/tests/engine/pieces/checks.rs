//! What happens while a region is cut, at each check of the clock: time runs out, a flush ends, the region closes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_env::FakeEnv;
use grampus_store::fileset::Piece;

use super::{NO_LIMIT, assert_ascending, bytes, put};
use crate::common::watched_clock::{ClockWatcher, WatchedClock};
use crate::common::{Fixture, start_in};

const HOUR_MILLIS: i64 = 3_600_000;

type Hook = Rc<dyn Fn()>;

thread_local! {
    /// Runs before this thread's checks of the clock.
    static BEFORE_CHECK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// Runs the hook of the thread that checks.
struct Hooked;

impl ClockWatcher for Hooked {
    fn before_monotonic(&self) {
        // Taken out meanwhile: what the hook does checks the clock as well.
        if let Some(hook) = BEFORE_CHECK.take() {
            hook();
            BEFORE_CHECK.set(Some(hook));
        }
    }
}

struct Watched {
    env: FakeEnv,
    f: Fixture,
}

impl Watched {
    /// A region with 8,000 rows in one file, and fewer in memory than are walked over between two checks.
    fn new() -> Watched {
        let env = FakeEnv::new(1);
        let families = [("f", "\"maxVersions\":1,\"blockSize\":1024"), ("g", "")];
        let f = start_in(Arc::new(WatchedClock { env: env.clone(), watcher: Hooked }), "{}", &families, 1);
        put(&f, "f", 0..8_000);
        f.region.flush().unwrap();
        put(&f, "g", 0..500);
        Watched { env, f }
    }

    fn page_reads(&self) -> u64 {
        self.f.metric("files.page_reads")
    }

    /// Cuts the region finely, and calls `at_check` with the number of each check of the clock.
    fn cut(&self, time: Duration, at_check: impl Fn(u32) + 'static) -> grampus_base::Result<Vec<Piece>> {
        let checks = Cell::new(0);
        BEFORE_CHECK.set(Some(Rc::new(move || {
            checks.set(checks.get() + 1);
            at_check(checks.get());
        })));
        let pieces = self.f.region.pieces(1, time);
        BEFORE_CHECK.set(None);
        pieces
    }
}

#[test]
fn nothing_is_cut_after_the_time_also_within_a_row_group() {
    let w = Watched::new();
    let all = bytes(&w.f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    let (checks, counted) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let seen = Rc::clone(&checks);
    let fine = w.cut(NO_LIMIT, move |check| seen.set(check)).unwrap();
    assert!(checks.get() > 1_000, "{} checks, one before each row that is looked up", checks.get());
    let (env, seen) = (w.env.clone(), Rc::clone(&counted));
    let late = move |check| {
        if check == 10 {
            env.advance_millis(HOUR_MILLIS);
        }
        seen.set(check);
    };
    let coarse = w.cut(Duration::from_millis(HOUR_MILLIS.unsigned_abs()), late).unwrap();
    assert!(counted.get() < 20, "{} checks", counted.get());
    assert_ascending(&coarse);
    assert!(coarse.len() < fine.len());
    assert_eq!((bytes(&coarse), bytes(&fine)), (all, all));
}

#[test]
fn time_ends_within_a_memtable_and_its_rest_counts_as_its_beginning() {
    let w = Watched::new();
    put(&w.f, "g", 500..9_000);
    let all = bytes(&w.f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    let env = w.env.clone();
    let late = move |check| {
        if check == 4 {
            env.advance_millis(HOUR_MILLIS);
        }
    };
    let coarse = w.cut(Duration::from_millis(HOUR_MILLIS.unsigned_abs()), late).unwrap();
    assert_ascending(&coarse);
    assert!(coarse.len() > 500, "{} pieces", coarse.len());
    assert!(bytes(&coarse).abs_diff(all) < all / 1_000, "{} of {all} bytes", bytes(&coarse));
}

#[test]
fn memtables_are_let_go_before_files_are_read() {
    let w = Watched::new();
    let (region, engine) = (Arc::clone(&w.f.region), Arc::clone(&w.f.engine));
    let pinned = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&pinned);
    let flushed = move |check| {
        if check == 2 {
            region.flush().unwrap();
        }
        noted.borrow_mut().push(crate::common::metric(&engine, "memstore.pinned_bytes"));
    };
    let pieces = w.cut(NO_LIMIT, flushed).unwrap();
    assert!(pieces.len() > 1_000);
    assert!(pinned.borrow().len() > 1_000, "checks of the clock");
    assert!(pinned.borrow().iter().all(|bytes| *bytes == 0), "{:?}", pinned.borrow());
}

#[test]
fn a_memtable_that_is_walked_counts_as_kept_when_it_is_flushed() {
    let w = Watched::new();
    put(&w.f, "g", 500..4_000);
    let (region, engine) = (Arc::clone(&w.f.region), Arc::clone(&w.f.engine));
    let pinned = Rc::new(Cell::new(0));
    let noted = Rc::clone(&pinned);
    let flushed = move |check| {
        if check == 2 {
            region.flush().unwrap();
            noted.set(crate::common::metric(&engine, "memstore.pinned_bytes"));
        }
    };
    w.cut(NO_LIMIT, flushed).unwrap();
    assert!(pinned.get() > 0);
    assert_eq!(w.f.metric("memstore.pinned_bytes"), 0);
}

#[test]
fn a_region_that_closes_meanwhile_has_none_to_tell() {
    for abort in [false, true] {
        let w = Watched::new();
        let region = Arc::clone(&w.f.region);
        let before = w.page_reads();
        let closing = move |check| {
            if check == 5 {
                region.close(abort).unwrap();
            }
        };
        assert_eq!(w.cut(NO_LIMIT, closing).err().unwrap().kind, ErrorKind::NotServing);
        assert!(w.page_reads() - before <= 5, "{} pages", w.page_reads() - before);
    }
}
