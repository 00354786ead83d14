//! The fuzzer's seeds, whole and cut short, so that what a run once found stays found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test says so by panicking")]

use std::fs;

use grampus_colfile::fuzz as colfile;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 18] = [
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
    ("load_record", grampus_fuzzing::load_record),
    ("mutation_batch", grampus_fuzzing::mutation_batch),
    ("open_region", grampus_fuzzing::open_region),
    ("read_spec", grampus_fuzzing::read_spec),
    ("reference", grampus_fuzzing::reference),
    ("tier_record", grampus_fuzzing::tier_record),
    ("wal_body", grampus_fuzzing::wal_body),
];

fn survives_every_prefix(target: Target, bytes: &[u8]) {
    for len in 0..=bytes.len() {
        target(&bytes[..len]);
    }
}

#[test]
fn every_seed_and_every_prefix_of_it_is_survived() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
    for (name, target) in TARGETS {
        let mut count = 0;
        for entry in fs::read_dir(format!("{seeds}/{name}")).unwrap() {
            survives_every_prefix(target, &fs::read(entry.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "{name} has no seed");
    }
}

#[test]
fn every_prefix_of_the_golden_segment_is_survived() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wal/v1/two_regions.wal");
    survives_every_prefix(grampus_fuzzing::wal_segment, &fs::read(golden).unwrap());
}
