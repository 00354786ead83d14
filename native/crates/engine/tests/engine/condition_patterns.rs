//! The patterns of a condition are compiled before its rows are locked: that may take as long as a search.

use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};

use grampus_engine::{Engine, MutateStatus, Region};
use grampus_env::{Env, FakeEnv};
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, bytes};
use parking_lot::Mutex;
use serde_json::json;

use crate::common::external::{file_of, hex};
use crate::common::{Fixture, start_in};

/// What happens to the region while a condition is evaluated.
#[derive(Default)]
struct Beside {
    region: OnceLock<Weak<Region>>,
    /// Whether the condition's row was free while each pattern was compiled.
    row_was_free: Mutex<Vec<bool>>,
    /// A load that is ordered while the next value is searched.
    load: Mutex<Option<String>>,
}

impl Beside {
    fn region(&self) -> Arc<Region> {
        self.region.get().unwrap().upgrade().unwrap()
    }
}

/// Compiles patterns that occur everywhere.
struct Compiler(Arc<Beside>);

impl PatternCompiler for Compiler {
    fn compile(&self, _: &PatternSource) -> grampus_base::Result<Box<dyn CompiledPattern>> {
        let put = RowOp::put(&[Cell::put("r", "f", "other", 1, "v")]);
        let mut batch = Batch::new().row_op(put);
        batch.non_blocking = true;
        let status = self.0.region().mutate(&batch.ops(), &batch.cells, 0, &mut Vec::new())?;
        self.0.row_was_free.lock().push(status != MutateStatus::WouldBlock);
        Ok(Box::new(Compiler(Arc::clone(&self.0))))
    }
}

impl CompiledPattern for Compiler {
    fn find(&self, _: &[u8]) -> grampus_base::Result<bool> {
        if let Some(load) = self.0.load.lock().take() {
            self.0.region().load_files(&load, &|| Ok(()))?;
        }
        Ok(true)
    }
}

/// ValueFilter with a pattern that the engine leaves to its compiler, as a condition.
fn condition() -> Vec<u8> {
    let mut filter = vec![4, 2, 8];
    bytes(&mut filter, b"(v)\\1");
    filter.extend(0u32.to_le_bytes());
    bytes(&mut filter, b"UTF-8");
    filter.push(0);
    let mut condition = vec![2];
    bytes(&mut condition, &filter);
    condition.extend(0i64.to_le_bytes());
    condition.extend(i64::MAX.to_le_bytes());
    condition
}

fn fixture(beside: &Arc<Beside>) -> Fixture {
    let env = FakeEnv::new(1);
    let mut f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    f.engine = Engine::open_with(Arc::new(env), Arc::new(Compiler(Arc::clone(beside))), "{}").unwrap();
    f.engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    beside.region.set(Arc::downgrade(&f.region)).unwrap();
    f
}

fn order(env: &dyn Env) -> String {
    let path = Path::new("/out/f/1");
    env.mkdir_durably(path.parent().unwrap()).unwrap();
    let mut file = env.create(path).unwrap();
    file.append(&file_of("f", &[Cell::put("loaded", "f", "q", 1, "v")])).unwrap();
    file.close().unwrap();
    let files = json!([{"family": hex("f"), "path": path, "name": format!("{:032x}", 1)}]);
    json!({"files": files, "copy": false, "verify": true}).to_string()
}

#[test]
fn the_row_of_a_condition_is_free_while_its_pattern_is_compiled() {
    let beside = Arc::new(Beside::default());
    let f = fixture(&beside);
    f.put(Cell::put("r", "f", "q", 1, "v"));
    let put = RowOp::put(&[Cell::put("r", "f", "new", 1, "v")]);
    assert_eq!(f.mutate(&Batch::new().check("r", &condition(), vec![put])), [Answer::Done]);
    assert_eq!(*beside.row_was_free.lock(), [true]);
}

#[test]
fn it_is_free_too_while_the_condition_begins_anew_behind_a_load() {
    let beside = Arc::new(Beside::default());
    let f = fixture(&beside);
    f.put(Cell::put("r", "f", "q", 1, "v"));
    *beside.load.lock() = Some(order(&*f.env));
    let put = RowOp::put(&[Cell::put("r", "f", "new", 1, "v")]);
    assert_eq!(f.mutate(&Batch::new().check("r", &condition(), vec![put])), [Answer::Done]);
    assert_eq!(*beside.row_was_free.lock(), [true, true]);
}
