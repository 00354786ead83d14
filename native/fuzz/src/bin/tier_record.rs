//! A record of a file of the block cache's second tier.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::tier_record(bytes));
