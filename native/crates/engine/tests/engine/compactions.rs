//! Compactions as a server runs them: what may run, what is held back, and what is said about it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::events::Topic;
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

use crate::common::{self, Fixture, start_in, until};

const OFF: &str = "{\"compactions\":false}";
/// A file that was written, some kilobytes, is waited for by the next compaction, for minutes.
const SLOW: &str = "{\"compactionBytesPerSecond\":100}";

fn family(compaction: &str) -> String {
    format!("\"maxVersions\":1,\"compaction\":{{{compaction}}}")
}

/// Flushes a few files of one cell each.
fn flush_files(f: &Fixture, files: u32) {
    for n in 0..files {
        f.put(Cell::put(&format!("row{n}"), "f", "q", i64::from(n) + 1, "v"));
        f.region.flush_and_compact().unwrap();
    }
}

fn stats(f: &Fixture) -> Value {
    serde_json::from_str(&f.region.stats().to_string()).unwrap()
}

fn files(f: &Fixture) -> u64 {
    stats(f)["storeFileCount"].as_u64().unwrap()
}

fn metric(f: &Fixture, name: &str) -> u64 {
    let metrics: Value = serde_json::from_str(&f.engine.metrics_json()).unwrap();
    metrics[format!("engine.{name}")].as_u64().unwrap()
}

fn state(f: &Fixture) -> String {
    ["NONE", "MINOR", "MAJOR", "MAJOR_AND_MINOR"]
        .get(usize::try_from(stats(f)["compactionState"].as_u64().unwrap()).unwrap())
        .unwrap()
        .to_string()
}

fn await_text(f: &Fixture, topic: Topic, part: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let events = f.engine.poll_events(Duration::from_millis(50)).unwrap();
        if let Some(event) = events.into_iter().find(|e| e.topic == topic && e.text.contains(part)) {
            return event.text;
        }
        assert!(Instant::now() < deadline, "no event says {part:?}");
    }
}

#[test]
fn a_switch_stops_all_compactions_and_brings_them_back() {
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", &family(""))], 1);
    assert!(f.engine.set_compactions_enabled(false));
    assert!(!f.engine.set_compactions_enabled(false));
    flush_files(&f, 4);
    f.region.compact("{\"major\":true}").unwrap();
    await_text(&f, Topic::Compaction, "is not done: compactions are switched off");
    assert_eq!((state(&f).as_str(), files(&f)), ("NONE", 4), "as in HBase, a request is not remembered");
    assert!(!f.engine.set_compactions_enabled(true));
    until("the compaction of four small files", || files(&f) == 1);
}

#[test]
fn a_table_may_have_no_compactions() {
    let env = Arc::new(FakeEnv::new(1));
    let f = start_in(env, "{}", &[("f", &family(""))], 1);
    f.region.close(false).unwrap();
    let json = f.open_json.replace("\"durability\":3", "\"durability\":3,\"compactionEnabled\":false");
    let region = f.engine.open_region(&json).unwrap();
    let f = Fixture { region, ..f };
    flush_files(&f, 4);
    f.region.compact("{\"major\":true}").unwrap();
    await_text(&f, Topic::Compaction, "is not done");
    assert_eq!((state(&f).as_str(), files(&f)), ("NONE", 4));
}

#[test]
fn a_flush_that_a_procedure_asks_for_starts_no_compaction() {
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", &family("\"filesMin\":2"))], 1);
    until("the look that an opening asks for", || metric(&f, "compaction.look_queue_length") == 0);
    for n in 0..6 {
        f.put(Cell::put(&format!("row{n}"), "f", "q", 1, "v"));
        f.region.flush().unwrap();
    }
    assert_eq!((state(&f).as_str(), files(&f)), ("NONE", 6));
    f.put(Cell::put("row6", "f", "q", 1, "v"));
    f.region.flush_and_compact().unwrap();
    until("the compaction of all files", || files(&f) == 1);
    let done = || metric(&f, "compaction.major.count") + metric(&f, "compaction.minor.count");
    until("its count, which comes after its file", || done() > 0);
    assert_eq!(done(), 1);
}

#[test]
fn the_state_is_told_from_the_request_to_the_end() {
    for request in ["{\"major\":true}", "{}"] {
        let families = [("f", family("\"filesMin\":2")), ("g", family("\"filesMin\":2"))];
        let families: Vec<(&str, &str)> =
            families.iter().map(|(name, rest)| (*name, rest.as_str())).collect();
        let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &families, 1);
        assert_eq!(state(&f), "NONE");
        for n in 1..=2 {
            f.put(Cell::put("row", "f", "q", n, "v"));
            f.region.flush().unwrap(); // which wants no compaction: the one that is asked for must find both files
        }
        f.region.compact(request).unwrap();
        until("the compaction", || files(&f) == 1);
        // One of all files is a major one, whatever was asked for. The other store may not have been looked at yet.
        let told = state(&f);
        assert!(told.starts_with("MAJOR"), "{request}: {told}");
        f.env.pause_millis(1_000);
        until("the end", || state(&f) == "NONE" && files(&f) == 1);
        assert_eq!((&stats(&f)["compactingCells"], &stats(&f)["compactedCells"]), (&0.into(), &0.into()));
    }
}

#[test]
fn the_time_of_the_last_major_compaction_is_told() {
    let f = start_in(Arc::new(FakeEnv::new(1)), OFF, &[("f", &family(""))], 1);
    flush_files(&f, 2);
    assert_eq!(stats(&f)["lastMajorMillis"], 0);
    f.engine.set_compactions_enabled(true);
    f.region.compact("{\"major\":true}").unwrap();
    until("the compaction", || files(&f) == 1);
    assert_eq!(stats(&f)["lastMajorMillis"], f.env.now_millis());
}

#[test]
fn figures_that_make_no_sense_are_refused() {
    let f = start_in(Arc::new(FakeEnv::new(1)), OFF, &[("f", &family(""))], 1);
    for wrong in
        ["\"filesMin\":1", "\"filesMin\":5,\"filesMax\":4", "\"ratio\":0", "\"majorJitter\":2", "\"files\":3"]
    {
        f.region.close(false).unwrap();
        let json = f.open_json.replace("\"compaction\":{}", &format!("\"compaction\":{{{wrong}}}"));
        assert!(f.engine.open_region(&json).is_err(), "{wrong}");
    }
}

#[test]
fn a_store_with_too_many_files_holds_its_flushes_back_until_the_wait_is_over() {
    let env = FakeEnv::new(1);
    let config = "{\"regionFlushBytes\":1,\"blockingWaitMillis\":90000}";
    // Nothing is ever merged: a compaction would need more files than there are.
    let policy = family("\"filesMin\":9,\"filesMax\":10,\"filesBlocking\":2");
    let f = start_in(Arc::new(env.clone()), config, &[("f", &policy)], 1);
    for n in 0..3 {
        f.put(Cell::put(&format!("row{n}"), "f", "q", 1, "v"));
        until("a flush by size", || files(&f) > n);
    }
    f.put(Cell::put("row3", "f", "q", 1, "v"));
    let held = await_text(&f, Topic::Stall, "is held back for up to 90 s: store f of region ");
    assert!(held.ends_with("has 3 files, more than 2"), "{held}");
    assert_eq!(files(&f), 3);
    env.advance_millis(90_000);
    await_text(&f, Topic::Stall, "is flushed although store f of region ");
    until("the flush", || files(&f) == 4);
    f.put(Cell::put("row4", "f", "q", 1, "v"));
    await_text(&f, Topic::Stall, "is held back");
    f.region.flush().unwrap();
    assert_eq!(files(&f), 5, "a flush that was asked for waits for nothing");
}

#[test]
fn writes_to_a_store_with_too_many_files_wait_until_files_are_merged() {
    let policy = family("\"filesMin\":9,\"filesMax\":10,\"filesBlocking\":2");
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", &policy)], 1);
    flush_files(&f, 4);
    let slow = await_text(&f, Topic::Stall, "are slowed down to ");
    assert!(slow.contains("MB/s: store f of region ") && slow.ends_with(" files, more than 2"), "{slow}");
    let large = "v".repeat(64 << 10);
    f.put(Cell::put("row", "f", "q", 9, &large));
    assert_eq!(metric(&f, "memstore.delayed_writes"), 1, "64 KB are worth a millisecond and more");
    f.region.compact("{\"major\":true}").unwrap();
    await_text(&f, Topic::Stall, "flow again: no store has too many files");
    f.put(Cell::put("row", "f", "q", 10, &large));
    assert_eq!(metric(&f, "memstore.delayed_writes"), 1);
}

#[test]
fn small_files_are_merged_while_a_large_compaction_runs() {
    let policy = family("\"filesMin\":2,\"bytesMin\":0,\"bytesLarge\":0");
    let f = start_in(Arc::new(FakeEnv::new(1)), SLOW, &[("f", &policy), ("g", &family("\"filesMin\":2"))], 1);
    f.engine.set_compactions_enabled(false);
    for n in 0..2 {
        f.put(Cell::put("row", "g", "q", n, "v"));
        f.region.flush_and_compact().unwrap();
    }
    f.engine.set_compactions_enabled(true);
    until("a compaction whose bytes the next ones wait for", || files(&f) == 1);
    flush_files(&f, 2);
    f.region.compact("{}").unwrap();
    until("the large compaction", || state(&f) == "MAJOR");
    for n in 3..5 {
        f.put(Cell::put(&format!("row{n}"), "f", "q", 1, "v"));
        f.region.flush_and_compact().unwrap();
    }
    f.region.compact("{}").unwrap();
    until("the other one", || {
        metric(&f, "compaction.large_queue_length") == 1 || state(&f) == "MAJOR_AND_MINOR"
    });
    assert_eq!(f.scan(&Spec::scan()).len(), 5);
    f.region.close(false).unwrap();
}

#[test]
fn closing_a_region_gives_up_what_runs_and_what_waits() {
    let f = start_in(Arc::new(FakeEnv::new(1)), SLOW, &[("f", &family("\"filesMin\":2"))], 1);
    f.engine.set_compactions_enabled(false);
    flush_files(&f, 3);
    f.engine.set_compactions_enabled(true);
    f.region.close(false).unwrap();
    assert_eq!(state(&f), "NONE");
    let again = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(common::scan_all(&again, &Spec::scan()).len(), 3);
}

#[test]
fn what_one_compaction_writes_the_next_one_waits_for() {
    let policy = family("\"filesMin\":2");
    let f = start_in(Arc::new(FakeEnv::new(1)), SLOW, &[("f", &policy), ("g", &policy)], 1);
    flush_files(&f, 2);
    f.region.compact("{}").unwrap();
    until("the first compaction, which writes at its end", || files(&f) == 1);
    f.env.pause_millis(1_000);
    until("the end of its state", || state(&f) == "NONE");
    for n in 0..2 {
        f.put(Cell::put("row", "g", "q", n, "v"));
        f.region.flush_and_compact().unwrap();
    }
    f.region.compact("{}").unwrap();
    until("the second compaction", || state(&f) == "MAJOR");
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(
            (state(&f).as_str(), files(&f)),
            ("MAJOR", 3),
            "the bytes of the first are not paid for yet"
        );
    }
    assert_eq!((&stats(&f)["compactingCells"], &stats(&f)["compactedCells"]), (&2.into(), &2.into()));
    f.region.close(false).unwrap(); // which does not wait for the budget
}

/// A page that cannot be read stops nothing but what needs it.
#[test]
fn what_cannot_be_read_is_said_once_and_compactions_go_round_it() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", &family("\"filesMin\":3,\"filesBlocking\":3"))], 1);
    f.engine.set_compactions_enabled(false);
    let column_files = || -> Vec<_> {
        env.files().into_iter().filter(|path| path.parent().is_some_and(|dir| dir.ends_with("f"))).collect()
    };
    flush_files(&f, 1);
    let old = column_files();
    f.put(Cell::put("row9", "f", "q", 1, "v"));
    f.region.flush().unwrap();
    let damaged = column_files().into_iter().find(|path| !old.contains(path)).unwrap();
    flush_files(&f, 4);
    env.flip(&damaged, 30).unwrap(); // in the body of its first page
    f.engine.set_compactions_enabled(true);
    let name = damaged.file_name().unwrap().to_str().unwrap().to_string();
    let said = await_text(&f, Topic::Compaction, &format!("leave file {name} alone from now on"));
    assert!(said.contains("is corrupt in the page"), "{said}");
    until("the files beside it are merged", || files(&f) == 3);
    for _ in 0..3 {
        flush_files(&f, 3);
        until("new files are merged", || files(&f) <= 4);
    }
    f.region.compact("{\"major\":true}").unwrap();
    until("no more than the files beside it are merged", || files(&f) == 3);
    assert_eq!((metric(&f, "compaction.failed_count"), metric(&f, "compaction.damaged_inputs")), (1, 1));
    let events = f.engine.poll_events(Duration::ZERO).unwrap();
    assert!(events.iter().all(|e| !e.text.contains(&name) && !e.text.contains("slowed down")), "{events:?}");
}

/// A row is collected before it is written: one of many gigabytes would end the process, again and again.
#[test]
fn a_row_too_large_to_collect_is_left_alone_and_said() {
    let config = "{\"compactionRowBytesMax\":20000}";
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", &family("\"filesMin\":3"))], 1);
    f.engine.set_compactions_enabled(false);
    for n in 0..3u32 {
        let cell = |i: u32| Cell::put("large", "f", &format!("q{n}{i:02}"), 1, common::noise(n * 100 + i));
        let cells: Vec<Cell> = (0..9 + n).map(cell).collect();
        f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
        f.region.flush().unwrap();
    }
    f.engine.set_compactions_enabled(true);
    await_text(&f, Topic::Compaction, "row large has more than 19.5 KB in the inputs");
    flush_files(&f, 3);
    until("the small files are merged", || files(&f) < 6);
    assert_eq!(metric(&f, "compaction.large_row_inputs"), 1);
    assert_eq!(f.get(&Spec::get("large")).len(), 30);
    assert!(f.scan(&Spec::scan()).len() > 30);
}
