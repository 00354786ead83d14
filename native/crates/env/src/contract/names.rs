//! What becomes of the names of files and directories.

use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::bytes::CREATES;
use super::{ensure, fails, write};
use crate::Env;

/// Number of threads that rename to one name at once.
const RIVALS: usize = 4;

pub(super) fn creates_once(env: &dyn Env, dir: &Path) -> Result<()> {
    let (logs, renamed) = (dir.join("logs"), dir.join("logs-splitting"));
    env.mkdir(&logs)?;
    for (at, create) in CREATES.into_iter().enumerate() {
        let path = logs.join(at.to_string());
        let mut open = create(env, &path)?;
        fails(create(env, &path), ErrorKind::AlreadyExists, "a second create while the file is open")?;
        open.append(b"kept")?;
        open.close()?;
        for again in CREATES {
            fails(again(env, &path), ErrorKind::AlreadyExists, "a second create")?;
        }
        ensure(env.read(&path)? == b"kept", "a file that was to be created again")?;
    }
    env.create(&logs.join("f"))?.close()?;
    fails(env.create_bulk(&logs.join("f")), ErrorKind::AlreadyExists, "a second create of a bulk file")?;
    env.rename(&logs, &renamed)?;
    for late in [logs.join("g"), dir.join("none/f")] {
        for create in CREATES {
            fails(create(env, &late), ErrorKind::NotFound, "a create without a directory")?;
        }
        fails(env.create_bulk(&late), ErrorKind::NotFound, "a create of a bulk file without a directory")?;
    }
    ensure(!env.exists(&logs)? && !env.exists(&dir.join("none"))?, "a create has made a directory")
}

pub(super) fn lists(env: &dyn Env, dir: &Path) -> Result<()> {
    write(env, &dir.join("b%2C"), b"abc")?;
    write(env, &dir.join("a"), b"")?;
    env.mkdir(&dir.join("c/d"))?;
    env.mkdir(&dir.join("c"))?;
    let found: Vec<(String, bool, u64)> =
        env.list(dir)?.into_iter().map(|entry| (entry.name, entry.is_dir, entry.len)).collect();
    let wanted = [("a", false, 0), ("b%2C", false, 3), ("c", true, 0)];
    let wanted = wanted.map(|(name, is_dir, len)| (name.to_string(), is_dir, len));
    ensure(found == wanted, "the list of a directory")?;
    ensure(env.list(&dir.join("c/d"))?.is_empty(), "the list of an empty directory")?;
    fails(env.list(&dir.join("none")), ErrorKind::NotFound, "the list of what is not there")?;
    fails(env.list(&dir.join("a")), ErrorKind::NotADirectory, "the list of a file")?;
    ensure(env.exists(&dir.join("c"))? && !env.exists(&dir.join("d"))?, "what exists")
}

pub(super) fn renames_onto_nothing(env: &dyn Env, dir: &Path) -> Result<()> {
    let at = |name: &str| -> PathBuf { dir.join(name) };
    write(env, &at("a"), b"a")?;
    write(env, &at("b"), b"b")?;
    env.mkdir(&at("empty"))?;
    env.mkdir(&at("full"))?;
    write(env, &at("full/c"), b"c")?;
    for (from, to) in
        [("a", "b"), ("a", "empty"), ("a", "full"), ("full", "empty"), ("empty", "full"), ("full", "b")]
    {
        let what = format!("a rename of {from} onto {to}");
        fails(env.rename(&at(from), &at(to)), ErrorKind::AlreadyExists, &what)?;
    }
    fails(env.rename(&at("none"), &at("new")), ErrorKind::NotFound, "a rename of nothing")?;
    fails(env.rename(&at("a"), &at("none/new")), ErrorKind::NotFound, "a rename to nowhere")?;
    ensure(!env.exists(&at("none"))?, "a rename has made a directory")?;
    let has = |name: &str, bytes: &[u8]| env.read(&at(name)).map(|found| found == bytes);
    ensure(has("a", b"a")? && has("b", b"b")? && has("full/c", b"c")?, "what was there")?;
    env.rename(&at("a"), &at("full/new"))?;
    env.rename(&at("full"), &at("moved"))?;
    for changed in [dir, &at("moved")] {
        env.sync_dir(changed)?;
    }
    ensure(has("moved/new", b"a")? && has("moved/c", b"c")? && !env.exists(&at("full"))?, "what was renamed")
}

pub(super) fn renames_once(env: &dyn Env, dir: &Path) -> Result<()> {
    for round in 0..5 {
        let target = dir.join(format!("target{round}"));
        let own: Vec<PathBuf> = (0..RIVALS).map(|n| dir.join(format!("own{round}-{n}"))).collect();
        own.iter().try_for_each(|path| write(env, path, b"x"))?;
        let start = std::sync::Barrier::new(RIVALS);
        let (start, target) = (&start, &target);
        let winners = std::thread::scope(|scope| {
            let all: Vec<_> = own
                .iter()
                .map(|path| {
                    scope.spawn(move || {
                        start.wait();
                        env.rename(path, target).is_ok()
                    })
                })
                .collect();
            all.into_iter().filter_map(|thread| thread.join().ok()).filter(|won| *won).count()
        });
        ensure(winners == 1, &format!("{winners} renames to one name are done"))?;
    }
    Ok(())
}

pub(super) fn tells_files_apart(env: &dyn Env, dir: &Path) -> Result<()> {
    let (path, moved, other) = (dir.join("f"), dir.join("moved"), dir.join("other"));
    write(env, &path, b"abc")?;
    write(env, &other, b"abc")?;
    let found = env.stat(&path)?;
    ensure(found.is_plain && found.names == 1, "what is said of a file")?;
    env.rename(&path, &moved)?;
    ensure(env.stat(&moved)? == found && env.stat(&other)?.id != found.id, "the id of a file")?;
    ensure(!env.stat(dir)?.is_plain, "a directory that counts as a file")?;
    fails(env.stat(&path), ErrorKind::NotFound, "what is said of nothing")
}

pub(super) fn deletes_what_is_empty(env: &dyn Env, dir: &Path) -> Result<()> {
    let own = dir.join("d");
    env.mkdir(&own)?;
    write(env, &own.join("f"), b"f")?;
    fails(env.delete(&own), ErrorKind::DirectoryNotEmpty, "a delete of a full directory")?;
    env.delete(&own.join("f"))?;
    env.delete(&own)?;
    for gone in [&own, &own.join("f")] {
        fails(env.delete(gone), ErrorKind::NotFound, "a delete of nothing")?;
    }
    Ok(())
}
