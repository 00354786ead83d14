//! How long the calls took that read and write the files of stores.

use grampus_base::Histogram;

const NANOS_PER_MILLI: u64 = 1_000_000;

/// Times in whole milliseconds, as HBase counts them. Any thread.
#[derive(Default)]
pub struct IoTimes {
    page_reads: Histogram,
    pass_reads: Histogram,
    writes: Histogram,
}

impl IoTimes {
    /// A read of a page, or of some that follow each other.
    pub fn page_read(&self, nanos: u64) {
        self.page_reads.add(nanos / NANOS_PER_MILLI, 1);
    }

    /// A read of a piece of a file in a pass over all of it.
    pub fn pass_read(&self, nanos: u64) {
        self.pass_reads.add(nanos / NANOS_PER_MILLI, 1);
    }

    /// A write of a page.
    pub fn write(&self, nanos: u64) {
        self.writes.add(nanos / NANOS_PER_MILLI, 1);
    }

    /// The times by what they are of.
    pub fn all(&self) -> [(&'static str, &Histogram); 3] {
        [
            ("page_read_millis", &self.page_reads),
            ("pass_read_millis", &self.pass_reads),
            ("write_millis", &self.writes),
        ]
    }
}
