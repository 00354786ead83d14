//! Requests that are cut, flipped or random are refused or run, never a panic.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::request::Batch as DecodedBatch;
use grampus_filter::pattern::{NoPatternCompiler, PatternCompiler, PatternContext};
use grampus_store::read::ReadSpec;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes, column_condition};

use crate::common::{self, start};

fn patterns() -> PatternContext {
    let compiler: Arc<dyn PatternCompiler> = Arc::new(NoPatternCompiler);
    PatternContext::new(&compiler, true)
}

fn damaged(valid: &[u8]) -> Vec<Vec<u8>> {
    let cut = (0..valid.len()).map(|n| valid[..n].to_vec());
    let flipped = (0..valid.len() * 8).map(|bit| {
        let mut bytes = valid.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    cut.chain(flipped).collect()
}

fn batch() -> Batch {
    let cell = |q: &str| Cell::put("r", "f", q, 5, [0; 8]).ttl(1000);
    Batch::new()
        .row_op(RowOp::put(&[cell("a"), cell("b")]))
        .row_op(RowOp::increment(3, &[cell("n")]))
        .atomic("r", vec![RowOp::put(&[cell("c")]), RowOp::append(4, &[cell("d")])])
        .check(
            "r",
            &column_condition("f", "a", 2, b"x"),
            vec![RowOp::delete(&[Cell::new("r", "f", "a", 5, 8, "")])],
        )
        .multi_row(vec![RowOp::put(&[cell("e")])])
}

fn filters() -> Vec<u8> {
    let mut value = vec![4, 2, 8];
    bytes(&mut value, b"a.*b");
    value.extend(0u32.to_le_bytes());
    bytes(&mut value, b"UTF-8");
    value.push(0);
    let mut list = vec![26, 2];
    list.extend(3u32.to_le_bytes());
    list.extend([24, 25]);
    list.extend(&value);
    list.extend([19, 1]);
    list.push(22);
    list.extend(1u32.to_le_bytes());
    bytes(&mut list, b"a");
    list.push(1);
    bytes(&mut list, b"z");
    list.push(0);
    list
}

#[test]
fn mutations() {
    let f = start(&[("f", "")]);
    let batch = batch();
    assert!(DecodedBatch::decode(&batch.ops(), &batch.cells).is_ok());
    for ops in damaged(&batch.ops()) {
        let mut out = Vec::new();
        if let Err(e) = f.region.mutate(&ops, &batch.cells, 1, &mut out) {
            assert!(matches!(e.kind, ErrorKind::BadRequest), "{e}");
            assert!(out.is_empty());
        }
    }
    for cells in damaged(&batch.cells) {
        if let Err(e) = f.region.mutate(&batch.ops(), &cells, 1, &mut Vec::new()) {
            assert!(matches!(e.kind, ErrorKind::BadRequest), "{e}");
        }
    }
}

#[test]
fn read_specs_and_filters() {
    let f = start(&[("f", ""), ("g", "")]);
    f.put(Cell::put("r", "f", "q", 1, "v"));
    let spec = Spec::get("r").column("f", "q").column("g", "x").filter(filters()).encode();
    assert!(ReadSpec::decode(&spec).is_ok());
    assert!(grampus_filter::decode(&filters(), false, &patterns()).unwrap().is_some());
    for spec in damaged(&spec) {
        let _ = f.region.get(&spec, &mut Vec::new()); // refused or answered
        if let Ok(mut scanner) = f.region.open_scanner(&spec) {
            let mut info = vec![0; 1 << 17];
            let _ = scanner.next(&common::NO_LIMITS, &mut [0; 256], &mut info);
        }
    }
    for filter in damaged(&filters()) {
        let _ = grampus_filter::decode(&filter, true, &patterns());
    }
}

#[test]
fn random_bytes() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let n = random.below(60) as usize;
        let mut bytes: Vec<u8> = (0..n).map(|_| (random.bits() % 30) as u8).collect();
        let _ = grampus_filter::decode(&bytes, false, &patterns());
        if let Some(first) = bytes.first_mut() {
            *first = 1;
        }
        let _ = ReadSpec::decode(&bytes);
        let _ = DecodedBatch::decode(&bytes, &bytes);
    }
}
