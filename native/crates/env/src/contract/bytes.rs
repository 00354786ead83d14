//! What becomes of a file's bytes.

use std::io::{ErrorKind, Result};
use std::path::Path;

use super::{ensure, fails, write};
use crate::{AppendFile, Env};

/// More than a test writes to a log.
const LOG_BYTES: u64 = 4 << 20;

/// A way to create a file that is flushed while it is written.
type Create = fn(&dyn Env, &Path) -> Result<Box<dyn AppendFile>>;

/// All of them.
pub(super) const CREATES: [Create; 2] =
    [|env, path| env.create(path), |env, path| env.create_log(path, LOG_BYTES)];

/// More than any environment collects before it writes.
const LARGE_BYTES: usize = 3 << 20;

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251).to_le_bytes()[0]).collect()
}

pub(super) fn reads_what_was_appended(env: &dyn Env, dir: &Path) -> Result<()> {
    for (name, bulk) in [("f", false), ("bulk", true)] {
        let (path, bytes) = (dir.join(name), pattern(LARGE_BYTES + 7));
        let mut file = if bulk { env.create_bulk(&path)? } else { env.create(&path)? };
        for part in [&bytes[..5], &bytes[5..LARGE_BYTES], &[], &bytes[LARGE_BYTES..]] {
            file.append(part)?;
            file.start_write_back()?;
        }
        ensure(file.position() == bytes.len() as u64, "the position is not the number of bytes")?;
        file.sync()?;
        file.close()?;
        ensure(env.len(&path)? == bytes.len() as u64, "the length of a closed file")?;
        ensure(env.read(&path)? == bytes, "the bytes of a closed file")?;
        read_at_places(env, &path, &bytes)?;
    }
    Ok(())
}

fn read_at_places(env: &dyn Env, path: &Path, bytes: &[u8]) -> Result<()> {
    let reader = env.open(path)?;
    ensure(reader.len() == bytes.len() as u64, "the length of an open file")?;
    for (at, len) in [(0, 1), (1, 4096), (LARGE_BYTES - 1, 8), (bytes.len(), 0), (511, 1 << 20)] {
        let mut read = vec![0; len];
        reader.read_exact_at(&mut read, at as u64)?;
        ensure(read == bytes[at..at + len], "the bytes of a positioned read")?;
    }
    let beyond = reader.read_exact_at(&mut [0; 2], bytes.len() as u64 - 1);
    fails(beyond, ErrorKind::UnexpectedEof, "a read beyond the end")?;
    fails(env.open(&path.with_file_name("none")), ErrorKind::NotFound, "an open of what is not there")
}

pub(super) fn goes_on_behind_a_sync(env: &dyn Env, dir: &Path) -> Result<()> {
    let path = dir.join("f");
    let mut file = env.create(&path)?;
    file.flush()?;
    file.sync()?;
    for round in 0..4_u8 {
        file.append(&[round; 100])?;
        file.flush()?;
        file.sync()?;
        file.sync()?;
    }
    file.append(b"end")?;
    file.close()?;
    let expected: Vec<u8> = (0..4_u8).flat_map(|round| [round; 100]).chain(*b"end").collect();
    ensure(env.read(&path)? == expected, "the bytes of a file that was flushed and synced")
}

/// Each sync has bytes of its own, and is no second step behind a flush.
pub(super) fn takes_groups(env: &dyn Env, dir: &Path) -> Result<()> {
    let path = dir.join("f");
    let mut file = env.create_log(&path, LOG_BYTES)?;
    let groups: Vec<Vec<u8>> = [32, 100, LARGE_BYTES, 1, 511, 700].map(pattern).into();
    for (at, group) in groups.iter().enumerate() {
        file.append(group)?;
        if at % 2 == 0 { file.flush()? } else { file.sync()? }
    }
    file.append(b"end")?;
    file.close()?;
    ensure(env.read(&path)? == [groups.concat(), b"end".to_vec()].concat(), "the bytes of a log")
}

pub(super) fn can_be_abandoned(env: &dyn Env, dir: &Path) -> Result<()> {
    for (at, create) in CREATES.into_iter().enumerate() {
        let path = dir.join(at.to_string());
        let mut file = create(env, &path)?;
        file.append(b"flushed")?;
        file.flush()?;
        file.append(b" and not")?;
        drop(file);
        env.recover_lease(&path)?;
        let left = env.read(&path)?;
        ensure(b"flushed and not".starts_with(&left) && left.len() >= 7, "a flush does not last")?;
        ensure(env.len(&path)? == left.len() as u64, "the length behind a recovered lease")?;
        env.recover_lease(&path)?;
    }
    Ok(())
}

pub(super) fn reads_on_after_a_rename(env: &dyn Env, dir: &Path) -> Result<()> {
    let bytes = pattern(LARGE_BYTES);
    write(env, &dir.join("f"), &bytes)?;
    let reader = env.open(&dir.join("f"))?;
    env.rename(&dir.join("f"), &dir.join("g"))?;
    let mut read = vec![0; LARGE_BYTES];
    reader.read_exact_at(&mut read, 0)?;
    ensure(read == bytes, "the bytes after a rename")
}

pub(super) fn leaves_closed_files(env: &dyn Env, dir: &Path) -> Result<()> {
    let path = dir.join("f");
    write(env, &path, b"abc")?;
    env.recover_lease(&path)?;
    env.sync_file(&path)?;
    ensure(env.read(&path)? == b"abc", "a closed file after a recovery of its lease")?;
    fails(env.sync_file(&dir.join("none")), ErrorKind::NotFound, "a sync of what is not there")?;
    fails(env.recover_lease(&dir.join("none")), ErrorKind::NotFound, "a recovery of what is not there")
}

/// Where a flush is cheap the file system is a local one, which knows no lease.
pub(super) fn fences(env: &dyn Env, dir: &Path) -> Result<()> {
    let ways = CREATES.into_iter().flat_map(|create| WRITES.map(|call| (create, call)));
    for (at, (create, call)) in ways.enumerate() {
        let (path, moved) = (dir.join(at.to_string()), dir.join(format!("{at}-splitting")));
        let mut file = create(env, &path)?;
        file.append(b"acknowledged")?;
        file.flush()?;
        env.rename(&path, &moved)?;
        env.recover_lease(&moved)?;
        ensure(env.read(&moved)? == b"acknowledged", "what was flushed before a recovery")?;
        if !env.flush_is_cheap() {
            let late = file.append(b"late").and_then(|()| call(file));
            ensure(late.is_err(), "a writer whose lease was recovered goes on")?;
            ensure(env.read(&moved)? == b"acknowledged", "a writer that was fenced has changed its file")?;
        }
    }
    Ok(())
}

/// A call that a fenced writer may try.
type LateCall = fn(Box<dyn AppendFile>) -> Result<()>;

/// All of them.
const WRITES: [LateCall; 3] = [|mut file| file.flush(), |mut file| file.sync(), |file| file.close()];
