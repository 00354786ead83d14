//! Tests over the whole engine, a module each, in one process side by side.
//!
//! Those beside this directory have a process of their own: they start others (between fork and exec a child holds this process's file locks,
//! and tests here lock files of the second cache tier), count what all threads allocate, set what holds for all, or run for a time that is set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod archiving;
mod backpressure;
mod block_cache;
mod broken_segments;
mod bulk_load;
mod bytes_read;
mod cache_tier;
mod carried_tags;
mod clock_set_back;
#[path = "../common/mod.rs"]
mod common;
mod compactions;
mod concurrency;
mod concurrent_splits;
mod condition_patterns;
mod counted;
mod cut_edits;
mod decoders;
mod dropped_regions;
mod end_to_end;
mod event_loop_budget;
mod events;
mod fast_path;
mod filters;
mod foreign_hfiles;
mod frozen;
mod get_overflow;
mod hung_reads;
mod inspect;
mod interrupted_batch;
mod large_reads;
mod late_server;
mod left_nonces;
mod log_regions;
mod log_waits;
mod lost_machines;
mod newest_versions;
mod no_creates;
mod open_files;
mod panics;
mod pieces;
mod pieces_memory;
mod point_reads;
mod power_loss;
mod predicate_pushdown;
mod read_ahead;
mod region_load;
mod replay;
mod scan_overflow;
mod scan_replies;
mod scanner_memory;
mod short_scans;
mod slow_patterns;
mod snapshot_files;
mod split_errors;
mod split_point;
mod stops;
mod table_limits;
mod visibility;
mod wal;
mod wal_root;
mod wire_limits;
