//! What a request can carry is either refused before it is applied, or comes back from the log and from a file as it was sent.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_engine::{Engine, MutateStatus};
use grampus_env::{Env, FakeEnv};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start_in};

const TAGS_BYTES_MAX: usize = u16::MAX as usize;

fn start(env: &FakeEnv, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), "{}", &[("f", ""), ("g", "")], generation)
}

/// The server dies, its log is split, and the next one opens the region.
fn recover(f: Fixture, env: &FakeEnv) -> Fixture {
    f.region.close(true).unwrap();
    drop(f);
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for segment in env.list(Path::new("/h/WALs/s1")).unwrap() {
        engine.split_wal(&format!("{{\"wal\":\"/h/WALs/s1/{}\",\"rootDir\":\"/h\"}}", segment.name)).unwrap();
    }
    drop(engine);
    start(env, 2)
}

fn increments(count: u32, nonce: impl Fn(u32) -> u64) -> Batch {
    let one = 1i64.to_be_bytes();
    let op = |n: u32| RowOp::increment(nonce(n), &[Cell::put("row", "f", &format!("q{n:06}"), 1, one)]);
    Batch::new().atomic("row", (0..count).map(op).collect())
}

/// HBase's client gives every mutation of a group the nonce of the group.
#[test]
fn a_group_of_seventy_thousand_increments_comes_back() {
    let env = FakeEnv::new(1);
    let f = start(&env, 1);
    let answers = f.mutate(&increments(70_000, |_| 12));
    assert!(matches!(&answers[..], [Answer::Cells(cells)] if cells.len() == 70_000));
    let f = recover(f, &env);
    assert_eq!(f.get(&Spec::get("row")).len(), 70_000);
    f.region.flush().unwrap();
    assert_eq!(f.get(&Spec::get("row")).len(), 70_000);
    // The nonce came back too: the same request is not applied again.
    assert!(matches!(&f.mutate(&increments(1, |_| 12))[..], [Answer::Cells(_)]));
    let one = f.get(&Spec::get("row").column("f", "q000000"));
    assert_eq!(one[0].value, 1i64.to_be_bytes());
}

#[test]
fn more_nonces_than_a_record_holds_are_refused_before_anything_is_applied() {
    let env = FakeEnv::new(1);
    let f = start(&env, 1);
    let answers = f.mutate(&increments(70_000, |n| u64::from(n) + 1));
    let [Answer::Failed(kind, text)] = &answers[..] else { panic!("{} answers", answers.len()) };
    assert_eq!(*kind, ErrorKind::BadRequest as u8, "{text}");
    assert!(text.contains("nonces"), "{text}");
    assert_eq!(f.get(&Spec::get("row")), []);
    f.put(Cell::put("other", "f", "q", 1, "v"));
    let f = recover(f, &env);
    assert_eq!(f.scan(&Spec::scan()).len(), 1);
}

/// Tags of one type: `u16 length | u8 type | bytes`.
fn tag(bytes: usize) -> Vec<u8> {
    let len = u16::try_from(bytes + 1).unwrap();
    [&len.to_be_bytes()[..], &[200], &vec![7; bytes]].concat()
}

#[test]
fn tags_that_grow_beyond_a_cell_are_refused_before_anything_is_applied() {
    let env = FakeEnv::new(1);
    let f = start(&env, 1);
    let add = || {
        let cell = Cell { tags: tag(20_000), ..Cell::put("row", "f", "q", 1, 1i64.to_be_bytes()) };
        f.mutate(&Batch::new().row_op(RowOp::increment(0, &[cell]))).remove(0)
    };
    let counts: Vec<Answer> = (0..5).map(|_| add()).collect();
    for (n, answer) in counts.iter().enumerate() {
        match answer {
            Answer::Cells(_) => assert!((n + 1) * 20_003 <= TAGS_BYTES_MAX, "{n}"),
            Answer::Failed(kind, text) => {
                assert!((n + 1) * 20_003 > TAGS_BYTES_MAX, "{n}: {text}");
                assert_eq!(*kind, ErrorKind::BadRequest as u8);
                assert!(text.contains("tags"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
    let f = recover(f, &env);
    assert_eq!(f.get(&Spec::get("row"))[0].value, 3i64.to_be_bytes());
    f.region.flush().unwrap();
    assert_eq!(f.get(&Spec::get("row"))[0].value, 3i64.to_be_bytes());
}

/// Lengths at both sides of every limit of the formats.
fn length(random: &mut Random, limit: usize) -> usize {
    match random.below(6) {
        0 => limit,
        1 => limit + 1,
        2 => limit - 1,
        3 => 2 * limit,
        _ => random.below(40) as usize,
    }
}

fn any_cell(random: &mut Random, row: &[u8]) -> Cell {
    let family = if random.one_in(2) { "f" } else { "g" };
    let qualifier = vec![b'a' + random.below(4) as u8; length(random, u16::MAX as usize)];
    let tags = match random.below(4) {
        0 => tag(length(random, TAGS_BYTES_MAX - 3).min(TAGS_BYTES_MAX - 1)),
        1 => tag(random.below(30_000) as usize),
        _ => Vec::new(),
    };
    let value = vec![random.below(256) as u8; length(random, u16::MAX as usize)];
    Cell { row: row.to_vec(), qualifier, tags, ..Cell::put("", family, "", random.below(9) as i64, value) }
}

fn any_group(random: &mut Random) -> Batch {
    let row = vec![b'r'; length(random, i16::MAX as usize).max(1)];
    let most = if random.one_in(20) { 70_000 } else { 4 };
    let count = 1 + random.below(most);
    let many = count > 4;
    let ops = (0..count).map(|n| {
        if many {
            let one = 1i64.to_be_bytes();
            let cell = Cell { row: row.clone(), ..Cell::put("", "f", &format!("c{}", n % 3), 1, one) };
            return RowOp::increment(if random.one_in(2) { 5 } else { n + 1 }, &[cell]);
        }
        let mut cell = any_cell(random, &row);
        match random.below(3) {
            0 => RowOp::put(&[cell]),
            1 => RowOp::append(n + 1, &[cell]),
            _ => {
                cell.value = 1i64.to_be_bytes().to_vec();
                cell.qualifier = format!("c{}", n % 3).into_bytes();
                RowOp::increment(n + 1, &[cell])
            }
        }
    });
    let ops = ops.collect();
    Batch::new().atomic(&String::from_utf8(row.clone()).unwrap(), ops)
}

#[test]
fn whatever_a_request_carries_is_refused_or_comes_back() {
    let seed = std::env::var("GRAMPUS_LIMITS_SEED").ok().map_or(7, |text| text.parse().unwrap());
    for round in 0..12 {
        eprintln!("seed {}", seed + round);
        let mut random = Random::new(seed + round);
        let env = FakeEnv::new(seed);
        let f = start(&env, 1);
        let mut applied = 0;
        for n in 0..8u64 {
            let mut batch = any_group(&mut random);
            batch.nonce_group = n + 1;
            let mut out = Vec::new();
            match f.region.mutate(&batch.ops(), &batch.cells, 1, &mut out) {
                Ok(MutateStatus::Pending) => {
                    applied += 1;
                    assert!(f.engine.poll_completions(&mut Vec::new(), Duration::from_secs(60)));
                }
                Ok(_) => applied += 1,
                Err(e) => assert_eq!(e.kind, ErrorKind::BadRequest, "{e}"),
            }
        }
        assert!(applied > 0);
        let expected = f.scan(&Spec::scan());
        let f = recover(f, &env);
        assert!(f.scan(&Spec::scan()) == expected, "the log brought back something else");
        f.region.flush().unwrap();
        assert!(f.scan(&Spec::scan()) == expected, "the files hold something else");
    }
}
