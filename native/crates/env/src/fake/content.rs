//! The bytes of one file, and which of them survive what.

use parking_lot::Mutex;

/// One file; shared with its readers and its writer, so that a rename or delete does not disturb them.
#[derive(Default)]
pub(super) struct Content(Mutex<Bytes>);

/// What there is of a file.
#[derive(Clone, Default)]
pub(super) struct Bytes {
    /// All that was appended.
    pub(super) bytes: Vec<u8>,
    /// Remote: as much is known to be at all replicas.
    pub(super) flushed: usize,
    /// As much is on the medium.
    pub(super) synced: usize,
    /// Remote: the length that others are told while the file is open. As in HDFS it is that of the first flush.
    pub(super) reported: usize,
    /// Remote: the only writer that may go on; `None` once the file is closed.
    pub(super) writer: Option<u64>,
    /// A sync has failed: as on Linux, later ones succeed, but the bytes that it should have written never reach the medium.
    pub(super) lost: bool,
}

impl Content {
    /// An empty file. A remote one has a writer, by its number.
    pub(super) fn new(writer: Option<u64>) -> Content {
        Content(Mutex::new(Bytes { writer, ..Bytes::default() }))
    }

    pub(super) fn lock(&self) -> parking_lot::MutexGuard<'_, Bytes> {
        self.0.lock()
    }

    /// What a local medium has of it after the machine died: see [`Bytes::keep_some`].
    pub(super) fn on_medium(&self, chance: u64) -> Content {
        let mut kept = self.lock().clone();
        kept.keep_some(chance);
        Content(Mutex::new(kept))
    }
}

impl Bytes {
    /// The bytes of the file that a reader that opens it can read.
    pub(super) fn visible(&self) -> usize {
        if self.writer.is_some() { self.flushed } else { self.bytes.len() }
    }

    /// The length that others are told.
    pub(super) fn told(&self) -> usize {
        if self.writer.is_some() { self.reported } else { self.bytes.len() }
    }

    /// What is on the media of machines that have all died: what was synced, and as much of the rest as chance says, of which 0 is for none.
    pub(super) fn keep_some(&mut self, chance: u64) {
        let unsynced = if self.lost { 0 } else { self.bytes.len() - self.synced };
        self.keep(self.synced + usize::try_from(chance % (unsynced as u64 + 1)).unwrap_or(0));
    }

    fn keep(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.synced = len;
        self.flushed = len;
        self.lost = false;
    }

    /// Ends the file of a writer that is dead: what was flushed stays, and of the rest as much as chance says.
    pub(super) fn recover(&mut self, chance: u64) {
        if self.writer.take().is_some() {
            let tail = self.bytes.len() - self.flushed;
            let kept = usize::try_from(chance % (tail as u64 + 1)).unwrap_or(0);
            self.bytes.truncate(self.flushed + kept);
        }
    }
}
