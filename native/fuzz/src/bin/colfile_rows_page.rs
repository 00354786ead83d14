//! A page of row keys and of what the rows of a column file share.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_colfile::fuzz::rows_page(bytes));
