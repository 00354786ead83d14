//! A region: a row range of a table with its stores.

use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};

/// How a mutation batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutateStatus {
    /// Applied and durable as asked; the output is the reply.
    Done,
    /// Applied; the reply may leave when the token is completed.
    Pending,
    /// Nothing happened; run again without NON_BLOCKING.
    WouldBlock,
}

/// How a get into a growing buffer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetStatus {
    /// The output holds the reply.
    Done,
    /// Run again without NON_BLOCKING.
    WouldBlock,
}

/// How a get into a fixed buffer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetOutcome {
    /// Bytes written.
    Done(usize),
    /// Run again without NON_BLOCKING.
    WouldBlock,
    /// The buffer must hold at least so many bytes.
    NeedBytes(usize),
}

/// How a scanner call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextOutcome {
    /// Bytes written to the output; the rest is in the info buffer.
    Done(usize),
    /// The output must hold at least so many bytes.
    NeedBytes(usize),
}

/// Limits of one scanner call.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Results wanted.
    pub max_results: u32,
    /// Complete rows wanted, 0 = no limit.
    pub limit_of_rows: u32,
    /// Bytes of cells; the cell that crosses it is included.
    pub size_limit: u64,
    /// Time after which the call returns what it has.
    pub time_budget: Duration,
    /// The call may end within a row.
    pub partials_allowed: bool,
    /// The call may end for time without results.
    pub heartbeats_allowed: bool,
}

/// An open region.
pub struct Region {}

/// An open scanner of a region; one thread at a time.
pub struct Scanner {}

fn unbuilt<T>() -> Result<T> {
    Err(Error::new(ErrorKind::Bug, "not built yet"))
}

impl Region {
    /// Applies a mutation batch.
    pub fn mutate(&self, _ops: &[u8], _cells: &[u8], _token: u64, _out: &mut Vec<u8>) -> Result<MutateStatus> {
        unbuilt()
    }
    /// Reads one row into a growing buffer.
    pub fn get(&self, _spec: &[u8], _out: &mut Vec<u8>) -> Result<GetStatus> {
        unbuilt()
    }
    /// Reads one row into a fixed buffer.
    pub fn get_into(&self, _spec: &[u8], _out: &mut [u8]) -> Result<GetOutcome> {
        unbuilt()
    }
    /// Opens a scanner.
    pub fn open_scanner(self: &std::sync::Arc<Self>, _spec: &[u8]) -> Result<Scanner> {
        unbuilt()
    }
    /// Sizes and counters as JSON.
    pub fn stats_json(&self) -> String {
        String::new()
    }
    /// Flushes the memtables.
    pub fn flush(&self) -> Result<String> {
        unbuilt()
    }
    /// Queues a compaction.
    pub fn compact(&self, _request_json: &str) -> Result<()> {
        unbuilt()
    }
    /// A row strictly inside the region near the middle of its data.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        unbuilt()
    }
    /// Sequence id of the open and replayed edits as JSON.
    pub fn open_report_json(&self) -> String {
        String::new()
    }
    /// Closes the region; with `abort` without a flush.
    pub fn close(&self, _abort: bool) -> Result<()> {
        unbuilt()
    }
}

impl Scanner {
    /// Reads the next results.
    pub fn next(&mut self, _limits: &ScanLimits, _out: &mut [u8], _info: &mut [u8]) -> Result<NextOutcome> {
        unbuilt()
    }
}
