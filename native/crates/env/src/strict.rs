//! What a file does after its first failure, whatever it is made of.

use std::io;

use super::AppendFile;

/// A file that never goes on behind a torn tail, and never succeeds in a sync after one that failed.
///
/// Linux tells of a failed write-back once and then takes the lost bytes for written: a second fsync succeeds without them.
pub(super) struct Strict<A> {
    file: A,
    /// Why nothing more is appended.
    torn: Option<Failure>,
    /// Why no sync succeeds any more.
    lost: Option<Failure>,
}

#[derive(Clone)]
struct Failure {
    kind: io::ErrorKind,
    text: String,
}

impl Failure {
    fn of(error: &io::Error) -> Failure {
        Failure { kind: error.kind(), text: error.to_string() }
    }

    fn again(failure: Option<&Failure>) -> io::Result<()> {
        match failure {
            Some(Failure { kind, text }) => {
                Err(io::Error::new(*kind, format!("it has failed before: {text}")))
            }
            None => Ok(()),
        }
    }
}

/// The file with the rules that every one keeps after its first failure, for environments outside of this crate.
pub fn strict(file: impl AppendFile + 'static) -> Box<dyn AppendFile> {
    Box::new(Strict::new(file))
}

impl<A: AppendFile> Strict<A> {
    pub(super) fn new(file: A) -> Strict<A> {
        Strict { file, torn: None, lost: None }
    }

    fn write(&mut self, step: impl FnOnce(&mut A) -> io::Result<()>) -> io::Result<()> {
        Failure::again(self.torn.as_ref())?;
        step(&mut self.file).inspect_err(|e| self.torn = Some(Failure::of(e)))
    }
}

impl<A: AppendFile> AppendFile for Strict<A> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(|file| file.append(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write(A::flush)
    }

    fn sync(&mut self) -> io::Result<()> {
        Failure::again(self.lost.as_ref())?;
        self.file.sync().inspect_err(|e| {
            self.lost = Some(Failure::of(e));
            self.torn = self.lost.clone();
        })
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.write(A::start_write_back)
    }

    fn position(&self) -> u64 {
        self.file.position()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        Failure::again(self.lost.as_ref().or(self.torn.as_ref()))?;
        Box::new(self.file).close()
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffered::BufferedAppend;
    use super::super::planned_file::{Plan, PlannedFile};
    use super::*;

    #[test]
    fn no_sync_succeeds_after_one_that_failed() {
        let raw = PlannedFile::new(Plan { failing_syncs: 1, ..Plan::default() });
        let mut file = Strict::new(BufferedAppend::new(raw.clone()));
        file.append(b"lost").unwrap();
        let first = file.sync().unwrap_err();
        for _ in 0..2 {
            let again = file.sync().unwrap_err();
            assert_eq!(again.kind(), first.kind());
            assert!(again.to_string().contains(&first.to_string()), "{again}");
        }
        assert!(file.append(b"more").is_err() && file.flush().is_err() && file.start_write_back().is_err());
        assert!(Box::new(file).close().is_err());
        assert_eq!(raw.written_and_synced(), (b"lost".to_vec(), 0));
    }

    #[test]
    fn nothing_comes_behind_a_torn_tail_but_what_is_before_it_can_be_synced() {
        let raw = PlannedFile::new(Plan { room: Some(6), ..Plan::default() });
        let mut file = Strict::new(BufferedAppend::new(raw.clone()));
        file.append(b"kept").unwrap();
        file.flush().unwrap();
        file.append(b"torn").unwrap();
        assert_eq!(file.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        raw.0.lock().room = None;
        assert_eq!(file.append(b"more").unwrap_err().kind(), io::ErrorKind::StorageFull);
        file.sync().unwrap();
        assert_eq!(raw.written_and_synced(), (b"keptto".to_vec(), 6));
        assert_eq!(Box::new(file).close().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn a_file_closes_once_all_of_it_is_handed_over() {
        let raw = PlannedFile::new(Plan::default());
        let mut file = Strict::new(BufferedAppend::new(raw.clone()));
        file.append(b"kept").unwrap();
        Box::new(file).close().unwrap();
        assert_eq!(raw.written_and_synced(), (b"kept".to_vec(), 0));
        let raw = PlannedFile::new(Plan { failing_close: true, ..Plan::default() });
        let mut file = Strict::new(BufferedAppend::new(raw));
        file.append(b"lost").unwrap();
        assert_eq!(Box::new(file).close().unwrap_err().raw_os_error(), Some(libc::EIO));
    }
}
