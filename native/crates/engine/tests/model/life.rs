//! What happens to a region in its life: compactions, reopenings, the passing of time, crashes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv, Faults};
use grampus_testkit::wire::open_region_json;

use crate::common::REGION;
use crate::world::World;

impl World {
    pub(crate) fn compact(&mut self) {
        let major = self.random.one_in(2);
        self.region.compact(&format!("{{\"major\":{major}}}")).unwrap();
        if self.random.one_in(2) {
            let deadline = Instant::now() + Duration::from_secs(10);
            while !self.region.stats().to_string().contains("\"compactingCells\":0")
                && Instant::now() < deadline
            {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// A write whose group the log has to write once more, because the segment fails before it is acknowledged.
    pub(crate) fn write_over_a_break(&mut self) {
        // With this setting nothing is flushed in the background, so that no other file meets the fault.
        if self.config.contains("fsync") {
            let failing_flushes = 1 + self.random.below(2);
            self.env.set_faults(Faults { fail_flush_in: Some(0), failing_flushes, ..Faults::default() });
        }
        if self.random.one_in(2) {
            self.put()
        } else {
            self.modify()
        }
        self.env.set_faults(Faults::default());
    }

    pub(crate) fn reopen(&mut self) {
        self.pinned = None;
        self.region.close(false).unwrap();
        self.region = self.engine.open_region(&open_json(&self.families)).unwrap();
    }

    /// Time passes, but not beyond the timestamps.
    pub(crate) fn tick(&mut self) {
        let seconds = (self.stamp - self.env.now_millis()).max(0) as u64 / 1000;
        self.env.advance_millis(1000 * self.random.below(seconds + 1) as i64);
    }

    /// The process, or with an fsync at each write also the machine, dies; another server recovers the region.
    pub(crate) fn crash(&mut self) {
        self.pinned = None;
        let fsync = self.config.contains("fsync");
        // What the dead process still does must not reach the new one's files.
        self.region.close(true).unwrap();
        let old = format!("/h/WALs/s{}", self.generation);
        if fsync && self.random.one_in(2) {
            self.env.crash_machine();
        } else {
            self.env.crash_process();
        }
        drop(self.engine.close());
        self.generation += 1;
        let splitter = Engine::open_in(Arc::new(self.env.clone()), "{}").unwrap();
        for segment in self.env.list(std::path::Path::new(&old)).unwrap_or_default() {
            splitter
                .split_wal(&format!("{{\"wal\":\"{old}/{}\",\"rootDir\":\"/h\"}}", segment.name))
                .unwrap();
        }
        splitter.close().unwrap();
        (self.engine, self.region) = open(&self.env, self.config, self.generation, &self.families);
    }
}

pub(crate) fn open_json(families: &[(&str, String)]) -> String {
    let families: Vec<(&str, &str)> = families.iter().map(|(name, json)| (*name, json.as_str())).collect();
    open_region_json("/h", REGION, &families)
}

/// Opens an engine with its region.
pub(crate) fn open(
    env: &FakeEnv,
    config: &str,
    generation: u32,
    families: &[(&str, String)],
) -> (Arc<Engine>, Arc<Region>) {
    let engine = Engine::open_in(Arc::new(env.clone()), config).unwrap();
    engine.start_wal(&format!("/h/WALs/s{generation}"), "/h/oldWALs", "s").unwrap();
    let region = engine.open_region(&open_json(families)).unwrap();
    (engine, region)
}
