use grampus_env::FakeEnv;

use super::*;

const GOLDEN: &str = include_str!("../../../../../testdata/load-record/v1/moving.json");
const EARLIER: &str = include_str!("../../../../../testdata/load-record/v1/earlier.json");

fn files() -> Vec<LoadFile> {
    let file = |number: u64, copy| LoadFile {
        family: "f".to_string(),
        source: format!("/out/{number}").into(),
        name: format!("{number:032x}"),
        offset: number - 1,
        copy,
    };
    vec![file(1, false), file(2, true)]
}

#[test]
fn the_bytes_are_those_of_version_1() {
    let env = FakeEnv::new(1);
    let dir = LoadDir::fresh(&env, Path::new("/r"), 7);
    dir.begin(&env, &files()).unwrap();
    let written = env.read(&dir.record(Stage::Moving)).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), GOLDEN, "docs/format/load.md says what they are");
    assert_eq!(dir.read(&env).unwrap(), Some((Stage::Moving, files())));
}

#[test]
fn a_record_of_the_earlier_version_is_read() {
    let moved: Vec<LoadFile> = files().into_iter().map(|file| LoadFile { copy: false, ..file }).collect();
    assert_eq!(Record::decode(EARLIER.as_bytes()), Ok(moved));
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    for (from, to, why) in [
        ("\"format\":1", "\"format\":2", "its format is 2"),
        ("\"format\":1,", "", "missing field `format`"),
        ("\"copy\":true", "\"copies\":true", "unknown field `copies`"),
        ("\"family\":\"f\"", "\"family\":\"../f\"", "cannot be loaded"),
        ("/out/1", "out/1", "cannot be loaded"),
        ("\"name\":\"0", "\"name\":\"/", "cannot be loaded"),
        ("\"offset\":1", "\"offset\":2", "has offset 2 among 2 files"),
    ] {
        assert!(GOLDEN.contains(from), "{from}");
        let refusal = Record::decode(GOLDEN.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(refusal.contains(why), "{to}: {refusal}");
    }
    for len in 0..GOLDEN.len() {
        assert!(Record::decode(&GOLDEN.as_bytes()[..len]).is_err(), "{len} bytes");
    }
}
