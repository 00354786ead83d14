//! A read spec with its filter.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::read_spec(bytes));
