//! A mutation batch with its cells.

#![no_main]

use grampus_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::mutation_batch(bytes));
