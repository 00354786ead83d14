//! A pattern that flushes while a scan asks it.

use std::sync::Arc;

use grampus_engine::{Engine, Region};
use grampus_env::FakeEnv;
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use grampus_testkit::wire::{Cell, Spec, bytes};
use parking_lot::Mutex;

use super::{assert_nothing_is_pinned, rows};
use crate::common::{self, row, start_in};

struct Table {
    engine: Arc<Engine>,
    region: Arc<Region>,
}

/// A pattern that flushes the region when a scan asks it for the first time, and notes what is kept at each row.
#[derive(Clone, Default)]
struct Flushes {
    table: Arc<Mutex<Option<Table>>>,
    pinned: Arc<Mutex<Vec<u64>>>,
}

impl PatternCompiler for Flushes {
    fn compile(&self, _: &PatternSource) -> grampus_base::Result<Box<dyn CompiledPattern>> {
        Ok(Box::new(self.clone()))
    }
}

impl CompiledPattern for Flushes {
    fn find(&self, _: &[u8]) -> grampus_base::Result<bool> {
        let Some(Table { engine, region }) = &*self.table.lock() else { return Ok(true) };
        let mut pinned = self.pinned.lock();
        if pinned.is_empty() {
            region.flush()?;
        }
        pinned.push(common::metric(engine, "memstore.pinned_bytes"));
        Ok(true)
    }
}

#[test]
fn a_call_during_which_a_flush_ends_lets_go_itself() {
    for results in [1, 10] {
        let (env, flushes) = (FakeEnv::new(1), Flushes::default());
        let mut f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
        f.region.close(false).unwrap();
        f.engine = Engine::open_with(Arc::new(env), Arc::new(flushes.clone()), "{}").unwrap();
        f.engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
        f.region = f.engine.open_region(&f.open_json).unwrap();
        let cells: Vec<Cell> = (0..4).map(|n| Cell::put(&row(n), "f", "q", 1, "v")).collect();
        cells.iter().for_each(|cell| f.put(cell.clone()));
        let bytes = f.region.memtable_bytes();
        let spec = Spec::scan().filter(value_like("(v)\\1"));
        let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
        *flushes.table.lock() = Some(Table { engine: f.engine.clone(), region: f.region.clone() });
        let mut seen = rows(&mut scanner, results);
        assert_nothing_is_pinned(&f, "after the call");
        seen.extend(rows(&mut scanner, 10));
        assert_eq!(seen, cells);
        assert_eq!(*flushes.pinned.lock(), [bytes, 0, 0, 0], "of each row");
        *flushes.table.lock() = None;
    }
}

/// A ValueFilter for a pattern.
fn value_like(pattern: &str) -> Vec<u8> {
    const VALUE: u8 = 4;
    const EQUAL: u8 = 2;
    const REGEX: u8 = 8;
    let mut filter = vec![VALUE, EQUAL, REGEX];
    bytes(&mut filter, pattern.as_bytes());
    filter.extend(0u32.to_le_bytes());
    bytes(&mut filter, b"UTF-8");
    filter.push(0);
    filter
}
