//! Whatever is flushed and compacted, every reader that may exist sees after a compaction what it saw before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, Direction, RowOrder, RowRange, SeekTarget, TimeRange};
use grampus_colfile::FinishInfo;
use grampus_env::FakeEnv;
use proptest::prelude::*;

use crate::FamilyConfig;
use crate::compaction::Compaction;
use crate::fileset::{CursorSpec, StoreDir, StoreFileSet};
use crate::policy::CompactionKind;

/// A cell; its value is the sequence id with which it was written.
#[derive(Clone, Debug)]
struct Written {
    row: u8,
    qualifier: u8,
    timestamp: i64,
    cell_type: CellType,
    value: Vec<u8>,
    sequence: u64,
}

/// What happens to the store.
#[derive(Clone, Debug)]
enum Step {
    Flush(Vec<(u8, u8, i64, CellType)>),
    /// Where the window starts and how long it is, and how many sequence ids back the oldest reader is.
    Compact(usize, usize, u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Markers of single versions are left out: which older version they uncover depends, as in HBase, on what has been dropped.
    let cell_type = prop_oneof![6 => Just(CellType::PUT), 1 => Just(CellType::DELETE_COLUMN), 1 => Just(CellType::DELETE_FAMILY)];
    let cell = (0u8..3, 0u8..2, 0i64..6, cell_type);
    let step = prop_oneof![
        2 => prop::collection::vec(cell, 1..12).prop_map(Step::Flush),
        1 => (0usize..4, 1usize..5, 0u64..20).prop_map(|(from, len, back)| Step::Compact(from, len, back)),
    ];
    prop::collection::vec(step, 1..12)
}

struct Store {
    env: FakeEnv,
    config: FamilyConfig,
    set: StoreFileSet,
    sequence: u64,
}

impl Store {
    fn new(max_versions: u32) -> Store {
        let env = FakeEnv::new(11);
        let config = FamilyConfig { max_versions, ..FamilyConfig::new("f") };
        let set = Store::open(&env, &config);
        Store { env, config, set, sequence: 0 }
    }

    fn open(env: &FakeEnv, config: &FamilyConfig) -> StoreFileSet {
        let dir = StoreDir::new("/hbase", "default", "t", "0a", "f");
        let cache = Arc::new(BlockCache::new(1 << 20));
        StoreFileSet::open(Arc::new(env.clone()), cache, dir, config, RowOrder::Bytes, Arc::new(|| Ok(())))
            .unwrap()
            .0
    }

    fn flush(&mut self, cells: &[(u8, u8, i64, CellType)]) {
        let mut written: Vec<Written> = Vec::new();
        for (row, qualifier, timestamp, cell_type) in cells {
            self.sequence += 1;
            let family = cell_type.is_family_delete();
            written.push(Written {
                row: *row,
                qualifier: if family { 0 } else { *qualifier },
                timestamp: *timestamp,
                cell_type: *cell_type,
                value: self.sequence.to_be_bytes().to_vec(),
                sequence: self.sequence,
            });
        }
        let rows: Vec<([u8; 1], Vec<u8>)> =
            written.iter().map(|w| ([w.row], vec![b'q'; usize::from(w.qualifier)])).collect();
        let mut refs: Vec<CellRef<'_>> =
            written.iter().zip(&rows).map(|(w, (row, q))| cell(w, row, q)).collect();
        refs.sort_by(|a, b| a.cmp_in(b, RowOrder::Bytes));
        let mut writer = self.set.new_file(&self.config).unwrap();
        refs.into_iter().for_each(|c| writer.append(c).unwrap());
        let mut pending = writer.finish(FinishInfo::default()).unwrap();
        pending.close().unwrap();
        self.set.commit_flush(pending).unwrap();
    }

    fn compact(&self, inputs: std::ops::Range<usize>, smallest_read_point: u64) {
        let files = self.set.snapshot();
        let all = inputs.len() == files.files().len();
        let job = Compaction {
            files: &self.set,
            inputs: files.files()[inputs].to_vec(),
            kind: if all { CompactionKind::Major } else { CompactionKind::Minor },
            config: &self.config,
            smallest_read_point,
            now_millis: self.set.env().now_millis(),
            row_bytes_max: u64::MAX,
            after_row: &|_| Ok(()),
        };
        job.run().unwrap();
    }

    fn cells(&self) -> Vec<Written> {
        let spec = CursorSpec {
            direction: Direction::Forward,
            projection: None,
            rows: RowRange::ALL,
            read_point: u64::MAX,
            time_range: TimeRange::ALL,
            all_rows: false,
            cache: true,
            one_pass: false,
            blocking: true,
            all_cells: false,
        };
        let mut found = Vec::new();
        for file in self.set.snapshot().files() {
            let Some(mut cursor) = file.cursor(&spec).unwrap() else { continue };
            cursor.seek(SeekTarget::Start).unwrap();
            while cursor.row().is_some() {
                while let Some(c) = cursor.cell() {
                    found.push(Written {
                        row: c.row[0],
                        qualifier: c.qualifier.len() as u8,
                        timestamp: c.timestamp,
                        cell_type: c.cell_type,
                        value: c.value.to_vec(),
                        sequence: c.sequence,
                    });
                    cursor.next_cell().unwrap();
                }
                cursor.next_row().unwrap();
            }
        }
        found
    }
}

fn cell<'a>(written: &'a Written, row: &'a [u8], qualifier: &'a [u8]) -> CellRef<'a> {
    CellRef {
        row,
        qualifier,
        timestamp: written.timestamp,
        cell_type: written.cell_type,
        value: &written.value,
        tags: b"",
        sequence: written.sequence,
    }
}

/// Row and qualifier.
type Column = (u8, u8);

/// Per timestamp the newest write, as sequence id and value.
type Versions = BTreeMap<i64, (u64, Vec<u8>)>;

/// What a reader sees, straight from HBase's rules: by column the versions, newest first.
fn visible(cells: &[Written], read_point: u64, max_versions: u32) -> BTreeMap<Column, Vec<(i64, Vec<u8>)>> {
    let seen: Vec<&Written> = cells.iter().filter(|c| c.sequence <= read_point).collect();
    let hidden = |put: &Written| {
        seen.iter().any(|m| {
            let column = m.cell_type == CellType::DELETE_COLUMN && m.qualifier == put.qualifier;
            let covers = column || m.cell_type == CellType::DELETE_FAMILY;
            covers && m.row == put.row && put.timestamp <= m.timestamp
        })
    };
    let mut columns: BTreeMap<Column, Versions> = BTreeMap::new();
    for put in seen.iter().filter(|c| c.cell_type == CellType::PUT && !hidden(c)) {
        let version = columns.entry((put.row, put.qualifier)).or_default().entry(put.timestamp).or_default();
        if put.sequence >= version.0 {
            *version = (put.sequence, put.value.clone());
        }
    }
    let newest = |versions: Versions| {
        versions.into_iter().rev().take(max_versions as usize).map(|(ts, (_, value))| (ts, value)).collect()
    };
    columns.into_iter().map(|(column, versions)| (column, newest(versions))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_compaction_changes_nothing_that_a_reader_sees(steps in steps(), max_versions in 1u32..4) {
        let mut store = Store::new(max_versions);
        for step in steps {
            match step {
                Step::Flush(cells) => store.flush(&cells),
                Step::Compact(from, len, back) => {
                    let files = store.set.snapshot().files().len();
                    if files == 0 {
                        continue;
                    }
                    let from = from % files;
                    let oldest_reader = store.sequence.saturating_sub(back);
                    let before = store.cells();
                    store.compact(from..(from + len).min(files), oldest_reader);
                    let after = store.cells();
                    for read_point in (oldest_reader..=store.sequence).chain([u64::MAX]) {
                        let expected = visible(&before, read_point, max_versions);
                        prop_assert_eq!(visible(&after, read_point, max_versions), expected, "read point {}", read_point);
                    }
                    store.set = Store::open(&store.env, &store.config);
                    prop_assert_eq!(store.cells().len(), after.len(), "after a reopen");
                }
            }
        }
    }
}
