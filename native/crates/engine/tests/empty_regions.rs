//! What a server pays for regions without use.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grampus_engine::{Engine, Region};
use grampus_env::{Env, LocalEnv};
use grampus_testkit::wire::open_region_json;

/// The system's allocator, and how much it has given.
struct Counting;

static GIVEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GIVEN.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        GIVEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const REGIONS: usize = 200;
const BYTES_MAX: usize = 8 * 1024;

#[test]
fn an_empty_region_takes_little_memory() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().to_str().unwrap();
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let engine = Engine::open_in(Arc::clone(&env), "{}").unwrap();
    engine.start_wal(&format!("{root}/WALs/s1"), &format!("{root}/oldWALs"), "s1").unwrap();
    let open = |n: usize| -> Arc<Region> {
        let name = format!("{n:032x}");
        env.mkdir(Path::new(&format!("{root}/data/default/t/{name}"))).unwrap();
        let families = [("f", "\"maxVersions\":1"), ("g", "\"maxVersions\":1")];
        engine.open_region(&open_region_json(root, &name, &families)).unwrap()
    };
    let first = open(0);
    let before = GIVEN.load(Ordering::Relaxed);
    let regions: Vec<Arc<Region>> = (1..=REGIONS).map(open).collect();
    let each = (GIVEN.load(Ordering::Relaxed) - before) / REGIONS;
    assert!(each <= BYTES_MAX, "an empty region of two families takes {each} bytes");
    regions.iter().chain([&first]).for_each(|region| region.close(false).unwrap());
    engine.close().unwrap();
}
