//! Exports that a file of a table and a stream of batches have in common: what feeds them with rows.

use grampus_base::{Error, ErrorKind, Result};
use grampus_columns::{BatchSink, BatchStream, FormWriter, ReadyBatches, RowFeed, TableFile};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JIntArray};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::Mutex;

use crate::boundary::{BridgeResult, export};
use crate::buffers;
use crate::frozen_scan::Delivered;
use crate::frozen_scan_exports::take_scan;
use crate::handles::HandleTable;
use crate::sink_file::SinkFile;
use crate::sink_upcalls::JavaSink;

/// A feed behind a handle, for one call at a time. A second call fails and does not wait: it may come out of an upcall of the first.
pub(crate) trait FeedSlot {
    type Sink: BatchSink;

    fn call<T>(&self, call: impl FnOnce(&mut RowFeed<Self::Sink>) -> Result<T>) -> Result<T>;
}

impl FeedSlot for Mutex<BatchStream> {
    type Sink = ReadyBatches;

    fn call<T>(&self, call: impl FnOnce(&mut BatchStream) -> Result<T>) -> Result<T> {
        let in_use = || Error::new(ErrorKind::Bug, "a stream of batches is used by two calls at a time");
        call(&mut *self.try_lock().ok_or_else(in_use)?)
    }
}

impl FeedSlot for SinkFile<TableFile<JavaSink>> {
    type Sink = FormWriter<JavaSink>;

    fn call<T>(&self, call: impl FnOnce(&mut TableFile<JavaSink>) -> Result<T>) -> Result<T> {
        self.step(call)
    }
}

/// `void begin0(long feed, long scan)`: the scan's handle ends, whatever comes.
pub(crate) fn begin<T: FeedSlot>(feeds: &HandleTable<T>, env: EnvUnowned<'_>, feed: jlong, scan: jlong) {
    export(env, |_| {
        let scan = take_scan(scan)?;
        Ok(feeds.get(feed)?.call(|feed| feed.begin(scan))?)
    })
}

/// `boolean advance0(long feed, ByteBuffer info)`: the info block has counts, the row that was looked at last, and no result.
pub(crate) fn advance<T: FeedSlot>(
    feeds: &HandleTable<T>,
    env: EnvUnowned<'_>,
    feed: jlong,
    info: &JByteBuffer<'_>,
) -> jboolean {
    export(env, |env| {
        let info = buffers::whole_output(env, info)?;
        let advance = |feed: &mut RowFeed<T::Sink>| {
            let more = feed.advance()?;
            if let Some(scan) = feed.scan() {
                Delivered::elsewhere(feed.scan_rows(), more).write(scan, info);
            }
            Ok(more)
        };
        Ok(feeds.get(feed)?.call(advance)?)
    })
}

/// `void append0(long feed, ByteBuffer cells, int offset, int length, int[] counts, int rows)`
pub(crate) fn append<T: FeedSlot>(
    feeds: &HandleTable<T>,
    env: EnvUnowned<'_>,
    feed: jlong,
    (cells, offset, length): (&JByteBuffer<'_>, jint, jint),
    (counts, rows): (&JIntArray<'_>, jint),
) {
    export(env, |env| {
        let cells = buffers::input(env, cells, offset, length)?;
        let counts = cell_counts(env, counts, rows)?;
        Ok(feeds.get(feed)?.call(|feed| feed.append(cells, &counts))?)
    })
}

/// The number of cells of each row.
fn cell_counts(env: &mut jni::Env<'_>, counts: &JIntArray<'_>, rows: jint) -> BridgeResult<Vec<u32>> {
    let bad =
        || Error::new(ErrorKind::Bug, format!("{rows} rows need as many cell counts, none of them negative"));
    let length = counts.len(env)?;
    let rows = usize::try_from(rows).ok().filter(|rows| *rows <= length).ok_or_else(bad)?;
    let mut numbers = vec![0; rows];
    counts.get_region(env, 0, &mut numbers)?;
    let numbers: std::result::Result<Vec<u32>, _> = numbers.into_iter().map(u32::try_from).collect();
    Ok(numbers.map_err(|_| bad())?)
}
