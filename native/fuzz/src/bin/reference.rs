//! The content of a reference file.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::reference(bytes));
