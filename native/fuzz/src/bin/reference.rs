//! The content of a reference file.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::reference(bytes));
