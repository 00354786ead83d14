//! What `bin/grampus inspect` says about sound and damaged files, and about what else lies in a root directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_env::{Env, FakeEnv};
use grampus_inspect::inspect_in;
use grampus_testkit::wire::{Batch, Cell, RowOp};
use serde_json::{Value, json};

use crate::common::{Fixture, REGION, start_in};

const GOLDEN_LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wal/v1/two_regions.wal");
const LOG: &str = "/h/oldWALs/s1.1";

/// A root with a column file and a log that goes on after it.
fn root() -> (FakeEnv, Fixture, PathBuf) {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "\"maxVersions\":1,\"bloom\":\"ROWCOL\"")], 1);
    for n in 0..60 {
        let row = format!("row{n:03}\\");
        let mut cells = vec![Cell::put(&row, "f", "number", n, format!("{n}"))];
        if n % 7 == 0 {
            cells.push(Cell::put(&row, "f", "rare", n, [0u8, 200]));
        }
        f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    }
    f.region.flush().unwrap();
    let file = column_file(&env);
    f.put(Cell::put("later", "f", "number", 5, "1"));
    (env, f, file)
}

fn column_file(env: &FakeEnv) -> PathBuf {
    let family = format!("/h/data/default/t/{REGION}/f/");
    env.files().into_iter().find(|file| file.starts_with(&family)).unwrap()
}

fn inspect(env: &FakeEnv, request: Value) -> Value {
    serde_json::from_str(&inspect_in(env, &request.to_string()).unwrap()).unwrap()
}

fn verify(env: &FakeEnv, path: &Path) -> Value {
    inspect(env, json!({"path": path, "verify": true}))
}

fn write(env: &FakeEnv, path: &Path, bytes: &[u8]) {
    env.mkdir(path.parent().unwrap()).unwrap();
    env.create(path).unwrap().append(bytes).unwrap();
}

#[test]
fn a_column_file_is_described_and_its_shares_are_the_whole_file() {
    let (env, _f, file) = root();
    let found = verify(&env, &file);
    assert_eq!(found["kind"], "columnFile", "{found}");
    assert_eq!(found["format"], "2.1");
    assert_eq!(found["family"], "f");
    assert_eq!((found["rows"].as_u64(), found["cells"].as_u64()), (Some(60), Some(69)));
    assert_eq!(found["firstRow"], "row000\\x5C");
    assert_eq!(found["lastRow"], "row059\\x5C");
    assert_eq!(found["timestamps"], json!({"min": 0, "max": 59}));
    assert_eq!(found["bloom"]["kind"], "ROWCOL");
    assert_eq!(found["rowGroups"][0]["rows"], 60);
    assert_eq!(found["verified"], true);
    let shares: u64 = found["shares"].as_object().unwrap().values().map(|v| v.as_u64().unwrap()).sum();
    assert_eq!(Some(shares), found["bytes"].as_u64());
    assert_eq!(found["bytes"].as_u64().unwrap(), env.len(&file).unwrap());
    assert!(found["cellList"].is_null());
}

#[test]
fn cells_are_printed_up_to_a_limit_and_of_a_row() {
    let (env, _f, file) = root();
    let two = inspect(&env, json!({"path": file, "cells": 2}));
    assert_eq!(two["cellList"].as_array().unwrap().len(), 2);
    assert_eq!(two["moreCells"], true);
    assert_eq!(two["cellList"][1]["qualifier"], "rare");
    assert_eq!(two["cellList"][1]["value"], "\\x00\\xC8");
    let row: String = b"row007\\".iter().map(|b| format!("{b:02x}")).collect();
    let one = inspect(&env, json!({"path": file, "cells": 2, "row": row}));
    assert_eq!(one["moreCells"], false);
    let cells = one["cellList"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    assert!(cells.iter().all(|cell| cell["row"] == "row007\\x5C" && cell["type"] == "Put"), "{one}");
    assert_eq!(inspect(&env, json!({"path": file, "cells": 69}))["moreCells"], false);
}

#[test]
fn every_flipped_byte_of_a_column_file_is_reported_with_file_and_offset() {
    let (env, _f, file) = root();
    assert_eq!(verify(&env, &file)["damage"], Value::Null);
    for at in 0..usize::try_from(env.len(&file).unwrap()).unwrap() {
        env.flip(&file, at).unwrap();
        let found = verify(&env, &file);
        let damage = found["damage"].as_str().unwrap_or_else(|| panic!("byte {at}: {found}"));
        assert!(damage.contains(file.to_str().unwrap()) && damage.contains("offset"), "byte {at}: {damage}");
        if at % 97 == 0 {
            let all = inspect(&env, json!({"path": "/h"}));
            assert_eq!(all["summary"]["damaged"], 1, "byte {at}: {all}");
        }
        env.flip(&file, at).unwrap();
    }
    assert_eq!(verify(&env, &file)["damage"], Value::Null);
}

#[test]
fn a_column_file_that_is_cut_short_is_damage() {
    let (env, _f, file) = root();
    let bytes = env.read(&file).unwrap();
    for len in 0..bytes.len() {
        let cut = file.with_file_name(format!("{len:08x}"));
        write(&env, &cut, &bytes[..len]);
        let found = verify(&env, &cut);
        let damage = found["damage"].as_str().unwrap_or_else(|| panic!("cut to {len}: {found}"));
        assert!(
            damage.contains(cut.to_str().unwrap()) && damage.contains("offset"),
            "cut to {len}: {damage}"
        );
        env.delete(&cut).unwrap();
    }
}

#[test]
fn a_disk_that_cannot_be_read_is_reported_not_passed_over() {
    let (env, _f, file) = root();
    for nth in 0..12 {
        let faults = grampus_env::Faults { fail_read_in: Some(nth), ..Default::default() };
        env.set_faults(faults);
        let answer = inspect_in(&env, &json!({"path": file, "verify": true}).to_string());
        let text = answer.unwrap_or_else(|e| e.message);
        assert!(text.contains("cannot read"), "{nth}: {text}");
    }
}

#[test]
fn a_log_segment_is_summarised_and_printed() {
    let env = FakeEnv::new(1);
    let log = Path::new(LOG);
    write(&env, log, &std::fs::read(GOLDEN_LOG).unwrap());
    let found = inspect(&env, json!({"path": log, "cells": 10}));
    assert_eq!(found["kind"], "logSegment", "{found}");
    assert_eq!((&found["version"], &found["flags"]), (&json!(1), &json!(0)));
    assert_eq!((&found["records"], &found["cells"], &found["end"]), (&json!(2), &json!(3), &json!("closed")));
    assert_eq!(found["regions"][0]["table"], "ns:u");
    assert_eq!(found["regions"][1]["lastSequence"], 7);
    assert_eq!(found["edits"][0]["offset"], 32);
    assert_eq!(found["edits"][0]["cells"][1]["family"], "g");
    assert_eq!(found["edits"][1]["nonces"], json!([12, 13]));
    assert_eq!(found["edits"][1]["cells"][0]["type"], "DeleteFamily");
    let one = inspect(&env, json!({"path": log, "cells": 1}));
    assert_eq!((one["edits"].as_array().unwrap().len(), &one["moreCells"]), (1, &json!(true)));
}

#[test]
fn a_log_segment_cut_anywhere_says_where_its_torn_tail_begins() {
    let env = FakeEnv::new(1);
    let bytes = std::fs::read(GOLDEN_LOG).unwrap();
    let mut good = Vec::new();
    for len in 0..bytes.len() {
        let path = PathBuf::from(format!("/h/WALs/s1/s1.{len}"));
        write(&env, &path, &bytes[..len]);
        let found = verify(&env, &path);
        assert_eq!(found["damage"], Value::Null, "cut to {len}: {found}");
        let good_bytes = found["goodBytes"].as_u64().unwrap();
        let end = match len {
            0..32 => "empty",
            _ if good_bytes == len as u64 => "open",
            _ => "torn",
        };
        assert_eq!(found["end"], end, "cut to {len}: {found}");
        good.push(good_bytes);
    }
    good.dedup();
    let offsets: Vec<u64> = {
        let whole = inspect(&env, json!({"path": format!("/h/WALs/s1/s1.{}", bytes.len() - 1), "cells": 9}));
        whole["edits"].as_array().unwrap().iter().map(|e| e["offset"].as_u64().unwrap()).collect()
    };
    assert_eq!(good[..3], [&[0][..], &offsets].concat(), "tails begin where records begin");
}

#[test]
fn a_flipped_byte_of_a_log_segment_is_damage_or_tears_off_what_follows() {
    let env = FakeEnv::new(1);
    let log = Path::new(LOG);
    write(&env, log, &std::fs::read(GOLDEN_LOG).unwrap());
    let (mut damaged, mut torn) = (0, 0);
    for at in 0..usize::try_from(env.len(log).unwrap()).unwrap() {
        env.flip(log, at).unwrap();
        let found = verify(&env, log);
        match found["damage"].as_str() {
            Some(damage) => {
                assert!(damage.contains(LOG) && damage.contains("at byte"), "byte {at}: {damage}");
                assert_eq!(inspect(&env, json!({"path": "/h/oldWALs"}))["summary"]["damaged"], 1);
                damaged += 1;
            }
            None => {
                assert_eq!(found["end"], "torn", "byte {at}: {found}");
                assert!(found["goodBytes"].as_u64().unwrap() <= at as u64, "byte {at}: {found}");
                torn += 1;
            }
        }
        env.flip(log, at).unwrap();
    }
    assert!(damaged > 300 && torn == 33, "{damaged} damaged, {torn} torn: only the end record may be torn");
}

#[test]
fn a_root_is_verified_file_by_file_and_what_is_not_ours_is_named() {
    let (env, f, file) = root();
    let family = file.parent().unwrap();
    let others: [(PathBuf, &[u8], &str); 8] = [
        (family.join("00ff.0123456789abcdef0123456789abcdef"), b"PBUF", "reference"),
        (family.join("t2=0a-ff"), b"", "link"),
        (family.join("abcdef"), b"DATABLK*and so on", "foreignHFile"),
        (PathBuf::from("/h/oldWALs/m1$masterlocalwal$"), b"PWAL and so on", "foreignLog"),
        (PathBuf::from(format!("/h/data/default/t/{REGION}/.tmp/f/aa")), b"half", "unfinished"),
        (PathBuf::from("/h/MasterData/data/master/store/x/proc/aa"), b"DATABLK*", "masterStore"),
        (PathBuf::from(format!("/h/data/default/t/{REGION}/recovered.edits/1.tmp")), b"half", "unfinished"),
        (
            PathBuf::from(format!("/h/data/default/t/{REGION}/recovered.edits/1.ab.nonces")),
            b"grampus",
            "nonces",
        ),
    ];
    for (path, bytes, _) in &others {
        write(&env, path, bytes);
    }
    for nothing in [".regioninfo", "recovered.edits/0000000000000000002.seqid"] {
        write(&env, &PathBuf::from(format!("/h/data/default/t/{REGION}/{nothing}")), b"x");
    }
    write(&env, Path::new("/h/hbase.version"), b"PBUF 8");
    let archived = PathBuf::from(format!("/h/archive/data/default/t/{REGION}/f/bb"));
    write(&env, &archived, &env.read(&file).unwrap());
    let found = inspect(&env, json!({"path": "/h"}));
    let summary = &found["summary"];
    assert_eq!(summary["columnFiles"]["files"], 2, "{found}");
    assert_eq!(summary["columnFiles"]["cells"], 138);
    assert_eq!((&summary["damaged"], &summary["torn"]), (&json!(0), &json!(0)));
    assert!(summary["logSegments"]["records"].as_u64().unwrap() >= 61, "{found}");
    assert_eq!(summary["skipped"], 8);
    let files = found["files"].as_array().unwrap();
    for (path, _, kind) in &others {
        let named = files.iter().find(|f| path.starts_with(f["path"].as_str().unwrap()));
        assert_eq!(named.unwrap()["kind"], *kind, "{path:?}");
        assert!(!named.unwrap()["skipped"].is_null());
    }
    assert_eq!(files.iter().filter(|f| f["skipped"].is_null() && f["damage"].is_null()).count() as u64, {
        summary["columnFiles"]["files"].as_u64().unwrap() + summary["logSegments"]["files"].as_u64().unwrap()
    });
    drop(f);
}

#[test]
fn requests_that_make_no_sense_are_errors_that_say_so() {
    let (env, _f, _file) = root();
    write(&env, Path::new("/h/hbase.version"), b"PBUF 8");
    let error = |request: Value| inspect_in(&env, &request.to_string()).unwrap_err();
    assert_eq!(error(json!({"path": "/nowhere"})).kind, ErrorKind::Io);
    assert!(error(json!({"path": "/nowhere"})).message.contains("/nowhere"));
    assert!(error(json!({"path": "/h", "cells": 1})).message.contains("is a directory"));
    assert!(error(json!({"path": "/h/hbase.version"})).message.contains("neither"));
    assert_eq!(error(json!({"path": "/h", "colour": 1})).kind, ErrorKind::BadRequest);
}

#[test]
fn links_to_directories_are_followed_and_empty_strangers_are_not_opened() {
    let local = tempfile::tempdir().unwrap();
    let (root, elsewhere) = (local.path().join("h"), local.path().join("disk2"));
    std::fs::create_dir_all(elsewhere.join("default/t/0a/f")).unwrap();
    std::fs::create_dir_all(&root).unwrap();
    std::os::unix::fs::symlink(&elsewhere, root.join("data")).unwrap();
    std::fs::write(elsewhere.join("default/t/0a/f/stranger"), b"").unwrap();
    std::fs::write(elsewhere.join("default/t/0a/f/ab"), b"").unwrap();
    let env = grampus_env::LocalEnv::new();
    let found = inspect_in(&env, &json!({"path": root}).to_string()).unwrap();
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["summary"]["damaged"], 1, "{found}");
    let damage = found["files"][0]["damage"].as_str().unwrap();
    assert!(damage.contains("data/default/t/0a/f/ab") && damage.contains("offset 0"), "{damage}");
}
