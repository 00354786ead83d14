//! Regions whose files the master changes, with servers that die at any step: a table holds what a serial history of the acknowledged
//! changes leaves in it. Nothing that was taken away comes back, nothing acknowledged is lost.
//!
//! The master is played by hand: it disables, enables, restores, clones, truncates, splits, merges and moves as HBase's procedures do it
//! to the directories, step by step, and goes on with the next step after each death. Both kinds of file system are played. `GRAMPUS_MODEL_SECONDS` sets the
//! length of the random histories on each (default 8), `GRAMPUS_MODEL_SEED` repeats one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod chance;
mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod histories;
mod master;
mod verification;

use common::layout;
