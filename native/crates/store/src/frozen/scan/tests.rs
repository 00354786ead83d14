//! Which rows of frozen files come many at a time, and that all come either way.

use std::path::Path;

use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, RowOrder};
use grampus_colfile::FinishInfo;
use grampus_env::FakeEnv;
use grampus_filter::pattern::NoPatternCompiler;
use grampus_testkit::wire::{Spec, bytes};

use super::*;
use crate::fileset::{FrozenFile, StoreDir, StoreFileSet};
use crate::read::ReadSpec;
use crate::{FamilyConfig, FrozenBounds, FrozenRegion, FrozenStore};

const ROWS: u32 = 5000;
const NO_LIMITS: FrozenLimits = FrozenLimits { rows: u32::MAX, bytes: u64::MAX, time: Duration::MAX };

/// Rows of two columns in one file; the first one's value is the row's number modulo 100.
fn region() -> FrozenRegion {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let (cache, config) = (Arc::new(BlockCache::new(1 << 20)), FamilyConfig::new("f"));
    let dir = StoreDir::new(Path::new("/h"), "default", "t", "aa", "f");
    let (set, _) = StoreFileSet::open(
        env.clone(),
        cache.clone(),
        dir.clone(),
        &config,
        RowOrder::Bytes,
        Arc::new(|| Ok(())),
    )
    .unwrap();
    let mut writer = set.new_file(&config).unwrap();
    for n in 0..ROWS {
        let (row, number) = (format!("row{n:06}"), [(n % 100) as u8]);
        for (qualifier, value) in [(b"a", &number[..]), (b"b", &[7; 40][..])] {
            let (timestamp, cell_type) = (5, CellType::PUT);
            let cell = CellRef {
                row: row.as_bytes(),
                qualifier,
                timestamp,
                cell_type,
                value,
                tags: b"",
                sequence: 1,
            };
            writer.append(cell).unwrap();
        }
    }
    let mut pending = writer.finish(FinishInfo { max_sequence: 1, ..FinishInfo::default() }).unwrap();
    pending.close().unwrap();
    let name = set.commit_flush(pending).unwrap().name().to_string();
    let files = [FrozenFile { name, reference: None }];
    let store = FrozenStore::open(&env, &cache, &dir, &files, config, RowOrder::Bytes).unwrap();
    let bounds =
        FrozenBounds { start_key: b"", end_key: b"", order: RowOrder::Bytes, row_bytes_max: u64::MAX };
    FrozenRegion::new(env, vec![store], &bounds, Arc::new(NoPatternCompiler)).unwrap()
}

/// SingleColumnValueFilter: rows whose number modulo 100 is 42.
fn one_in_100() -> Vec<u8> {
    let mut filter = vec![6];
    bytes(&mut filter, b"f");
    bytes(&mut filter, b"a");
    filter.extend([2, 1]);
    bytes(&mut filter, &[42]);
    filter.extend([1, 1]);
    filter
}

/// Rows that the fast path leaves from the first one on, and why it ended.
fn fast_rows(region: &FrozenRegion, spec: &Spec, limits: FrozenLimits) -> (u32, Option<RunEnd>) {
    let mut scan = region.scan(&spec.encode(), 0).unwrap();
    let (results_max, limits) = (limits.rows, limits.of_call());
    let (mut info, mut cells) = (vec![0; INFO_BYTES], Vec::new());
    let (progress, elapsed) = (CallProgress::default(), || Duration::from_secs(1));
    let mut call = Call::new(&limits, &mut info, results_max, progress, u64::MAX, &elapsed);
    scan.scan.fast_rows(&mut cells, &mut call).unwrap()
}

#[test]
fn rows_come_many_at_a_time_where_no_cell_need_be_evaluated() {
    let region = region();
    for (fast, spec) in [
        (true, Spec::scan()),
        (true, Spec::scan().column("f", "b")),
        (true, Spec::scan().filter(one_in_100())),
        (true, Spec::scan().with(ReadSpec::REVERSED)),
        (false, Spec::scan().with(ReadSpec::RAW)),
        (false, Spec::scan().filter(vec![17])),
    ] {
        let (left, _) = fast_rows(&region, &spec, NO_LIMITS);
        assert_eq!(left > 500, fast, "{left} rows of {spec:?}");
    }
}

#[test]
fn a_limit_that_is_reached_ends_a_call_before_its_time_does() {
    let region = region();
    for (rows, stop) in [(100, Stop::Results), (u32::MAX, Stop::Time)] {
        let limits = FrozenLimits { rows, time: Duration::ZERO, ..NO_LIMITS };
        let (left, end) = fast_rows(&region, &Spec::scan(), limits);
        assert!(left <= rows && end == Some(RunEnd::Stop(stop)), "{left} rows of {rows}, {end:?}");
    }
}

#[test]
fn a_call_returns_no_more_than_it_may() {
    let region = region();
    let mut rows = FrozenRows::default();
    let of_limits = |rows_max, bytes| FrozenLimits { rows: rows_max, bytes, time: Duration::MAX };
    for (limits, expected) in [
        (of_limits(7, u64::MAX), (Stop::Results, 7)),
        (of_limits(0, u64::MAX), (Stop::Results, 1)),
        (of_limits(u32::MAX, 0), (Stop::Size, 1)),
        (of_limits(u32::MAX, u64::MAX), (Stop::End, ROWS)),
    ] {
        let mut scan = region.scan(&Spec::scan().encode(), 0).unwrap();
        assert_eq!((scan.next(&limits, &mut rows).unwrap(), rows.rows()), expected, "{limits:?}");
        assert_eq!(rows.cell_counts().sum::<u32>(), 2 * rows.rows());
    }
}
