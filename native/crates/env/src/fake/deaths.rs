//! What is left of files when a process, a machine or all machines die.

use super::content::Content;
use super::{FakeEnv, Faults};
use crate::Env;

impl FakeEnv {
    /// A process crash followed by a restart. Locally everything that was appended survives, so nothing is lost here but planned faults,
    /// and writers may go on. Remote, the writers are dead: their files stay open until their leases are recovered.
    pub fn crash_process(&self) {
        let mut state = self.shared.state.lock();
        state.faults = Faults::default();
        if self.is_remote() {
            state.live.files.values().for_each(|content| self.bury_writer(content));
        }
    }

    /// A machine crash. Locally unsynced bytes are gone, and so are names whose directory was not synced since they changed; remote it is
    /// as the death of the process: see [`FakeKind::Remote`]. What a writer from before appends reaches no file any more.
    pub fn crash_machine(&self) {
        if self.is_remote() { self.crash_process() } else { self.crash_disk(|| 0) }
    }

    /// All machines die at once. Names are as behind [`FakeEnv::crash_machine`]; of each file there is what its syncs have covered, with as
    /// much of the rest as chance says.
    pub fn lose_power(&self) {
        if !self.is_remote() {
            return self.crash_disk(|| self.random());
        }
        self.crash_process();
        let state = self.shared.state.lock();
        state.live.files.values().for_each(|content| content.lock().keep_some(self.random()));
    }

    fn crash_disk(&self, chance: impl Fn() -> u64) {
        let mut state = self.shared.state.lock();
        state.faults = Faults::default();
        state.durable.drop_unreachable();
        state.durable.keep_medium(chance);
        state.live = state.durable.clone();
    }

    /// An open file belongs to no one from now on.
    fn bury_writer(&self, content: &Content) {
        let mut bytes = content.lock();
        let unused = self.next_writer();
        bytes.writer = bytes.writer.map(|_| unused);
    }
}
