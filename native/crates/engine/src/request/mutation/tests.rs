use grampus_base::from_hex;

use super::*;

/// The file that Java's side is compared with, too.
const GOLDEN: &str = include_str!("../../../../../testdata/boundary/mutation_batch.txt");

fn example(name: &str) -> Vec<u8> {
    let line = GOLDEN.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    from_hex(line.trim(), name).unwrap()
}

#[test]
fn the_codes_are_those_of_the_golden_file() {
    let codes = [
        ("flag.non_blocking", u16::from(flag::NON_BLOCKING)),
        ("flag.admitted", flag::ADMITTED.into()),
        ("flag.with_tags", flag::WITH_TAGS.into()),
        ("kind.put", kind::PUT.into()),
        ("kind.delete", kind::DELETE.into()),
        ("kind.increment", kind::INCREMENT.into()),
        ("kind.append", kind::APPEND.into()),
        ("kind.atomic_row", kind::ATOMIC_ROW.into()),
        ("kind.check", kind::CHECK.into()),
        ("kind.multi_row", kind::MULTI_ROW.into()),
        ("kind.multi_row_check", kind::MULTI_ROW_CHECK.into()),
        ("op_flag.return_result", op_flag::RETURN_RESULT),
        ("condition.column", condition::COLUMN.into()),
        ("condition.filter", condition::FILTER.into()),
        ("condition.empty", condition::EMPTY.into()),
        ("condition.compared", condition::COMPARED.into()),
    ];
    let ours = codes.map(|(name, code)| format!("{name} {code}"));
    let theirs: Vec<&str> = GOLDEN.lines().filter(|line| !line.starts_with("example")).collect();
    assert_eq!(theirs, ours);
}

#[test]
fn the_example_that_java_writes_is_read() {
    let (ops, cells) = (example("example.ops"), example("example.cells"));
    let batch = Batch::decode(&ops, &cells).unwrap();
    assert!(batch.non_blocking && batch.admitted && batch.with_tags);
    assert_eq!((batch.nonce_group, batch.ops.len(), batch.cells.len()), (5, 3, 3));
    let [put, increment, check] = &batch.ops[..] else { panic!("three operations") };
    assert!(matches!(&put.body, OpBody::Put(cells) if *cells == (0..1)));
    assert_eq!((put.durability, put.return_result), (2, false));
    let OpBody::Increment(added) = &increment.body else { panic!("an increment") };
    assert!(increment.return_result);
    assert_eq!((added.nonce, added.ttl_millis, added.cells.clone()), (77, i64::MAX, 1..2));
    assert_eq!((added.range.from, added.range.to), (10, 20));
    let OpBody::Check { row: b"r", condition, ops } = &check.body else { panic!("a check of row r") };
    let Condition::Column { family: b"f", qualifier: b"q", op: CompareOp::Equal, value: b"v", range } =
        condition
    else {
        panic!("a condition of f:q")
    };
    assert_eq!((range.from, range.to), (0, i64::MAX));
    assert!(matches!(&ops[..], [Op { body: OpBody::Delete(cells), .. }] if *cells == (2..3)));
}

#[test]
fn no_part_of_the_example_is_a_batch() {
    let (ops, cells) = (example("example.ops"), example("example.cells"));
    for len in 0..ops.len() {
        assert!(Batch::decode(&ops[..len], &cells).is_err(), "{len} bytes of operations");
    }
    for len in 0..cells.len() {
        assert!(Batch::decode(&ops, &cells[..len]).is_err(), "{len} bytes of cells");
    }
}
