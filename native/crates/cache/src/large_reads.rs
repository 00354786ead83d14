//! Memory of reads of large pages: how much of it the reads that run may take together.
//!
//! A page is as large as its largest cell at least. While a read has a large page that is not in the cache, nothing else counts it. Reads of
//! small cells take so little that their number bounds it; a few dozen reads of cells of 10 MB would take more than a server has.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::sync::{Condvar, Mutex};
use grampus_colfile::page::LARGE_PAGE_BYTES;

/// Beside the page itself a read has it once as it is stored and once as a cell of the result.
const COPIES: u64 = 2;
/// The longest that a read waits for other reads, all its pages together, before it gives up.
const WAIT_MAX: Duration = Duration::from_secs(2);

thread_local! {
    /// The read that the thread runs. Pages do not know for which read they are loaded.
    static RUNNING: RefCell<Option<RunningRead>> = const { RefCell::new(None) };
}

/// What reads of large pages take together. Any thread.
pub struct LargeReads {
    bytes_max: u64,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    taken: u64,
    refused: u64,
    /// Number of the turn that may go beyond the limit.
    beyond: Option<u64>,
    /// Turns that have taken nothing yet, in the order of their coming.
    waiting: VecDeque<u64>,
    last_turn: u64,
}

/// A read under way.
struct RunningRead {
    reads: Arc<LargeReads>,
    /// Number of its turn; 0 before its first large page.
    turn: u64,
    /// Bytes taken for copies of its largest page.
    copies: u64,
    /// Bytes taken for what a batch keeps of its steps.
    kept: u64,
    waited: Duration,
}

impl LargeReads {
    /// Reads that may take `bytes_max` together, and one at a time whatever it needs.
    pub fn new(bytes_max: u64) -> Arc<LargeReads> {
        Arc::new(LargeReads { bytes_max, state: Mutex::default(), given_back: Condvar::new() })
    }

    /// Begins a read on this thread, until the returned guard is dropped on it. A read within a read is part of it.
    pub fn begin(self: &Arc<Self>) -> ReadGuard {
        let begun = RUNNING.with_borrow_mut(|running| {
            let begins = running.is_none();
            running.get_or_insert_with(|| RunningRead {
                reads: Arc::clone(self),
                turn: 0,
                copies: 0,
                kept: 0,
                waited: Duration::ZERO,
            });
            begins
        });
        ReadGuard { begun, of_this_thread: PhantomData }
    }

    /// Bytes that are taken, and reads that were refused so far.
    pub fn stats(&self) -> (u64, u64) {
        let state = self.state.lock();
        (state.taken, state.refused)
    }

    fn give_back(&self, bytes: u64, end_of: Option<u64>) {
        let mut state = self.state.lock();
        state.taken -= bytes;
        state.beyond.take_if(|beyond| Some(*beyond) == end_of);
        drop(state);
        self.given_back.notify_all();
    }
}

impl State {
    /// Whether a read may take `bytes` now. A read that has pages does not queue behind those that wait for them. One at a time may
    /// go beyond the limit, so that reads that wait for each other come to an end.
    fn admits(&mut self, turn: u64, bytes: u64, limit: u64) -> bool {
        if self.waiting.front().is_some_and(|first| *first != turn) && self.waiting.contains(&turn) {
            return false;
        }
        if self.taken.saturating_add(bytes) <= limit {
            return true;
        }
        *self.beyond.get_or_insert(turn) == turn
    }
}

impl RunningRead {
    /// Takes memory for a page and for the copies that a larger page than those before needs.
    fn take(&mut self, page: u64) -> Result<(), String> {
        let copies = page.saturating_mul(COPIES).max(self.copies);
        let bytes = page.saturating_add(copies - self.copies);
        let mut state = self.reads.state.lock();
        if self.turn == 0 {
            state.last_turn += 1;
            self.turn = state.last_turn;
            state.waiting.push_back(self.turn);
        }
        let admits = |state: &mut State| state.admits(self.turn, bytes, self.reads.bytes_max);
        let mut admitted = admits(&mut state);
        if !admitted {
            let begin = waiting_begins();
            let left = WAIT_MAX.saturating_sub(self.waited);
            self.reads.given_back.wait_while_for(&mut state, |state| !admits(state), left);
            admitted = admits(&mut state);
            self.waited += begin.elapsed();
        }
        state.waiting.retain(|waiting| *waiting != self.turn);
        let others_may_go = !state.waiting.is_empty();
        if admitted {
            state.taken += bytes;
            self.copies = copies;
        } else {
            state.refused += 1;
        }
        let taken = state.taken;
        drop(state);
        if others_may_go {
            self.reads.given_back.notify_all();
        }
        if admitted {
            return Ok(());
        }
        Err(format!(
            "No memory now for a cell that takes {bytes} bytes to read: others take {taken} of {}; try again",
            self.reads.bytes_max
        ))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long other threads let this one wait is no matter of a schedule"
)]
fn waiting_begins() -> Instant {
    Instant::now()
}

/// Takes memory for a large page, in bytes, that the read on this thread is about to load; it is given back when the returned guard is
/// dropped, on whatever thread. Waits for other reads, and fails with a sentence when they take too long. Outside of a read nothing is
/// counted.
pub fn reserve_large_page(bytes: u64) -> Result<Option<LargePage>, String> {
    RUNNING.with_borrow_mut(|running| {
        let Some(read) = running else { return Ok(None) };
        read.take(bytes)?;
        Ok(Some(LargePage { reads: Arc::clone(&read.reads), bytes }))
    })
}

/// Between the steps of a batch, which is one read: gives back the copies and the turn of the step before, so that a wait for the rows of
/// the next step keeps them from no other read. What the batch keeps of its steps, in bytes, counts until its end if it is as much as a large page,
/// whatever the limit. The time that the read may wait is that of all its steps.
pub fn end_step(kept: u64) {
    RUNNING.with_borrow_mut(|running| {
        let Some(read) = running else { return };
        let kept = if kept < LARGE_PAGE_BYTES as u64 { 0 } else { kept };
        if read.turn > 0 || kept != read.kept {
            read.reads.state.lock().taken += kept;
            let taken = std::mem::take(&mut read.copies) + std::mem::replace(&mut read.kept, kept);
            read.reads.give_back(taken, Some(std::mem::take(&mut read.turn)));
        }
    });
}

/// Memory of a large page, until it is dropped.
pub struct LargePage {
    reads: Arc<LargeReads>,
    bytes: u64,
}

impl Drop for LargePage {
    fn drop(&mut self) {
        self.reads.give_back(self.bytes, None);
    }
}

/// A read on this thread, until it is dropped.
#[must_use]
pub struct ReadGuard {
    begun: bool,
    /// Not `Send`.
    of_this_thread: PhantomData<*const ()>,
}

impl Drop for ReadGuard {
    fn drop(&mut self) {
        if self.begun
            && let Some(read) = RUNNING.take()
            && read.turn.max(read.kept) > 0
        {
            read.reads.give_back(read.copies + read.kept, Some(read.turn));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::{JoinHandle, spawn};

    use super::*;

    /// A read on another thread that asks for a page, once it has begun; it says what was taken then.
    fn read(reads: &Arc<LargeReads>, page: u64) -> JoinHandle<Result<u64, String>> {
        let (sender, begun) = mpsc::channel();
        let reads = Arc::clone(reads);
        let thread = spawn(move || {
            let _read = reads.begin();
            sender.send(()).unwrap();
            let _page = reserve_large_page(page)?;
            Ok(reads.stats().0)
        });
        begun.recv().unwrap();
        thread
    }

    #[test]
    fn a_read_takes_its_pages_and_copies_of_the_largest() {
        let reads = LargeReads::new(10_000);
        let kept = {
            let _read = reads.begin();
            let first = reserve_large_page(100).unwrap();
            assert_eq!(reads.stats(), (300, 0));
            let second = reserve_large_page(50).unwrap();
            assert_eq!(reads.stats(), (350, 0));
            drop(first);
            assert_eq!(reads.stats(), (250, 0));
            let within = reads.begin();
            let third = reserve_large_page(200).unwrap();
            drop((within, third));
            assert_eq!(reads.stats(), (450, 0));
            second
        };
        assert_eq!(reads.stats().0, 50, "a page may outlive its read");
        drop(kept);
        assert!(reserve_large_page(1_000).unwrap().is_none(), "outside of a read");
        assert_eq!(reads.stats(), (0, 0));
    }

    #[test]
    fn a_step_of_a_batch_gives_its_copies_back_and_keeps_its_results() {
        const MB: u64 = 1 << 20;
        let reads = LargeReads::new(10 * MB);
        let batch = reads.begin();
        drop(reserve_large_page(4 * MB).unwrap());
        assert_eq!(reads.stats().0, 8 * MB);
        end_step(MB);
        assert_eq!(reads.stats().0, MB);
        assert_eq!(read(&reads, 3 * MB).join().unwrap().unwrap(), 10 * MB, "others have their turn");
        end_step(2 * MB);
        assert_eq!(reads.stats().0, 2 * MB, "of a step without large pages");
        drop(reserve_large_page(MB).unwrap());
        assert_eq!(reads.stats().0, 4 * MB);
        end_step(30 * MB);
        assert_eq!(reads.stats().0, 30 * MB, "whatever the limit");
        drop(batch);
        assert_eq!(reads.stats().0, 0);
        let _batch = reads.begin();
        end_step(LARGE_PAGE_BYTES as u64 - 1);
        assert_eq!(reads.stats().0, 0, "small results");
    }

    #[test]
    fn the_steps_of_a_batch_wait_no_longer_than_one_read() {
        let reads = LargeReads::new(1_000);
        let (stop, stopped) = mpsc::channel::<()>();
        let (sender, holds) = mpsc::channel();
        let others = Arc::clone(&reads);
        let holder = spawn(move || {
            let _read = others.begin();
            let _page = reserve_large_page(1_000).unwrap();
            sender.send(()).unwrap();
            let _ = stopped.recv();
        });
        holds.recv().unwrap();
        let _batch = reads.begin();
        let begin = Instant::now();
        for _ in 0..20 {
            assert!(reserve_large_page(500).is_err());
            end_step(0);
        }
        assert!(begin.elapsed() < 10 * WAIT_MAX, "{:?}", begin.elapsed());
        drop(stop);
        holder.join().unwrap();
    }

    #[test]
    fn a_single_read_takes_what_it_needs() {
        let reads = LargeReads::new(10);
        let _read = reads.begin();
        let _pages = (reserve_large_page(1_000).unwrap(), reserve_large_page(2_000).unwrap());
        assert_eq!(reads.stats().0, 7_000);
    }

    #[test]
    fn a_read_for_which_there_is_no_memory_waits_for_the_others() {
        let reads = LargeReads::new(1_000);
        let first = reads.begin();
        let page = reserve_large_page(400).unwrap();
        let other = read(&reads, 400);
        drop(page);
        drop(first);
        assert_eq!(other.join().unwrap().unwrap(), 1_200);
        assert_eq!(reads.stats(), (0, 0));
    }

    #[test]
    fn a_read_that_has_waited_long_is_refused() {
        let reads = LargeReads::new(1_000);
        let _read = reads.begin();
        let _page = reserve_large_page(400).unwrap(); // beyond the limit, as the only one
        let refusal = read(&reads, 1).join().unwrap().unwrap_err();
        assert!(refusal.contains("1200 of 1000"), "{refusal}");
        assert_eq!(reads.stats(), (1_200, 1));
    }

    /// Reads that have pages and want more of them: one goes beyond the limit, the other comes after it.
    #[test]
    fn reads_that_wait_for_each_other_come_to_an_end() {
        let reads = LargeReads::new(700);
        let (sender, begun) = mpsc::channel();
        let both: Vec<JoinHandle<Result<(), String>>> = (0..2)
            .map(|_| {
                let (reads, sender) = (Arc::clone(&reads), sender.clone());
                spawn(move || {
                    let _read = reads.begin();
                    let _small = reserve_large_page(100)?;
                    sender.send(()).unwrap();
                    let _large = reserve_large_page(200)?;
                    Ok(())
                })
            })
            .collect();
        begun.recv().unwrap();
        both.into_iter().for_each(|read| read.join().unwrap().unwrap());
        assert_eq!(reads.stats(), (0, 0));
    }
}
