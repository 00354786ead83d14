//! Segments that a split cannot read: an error that says what to do, or, where the operator allows it, left out and kept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_cells::{CellRef, CellType};
use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::Spec;
use grampus_wal::record::Record;
use grampus_wal::{RecordBuilder, SegmentReader, segment};

use crate::common::{REGION, start_in};

const SEGMENT: &str = "/h/WALs/dead-splitting/dead.1";
const SKIP: &str = "{\"walSplitSkipErrors\":true}";
const REQUEST: &str = "{\"wal\":\"/h/WALs/dead-splitting/dead.1\",\"rootDir\":\"/h\"}";

fn record(row: &[u8], value: &[u8], sequence: u64) -> Vec<u8> {
    let mut record = RecordBuilder::new("t", REGION, 1_700_000_000_001, 0, &[], 0).unwrap();
    record.push(
        b"f",
        &CellRef {
            row,
            qualifier: b"q",
            timestamp: 1,
            cell_type: CellType::PUT,
            value,
            tags: b"",
            sequence: 0,
        },
    );
    record.finish().unwrap().with_sequence(sequence)
}

/// Good checksums around something that no reader understands.
fn undecodable(sequence: u64) -> Vec<u8> {
    Record::copy_of(b"\x01\x00\xff\xffwhat is this").unwrap().with_sequence(sequence)
}

fn env_with(records: &[Vec<u8>]) -> FakeEnv {
    let env = FakeEnv::new(1);
    env.mkdir(Path::new("/h/WALs/dead-splitting")).unwrap();
    env.mkdir(Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
    let mut file = env.create(Path::new(SEGMENT)).unwrap();
    file.append(&segment::header(0, 1)).unwrap();
    records.iter().for_each(|record| file.append(record).unwrap());
    file.sync().and_then(|()| file.close()).unwrap();
    env
}

fn read(env: &FakeEnv, path: &str) -> Vec<u8> {
    let file = env.open(Path::new(path)).unwrap();
    let mut bytes = vec![0; file.len() as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    bytes
}

fn rows(env: &FakeEnv) -> Vec<Vec<u8>> {
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 2);
    f.scan(&Spec::scan()).into_iter().map(|cell| cell.row).collect()
}

#[test]
fn a_record_that_does_not_decode_fails_a_split_with_the_way_out() {
    let env = env_with(&[record(b"a", b"v", 1), undecodable(2), record(b"c", b"v", 3)]);
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    let before = env.files();
    let error = engine.split_wal(REQUEST).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert_eq!(env.files(), before, "the master repeats it: nothing may be left each time");
    assert!(error.message.contains("dead.1") && error.message.contains("byte"), "{error}");
    assert!(error.message.contains("hbase.hlog.split.skip.errors"), "{error}");
}

#[test]
fn a_record_that_does_not_decode_is_left_out_kept_and_said_where_allowed() {
    let (first, bad) = (record(b"a", b"v", 1), undecodable(2));
    let env = env_with(&[first.clone(), bad.clone(), record(b"c", b"v", 3)]);
    let engine = Engine::open_in(Arc::new(env.clone()), SKIP).unwrap();
    for _again in 0..2 {
        let report = engine.split_wal(REQUEST).unwrap();
        assert!(report.contains("\"edits\":2") && report.contains("\"leftOut\":1"), "{report}");
    }
    let at = segment::HEADER_BYTES + first.len();
    assert_eq!(read(&env, &format!("/h/corrupt/dead.1.{at}")), bad);
    let events = engine.poll_events(Duration::ZERO).unwrap();
    assert!(events.iter().any(|e| e.text.contains("dead.1") && e.text.contains("/h/corrupt")), "{events:?}");
    assert!(engine.metrics_json().contains("\"engine.wal_split.left_out_parts\":2"));
    assert_eq!(rows(&env), [b"a", b"c"]);
}

#[test]
fn damage_before_good_records_is_left_out_kept_and_said_where_allowed() {
    let mut damaged = record(b"b", &[7; 3000], 2);
    damaged[100] ^= 1;
    let first = record(b"a", b"v", 1);
    let env = env_with(&[
        first.clone(),
        damaged.clone(),
        record(b"c", b"v", 3),
        Record::end(3).unwrap().with_sequence(0),
    ]);
    let strict = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    assert_eq!(strict.split_wal(REQUEST).unwrap_err().kind, ErrorKind::Corrupt);
    let engine = Engine::open_in(Arc::new(env.clone()), SKIP).unwrap();
    let report = engine.split_wal(REQUEST).unwrap();
    assert!(report.contains("\"edits\":2") && report.contains("\"leftOut\":1"), "{report}");
    let at = segment::HEADER_BYTES + first.len();
    assert_eq!(read(&env, &format!("/h/corrupt/dead.1.{at}")), damaged);
    assert_eq!(rows(&env), [b"a", b"c"]);
}

/// What a client stores is its own business: a piece of a log in a value is no record of this log.
#[test]
fn a_torn_record_whose_value_holds_a_record_is_a_torn_tail() {
    let inner = record(b"inner", b"v", 9);
    let whole = record(b"b", &[&inner[..], &[7; 100]].concat(), 2);
    for cut in 1..=100 {
        let env = env_with(&[record(b"a", b"v", 1), whole[..whole.len() - cut].to_vec()]);
        let mut reader = SegmentReader::open(&env, Path::new(SEGMENT)).unwrap();
        let mut edits = 0;
        while reader.next_edit().unwrap_or_else(|e| panic!("{cut} bytes cut: {e}")).is_some() {
            edits += 1;
        }
        assert_eq!(edits, 1);
    }
}
