//! What a split leaves out of a segment because it cannot be read, where the operator allows it (`hbase.hlog.split.skip.errors`).
//!
//! Its bytes are kept in `corrupt` below the root of logs, where HBase moves logs that it could not parse, before any of the segment's
//! edits are taken.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use grampus_base::{Error, ErrorKind, Result};
use grampus_env::Env;

use super::output::{Attempt, Unfinished};
use super::reader::{RawEdit, SegmentReader};
use super::record::Edit;

const CORRUPT_DIR: &str = "corrupt";
const COPY_BYTES: u64 = 1 << 20;

/// A part of a segment that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it lies in the segment.
    pub at: Range<u64>,
    /// Why it cannot be read.
    pub why: String,
    /// The file that has its bytes.
    pub kept_in: PathBuf,
}

/// The parts of one segment that cannot be read.
pub(super) struct Unreadable {
    allowed: bool,
    parts: Vec<(Range<u64>, String)>,
}

impl Unreadable {
    /// None yet; the first is an error unless they are allowed.
    pub(super) fn new(allowed: bool) -> Unreadable {
        Unreadable { allowed, parts: Vec::new() }
    }

    /// Decodes an edit; `None` when that fails and is allowed to.
    pub(super) fn decode<'a>(&mut self, raw: &RawEdit<'a>) -> Result<Option<Edit<'a>>> {
        match raw.decode() {
            Ok(edit) => Ok(Some(edit)),
            Err(e) if self.allowed && e.kind == ErrorKind::Corrupt => {
                self.parts.push((raw.range(), e.message));
                Ok(None)
            }
            Err(e) => Err(e),
        }
    }

    /// Takes in what the reader has skipped, and says where the parts lie, in their order.
    pub(super) fn ranges(&mut self, reader: &mut SegmentReader) -> Vec<Range<u64>> {
        self.parts.extend(reader.take_damage());
        self.parts.sort_by_key(|(at, _)| at.start);
        self.parts.iter().map(|(at, _)| at.clone()).collect()
    }

    /// Copies the parts to files of their own. May be repeated.
    pub(super) fn keep(
        self,
        env: &dyn Env,
        reader: &mut SegmentReader,
        attempt: Attempt,
        segment: &Path,
        root: &Path,
    ) -> Result<Vec<LeftOut>> {
        if self.parts.is_empty() {
            return Ok(Vec::new());
        }
        let dir = root.join(CORRUPT_DIR);
        let name = segment.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        env.mkdir(&dir).map_err(|e| Error::io("create directory", &dir, e))?;
        let mut kept = Vec::with_capacity(self.parts.len());
        for (at, why) in self.parts {
            let name = format!("{name}.{}", at.start);
            let own = Unfinished::new(env, &dir, &name, attempt);
            copy(env, reader, &at, own.path())?;
            let kept_in = own
                .put_in_place(at.end - at.start, &name)
                .map_err(|e| Error::io("keep what a split leaves out in", dir.join(&name), e))?;
            kept.push(LeftOut { at, why, kept_in });
        }
        env.sync_dir(&dir).map_err(|e| Error::io("sync", &dir, e))?;
        Ok(kept)
    }
}

fn copy(env: &dyn Env, reader: &mut SegmentReader, at: &Range<u64>, path: &Path) -> Result<()> {
    let failed = |e: io::Error| Error::io("keep what a split leaves out in", path, e);
    let mut file = env.create(path).map_err(failed)?;
    let mut next = at.start;
    while next < at.end {
        let bytes = reader.bytes_at(next, COPY_BYTES.min(at.end - next))?;
        file.append(bytes).map_err(failed)?;
        next += bytes.len() as u64;
    }
    file.sync().and_then(|()| file.close()).map_err(failed)
}
