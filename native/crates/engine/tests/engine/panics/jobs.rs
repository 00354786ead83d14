//! Jobs that the master orders, and that a thread of the server runs: each panics once, at each of its steps in turn. The boundary to Java
//! makes an error of a panic that comes that far (`jni-bridge`), which [`caught`] stands for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::Result;
use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::json;

use super::panicking::{PanickingEnv, Step};
use super::{put, start};
use crate::common::external::{file_of, hex};
use crate::common::{self, Fixture, REGION, start_in, until};

pub(super) const FAMILIES: [(&str, &str); 2] = [("f", ""), ("g", "")];
pub(super) const ROWS: u32 = 4;
/// No job here has as many steps.
const STEPS_MAX: u64 = 2_000;

/// What a thread of the server gets of a job: its outcome, or `None` when it has panicked.
fn caught<T>(job: impl FnOnce() -> Result<T>) -> Option<Result<T>> {
    catch_unwind(AssertUnwindSafe(job)).ok()
}

/// Runs a test that arms its environment to panic after 0, 1, 2 … steps, until it says that the job was over before.
pub(super) fn at_each_step(mut test: impl FnMut(u64) -> bool) {
    let steps = (0..STEPS_MAX).find(|steps| !test(*steps)).expect("a job has an end");
    assert!(steps > 4, "a job of {steps} steps shows nothing");
}

/// The region takes writes, flushes, compacts and closes, and has the rows that it should have; the engine stops.
pub(super) fn works(env: &PanickingEnv, f: Fixture, rows: u32) {
    put(&f, 1_000);
    f.region.flush().unwrap();
    let majors = f.metric("compaction.major.count");
    f.region.compact("{\"major\":true}").unwrap();
    until("a compaction", || {
        env.env.advance_millis(61_000);
        f.metric("compaction.major.count") >= majors + 2
    });
    // What was moved in and never shown would come back with the next open, without the markers that hide it.
    until("one file of each family", || {
        let dir = |family| PathBuf::from(format!("/h/data/default/t/{REGION}/{family}"));
        ["f", "g"].iter().all(|family| f.env.list(&dir(family)).unwrap().len() == 1)
    });
    assert_eq!(f.scan(&Spec::scan().column("f", "q")).len(), rows as usize + 1);
    f.region.close(false).unwrap();
    assert_eq!(f.metric("memstore.bytes"), 0);
    f.engine.close().unwrap();
}

/// A server that has written rows and died with them in its log.
fn dead_server() -> FakeEnv {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{\"walSync\":\"fsync\"}", &FAMILIES, 1);
    (0..ROWS).for_each(|n| put(&f, n));
    let one = Cell::put(&common::row(0), "f", "n", i64::MAX, 1i64.to_be_bytes());
    f.mutate(&Batch::new().row_op(RowOp::increment(7, &[one])));
    f.region.close(true).unwrap();
    drop(f);
    env.crash_machine();
    env
}

/// The next server on it, with its log but without the region.
pub(super) fn next_server(env: &PanickingEnv) -> Arc<Engine> {
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
    engine
}

pub(super) fn split_log(engine: &Engine, env: &FakeEnv) -> Result<()> {
    for segment in env.list(Path::new("/h/WALs/s1")).unwrap() {
        engine.split_wal(
            &json!({"wal": format!("/h/WALs/s1/{}", segment.name), "rootDir": "/h"}).to_string(),
        )?;
    }
    Ok(())
}

pub(super) fn opened(env: &PanickingEnv, engine: Arc<Engine>) -> Fixture {
    let region = engine.open_region(&request()).unwrap();
    Fixture { env: Arc::new(env.clone()), engine, region, open_json: request() }
}

fn request() -> String {
    open_region_json("/h", REGION, &FAMILIES)
}

#[test]
fn a_split_of_a_log_that_panics_is_done_again() {
    at_each_step(|steps| {
        let env = PanickingEnv::over(dead_server(), "panics::jobs::a_split", Step::Any);
        let engine = next_server(&env);
        env.arm_after(steps);
        let first = caught(|| split_log(&engine, &env.env));
        let panicked = env.is_spent();
        env.disarm();
        match first {
            None => split_log(&engine, &env.env).unwrap(),
            Some(outcome) => outcome.unwrap(),
        }
        works(&env, opened(&env, engine), ROWS);
        panicked
    });
}

#[test]
fn an_open_that_panics_is_done_again_and_keeps_no_memory() {
    at_each_step(|steps| {
        let env = PanickingEnv::over(dead_server(), "panics::jobs::an_open", Step::Any);
        let engine = next_server(&env);
        split_log(&engine, &env.env).unwrap();
        env.arm_after(steps);
        let first = caught(|| engine.open_region(&request()));
        let panicked = env.is_spent();
        env.disarm();
        if let Some(Ok(region)) = first {
            assert!(!panicked, "after {steps} steps: an open that has panicked is none");
            region.close(false).unwrap();
        } else {
            assert!(panicked, "after {steps} steps");
            assert_eq!(common::metric(&engine, "nonces.count"), 0, "after {steps} steps");
            assert_eq!(common::metric(&engine, "memstore.bytes"), 0, "after {steps} steps");
        }
        works(&env, opened(&env, engine), ROWS);
        panicked
    });
}

#[test]
fn a_list_for_a_snapshot_that_panics_is_made_again() {
    at_each_step(|steps| {
        let env = PanickingEnv::new("panics::jobs::a_list", Step::Any);
        let f = start(&env, "{}");
        (0..ROWS).for_each(|n| put(&f, n));
        env.arm_after(steps);
        let first = caught(|| f.region.snapshot_files(true));
        let panicked = env.is_spent();
        env.disarm();
        let listed_all = matches!(first, Some(Ok(_)));
        assert!(!(panicked && listed_all), "after {steps} steps: a list of a flush that has failed");
        let listed = f.region.snapshot_files(true).unwrap();
        assert_eq!(f.metric("memstore.bytes"), 0, "after {steps} steps");
        let dir = PathBuf::from(format!("/h/data/default/t/{REGION}/f"));
        let files = f.env.list(&dir).unwrap();
        assert!(files.iter().any(|file| listed.contains(&file.name)), "{listed} {files:?}");
        works(&env, f, ROWS);
        panicked
    });
}

/// With one family its flush is the work of this thread alone, so that each of its steps has its turn.
#[test]
fn a_list_that_panics_leaves_no_file_that_the_store_does_not_know() {
    at_each_step(|steps| {
        let env = PanickingEnv::new("panics::jobs::a_list", Step::Any);
        let f = start_in(Arc::new(env.clone()), "{}", &FAMILIES[..1], 1);
        f.put(Cell::put("r", "f", "q", 1, "v"));
        env.arm_after(steps);
        drop(caught(|| f.region.snapshot_files(true)));
        let panicked = env.is_spent();
        env.disarm();
        let listed = f.region.snapshot_files(true).unwrap();
        let files = f.env.list(Path::new(&format!("/h/data/default/t/{REGION}/f"))).unwrap();
        let unknown: Vec<_> = files.iter().filter(|file| !listed.contains(&file.name)).collect();
        assert!(unknown.is_empty(), "after {steps} steps: {unknown:?}");
        panicked
    });
}

/// Behind the end record of a segment nothing is read, so nothing may be acknowledged there.
#[test]
fn a_roll_of_the_log_that_panics_loses_nothing() {
    for kind in FakeKind::ALL {
        at_each_step(|steps| {
            let env = PanickingEnv::over(FakeEnv::of(kind, 1), "panics::jobs::a_roll", Step::AnyOrLog);
            let f = start_in(Arc::new(env.clone()), "{\"walSync\":\"fsync\"}", &FAMILIES, 1);
            (1..ROWS).for_each(|n| put(&f, n));
            env.arm_after(steps);
            drop(caught(|| f.engine.roll_wal()));
            let panicked = env.is_spent();
            env.disarm();
            let goes_on = f.engine.log_failure().is_none();
            assert!(panicked || goes_on, "after {steps} steps: a roll that is over has ended the log");
            if goes_on {
                put(&f, 0);
            }
            f.region.close(true).unwrap();
            drop(f);
            env.env.crash_machine();
            let next = next_server(&env);
            split_log(&next, &env.env).unwrap();
            works(&env, opened(&env, next), ROWS - u32::from(!goes_on));
            panicked
        });
    }
}

/// Column files of a job, one for each family, and the request that loads them.
fn external_files(env: &FakeEnv) -> String {
    let files = FAMILIES.map(|(family, _)| {
        let cells: Vec<Cell> =
            (0..ROWS).map(|n| Cell::put(&common::row(n), family, "q", 1, common::noise(n))).collect();
        let path = PathBuf::from(format!("/out/{family}/file"));
        env.mkdir_durably(path.parent().unwrap()).unwrap();
        let mut file = env.create(&path).unwrap();
        file.append(&file_of(family, &cells)).unwrap();
        file.close().unwrap();
        json!({"family": hex(family), "path": path, "name": format!("{:0>32}", hex(family))})
    });
    json!({"files": files, "copy": false, "verify": true}).to_string()
}

#[test]
fn a_bulk_load_that_panics_is_all_or_nothing_and_can_be_done_again() {
    at_each_step(|steps| {
        let env = PanickingEnv::new("panics::jobs::a_bulk", Step::Any);
        let mut f = start(&env, "{}");
        put(&f, 500);
        let request = external_files(&env.env);
        let load = |f: &Fixture| -> Result<String> { f.region.load_files(&request, &|| Ok(())) };
        env.arm_after(steps);
        let first = caught(|| load(&f));
        let panicked = env.is_spent();
        env.disarm();
        let rows = ["f", "g"].map(|family| f.scan(&Spec::scan().column(family, "q")).len());
        let (nothing, all) = ([1; 2], [ROWS as usize + 1; 2]);
        assert!(rows == nothing || rows == all, "after {steps} steps: {rows:?}");
        // One that panics behind the load is an error, and its repetition finds all done.
        assert!(rows == all || !matches!(first, Some(Ok(_))), "after {steps} steps: {first:?}");
        if let Err(e) = load(&f) {
            // It was done when it panicked, and is shown from the next open on.
            assert!(e.message.contains("opened again"), "after {steps} steps: {e}");
            f.region.close(false).unwrap();
            f.region = f.engine.open_region(&f.open_json).unwrap();
            load(&f).unwrap();
        }
        works(&env, f, ROWS + 1);
        panicked
    });
}
