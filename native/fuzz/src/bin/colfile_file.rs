//! A whole column file.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_colfile::fuzz::file(bytes));
