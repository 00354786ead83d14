//! The fuzzer's seeds, whole and cut short, so that what a run once found stays found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test says so by panicking")]

use std::fs;

use grampus_colfile::fuzz;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 8] = [
    ("colfile_blobs", fuzz::blobs),
    ("colfile_cell_page", fuzz::cell_page),
    ("colfile_footer", fuzz::footer),
    ("colfile_hfile_tail", fuzz::hfile_tail),
    ("colfile_ints", fuzz::ints),
    ("colfile_page", fuzz::page),
    ("colfile_row_key_page", fuzz::row_key_page),
    ("colfile_rows_page", fuzz::rows_page),
];

#[test]
fn every_seed_and_every_prefix_of_it_is_survived() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
    for (name, target) in TARGETS {
        let mut count = 0;
        for entry in fs::read_dir(format!("{seeds}/{name}")).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            for len in 0..=bytes.len() {
                target(&bytes[..len]);
            }
            count += 1;
        }
        assert!(count > 0, "{name} has no seed");
    }
}
