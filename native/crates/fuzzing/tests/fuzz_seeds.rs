//! The fuzzer's seeds and the golden files that it begins with, whole and cut short, so that what a run once found stays found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test says so by panicking")]

use std::fs;
use std::path::Path;

use grampus_colfile::fuzz as colfile;

type Target = fn(&[u8]);

/// Directories below `native/fuzz/seeds`.
const SEEDS: [(&str, Target); 17] = [
    ("cells", grampus_fuzzing::cells),
    ("colfile_blobs", colfile::blobs),
    ("colfile_cell_page", colfile::cell_page),
    ("colfile_footer", colfile::footer),
    ("colfile_hfile_tail", colfile::hfile_tail),
    ("colfile_ints", colfile::ints),
    ("colfile_page", colfile::page),
    ("colfile_row_key_page", colfile::row_key_page),
    ("colfile_rows_page", colfile::rows_page),
    ("file_name", grampus_fuzzing::file_name),
    ("filter", grampus_fuzzing::filter),
    ("mutation_batch", grampus_fuzzing::mutation_batch),
    ("open_region", grampus_fuzzing::open_region),
    ("read_spec", grampus_fuzzing::read_spec),
    ("reference", grampus_fuzzing::reference),
    ("tier_record", grampus_fuzzing::tier_record),
    ("wal_body", grampus_fuzzing::wal_body),
];

/// Directories below `native/testdata`.
const GOLDEN: [(&str, Target); 4] = [
    ("load-record/v1", grampus_fuzzing::load_record),
    ("nonces/v1", grampus_fuzzing::nonces),
    ("tier-index/v1", grampus_fuzzing::tier_index),
    ("wal/v1", grampus_fuzzing::wal_segment),
];

fn survives_every_file_and_prefix(directory: &str, target: Target) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(directory);
    let mut count = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        (0..=bytes.len()).for_each(|len| target(&bytes[..len]));
        count += 1;
    }
    assert!(count > 0, "{} has no file", directory.display());
}

#[test]
fn every_seed_and_every_prefix_of_it_is_survived() {
    for (name, target) in SEEDS {
        survives_every_file_and_prefix(&format!("fuzz/seeds/{name}"), target);
    }
}

#[test]
fn every_golden_file_and_every_prefix_of_it_is_survived() {
    for (directory, target) in GOLDEN {
        survives_every_file_and_prefix(&format!("testdata/{directory}"), target);
    }
}
