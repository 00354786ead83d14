//! Work of a log that waits for other machines, for minutes perhaps: each kind of it has a thread of its own, so that nothing else waits for it.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::{Condvar, Mutex};
use grampus_base::{Result, contain};

use super::Wal;

/// The longest that the end of a log waits for recoveries of leases. A segment whose recovery takes longer stays: the split of the log recovers
/// it, and finds nothing in it that is not in files.
const RECOVERIES_WAIT: Duration = Duration::from_secs(30);

/// Work that is asked for without waiting for it.
#[derive(Default)]
pub(super) struct Errand {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    asked: bool,
    stop: bool,
    /// It has a thread.
    runs: bool,
}

impl Errand {
    /// Has the work done; once more, if it is under way.
    pub(super) fn ask(&self) {
        self.state.lock().asked = true;
        self.changed.notify_all();
    }

    /// Does what is asked for, until the end.
    fn run(&self, work: impl Fn()) {
        while self.awaits_work() {
            work();
        }
        self.state.lock().runs = false;
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

    /// Ends the thread, if there is one, behind what is asked for. Waits for that, but no longer than said.
    fn stop(&self, wait: Duration) {
        let mut state = self.state.lock();
        state.stop = true;
        self.changed.notify_all();
        self.changed.wait_while_for(&mut state, |state| state.runs, wait);
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
        let mut state = which(&self.errands).state.lock();
        self.spawn(name, move || which(&wal.errands).run(|| wal.work_on(name, work)))?;
        state.runs = true;
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

    /// Has done what is still asked for. Closes come after rolls, which put segments aside, and ask for recoveries.
    pub(super) fn stop_errands(&self) {
        self.errands.rolls.stop(Duration::MAX);
        self.errands.closes.stop(Duration::MAX);
        self.errands.recoveries.stop(RECOVERIES_WAIT);
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
        errand.state.lock().runs = true;
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
            errand.stop(Duration::MAX);
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
        assert_eq!(at_work(|errand| errand.stop(Duration::ZERO)), 1);
    }

    #[test]
    fn an_errand_without_a_thread_has_nothing_to_end() {
        Errand::default().stop(Duration::MAX);
    }
}
