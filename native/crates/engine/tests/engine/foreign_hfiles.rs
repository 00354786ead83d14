//! HFiles that HBase wrote: kept, not read, and not in the way of the rest.

use std::path::Path;
use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::{Cell, Spec};
use serde_json::json;

use crate::common::external::hex;
use crate::common::{Fixture, REGION, start_in};

/// HFiles of HBase 2.6.1 with checksums of each kind, and with a compressed file info.
const KINDS: [&str; 4] = ["crc32c", "crc32", "null", "gz"];

fn golden(kind: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/hfile");
    std::fs::read(path.join(format!("{kind}.hfile"))).unwrap()
}

fn write(env: &dyn Env, path: &Path, bytes: &[u8]) {
    env.mkdir_durably(path.parent().unwrap()).unwrap();
    let mut file = env.create(path).unwrap();
    file.append(bytes).unwrap();
    file.close().unwrap();
}

fn start() -> Fixture {
    start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", ""), ("g", "")], 1)
}

#[test]
fn a_region_with_hfiles_of_hbases_opens_and_a_read_that_meets_one_fails() {
    for kind in KINDS {
        let mut f = start();
        f.region.close(false).unwrap();
        let path = Path::new("/h/data/default/t").join(REGION).join("f").join(format!("{:032x}", 1));
        write(&*f.env, &path, &golden(kind));
        f.region = f.engine.open_region(&f.open_json).unwrap();
        f.put(Cell::put("r", "f", "q", 5, "v"));
        f.put(Cell::put("r", "g", "q", 5, "v"));
        let error = f.region.get(&Spec::get("r").column("f", "q").encode(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest, "{kind}: {error}");
        assert!(error.message.contains("an HFile in HBase's own format"), "{kind}: {error}");
        assert_eq!(f.get(&Spec::get("r").column("g", "q")).len(), 1, "{kind}: a read that meets none");
        f.region.close(false).unwrap();
        assert_eq!(f.env.read(&path).unwrap(), golden(kind), "{kind}: it is kept");
    }
}

#[test]
fn a_load_of_an_hfile_of_hbases_says_what_it_is() {
    let f = start();
    for kind in KINDS {
        let path = Path::new("/out/f").join(kind);
        write(&*f.env, &path, &golden(kind));
        let file = json!({"family": hex("f"), "path": path, "name": format!("{:032x}", 1)});
        let request = json!({"files": [file], "copy": false, "verify": false}).to_string();
        let error = f.region.load_files(&request, &|| Ok(())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest, "{kind}: {error}");
        assert!(error.message.contains("an HFile in HBase's own format"), "{kind}: {error}");
    }
}
