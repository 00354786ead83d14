//! A sequence of byte strings in a page of a column file.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_colfile::fuzz::blobs(bytes));
