//! A file whose reads are timed.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cache::IoTimes;
use grampus_env::Env;

/// Which times a file's reads are among.
#[derive(Clone, Copy)]
enum Reader {
    /// Reads of single pages.
    Page,
    /// A pass over the whole file.
    Pass,
}

/// A file of a store, over the one that has its bytes.
pub(super) struct TimedFile {
    file: Arc<dyn RandomRead>,
    env: Arc<dyn Env>,
    times: Arc<IoTimes>,
    reader: Reader,
}

impl TimedFile {
    /// The same file. Its reads count as those of pages, but for those of a pass.
    pub(super) fn new(file: Arc<dyn RandomRead>, env: &Arc<dyn Env>, times: &Arc<IoTimes>) -> TimedFile {
        TimedFile { file, env: Arc::clone(env), times: Arc::clone(times), reader: Reader::Page }
    }
}

impl RandomRead for TimedFile {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let begun_nanos = self.env.monotonic_nanos();
        let outcome = self.file.read_exact_at(buf, offset);
        let nanos = self.env.monotonic_nanos() - begun_nanos;
        match self.reader {
            Reader::Page => self.times.page_read(nanos),
            Reader::Pass => self.times.pass_read(nanos),
        }
        outcome
    }

    fn name(&self) -> &str {
        self.file.name()
    }

    fn will_read(&self, bytes: Range<u64>) {
        self.file.will_read(bytes);
    }

    fn one_pass(&self) -> Option<Arc<dyn RandomRead>> {
        let pass = TimedFile::new(self.file.one_pass()?, &self.env, &self.times);
        Some(Arc::new(TimedFile { reader: Reader::Pass, ..pass }))
    }
}
