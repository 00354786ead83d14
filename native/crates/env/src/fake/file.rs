//! Writers and readers of the files.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use grampus_base::RandomRead;

use super::content::{Bytes, Content};
use super::faults::{eio, strikes};
use super::holds::Call;
use super::{FakeEnv, FakeKind};
use crate::{AppendFile, Env};

pub(super) struct FakeAppend {
    pub(super) env: FakeEnv,
    pub(super) content: Arc<Content>,
    /// Remote: the number of this writer. Only the current writer of the file may write.
    pub(super) writer: u64,
    pub(super) position: u64,
    /// Remote: it is a log, of about so many bytes. Its syncs fail where there are no new ones: nothing goes out that could ask for them.
    pub(super) log_bytes: Option<u64>,
    /// Remote: the pipeline is broken, nothing more goes through it.
    pub(super) broken: bool,
}

impl FakeAppend {
    /// The file, where this writer may go on.
    fn mine(&self) -> io::Result<parking_lot::MutexGuard<'_, Bytes>> {
        let bytes = self.content.lock();
        if self.broken {
            return Err(io::Error::other("the pipeline is broken"));
        }
        if self.env.is_remote() && bytes.writer != Some(self.writer) {
            return Err(io::Error::other("the lease of the file is another's"));
        }
        Ok(bytes)
    }

    /// A failure that a remote file does not recover from.
    fn breaks(&mut self, error: io::Error) -> io::Error {
        self.broken = self.env.is_remote();
        error
    }

    /// Leaves a part of what was to be appended, and says why it is no more.
    fn torn(&mut self, part: &[u8], error: io::Error) -> io::Error {
        self.content.lock().bytes.extend_from_slice(part);
        self.breaks(error)
    }
}

impl AppendFile for FakeAppend {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        drop(self.mine()?);
        if self.log_bytes.is_some_and(|most| self.position + bytes.len() as u64 > most)
            && self.env.shared.state.lock().faults.full_blocks
        {
            return Err(self.breaks(eio("the block is full")));
        }
        let free = {
            let mut state = self.env.shared.state.lock();
            if strikes(&mut state.faults.fail_append_in) {
                drop(state);
                let part = if self.env.is_remote() { self.env.below(bytes.len()) } else { 0 };
                return Err(self.torn(&bytes[..part], eio("write")));
            }
            let free = state.faults.free_bytes;
            state.faults.free_bytes = free.map(|free| free.saturating_sub(bytes.len() as u64));
            free.map_or(usize::MAX, |free| usize::try_from(free).unwrap_or(usize::MAX))
        };
        if free < bytes.len() {
            let error = io::Error::new(io::ErrorKind::StorageFull, "injected fault: no space left");
            return Err(self.torn(&bytes[..free], error));
        }
        self.mine()?.bytes.extend_from_slice(bytes);
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let env = self.env.clone();
        let _answered = env.answered(Call::Flush);
        self.env.shared.flushes.fetch_add(1, Ordering::Relaxed);
        drop(self.mine()?);
        if self.env.strikes_flush() {
            return Err(self.breaks(eio("flush")));
        }
        let mut bytes = self.mine()?;
        bytes.flushed = bytes.bytes.len();
        if bytes.reported == 0 {
            bytes.reported = bytes.flushed;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let env = self.env.clone();
        let _answered = env.answered(Call::Sync);
        let has_new_bytes = {
            let bytes = self.mine()?;
            bytes.flushed < bytes.bytes.len()
        };
        if self.log_bytes.is_some() && !has_new_bytes {
            return Err(self.breaks(io::Error::other("a sync of a log without new bytes")));
        }
        if self.env.is_remote() && self.env.strikes_flush() {
            return Err(self.breaks(eio("flush by a sync")));
        }
        if strikes(&mut self.env.shared.state.lock().faults.fail_sync_in) {
            self.content.lock().lost = true;
            return Err(self.breaks(eio("sync")));
        }
        let mut bytes = self.mine()?;
        bytes.flushed = bytes.bytes.len();
        if !bytes.lost {
            bytes.synced = bytes.bytes.len();
        }
        Ok(())
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.mine().map(drop)
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        let env = self.env.clone();
        let _answered = env.answered(Call::Close);
        drop(self.mine()?);
        if strikes(&mut self.env.shared.state.lock().faults.fail_close_in) {
            return Err(eio("close"));
        }
        let mut bytes = self.mine()?;
        bytes.flushed = bytes.bytes.len();
        bytes.writer = None;
        Ok(())
    }
}

pub(super) struct FakeRead {
    pub(super) env: FakeEnv,
    pub(super) content: Arc<Content>,
    pub(super) len: u64,
    pub(super) name: String,
}

impl RandomRead for FakeRead {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let _answered = self.env.answered(Call::Read);
        if strikes(&mut self.env.shared.state.lock().faults.fail_read_in) {
            return Err(eio("read"));
        }
        self.env.shared.reads.fetch_add(1, Ordering::Relaxed);
        self.env.shared.read_bytes.fetch_add(buf.len() as u64, Ordering::Relaxed);
        let content = self.content.lock();
        let from = usize::try_from(offset).map_err(io::Error::other)?;
        let len = usize::try_from(self.len).map_err(io::Error::other)?;
        // What comes to a remote file after it was opened is not there for this reader.
        let end = if self.env.is_remote() { len.min(content.bytes.len()) } else { content.bytes.len() };
        let part = from
            .checked_add(buf.len())
            .filter(|to| *to <= end)
            .and_then(|to| content.bytes.get(from..to))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(part);
        Ok(())
    }

    fn will_read(&self, bytes: Range<u64>) {
        let bytes = bytes.end.saturating_sub(bytes.start);
        self.env.shared.announced_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl FakeEnv {
    pub(super) fn is_remote(&self) -> bool {
        self.shared.kind == FakeKind::Remote
    }

    /// Whether a flush fails now.
    fn strikes_flush(&self) -> bool {
        let mut state = self.shared.state.lock();
        let strikes = state.faults.strike_flush();
        if strikes {
            self.advance_millis(state.faults.slow_millis);
        }
        strikes
    }

    /// A number below a limit or equal to it.
    fn below(&self, limit: usize) -> usize {
        usize::try_from(self.random() % (limit as u64 + 1)).unwrap_or(0)
    }
}
