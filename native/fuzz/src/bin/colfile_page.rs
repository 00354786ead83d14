//! A stored page of a column file.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_colfile::fuzz::page(bytes));
