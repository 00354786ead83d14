//! What the engine says about its background work.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::ErrorKind;
use grampus_base::events::{Event, Level, Topic};
use grampus_engine::Engine;
use grampus_env::{FakeEnv, Faults};
use grampus_testkit::wire::Cell;

use crate::common::{self, start};

/// Polls until an event of the topic comes.
fn await_event(engine: &Engine, topic: Topic) -> Event {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let events = engine.poll_events(Duration::from_millis(100)).unwrap();
        if let Some(event) = events.into_iter().find(|e| e.topic == topic) {
            return event;
        }
        assert!(Instant::now() < deadline, "no {topic:?} event came");
    }
}

fn assert_says(event: &Event, parts: &[&str]) {
    for part in parts {
        assert!(event.text.contains(part), "{part:?} is not in {:?}", event.text);
    }
}

#[test]
fn a_flush_and_a_compaction_say_what_why_and_how_much() {
    let f = start(&[("f", ""), ("g", "")]);
    for round in 0..2 {
        f.put(Cell::put("a", "f", "q", round, "1"));
        f.put(Cell::put("b", "f", "q", round, "1"));
        f.region.flush().unwrap();
    }
    let flushed = await_event(&f.engine, Topic::Flush);
    assert_eq!(flushed.level, Level::Info);
    let region = format!("flushed region {} of t in ", common::REGION);
    assert_says(&flushed, &[&region, "because it was asked for: f: 2 cells, ", "-> 2 rows, 2 cells, "]);
    assert_says(&flushed, &[" in file ", "all up to sequence id "]);
    assert!(!flushed.text.contains(" g:"), "an empty family has nothing to say: {}", flushed.text);

    f.region.compact("{\"major\":true}").unwrap();
    let compacted = await_event(&f.engine, Topic::Compaction);
    assert_eq!(compacted.level, Level::Info);
    let store = format!("compacted store f of region {} of t in ", common::REGION);
    assert_says(
        &compacted,
        &[&store, "(major: a major compaction of all 2 files was asked for): 4 rows, 4 cells, "],
    );
    let family = format!("/h/data/default/t/{}/f", common::REGION);
    let files = f.env.list(Path::new(&family)).unwrap();
    assert_says(&compacted, &["in 2 files [", "-> 2 rows, 2 cells, ", &format!("in file {}", files[0].name)]);
}

#[test]
fn a_failed_compaction_warns_and_is_tried_again() {
    let env = FakeEnv::new(1);
    let f = common::start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    for round in 0..2 {
        f.put(Cell::put("a", "f", "q", round, "1"));
        f.region.flush().unwrap();
    }
    env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
    f.region.compact("{\"major\":true}").unwrap();
    let failed = await_event(&f.engine, Topic::Compaction);
    assert_eq!(failed.level, Level::Warn);
    assert_says(&failed, &["compaction of store f of region ", "(major: ", " failed after "]);
    assert_says(&failed, &["/.tmp/f/", "no space"]);
    assert_says(&failed, &["its files stay as they are, the next attempt follows in 2 s"]);

    env.set_faults(Faults::default());
    env.advance_millis(2_000);
    let compacted = await_event(&f.engine, Topic::Compaction);
    assert_eq!(compacted.level, Level::Info);
    assert_says(&compacted, &["(major: a major compaction of all 2 files was asked for)"]);
}

#[test]
fn a_failed_flush_warns_and_is_tried_again() {
    let env = FakeEnv::new(1);
    let f = common::start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.put(Cell::put("a", "f", "q", 1, "1"));
    env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
    assert_eq!(f.region.flush().unwrap_err().kind, ErrorKind::Io);
    let failed = await_event(&f.engine, Topic::Flush);
    assert_eq!(failed.level, Level::Warn);
    assert_says(&failed, &["because it was asked for failed after ", "the next attempt follows in 2 s"]);
    assert_says(&failed, &["/.tmp/f/", "no space"]);

    env.set_faults(Faults::default());
    env.advance_millis(2_000);
    let flushed = await_event(&f.engine, Topic::Flush);
    assert_eq!(flushed.level, Level::Info);
    assert_says(&flushed, &["because the last flush failed: f: 1 cell, "]);
}

#[test]
fn an_open_says_what_it_found_besides_the_files() {
    let f = start(&[("f", "")]);
    f.region.close(false).unwrap();
    let dir = format!("/h/data/default/t/{}/f", common::REGION);
    f.env.create(&Path::new(&dir).join("not a store file")).unwrap().sync().unwrap();
    f.engine.open_region(&f.open_json).unwrap();
    let found = await_event(&f.engine, Topic::Open);
    assert_eq!(found.level, Level::Warn);
    assert_says(&found, &["store f of region ", "left alone; move them away: not a store file"]);
}

#[test]
fn a_closed_engine_has_said_everything() {
    let f = start(&[("f", "")]);
    f.put(Cell::put("a", "f", "q", 1, "1"));
    f.region.close(false).unwrap();
    f.engine.close().unwrap();
    let last = f.engine.poll_events(Duration::from_secs(60)).unwrap();
    assert!(last.iter().any(|e| e.text.contains("because it closes")), "{last:?}");
    assert_eq!(f.engine.poll_events(Duration::from_secs(60)), None);
}
