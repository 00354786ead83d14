//! Distributes a dead server's segment over the regions it has edits of.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use grampus_base::{Error, ErrorKind, Result, crash_point, table_parts};
use grampus_env::Env;

use super::left_out::{LeftOut, Unreadable};
use super::output::{Attempt, Unfinished};
use super::reader::{RawEdit, SegmentReader};
use super::record::{Edit, Record};
use super::segment::SegmentWriter;
use super::settled;

/// What a split did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SplitReport {
    /// Regions that got edits.
    pub regions: u64,
    /// Edits written.
    pub edits: u64,
    /// What could not be read and was left out.
    pub left_out: Vec<LeftOut>,
    /// Edits left out: their region closed in order after them.
    pub settled: u64,
}

/// Files that a pass over a segment has open. Each has a buffer of 256 KiB on HDFS and a stream with a thread, and a data node serves a few thousand
/// streams for all its clients.
const OUTPUTS_MAX: usize = 256;

struct Output<'a> {
    writer: SegmentWriter,
    dir: PathBuf,
    highest: u64,
    /// Below the writer: it is dropped before its file is deleted.
    unfinished: Unfinished<'a>,
}

/// Where a cluster keeps its files, in the same directories below each.
#[derive(Clone, Copy)]
pub struct Roots<'a> {
    /// Of files of regions, `hbase.rootdir`.
    pub files: &'a Path,
    /// Of logs and what is made of them, `hbase.wal.dir`.
    pub logs: &'a Path,
}

/// The directory of a region below a root.
pub fn region_dir(root: &Path, table: &str, encoded: &str) -> PathBuf {
    let (namespace, qualifier) = table_parts(table);
    root.join("data").join(namespace).join(qualifier).join(encoded)
}

/// Name of a file below `recovered.edits/` whose highest sequence id this is.
pub(crate) fn recovered_name(highest: u64) -> String {
    format!("{highest:019}")
}

/// Writes each region's edits of a segment to its `recovered.edits` below the root of logs, but for those that are settled:
/// what the region's files had when it closed may have been taken away since. Regions whose directory is gone are skipped.
/// May be repeated, also while another worker does it.
///
/// The segment's lease is recovered before: from then on its server, should it live, acknowledges nothing that is not read here.
///
/// What cannot be read is an error, or, with `skip_errors`, left out and kept in files of its own.
pub fn split(
    env: &dyn Env,
    segment: &Path,
    roots: Roots<'_>,
    attempt: Attempt,
    skip_errors: bool,
) -> Result<SplitReport> {
    split_in_passes(env, segment, roots, attempt, skip_errors, OUTPUTS_MAX)
}

/// Reads the segment once for every `outputs_max` regions, and writes the files of those.
fn split_in_passes(
    env: &dyn Env,
    segment: &Path,
    roots: Roots<'_>,
    attempt: Attempt,
    skip_errors: bool,
    outputs_max: usize,
) -> Result<SplitReport> {
    env.recover_lease(segment).map_err(|e| Error::io("recover the lease of", segment, e))?;
    let settled = settled::of_segment(env, segment)
        .map_err(|e| Error::io("read the settled marks of the server of", segment, e))?;
    let (outputs, done, report) = (BTreeMap::new(), BTreeSet::new(), SplitReport::default());
    let mut split =
        Split { env, segment, roots, attempt, settled, outputs_max, outputs, done, found: None, report };
    while split.pass(skip_errors)? {}
    Ok(split.report)
}

/// What a pass could read of a segment.
#[derive(PartialEq, Eq)]
struct Found {
    unreadable: Vec<Range<u64>>,
    /// Where the last record ends.
    end: u64,
}

/// A split that is under way.
struct Split<'a> {
    env: &'a dyn Env,
    segment: &'a Path,
    roots: Roots<'a>,
    attempt: Attempt,
    /// Of each region the sequence id up to which its edits are settled.
    settled: BTreeMap<String, u64>,
    outputs_max: usize,
    /// The file of each region whose edits this pass takes.
    outputs: BTreeMap<String, Output<'a>>,
    /// Regions whose files are in place, or that are gone.
    done: BTreeSet<String>,
    /// Of the first pass.
    found: Option<Found>,
    report: SplitReport,
}

impl<'a> Split<'a> {
    /// Reads the segment once, and writes the edits of regions that no pass before has taken. True when there are more regions. The first pass
    /// tells what is settled and what cannot be read; nothing is put in place before the whole segment was read. A later pass that cannot read
    /// the same, on a disk that goes bad, is an error, and the master repeats the split: else edits would be left out unseen.
    fn pass(&mut self, skip_errors: bool) -> Result<bool> {
        let open = if skip_errors { SegmentReader::open_skipping } else { SegmentReader::open };
        let mut reader = open(self.env, self.segment)?;
        let mut unreadable = Unreadable::new(skip_errors);
        let (mut settled, mut has_more) = (0, false);
        while let Some(raw) = reader.next_edit()? {
            let Some(edit) = unreadable.decode(&raw)? else { continue };
            if self.settled.get(edit.region).is_some_and(|mark| raw.sequence <= *mark) {
                settled += 1;
            } else {
                has_more |= !self.take(&edit, &raw)?;
            }
        }
        let found = Found { unreadable: unreadable.ranges(&mut reader), end: reader.position() };
        match &self.found {
            Some(first) if *first != found => return Err(self.reads_otherwise()),
            Some(_) => {}
            None => {
                self.report.settled = settled;
                self.report.left_out =
                    unreadable.keep(self.env, &mut reader, self.attempt, self.segment, self.roots.logs)?;
                self.found = Some(found);
            }
        }
        self.finish_outputs()?;
        Ok(has_more)
    }

    fn reads_otherwise(&self) -> Error {
        let segment = self.segment.display();
        let message = format!(
            "log segment {segment} cannot be read as a moment ago: look at its disk; the split is to be repeated"
        );
        Error::new(ErrorKind::Corrupt, message)
    }

    /// Writes an edit to the file of its region, unless that is done or gone. False when a later pass takes it.
    fn take(&mut self, edit: &Edit<'_>, raw: &RawEdit<'_>) -> Result<bool> {
        if self.done.contains(edit.region) {
            return Ok(true);
        }
        if !self.outputs.contains_key(edit.region) {
            if self.outputs.len() == self.outputs_max {
                return Ok(false);
            }
            self.begin(edit)?;
        }
        let Some(output) = self.outputs.get_mut(edit.region) else { return Ok(true) };
        let record = Record::copy_of(raw.body)?.with_sequence(raw.sequence);
        output.writer.append(&record, 1).map_err(|e| Error::io("write", output.writer.path(), e))?;
        output.highest = output.highest.max(raw.sequence);
        self.report.edits += 1;
        Ok(true)
    }

    /// Begins the file of an edit's region, unless the region is gone.
    fn begin(&mut self, edit: &Edit<'_>) -> Result<()> {
        let [region, log_dir] =
            [self.roots.files, self.roots.logs].map(|root| region_dir(root, edit.table, edit.region));
        let output = begin(self.env, &region, &log_dir, self.attempt, self.segment)
            .map_err(|e| Error::io("write recovered edits below", &log_dir, e))?;
        let name = edit.region.to_string();
        match output {
            Some(output) => drop(self.outputs.insert(name, output)),
            None => drop(self.done.insert(name)),
        }
        Ok(())
    }

    /// Completes the files of a pass, and puts each in place.
    fn finish_outputs(&mut self) -> Result<()> {
        for (region, output) in std::mem::take(&mut self.outputs) {
            let path = output.writer.path().to_path_buf();
            finish(self.env, output).map_err(|e| Error::io("complete", path, e))?;
            self.report.regions += 1;
            self.done.insert(region);
        }
        Ok(())
    }
}

/// Creates a region's file; `None` when the region is gone.
///
/// A segment that has been moved away was split by another worker, and its region may be open, or have been emptied since: then nothing may be
/// put in place. While the segment is there its regions are not open, and their open will delete the file that is begun here.
fn begin<'a>(
    env: &'a dyn Env,
    region: &Path,
    log_dir: &Path,
    attempt: Attempt,
    segment: &Path,
) -> io::Result<Option<Output<'a>>> {
    if !env.exists(region)? {
        return Ok(None);
    }
    let dir = log_dir.join("recovered.edits");
    env.mkdir_durably(&dir)?;
    let name = segment.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let unfinished = Unfinished::new(env, &dir, &name, attempt);
    let writer = SegmentWriter::create(env, unfinished.path(), 0, env.now_millis())?;
    let output = Output { writer, dir, highest: 0, unfinished };
    if !env.exists(segment)? {
        let text = format!("{} was moved away: another worker has split it", segment.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    }
    Ok(Some(output))
}

/// Completes a file and puts it in place. Where one has its name, the same split ran before, or a group was written to two segments, and
/// the older of two that end with the same edit of a region has all that the younger has.
fn finish(env: &dyn Env, output: Output<'_>) -> io::Result<()> {
    let Output { mut writer, dir, highest, unfinished } = output;
    let end = Record::end(writer.records()).map_err(|e| io::Error::other(e.message))?;
    writer.append(&end.with_sequence(0), 0)?;
    writer.sync()?;
    let bytes = writer.position();
    writer.close()?;
    crash_point!("recovery.after_split_before_rename");
    unfinished.put_in_place(bytes, &recovered_name(highest))?;
    env.sync_dir(&dir)
}

#[cfg(test)]
mod tests;
