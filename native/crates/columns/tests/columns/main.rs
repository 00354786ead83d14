//! Tests of the crate from outside, a module each.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod batch_stream;
mod by_column;
#[path = "../common/mod.rs"]
mod common;
mod model;
mod parquet_merge;
mod round_trips;
mod writers;
