//! The record of a load under way.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::load_record(bytes));
