//! What the log does for each region costs what concerns the region, however many others there are.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Acquire;
use std::time::Duration;

use grampus_base::events::Topic;
use grampus_cells::{CellRef, CellType};
use grampus_engine::mvcc::Mvcc;
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, open_region_json};
use grampus_wal::{Durability, Need, RecordBuilder, RegionLog, Wal, WalSettings};

use crate::common::{Fixture, mutate, noise, row, start_in, until};
use crate::counted::peak;

const LONG: Duration = Duration::from_secs(60);

fn start_wal() -> Arc<Wal> {
    let settings = WalSettings {
        dir: PathBuf::from("/h/WALs/s"),
        old_dir: PathBuf::from("/h/oldWALs"),
        prefix: "s".to_string(),
        meta: false,
        segment_bytes: 128 << 20,
        always_fsync: false,
    };
    Wal::start(Arc::new(FakeEnv::new(1)), settings, Box::new(|| {}), Arc::default()).unwrap()
}

/// A region of a log.
struct Writer<'a> {
    wal: &'a Wal,
    mvcc: Arc<Mvcc>,
    log: Arc<RegionLog>,
}

impl Writer<'_> {
    fn new<'a>(wal: &'a Wal, name: &str) -> Writer<'a> {
        let mvcc = Mvcc::of_log(wal, 0, Arc::default());
        Writer { wal, log: RegionLog::new("t", name, 0, mvcc.clone()), mvcc }
    }

    /// An edit that is in the pending group and in the memtable.
    fn append(&self, durability: Durability, value: &[u8]) -> u64 {
        let cell = CellRef {
            row: b"row",
            qualifier: b"q",
            timestamp: 1,
            cell_type: CellType::PUT,
            value,
            tags: b"",
            sequence: 0,
        };
        let mut record = RecordBuilder::new("t", &self.log.encoded, 1, 0, &[], value.len()).unwrap();
        record.push(b"f", &cell);
        let record = record.finish().unwrap();
        let appended = self.mvcc.begin(|sequence| self.wal.append(record, sequence, &self.log, durability));
        let sequence = appended.unwrap();
        self.mvcc.applied(sequence, None).unwrap();
        sequence
    }

    /// An edit that readers see.
    fn write(&self, durability: Durability) {
        let sequence = self.append(durability, b"v");
        self.wal.commit(durability).unwrap();
        assert!(
            self.mvcc.wait_for(sequence, LONG).unwrap(),
            "{} waited for its edit in vain",
            self.log.encoded
        );
    }
}

/// While a region gives an id its queue is locked: a thread of the log that looked at the region would wait.
#[test]
fn a_sync_looks_at_no_region_without_an_edit_that_waits_for_it() {
    let wal = start_wal();
    let (before, own, after) = (Writer::new(&wal, "a"), Writer::new(&wal, "b"), Writer::new(&wal, "c"));
    // When the last one is seen, the log is through with the others.
    [&before, &after, &own].iter().for_each(|region| region.write(Durability::Fsync));
    let locked = |region: &Writer<'_>, act: &dyn Fn()| {
        let given = region.mvcc.begin(|_| {
            act();
            Ok(Need::Nothing)
        });
        given.unwrap();
    };
    // Of the second edit nothing comes if the log looks at others when it is through with the first one's region.
    let write_twice = || (0..2).for_each(|_| own.write(Durability::Fsync));
    locked(&before, &|| locked(&after, &write_twice));
    drop(wal.close());
}

/// A large group is written by its writer; the log's thread finds nothing to write when it syncs.
#[test]
fn a_sync_looks_at_regions_whose_edits_were_written_before() {
    let wal = start_wal();
    let region = Writer::new(&wal, "a");
    until("an edit that is written and not synced", || {
        let sequence = region.append(Durability::Fsync, &vec![7; 5 << 20]);
        wal.write_if_much().unwrap();
        let [written, synced] = [&wal.progress().written, &wal.progress().synced].map(|n| n.load(Acquire));
        wal.commit(Durability::Fsync).unwrap();
        assert!(region.mvcc.wait_for(sequence, LONG).unwrap(), "the edit is not seen after its sync");
        synced < written
    });
    drop(wal.close());
}

#[test]
fn the_regions_of_the_oldest_segments_above_the_limit_are_marked() {
    let wal = start_wal();
    let regions = ["old", "flushed", "young"].map(|name| Writer::new(&wal, name));
    let [old, flushed, young] = &regions;
    for written in [[old, flushed], [young, flushed]] {
        written.iter().for_each(|region| region.write(Durability::Sync));
        wal.roll().unwrap();
    }
    flushed.log.set_flushed(flushed.mvcc.read_point());
    let (segments, bytes) = wal.size();
    assert_eq!(segments, 3);
    for (round, limit, marked) in
        [(1, bytes, [false; 3]), (2, bytes - 1, [true, false, false]), (3, 0, [true, false, true])]
    {
        wal.mark_holders(limit, round);
        assert_eq!(regions.each_ref().map(|region| region.log.was_marked(round)), marked, "round {round}");
    }
    old.log.set_flushed(old.mvcc.read_point());
    wal.mark_holders(0, 4);
    assert_eq!(regions.each_ref().map(|region| region.log.was_marked(4)), [false, false, true]);
    assert!(old.log.was_marked(3), "a mark is of its round");
    drop(wal.close());
}

/// A list of marked regions would be searched for each region at each tick, and grow with them.
#[test]
fn marks_are_no_list() {
    let wal = start_wal();
    let regions: Vec<Writer<'_>> = (0..200).map(|n| Writer::new(&wal, &format!("{n:032x}"))).collect();
    for _ in 0..5 {
        regions.iter().for_each(|region| region.write(Durability::Sync));
        wal.roll().unwrap();
    }
    let ((), held) = peak(|| wal.mark_holders(0, 1));
    assert!(regions.iter().all(|region| region.log.was_marked(1)));
    assert_eq!(held, 0, "bytes that the marks of {} regions took", regions.len());
    drop(wal.close());
}

/// A few edits of a region that is never full keep a segment each.
#[test]
fn a_region_that_keeps_too_much_of_the_log_is_flushed() {
    const QUIET: &str = "fedcba9876543210fedcba9876543210";
    let config = "{\"memtableBytes\":1000000,\"walSegmentBytes\":100000}";
    let f: Fixture = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    f.env.mkdir_durably(Path::new(&format!("/h/data/default/t/{QUIET}"))).unwrap();
    let quiet = f.engine.open_region(&open_region_json("/h", QUIET, &[("f", "")])).unwrap();
    let edit = || Batch::new().row_op(RowOp::put(&[Cell::put("r", "f", "q", 1, "v")]));
    let mut n = 0;
    let mut said = Vec::new();
    until("a flush for the log's sake", || {
        for _ in 0..50 {
            f.put(Cell::put(&row(n), "f", "q", 1, noise(n)));
            n += 1;
        }
        mutate(&f.engine, &quiet, &edit());
        f.region.flush().unwrap();
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        said.extend(events.into_iter().filter(|e| e.topic == Topic::Flush).map(|e| e.text));
        said.iter().any(|text| text.contains("its edits kept too much of the log"))
    });
    let held: Vec<&String> = said.iter().filter(|text| text.contains("kept too much")).collect();
    assert!(held.iter().all(|text| text.contains(QUIET)), "{held:?}");
    until("the segments to leave", || f.metric("wal.finished_bytes") <= 2_000_000);
}
