//! Work of a log that waits for other machines, for minutes perhaps: each kind of it has a thread of its own, so that nothing else waits for it.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::thread::JoinHandle;
use grampus_base::sync::{Condvar, Mutex};
use grampus_base::{Result, contain};

use super::Wal;

/// Work that is asked for without waiting for it.
#[derive(Default)]
pub(super) struct Errand {
    state: Mutex<State>,
    changed: Condvar,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct State {
    asked: bool,
    stop: bool,
    /// A thread waits for what is asked for, or does it.
    has_thread: bool,
}

impl Errand {
    /// Has the work done; once more, if it is under way. Nothing is done any more where the thread has ended.
    pub(super) fn ask(&self) {
        self.state.lock().asked = true;
        self.changed.notify_all();
    }

    /// Does what is asked for, until the end.
    fn run(&self, work: impl Fn()) {
        while self.awaits_work() {
            work();
        }
        self.state.lock().has_thread = false;
        self.changed.notify_all();
    }

    /// False at the end, when nothing more is asked for.
    fn awaits_work(&self) -> bool {
        let mut state = self.state.lock();
        while !state.asked && !state.stop {
            self.changed.wait(&mut state);
        }
        std::mem::take(&mut state.asked)
    }

    /// Ends the thread, if there is one, behind what is asked for. Waits for that, but no longer than said; false where it takes longer.
    fn stop(&self, wait: Duration) -> bool {
        let is_over = {
            let mut state = self.state.lock();
            state.stop = true;
            self.changed.notify_all();
            self.changed.wait_while_for(&mut state, |state| state.has_thread, wait);
            !state.has_thread
        };
        let thread = if is_over { self.thread.lock().take() } else { None };
        thread.map(JoinHandle::join); // it is at its last step
        is_over
    }
}

/// What a log has done beside its writes where a flush is not cheap. On local disks these have no threads and are not asked.
#[derive(Default)]
pub(super) struct Errands {
    /// Fresh segments behind large ones.
    pub(super) rolls: Errand,
    /// Closes of finished segments, and their way out of the directory.
    pub(super) closes: Errand,
    /// Recoveries of the leases of those that were abandoned.
    pub(super) recoveries: Errand,
}

impl Wal {
    pub(super) fn start_errands(self: &Arc<Self>) -> Result<()> {
        self.start_errand("wal-roll", |errands| &errands.rolls, Wal::roll_large)?;
        self.start_errand("wal-close", |errands| &errands.closes, Wal::clean_up_here)?;
        self.start_errand("wal-recover", |errands| &errands.recoveries, Wal::recover_abandoned)
    }

    fn start_errand(
        self: &Arc<Self>,
        name: &'static str,
        which: fn(&Errands) -> &Errand,
        work: fn(&Wal),
    ) -> Result<()> {
        let wal = Arc::clone(self);
        let errand = which(&self.errands);
        let mut state = errand.state.lock();
        let thread = self.spawn(name, move || which(&wal.errands).run(|| wal.work_on(name, work)))?;
        state.has_thread = true;
        *errand.thread.lock() = Some(thread);
        Ok(())
    }

    /// A panic ends this piece of work alone.
    fn work_on(&self, name: &str, work: fn(&Wal)) {
        let outcome = contain(name, || {
            work(self);
            Ok(())
        });
        if let Err(e) = outcome {
            let text = format!(
                "{}; this piece of background work is given up, it is done once more when it is asked for again",
                e.message
            );
            self.events.report(Level::Error, Topic::Log, text);
        }
    }

    /// Says that segments stay behind in the directory.
    pub(super) fn say_left(&self) {
        let dir = self.settings.dir.display();
        let text = format!(
            "the end of the log in {dir} waits no longer for other machines; the split of the log takes the segments that stay, nothing is lost"
        );
        self.events.report(Level::Warn, Topic::Log, text);
    }

    /// Has done what is still asked for, at the end of the log, which has no segment any more that a roll could put aside. Recoveries come
    /// after closes, which ask for them. All have so much time together. Behind it no further segment is touched, but for
    /// the one that a call under way has and the empty one of a late roll; false where a call still waits.
    pub(super) fn stop_errands(&self, wait: Duration) -> bool {
        let wait_nanos = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
        let end_nanos = self.env.monotonic_nanos().saturating_add(wait_nanos);
        let Errands { rolls, closes, recoveries } = &self.errands;
        let mut are_over = true;
        for errand in [closes, recoveries, rolls] {
            let left_nanos = end_nanos.saturating_sub(self.env.monotonic_nanos());
            are_over &= errand.stop(Duration::from_nanos(left_nanos));
        }
        self.finished.leave();
        are_over
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]
mod tests {
    use std::sync::mpsc::{channel, sync_channel};
    use std::thread;

    use super::*;

    /// An errand whose thread is at work until the sender goes; the receiver is told of each beginning.
    fn at_work(work: impl FnOnce(&Errand)) -> usize {
        let errand = Errand::default();
        let (begins, begun) = sync_channel(9);
        let (work_lasts, is_over) = channel::<()>();
        errand.state.lock().has_thread = true;
        thread::scope(|scope| {
            let errand = &errand;
            scope.spawn(move || {
                errand.run(|| {
                    begins.send(()).unwrap();
                    is_over.recv().unwrap_err();
                });
            });
            errand.ask();
            begun.recv().unwrap();
            work(errand);
            drop(work_lasts);
            assert!(errand.stop(Duration::MAX));
        });
        1 + begun.iter().count()
    }

    #[test]
    fn what_is_asked_for_beside_the_work_is_done_once_more() {
        assert_eq!(at_work(|_| {}), 1);
        assert_eq!(at_work(|errand| (0..5).for_each(|_| errand.ask())), 2);
    }

    #[test]
    fn the_end_waits_no_longer_than_said() {
        assert_eq!(at_work(|errand| assert!(!errand.stop(Duration::ZERO))), 1);
    }

    #[test]
    fn an_errand_without_a_thread_has_nothing_to_end() {
        assert!(Errand::default().stop(Duration::MAX));
    }
}
