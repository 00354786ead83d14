//! A read spec with its filter.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::read_spec(bytes));
