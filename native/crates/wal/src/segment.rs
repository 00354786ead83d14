//! A segment file being written.

use std::io;
use std::path::{Path, PathBuf};

use grampus_env::{AppendFile, Env};

/// First bytes of every segment.
pub const MAGIC: &[u8; 8] = b"GRAMPWAL";
/// The only version so far.
pub const VERSION: u32 = 1;
/// Bytes before the first record.
pub const HEADER_BYTES: usize = 32;
/// Header flag: log of hbase:meta.
pub const FLAG_META: u32 = 1;

/// The header of a fresh segment.
pub fn header(flags: u32, created_millis: i64) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[0..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..16].copy_from_slice(&flags.to_le_bytes());
    bytes[16..24].copy_from_slice(&created_millis.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..28]);
    bytes[28..32].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// The checksum that a header carries.
pub(crate) fn stored_checksum(header: &[u8]) -> Option<u32> {
    header.get(28..32)?.first_chunk().map(|sum| u32::from_le_bytes(*sum))
}

/// Appends records to one file.
pub struct SegmentWriter {
    path: PathBuf,
    created_millis: i64,
    file: Box<dyn AppendFile>,
    records: u64,
}

impl SegmentWriter {
    /// Creates the file with its header, its name durable. After an error nothing is left of it.
    pub fn create(env: &dyn Env, path: &Path, flags: u32, created_millis: i64) -> io::Result<SegmentWriter> {
        SegmentWriter::begin(env, path, env.create(path)?, &header(flags, created_millis), created_millis)
    }

    /// The same for a segment of a log that is written to, into which about `most` bytes come.
    pub fn create_in_log(
        env: &dyn Env,
        path: &Path,
        flags: u32,
        created_millis: i64,
        most: u64,
    ) -> io::Result<SegmentWriter> {
        let file = env.create_log(path, most)?;
        SegmentWriter::begin(env, path, file, &header(flags, created_millis), created_millis)
    }

    fn begin(
        env: &dyn Env,
        path: &Path,
        mut file: Box<dyn AppendFile>,
        header: &[u8],
        created_millis: i64,
    ) -> io::Result<SegmentWriter> {
        match begin(env, path, &mut *file, header) {
            Ok(()) => Ok(SegmentWriter { path: path.to_path_buf(), created_millis, file, records: 0 }),
            Err(e) => {
                drop(file);
                Err(give_up(env, path, e))
            }
        }
    }

    /// Appends whole records.
    pub fn append(&mut self, bytes: &[u8], records: u64) -> io::Result<()> {
        self.file.append(bytes)?;
        self.records += records;
        Ok(())
    }

    /// Hands everything to the operating system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Everything is on the medium when this returns, where there is something that no flush or sync has covered. See [`AppendFile::sync`].
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    /// Ends the file: its length is final. See [`AppendFile::close`].
    pub fn close(self) -> io::Result<()> {
        self.file.close()
    }

    /// Milliseconds since the epoch; no two segments of a log have the same.
    pub fn created_millis(&self) -> i64 {
        self.created_millis
    }

    /// Bytes so far.
    pub fn position(&self) -> u64 {
        self.file.position()
    }

    /// Records so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn begin(env: &dyn Env, path: &Path, file: &mut dyn AppendFile, header: &[u8]) -> io::Result<()> {
    file.append(header)?;
    file.flush()?;
    path.parent().map_or(Ok(()), |dir| env.sync_dir(dir))
}

/// Deletes a segment that could not be begun, of which no one would know.
fn give_up(env: &dyn Env, path: &Path, why: io::Error) -> io::Error {
    match env.delete(path) {
        Err(left) if left.kind() != io::ErrorKind::NotFound => {
            io::Error::new(why.kind(), format!("{why}; what was begun of it stays: {left}"))
        }
        _ => why,
    }
}
