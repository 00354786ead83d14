//! Frozen regions: the files that a list names, opened in an environment that takes no write. Of clocks only the one for time budgets is there.
#![allow(dead_code, reason = "each test crate uses a part")]

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::{RandomRead, from_hex};
use grampus_cache::BlockCache;
use grampus_cells::cell_codec;
use grampus_engine::OpenRequest;
use grampus_env::{AppendFile, DirEntry, Env};
use grampus_filter::pattern::NoPatternCompiler;
use grampus_store::fileset::{FrozenFile, StoreDir};
use grampus_store::read::{Stop, heap_size};
use grampus_store::{FrozenBounds, FrozenLimits, FrozenRegion, FrozenRows, FrozenStore};
use grampus_testkit::wire::{Cell, Spec};
use serde_json::Value;

/// Opens files, reads references, and nothing else: any other call fails the test.
pub(crate) struct ReadOnly(pub Arc<dyn Env>);

impl Env for ReadOnly {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        panic!("creates {}", path.display())
    }

    fn create_log(&self, path: &Path, _most: u64) -> io::Result<Box<dyn AppendFile>> {
        panic!("creates {}", path.display())
    }

    fn flush_is_cheap(&self) -> bool {
        panic!("asks what a flush costs")
    }

    fn failed_syncs_are_final(&self, path: &Path) -> bool {
        panic!("asks what a sync of {} leaves", path.display())
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        panic!("recovers the lease of {}", path.display())
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        self.0.open(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        panic!("lists {}", dir.display())
    }

    fn rename(&self, from: &Path, _to: &Path) -> io::Result<()> {
        panic!("renames {}", from.display())
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        panic!("deletes {}", path.display())
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        panic!("makes the directory {}", dir.display())
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        panic!("syncs {}", path.display())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        panic!("syncs {}", dir.display())
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        self.0.len(path)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.0.exists(path)
    }

    fn now_millis(&self) -> i64 {
        panic!("asks for the time")
    }

    fn monotonic_nanos(&self) -> u64 {
        self.0.monotonic_nanos()
    }

    fn random(&self) -> u64 {
        panic!("asks for a random number")
    }
}

/// The region of a request to open it, over the files that [`Region::snapshot_files`](grampus_engine::Region::snapshot_files) listed.
pub(crate) fn frozen_region(env: Arc<dyn Env>, open_json: &str, listed: &str) -> FrozenRegion {
    frozen_region_of(&Arc::new(BlockCache::new(1 << 20)), env, open_json, listed)
}

/// The same with a cache.
pub(crate) fn frozen_region_of(
    cache: &Arc<BlockCache>,
    env: Arc<dyn Env>,
    open_json: &str,
    listed: &str,
) -> FrozenRegion {
    let request = OpenRequest::parse(open_json).unwrap();
    let listed: Value = serde_json::from_str(listed).unwrap();
    let env: Arc<dyn Env> = Arc::new(ReadOnly(env));
    let order = request.order().unwrap();
    let stores = request.families().unwrap().into_iter().map(|config| {
        let family = String::from_utf8(config.name.clone()).unwrap();
        let (namespace, table) = request.table.split_once(':').unwrap_or(("default", &request.table));
        let dir = StoreDir::new(&request.root_dir, namespace, table, &request.encoded_name, &family);
        FrozenStore::open(&env, cache, &dir, &files_of(&listed, &config.name), config, order).unwrap()
    });
    let (start, end) = (request.start_key().unwrap(), request.end_key().unwrap());
    let bounds = FrozenBounds { start_key: &start, end_key: &end, order, row_bytes_max: 1 << 30 };
    let stores = stores.collect();
    FrozenRegion::new(env, stores, &bounds, Arc::new(NoPatternCompiler)).unwrap()
}

fn files_of(listed: &Value, family: &[u8]) -> Vec<FrozenFile> {
    let families = listed["families"].as_array().unwrap();
    let family = families.iter().find(|f| from_hex(f["family"].as_str().unwrap(), "").unwrap() == family);
    let files = family.unwrap()["files"].as_array().unwrap().iter();
    files
        .map(|file| FrozenFile {
            name: file["name"].as_str().unwrap().to_string(),
            reference: file["reference"].as_str().map(|reference| from_hex(reference, "").unwrap()),
        })
        .collect()
}

/// All cells of a scan, in calls that end for no limit.
pub(crate) fn scan_frozen(region: &FrozenRegion, spec: &Spec, now_millis: i64) -> Vec<Cell> {
    let limits = FrozenLimits { rows: u32::MAX, bytes: u64::MAX, time: Duration::MAX };
    scan_frozen_by(region, spec, now_millis, || limits)
}

/// All cells of a scan, each call with limits of its own, to which it must have kept.
pub(crate) fn scan_frozen_by(
    region: &FrozenRegion,
    spec: &Spec,
    now_millis: i64,
    mut limits: impl FnMut() -> FrozenLimits,
) -> Vec<Cell> {
    let mut scan = region.scan(&spec.encode(), now_millis).unwrap();
    let (mut rows, mut all, mut complete) = (FrozenRows::default(), Vec::new(), 0);
    loop {
        let (limits, before) = (limits(), scan.progress());
        let stop = scan.next(&limits, &mut rows).unwrap();
        check_call(&limits, spec.batch, stop, &rows);
        let after = scan.progress();
        complete += u64::from(rows.complete_rows());
        assert!(after.rows_scanned >= complete.max(before.rows_scanned));
        // A row that goes on over calls in batches was counted when it began.
        let whole = spec.batch <= 0;
        assert!(!whole || after.rows_scanned >= before.rows_scanned + u64::from(rows.rows()));
        assert!(!whole || rows.complete_rows() == rows.rows());
        all.extend(Cell::decode_all(rows.cells()));
        if stop == Stop::End {
            return all;
        }
    }
}

/// Rows are whole, or come in batches of which only a row's last one is smaller, and only the last result goes beyond a limit.
fn check_call(limits: &FrozenLimits, batch: i32, stop: Stop, rows: &FrozenRows) {
    let most = limits.rows.clamp(1, 1 << 16);
    assert!(rows.rows() < most || rows.rows() == most && matches!(stop, Stop::Results | Stop::Size));
    let (mut rest, mut size, mut last_row) = (rows.cells(), 0, Vec::new());
    let mut goes_on = batch > 0; // the first result may go on with a row of the call before
    for (count, more) in rows.results() {
        assert!(size < limits.bytes.max(1), "a result behind the limit of {limits:?}");
        assert!(!more || count as i32 == batch, "only a full batch goes on");
        assert!(batch <= 0 || count as i32 <= batch, "{count} cells in a batch of {batch}");
        let begin = rest;
        for cell in 0..count {
            let (found, used) = cell_codec::read_cell(rest).unwrap();
            let same = found.cell.row == last_row;
            assert!(same && (cell > 0 || goes_on) || !same && cell == 0, "a result is of one row");
            last_row = found.cell.row.to_vec();
            rest = &rest[used..];
        }
        assert!(count > 0);
        goes_on = more;
        size += heap_size(count, (begin.len() - rest.len()) as u64);
    }
    assert!(rest.is_empty());
}
