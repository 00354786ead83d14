//! Tests of the crate from outside, a module each. `memory` is apart, beside this directory: its allocator counts what malloc hands out.
#![allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]

mod column_run;
#[path = "../common/mod.rs"]
mod common;
mod corruption;
mod fast_path;
mod golden;
mod predicate_pushdown;
mod read_ahead;
mod round_trip;
mod whole_rows;
