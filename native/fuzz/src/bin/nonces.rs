//! What a region leaves of its nonces.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| grampus_fuzzing::nonces(bytes));
