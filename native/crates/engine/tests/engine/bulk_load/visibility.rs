//! What is visible of a load, and in which order.

use super::*;

#[test]
fn the_newest_load_counts_among_equal_timestamps_and_later_puts_count_more() {
    on_each_kind(|kind| {
        let mut f = start(kind);
        let put = |value: &str| Cell::put("r", "f", "q", 5, value);
        f.put(put("memory"));
        let first = written(&*f.env, "f", 1, &[put("load 1")]);
        order(&f.region, &[&first], false).unwrap();
        assert_eq!(everything(&f), ["r/f@5=load 1"]);
        let second = written(&*f.env, "f", 2, &[put("load 2")]);
        order(&f.region, &[&second], false).unwrap();
        assert_eq!(everything(&f), ["r/f@5=load 2"]);
        f.put(put("put"));
        assert_eq!(everything(&f), ["r/f@5=put"]);
        f.region.flush().unwrap();
        let third = written(&*f.env, "f", 3, &[put("load 3")]);
        order(&f.region, &[&third], false).unwrap();
        for _ in 0..2 {
            assert_eq!(everything(&f), ["r/f@5=load 3"]);
            compact(&f);
            assert_eq!(everything(&f), ["r/f@5=load 3"]);
            reopen(&mut f);
        }
        f.put(put("last"));
        assert_eq!(everything(&f), ["r/f@5=last"]);
    });
}

#[test]
fn of_equal_cells_of_one_order_the_later_file_counts_before_and_after_a_compaction() {
    let mut f = start(FakeKind::Local);
    let file = |number, value: &str| written(&*f.env, "f", number, &[Cell::put("r", "f", "q", 5, value)]);
    let files = [file(9, "a"), file(3, "b"), file(6, "c")];
    let reply = order(&f.region, &files.iter().collect::<Vec<_>>(), false).unwrap();
    assert_eq!(reply["files"].as_array().unwrap().len(), 3);
    assert_eq!(everything(&f), ["r/f@5=c"]);
    reopen(&mut f);
    assert_eq!(everything(&f), ["r/f@5=c"]);
    compact(&f);
    assert_eq!(everything(&f), ["r/f@5=c"]);
}

#[test]
fn loaded_markers_and_versions_are_as_if_they_had_been_written() {
    on_each_kind(|kind| {
        let mut f = start(kind);
        for timestamp in [1, 2, 3] {
            f.put(Cell::put("a", "f", "q", timestamp, "old"));
            f.put(Cell::put("b", "f", "q", timestamp, "old"));
            f.put(Cell::put("c", "f", "q", timestamp, "old"));
        }
        let cells = [
            Cell::new("a", "f", "", 2, DELETE_FAMILY, ""),
            Cell::new("b", "f", "q", 1, DELETE_COLUMN, ""),
            Cell::put("c", "f", "q", 9, "new"),
            Cell::put("c", "f", "q", 4, "new"),
        ];
        let file = written(&*f.env, "f", 1, &cells);
        order(&f.region, &[&file], false).unwrap();
        let expected = ["a/f@3=old", "b/f@3=old", "b/f@2=old", "c/f@9=new", "c/f@4=new", "c/f@3=old"];
        assert_eq!(everything(&f), expected);
        compact(&f);
        assert_eq!(everything(&f), expected);
        reopen(&mut f);
        assert_eq!(everything(&f), expected);
    });
}

#[test]
fn an_open_scanner_sees_nothing_of_a_later_load() {
    let f = start(FakeKind::Local);
    f.put(Cell::put("a", "f", "q", 1, "put"));
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let file =
        written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "load"), Cell::put("b", "f", "q", 1, "load")]);
    order(&f.region, &[&file], false).unwrap();
    let (cells, info) = common::next(&mut scanner, &common::NO_LIMITS, 4096);
    assert!(info.end);
    assert_eq!(values(&cells), ["a/f@1=put"]);
    assert_eq!(everything(&f), ["a/f@1=load", "b/f@1=load"]);
}

#[test]
fn a_repeated_order_is_not_done_again() {
    for copy in [false, true] {
        let mut f = start(FakeKind::Local);
        let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
        let first = order(&f.region, &[&file], copy).unwrap();
        assert_eq!(first["files"].as_array().unwrap().len(), 1);
        assert_eq!(f.env.exists(&file.path()).unwrap(), copy);
        let again = |f: &Fixture| {
            let reply = order(&f.region, &[&file], copy).unwrap();
            assert_eq!(reply["files"], json!([]), "nothing more is loaded");
            assert_eq!(files(f), 1);
        };
        again(&f);
        reopen(&mut f);
        again(&f);
        f.put(Cell::put("a", "f", "q", 1, "later"));
        f.region.flush().unwrap();
        compact(&f);
        again(&f); // the file is in the archive
        assert_eq!(everything(&f), ["a/f@1=later"]);
    }
}

#[test]
fn a_file_of_another_store_is_loaded_without_its_past() {
    let f = start(FakeKind::Local);
    for value in ["1", "2"] {
        f.put(Cell::put("a", "f", "q", 1, value));
        f.region.flush().unwrap();
    }
    compact(&f);
    f.put(Cell::put("a", "f", "q", 1, "newer"));
    f.region.flush().unwrap();
    // The output of a compaction, whose ids are old and which names files that it replaced.
    let dir = format!("/h/data/default/t/{REGION}/f");
    let names = listed(&*f.env, &dir);
    let copy = Ordered { family: "f", number: 7 };
    let output = names.iter().map(|name| f.env.read(&Path::new(&dir).join(name)).unwrap());
    let output =
        output.filter(|bytes| bytes.windows(17).any(|w| w == b"GRAMPUS.COMPACTED")).collect::<Vec<_>>();
    assert_eq!(output.len(), 1);
    write(&*f.env, &copy.path(), &output[0]);
    order(&f.region, &[&copy], true).unwrap();
    assert_eq!(everything(&f), ["a/f@1=2"], "the load is newer than all there was");
}
