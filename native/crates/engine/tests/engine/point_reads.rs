//! Gets, which open a store's files only as they are needed, answer what a scan of the same row does, which merges all of them.

use std::sync::Arc;

use grampus_env::{Env, FakeEnv};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start_in};

const PUT: u8 = 4;
const DELETE: u8 = 8;
const DELETE_FAMILY_VERSION: u8 = 10;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;

const EXISTENCE_ONLY: u32 = 16;

/// The qualifiers of the tables, and one that no table has; the empty one shares its place with the markers of the family.
const QUALIFIERS: [&str; 6] = ["", "a", "b", "c", "d", "none"];
const ROWS: [&str; 4] = ["p", "q", "r", "s"];

/// A family by chance.
fn family(random: &mut Random) -> String {
    let versions = 1 + random.below(3);
    let min_versions = random.below(2) * random.below(versions);
    let ttl = if random.one_in(3) { (1 + random.below(12)).to_string() } else { "null".to_string() };
    let keep = *random.pick(&["FALSE", "FALSE", "TRUE", "TTL"]);
    let min_versions = if ttl == "null" { 0 } else { min_versions };
    format!(
        "\"maxVersions\":{versions},\"minVersions\":{min_versions},\"ttlSeconds\":{ttl},\
         \"keepDeletedCells\":\"{keep}\",\"newVersionBehavior\":{},\"bloom\":\"{}\",\"blockSize\":{}",
        random.one_in(8),
        random.pick(&["NONE", "ROW", "ROWCOL"]),
        random.pick(&[64, 65536]),
    )
}

/// A cell near a time: few timestamps, so that many are equal, and some of them in the future.
fn cell(random: &mut Random, now: i64) -> Cell {
    let timestamp = match random.below(12) {
        0 => now + 1000 * (5 + random.below(3) as i64),
        _ => now - 1000 * random.below(14) as i64,
    };
    let code = match random.below(12) {
        0 => DELETE,
        1 => DELETE_FAMILY_VERSION,
        2 => DELETE_COLUMN,
        3 => DELETE_FAMILY,
        _ => PUT,
    };
    let of_family = matches!(code, DELETE_FAMILY | DELETE_FAMILY_VERSION);
    let qualifier = if of_family { "" } else { *random.pick(&QUALIFIERS[..5]) };
    let value = if code == PUT { random.bits().to_string() } else { String::new() };
    let row = random.pick(&ROWS);
    let cell = Cell::new(row, "f", qualifier, timestamp, code, value);
    if code == PUT && random.one_in(12) { cell.ttl(1 + random.below(9000) as i64) } else { cell }
}

/// Cells written one after the other, with flushes in between.
fn write(f: &Fixture, env: &FakeEnv, random: &mut Random, cells: u64, flush_one_in: u64) {
    for _ in 0..cells {
        let cell = cell(random, env.now_millis());
        let op = if cell.code == PUT { RowOp::put(&[cell]) } else { RowOp::delete(&[cell]) };
        f.mutate(&Batch::new().row_op(op));
        if random.one_in(3) {
            env.advance_millis(random.below(1500) as i64); // later writes are mostly newer
        }
        if random.one_in(flush_one_in) {
            f.region.flush().unwrap();
        }
    }
}

/// A read of one row by chance.
fn spec(random: &mut Random, now: i64, writes: u64) -> Spec {
    let row = random.pick(&ROWS);
    let mut spec = Spec::get(row).versions(1 + random.below(3) as u32);
    if random.one_in(2) {
        spec = spec.versions(1);
    }
    for qualifier in QUALIFIERS {
        if random.one_in(3) {
            spec = spec.column("f", qualifier);
        }
    }
    if random.one_in(3) {
        let from = now - 1000 * random.below(16) as i64;
        spec.range = (from, from + 1000 * (1 + random.below(20)) as i64);
    }
    if random.one_in(5) {
        spec.store_limit = 1 + random.below(3) as i32;
        spec.store_offset = random.below(2) as i32;
    }
    if random.one_in(4) {
        spec.read_point = 1 + random.below(writes + 4);
    }
    spec
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let family = family(&mut random);
    let env = FakeEnv::new(seed);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", &family)], 1);
    f.engine.set_compactions_enabled(false);
    let cells = 10 + random.below(60);
    let flush_one_in = 2 + random.below(20);
    write(&f, &env, &mut random, cells, flush_one_in);
    for _ in 0..60 {
        let spec = spec(&mut random, env.now_millis(), cells);
        let merged = f.scan(&spec);
        let what = format!("seed {seed}, {family}, {spec:?}");
        assert_eq!(f.get(&spec), merged, "{what}");
        let mut out = Vec::new();
        f.region.get(&spec.clone().with(EXISTENCE_ONLY).encode(), &mut out).unwrap();
        let exists = u32::from_le_bytes(out[..4].try_into().unwrap());
        assert_eq!(exists, u32::from(!merged.is_empty()), "{what}");
    }
}

#[test]
fn gets_answer_what_a_merge_of_all_files_does() {
    let first_seed = u64::from(std::process::id()) * 1000;
    eprintln!("seeds from {first_seed}");
    (first_seed..first_seed + 400).for_each(check);
}
