//! The body of a record of the write-ahead log.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::wal_body(bytes));
