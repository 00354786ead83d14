//! Memory of reads of large cells: how much of it the calls that run may take together.
//!
//! A call holds the page of a large cell while it copies the cell, and no cache counts that page. Calls of small cells take so little that
//! their number bounds it; a few dozen calls of cells of 10 MB would take more than a server has.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::{Condvar, Mutex};

/// A large page takes so many times its size: as it is stored, decompressed, and as a cell in the result.
const COPIES: u64 = 3;
/// A call waits so long for the others before it gives up.
const WAIT_MAX: Duration = Duration::from_secs(2);

thread_local! {
    /// The call that the thread runs.
    static CALL: RefCell<Option<LargeCall>> = const { RefCell::new(None) };
}

/// What the calls that read large pages take together. Any thread.
pub struct LargeReads {
    bytes_max: u64,
    taken: Mutex<Taken>,
    given_back: Condvar,
}

#[derive(Default)]
struct Taken {
    bytes: u64,
    refused: u64,
}

/// What a call has taken.
struct LargeCall {
    reads: Arc<LargeReads>,
    bytes: u64,
}

impl LargeReads {
    /// Calls that may take `bytes_max` together; a single one takes what it needs.
    pub fn new(bytes_max: u64) -> Arc<LargeReads> {
        Arc::new(LargeReads { bytes_max, taken: Mutex::default(), given_back: Condvar::new() })
    }

    /// Begins a call on this thread. What its large pages take is given back when the returned guard is dropped, on the same thread. A call
    /// within a call is part of it.
    pub fn call(self: &Arc<Self>) -> LargeCallGuard {
        let begun = CALL.with_borrow_mut(|call| match call {
            Some(_) => false,
            None => {
                *call = Some(LargeCall { reads: Arc::clone(self), bytes: 0 });
                true
            }
        });
        LargeCallGuard { begun, on_this_thread: std::marker::PhantomData }
    }

    /// Bytes that are taken, and calls that were refused so far.
    pub fn stats(&self) -> (u64, u64) {
        let taken = self.taken.lock();
        (taken.bytes, taken.refused)
    }

    /// Takes memory for a call that has none, as soon as there is some.
    fn take(&self, bytes: u64) -> Result<(), String> {
        let until = Instant::now() + WAIT_MAX;
        let mut taken = self.taken.lock();
        while taken.bytes > 0 && taken.bytes.saturating_add(bytes) > self.bytes_max {
            if self.given_back.wait_until(&mut taken, until).timed_out() {
                taken.refused += 1;
                return Err(format!(
                    "No memory now for a cell that takes {bytes} bytes to read: reads of large cells take {} of {}",
                    taken.bytes, self.bytes_max
                ));
            }
        }
        taken.bytes += bytes;
        Ok(())
    }
}

/// Before the call of this thread reads a page of so many bytes. A call that holds large pages already goes on at once: were it to wait, two
/// of them could wait for each other. Outside of a call nothing is counted.
pub fn before_large_page(bytes: u64) -> Result<(), String> {
    CALL.with_borrow_mut(|call| {
        let Some(call) = call else { return Ok(()) };
        let bytes = bytes.saturating_mul(COPIES);
        if call.bytes == 0 {
            call.reads.take(bytes)?;
        } else if let Some(more) = bytes.checked_sub(call.bytes).filter(|more| *more > 0) {
            call.reads.taken.lock().bytes += more;
        }
        call.bytes = call.bytes.max(bytes);
        Ok(())
    })
}

/// A call on this thread, until it is dropped.
#[must_use]
pub struct LargeCallGuard {
    begun: bool,
    on_this_thread: std::marker::PhantomData<*const ()>,
}

impl Drop for LargeCallGuard {
    fn drop(&mut self) {
        if self.begun
            && let Some(call) = CALL.take()
            && call.bytes > 0
        {
            call.reads.taken.lock().bytes -= call.bytes;
            call.reads.given_back.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_call_takes_for_its_largest_page_until_it_ends() {
        let reads = LargeReads::new(1_000);
        {
            let _call = reads.call();
            for (page, taken) in [(100, 300), (50, 300), (200, 600)] {
                before_large_page(page).unwrap();
                assert_eq!(reads.stats(), (taken, 0));
            }
            let within = reads.call();
            before_large_page(300).unwrap();
            drop(within);
            assert_eq!(reads.stats().0, 900);
        }
        assert_eq!(reads.stats().0, 0);
        before_large_page(1_000).unwrap();
        assert_eq!(reads.stats().0, 0, "outside of a call");
    }

    #[test]
    fn a_single_call_takes_what_it_needs() {
        let reads = LargeReads::new(10);
        let _call = reads.call();
        before_large_page(1_000).unwrap();
        assert_eq!(reads.stats().0, 3_000);
    }

    #[test]
    fn a_call_for_which_there_is_no_memory_waits_for_the_others() {
        let reads = LargeReads::new(1_000);
        let call = reads.call();
        before_large_page(200).unwrap();
        let (sender, begun) = mpsc::channel();
        let other = std::thread::spawn({
            let reads = Arc::clone(&reads);
            move || {
                let _call = reads.call();
                sender.send(()).unwrap();
                before_large_page(200).unwrap();
                reads.stats().0
            }
        });
        begun.recv().unwrap();
        drop(call);
        assert_eq!(other.join().unwrap(), 600);
        assert_eq!(reads.stats(), (0, 0));
    }

    #[test]
    fn a_call_that_has_waited_long_is_refused() {
        let reads = LargeReads::new(1_000);
        let _call = reads.call();
        before_large_page(200).unwrap();
        let other = std::thread::spawn({
            let reads = Arc::clone(&reads);
            move || {
                let _call = reads.call();
                before_large_page(200)
            }
        });
        let refusal = other.join().unwrap().unwrap_err();
        assert!(refusal.contains("600 of 1000"), "{refusal}");
        assert_eq!(reads.stats(), (600, 1));
    }
}
