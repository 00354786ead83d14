//! A table's own limits go before the engine's.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start_in};

const FAR_FUTURE: i64 = 1 << 60;

/// The region once more, with limits of its own.
fn reopen(fixture: &mut Fixture, limits: &str) {
    fixture.region.close(false).unwrap();
    let json = fixture.open_json.replacen('{', &format!("{{\"limits\":{limits},"), 1);
    fixture.region = fixture.engine.open_region(&json).unwrap();
}

fn answer(fixture: &Fixture, cell: Cell) -> Answer {
    fixture.mutate(&Batch::new().row_op(RowOp::put(&[cell]))).remove(0)
}

fn large() -> Cell {
    Cell::put("r", "f", "q", 1, vec![7; 2000])
}

fn kind(answer: &Answer) -> Option<u8> {
    match answer {
        Answer::Failed(kind, _) => Some(*kind),
        _ => None,
    }
}

#[test]
fn the_size_of_cells() {
    let config = r#"{"maxCellBytes":1000}"#;
    let mut fixture = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    assert_eq!(kind(&answer(&fixture, large())), Some(ErrorKind::BadRequest as u8));
    reopen(&mut fixture, r#"{"maxCellBytes":3000}"#);
    assert_eq!(answer(&fixture, large()), Answer::Done);
    reopen(&mut fixture, r#"{"maxCellBytes":0}"#);
    assert_eq!(answer(&fixture, large()), Answer::Done);
    reopen(&mut fixture, r#"{"maxCellBytes":500}"#);
    assert_eq!(kind(&answer(&fixture, large())), Some(ErrorKind::BadRequest as u8));
    reopen(&mut fixture, "{}");
    assert_eq!(kind(&answer(&fixture, large())), Some(ErrorKind::BadRequest as u8));
}

#[test]
fn the_size_of_rows_of_a_family() {
    let families = [("f", "\"maxVersions\":1,\"maxRowBytes\":1000"), ("g", "")];
    let fixture = start_in(Arc::new(FakeEnv::new(1)), r#"{"maxRowBytes":5000}"#, &families, 1);
    let put = |row: &str, family: &str, columns: usize| {
        for column in 0..columns {
            let cell = Cell::put(row, family, &format!("q{column}"), 1, vec![7; 400]);
            assert_eq!(answer(&fixture, cell), Answer::Done);
        }
    };
    put("small", "f", 1);
    put("small", "g", 3);
    put("wide f", "f", 3);
    put("wide g", "g", 13);
    let cells = |spec: Spec| {
        let out = fixture.region.get(&spec.encode(), &mut Vec::new());
        out.map(|_| ()).map_err(|e| e.kind)
    };
    let of = |row: &str, family: &str| {
        let mut spec = Spec::get(row);
        spec.families.insert(family.into(), Vec::new());
        spec
    };
    for flushed in [false, true] {
        if flushed {
            fixture.region.flush().unwrap();
        }
        assert_eq!(cells(Spec::get("small")), Ok(()));
        assert_eq!(cells(of("wide f", "g")), Ok(()));
        for too_big in [Spec::get("wide f"), of("wide f", "f"), Spec::get("wide g")] {
            assert_eq!(cells(too_big), Err(ErrorKind::RowTooBig), "flushed: {flushed}");
        }
    }
}

#[test]
fn timestamps_of_the_future() {
    let mut fixture = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", "")], 1);
    let late = || Cell::put("r", "f", "q", FAR_FUTURE, "v");
    assert_eq!(answer(&fixture, late()), Answer::Done);
    reopen(&mut fixture, r#"{"timestampSlopMillis":1000}"#);
    assert_eq!(kind(&answer(&fixture, late())), Some(ErrorKind::Sanity as u8));
}
