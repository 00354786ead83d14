//! The request that opens a region.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::open_region(bytes));
