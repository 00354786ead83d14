//! A name in a family directory.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::file_name(bytes));
